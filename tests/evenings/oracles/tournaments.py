"""A table is free when its tournament is over, and the next one can begin."""

from collections.abc import Iterator

from tests.evenings.oracles.standing import Watcher, find_entry, find_word, find_words, get_line, is_set_up_anew
from tests.evenings.seen import Seen

DARK = ("button", "small_blind", "big_blind", "winner_button", "kill", "act", "deal", "attention")

BRINGING = ("sit", "buy", "stack", "amend")
"""Words by which chips come to a seat."""


class TournamentOracle(Watcher):
    """Looks at a table that was let go, and counts who is in and who is out."""

    name = "tournaments"

    def __init__(self) -> None:
        self.is_free = False
        self.hands_with_chips: set[int] = set()
        """Hands after whose end somebody has brought chips: who is out is told until the next one starts."""

    def look(self, seen: Seen) -> Iterator[str]:
        """Look at what an end leaves, and at what a hand's end says of who is out."""
        line, word = get_line(seen.after), find_word(seen)
        if not line:
            return
        if word == "tournament-over" and seen.taken:
            self.is_free = True
            yield from self._look_at_free_table(seen)
        elif seen.taken and word == "sit" and self.is_free:
            self.is_free = False
            players = seen.after.get("players") or {}
            if set(players) != {str(find_entry(seen).get("seat"))}:
                yield f"the first to sit at a free table is not alone there: {sorted(players)}"
        if seen.taken:
            if is_set_up_anew(seen):
                self.hands_with_chips.clear()
            if any(each.get("ev") in BRINGING for each in find_words(seen)):
                self.hands_with_chips.add(line.get("hand", 0))
        yield from self._look_at_out(seen)

    @staticmethod
    def _look_at_free_table(seen: Seen) -> Iterator[str]:
        line = get_line(seen.after)
        if seen.after.get("players"):
            yield f"the tournament is over, and {sorted(seen.after['players'])} sit there"
        if any(line.get("stacks", {}).values()) or line.get("pots") or line.get("bets"):
            yield f"the tournament is over, and chips are there: {line.get('stacks')} {line.get('pots')}"
        if line.get("phase") not in ("idle", "halted") or line.get("next"):
            yield f"the tournament is over, and the table is in {line.get('phase')}"
        if "timer" in line:
            yield f"the tournament is over, and its timer says {line['timer']}"
        for role in DARK:
            if line.get("lamps", {}).get(role):
                yield f"the tournament is over, and the lamp {role} is lit at {line['lamps'][role]}"

    def _look_at_out(self, seen: Seen) -> Iterator[str]:
        """Who is out has no chip, and who knocked somebody out is somebody else."""
        line = get_line(seen.after)
        for each in line.get("out") or ():
            seat = str(each["seat"])
            if line.get("stacks", {}).get(seat) and line.get("hand", 0) not in self.hands_with_chips:
                yield f"seat {seat} is out and has {line['stacks'][seat]} chips"
            if not each["by"] or each["seat"] in each["by"]:
                yield f"seat {seat} was knocked out by {each['by']}"
            if "shares" in each and len(each["shares"]) != len(each["by"]):
                yield f"the bounty of seat {seat} has {each['shares']} parts for {each['by']}"
