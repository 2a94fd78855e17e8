"""What the house is due of a hand, reckoned beside the program from what a table is told and answers.

Source: table script 3, section 1, and the rules that it names; nothing of `controller/core` is used, only lines and
answers. A hand that somebody ruled on or corrected, or to which a pot was carried, is not reckoned.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

Answer = Mapping[str, Any]
Line = Mapping[str, Any]

WAGERS = ("bet", "raise", "complete")
POSTS = ("fold", "check", "bring-in", "straddle", "kill", "open")
PLAY = ("card", "act", "draw", "show", "muck", "won", "done", "start", "time", "twice", "closed")
EXPLAINED = ("time-charge", "bomb-pot", "button", "heads-up", "two-big-blinds", "waits", "dealt-twice")


class HouseOracle:
    """The hand that is on, as the lines and answers told it, and what the house is due of it."""

    def __init__(self, table: Line, answer: Answer) -> None:
        self.terms: Mapping[str, Any] = table["collection"]
        self.betting: Mapping[str, Any] = table["betting"]
        self.has_button = True
        self.is_tracked = table.get("amounts") != "untracked"
        self.is_by_rounds = table.get("follow") == "rounds"
        self.last = answer
        self.is_reckoned = False
        self.reckoned_count = 0
        self.reckoned_with: Counter[str] = Counter()
        self.period_began: float | None = None
        self.is_period_known = self.are_terms_known = True
        self.time_s = 0.0

    def see(self, line: Line, answer: Answer, *, has_button: bool) -> None:
        """Take a line that was answered, and hold the answer against what is due.

        `has_button`: whether the game of the hand has one; without it there is no button's fee.
        """
        self.has_button = has_button
        self.time_s = max(self.time_s, float(line.get("t", self.time_s)))
        if line["ev"] == "collection":
            self.change_terms({key: value for key, value in line.items() if key not in ("ev", "t")})
        elif line["ev"] == "start":
            self.begin_hand(answer)
        elif line["ev"] not in PLAY or self.has_ruling(answer):
            self.is_reckoned = False
            self.is_period_known &= line["ev"] in PLAY
            self.are_terms_known &= line["ev"] not in ("undo", "amend")
        elif line["ev"] == "act":
            self.count_act(line)
        elif line["ev"] in ("card", "draw") and self.acts:
            step = self.last["next"][0]["step"] if self.last["next"] else ""
            self.has_second_round |= step in ("deal", "board", "draw")
        self.check_end(answer)
        self.last = answer

    def has_ruling(self, answer: Answer) -> bool:
        return any(ruling["finding"] not in EXPLAINED for ruling in answer["rulings"])

    def change_terms(self, terms: Mapping[str, Any]) -> None:
        if terms["kind"] == "none":
            self.period_began, self.is_period_known = None, True
        self.are_terms_known = True
        self.terms = terms

    def begin_hand(self, answer: Answer) -> None:
        """Note what the hand begins with, and what is taken before its first card."""
        self.acts: list[tuple[int, bool]] = []
        self.dead: dict[int, int] = {}
        self.seen = {"kill"} if answer["lamps"]["kill"] else set()
        self.has_second_round = self.is_confirmed = False
        dealt = [step["seat"] for step in answer["next"] if step["step"] == "deal"]
        self.dealt = sorted(set(dealt))
        self.chips = {int(seat): chips for seat, chips in self.last["stacks"].items()} if self.is_tracked else {}
        self.is_reckoned = bool(self.dealt) and not any(r["finding"] == "owes-blind" for r in answer["rulings"])
        if not self.are_terms_known:
            self.is_reckoned = False
            return
        charged = [step for step in answer["next"] if step["step"] == "collect"]
        if self.terms["kind"] == "time":
            self.check_charges(charged, answer)
            self.reckoned_count += self.is_reckoned
            self.is_reckoned = False
        elif self.terms["kind"] == "button":
            assert not charged
            self.check_button(answer)
        else:
            assert not charged
            assert "posted" not in answer
        if self.is_tracked and self.is_reckoned:
            self.is_reckoned = self.is_own_money(answer)

    def is_own_money(self, answer: Answer) -> bool:
        """Whether all in the pot before the first card is antes and dead posts of this hand; notes who posted dead."""
        ante = self.betting.get("ante", 0)
        fee = sum(post["amount"] for post in answer.get("posted", ()))
        put_in = sum(self.chips.values()) - sum(answer["stacks"].values()) - fee
        bets, pots = sum(answer["bets"].values()), sum(pot["amount"] for pot in answer["pots"])
        if put_in != bets + pots or (ante and self.betting.get("ante_by")):
            return False
        for seat in self.dealt:
            paid = self.chips[seat] - answer["stacks"][str(seat)] - answer["bets"].get(str(seat), 0)
            paid -= fee if answer["lamps"]["button"] == [seat] else 0
            if paid > ante:
                self.dead[seat] = paid - ante
        return bool(answer["bets"]) or not self.dead  # blinds that put all of them all-in are in the pots at once

    def check_button(self, answer: Answer) -> None:
        """The button's fee: of the seat with the button, at most what it has, nothing of a dead button."""
        (seat,) = answer["lamps"]["button"] or [0]
        has = self.chips.get(seat, 0) if self.has_button else 0
        paid = min(self.terms["fee"], has) if seat in self.dealt or 0 < has <= self.terms["fee"] else 0
        wanted = [{"seat": seat, "kind": "collection", "amount": paid}] if paid else None
        if seat in self.dealt or not paid:
            assert answer.get("posted") == wanted, (answer.get("posted"), wanted)
        if paid and paid == has:
            assert seat not in self.dealt

    def check_charges(self, charged: list[dict[str, Any]], answer: Answer) -> None:
        """Time: once a period of each player with chips, from the left of the button, else by seat."""
        length = self.terms["minutes"] * 60.0
        if not self.is_period_known:
            return
        if self.period_began is not None and self.time_s < self.period_began + length:
            assert not charged, "a period was charged twice"
            return
        while self.period_began is not None and self.period_began + length <= self.time_s:
            self.period_began += length
        self.period_began = self.time_s if self.period_began is None else self.period_began
        seats = [int(seat) for seat in sorted(answer["stacks"], key=int)] if self.is_tracked else []
        button = answer["lamps"]["button"][0] if self.has_button else 0
        order = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
        asked = [step["seat"] for step in charged]
        if self.is_tracked:
            assert asked == [seat for seat in order if self.chips[seat]]
            assert all(step["amount"] == self.terms["fee"] for step in charged)
        assert set(self.dealt) <= set(asked) or self.is_tracked

    def count_act(self, line: Line) -> None:
        """An act that puts chips in beyond a post, and whether it raised."""
        seat, do, was = line["seat"], line["do"], self.last
        self.seen |= {do} & {"straddle", "kill"}
        if do is None or do in POSTS:
            return
        step = was["next"][0]
        if do == "all-in" and self.is_tracked:
            whole = was["stacks"][str(seat)] + was["bets"].get(str(seat), 0)
            if "bring-in" in step.get("options", ()) and whole <= self.betting["bring_in"]:
                return
            self.acts.append((seat, whole > max(was["bets"].values(), default=0)))
        elif do == "all-in":
            self.is_reckoned = False
        else:
            self.acts.append((seat, do in WAGERS))

    def is_free(self) -> bool:
        """AU 8.6, and no flop no drop; a fee of every hand is of every hand."""
        if self.terms["kind"] != "rake":
            return False
        if self.terms.get("no_flop_no_drop", False) and not self.has_second_round:
            return True
        return not self.acts or (len(self.acts) == 1 and self.acts[0][1])

    def check_end(self, answer: Answer) -> None:
        """When the awards stand on the plan for the first time, the step before them is what is due."""
        steps = answer.get("next") or [{"step": ""}]
        first = steps[0]
        if not self.is_reckoned or first["step"] not in ("collect", "award"):
            return
        self.is_reckoned = False
        self.reckoned_count += 1
        if self.terms["kind"] not in ("rake", "hand") or self.is_by_rounds:
            assert first["step"] == "award"
            return
        if not self.is_tracked:
            takes = bool(self.terms.get("percent") or self.terms.get("fee")) and not self.is_free()
            assert first == ({"step": "collect"} if takes else first), "untracked"
            assert (first["step"] == "collect") is takes
            return
        due = {} if self.is_free() else self.find_due(answer, steps)
        wanted = {"step": "collect", "amount": sum(due.values()), "from": [[pot, due[pot]] for pot in sorted(due)]}
        assert (first == wanted) if due else (first["step"] == "award"), f"{wanted} is due, not {first}"
        self.seen |= {"dead"} if self.dead else set()
        self.seen |= {"sides"} if len(answer["pots"]) > 2 else set()
        self.seen |= {"boards"} if any(step.get("board") for step in steps) else set()
        self.reckoned_with.update(self.seen if due else ())
        given = sum(sum(step["amounts"]) for step in steps if step["step"] == "award" and "amounts" in step)
        if all("amounts" in step for step in steps if step["step"] == "award"):
            assert given + sum(due.values()) == sum(pot["amount"] for pot in answer["pots"])

    def find_due(self, answer: Answer, steps: list[dict[str, Any]]) -> dict[int, int]:
        """What each pot gives, from what each seat has put in."""
        paid = {
            seat: self.chips[seat] - answer["stacks"].get(str(seat), 0) - self.dead.get(seat, 0) for seat in self.chips
        }
        live = sorted({seat for pot in answer["pots"] for seat in pot["seats"]})
        pots: list[tuple[int, list[int], bool]] = []  # chips, seats, whether others have put chips in
        floor = 0
        for level in sorted({paid[seat] for seat in live}):
            part = {seat: min(chips, level) - min(chips, floor) for seat, chips in paid.items()}
            seats = [seat for seat in live if paid[seat] >= level]
            if sum(part.values()):
                pots.append((sum(part.values()), seats, any(part[s] for s in part if s not in seats)))
            floor = level
        beyond = sum(max(0, chips - floor) for chips in paid.values())
        if beyond:
            pots[-1] = (pots[-1][0] + beyond, pots[-1][1], True)
        if self.dead:  # all of it is in the main pot, whoever can win that
            pots = pots or [(0, live, False)]
            chips, seats, others = pots[0]
            pots[0] = (chips + sum(self.dead.values()), seats, others or not set(self.dead) <= set(seats))
        assert [pot[0] for pot in pots] == [pot["amount"] for pot in answer["pots"]]
        if self.terms["kind"] == "hand":
            return spend(self.terms["fee"], [chips for chips, _, _ in pots])
        found = sorted((entry["dealt"], entry["cap"]) for entry in self.terms.get("caps", ()))
        caps = [cap for players, cap in found if players >= len(self.dealt)]
        cap = caps[0] if caps else self.terms.get("cap", 10**9)
        step = self.terms.get("step", self.betting.get("chip", 1))
        owed = []
        for index, (chips, seats, others) in enumerate(pots):
            awards = [each for each in steps if each["step"] == "award" and each["pot"] == index]
            tie = len(seats) > 1 and not others and all(a["seats"] == seats and "amounts" in a for a in awards)
            owed.append(0 if tie else int(chips * self.terms["percent"] / 100 + 1e-9))
        return spend(cap, owed, step)


def spend(most: int, owed: list[int], step: int = 1) -> dict[int, int]:
    """Let each in turn give what it owes, in multiples of `step`, as long as all together give no more than `most`."""
    found = {}
    for index, part in enumerate(owed):
        given = min(part, most)
        found[index] = given - given % step
        most -= found[index]
    return {index: chips for index, chips in found.items() if chips}
