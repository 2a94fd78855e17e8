"""The simulated room: a deck of tagged cards, a dealer and players, round a table that does not know them.

The room moves cards past the simulated reader and presses simulated keys; it looks at the table only as people do, at
what the table shows (the published standing) and at whether the gate lets a card out. What the panel has no key for
people touch on the page, as a line of the table script. Things go wrong by chance, which comes from a seed, or when
somebody who watches wants to see it (`go_wrong`).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.app.simulation import mishaps
from controller.app.simulation.moves import Move
from controller.runtime.faults.faults import FAULTS, IN_SERVICE
from controller.runtime.faults.latch import FaultStanding
from drivers.sim.bench.twin import GateTwin, PanelTwin, ReaderTwin

STUB, STUB_BOTTOM, DEALT = "stub", "stub-bottom", "dealt"

STRANGE_TAG = 900
"""Which tag of the box is in a card of no deck."""

MOST_SHOWN = 2
"""How often a card is shown to a reader that does not notice it; then it is left where it is."""

FEWEST_PLAYERS = 5
"""With fewer chairs taken, somebody new sits down."""

FEWEST_AT_A_TOURNAMENT = 2


@dataclass(slots=True)
class Deck:
    """The pieces of plastic: a stub, the next card last, and what lies outside it; nobody knows a face."""

    tags: Sequence[str]
    seed: int
    stub: list[str] = field(default_factory=list)
    places: dict[str, list[str]] = field(default_factory=dict)
    irregular: set[str] = field(default_factory=set)

    def riffle(self, hand: int) -> None:
        """Gather all cards and shuffle them for hand number `hand`."""
        self.stub = list(self.tags)
        self.places.clear()
        self.irregular.clear()
        random.Random(f"{self.seed}/{hand}").shuffle(self.stub)

    def resume(self, hand: int, left: int) -> None:
        """Take up the deck in the middle of a hand from which `left` cards remain in the stub."""
        self.riffle(hand)
        gone, self.stub = self.stub[left:], self.stub[:left]
        self.places[DEALT] = gone[::-1]

    def deal(self, place: str) -> str:
        """Take the top card; it will lie at `place`."""
        tag = self.stub.pop()
        self.places.setdefault(place, []).append(tag)
        return tag

    def shuffle(self, chance: random.Random) -> None:
        """Shuffle the stub as it now is."""
        chance.shuffle(self.stub)

    def move(self, source: str, to: str, count: int) -> None:
        """Carry cards from one place to another; those that went wrong first, then the last ones put there.

        A card that is none of the deck's does not go back with the others: the deck is made sound.
        """
        if source == "all":
            gathered = [tag for place in self.places.values() for tag in place if tag in self.tags]
            self.places.clear()
        else:
            lying = self.places.get(source) or self.places.get(DEALT, [])
            chosen = ([tag for tag in lying if tag in self.irregular] + lying[::-1])[:count]
            gathered = list(dict.fromkeys(chosen))
            for tag in gathered:
                lying.remove(tag)
        self.irregular.difference_update(gathered)
        if to == STUB:
            self.stub.extend(gathered)
        elif to == STUB_BOTTOM:
            self.stub[:0] = gathered
        else:
            self.places.setdefault(to, []).extend(gathered)


class Room:
    """Decides what happens next in the room, and does it at the far ends of the wires.

    `mistakes` is the probability that something goes wrong with a downcard, and about that of a key pressed in error
    and taken back. `touch` enters a line on the page. `spares` has for each tag that of a card of the same face, from
    an older deck. `start_key` starts a hand. Without `newcomers` nobody sits down by themselves: a tournament's desk
    gives the chairs, and a hand begins while its timer runs and two have one; `hand_for_hand`: whether that has been
    announced, as the timer may stand still for it.
    """

    def __init__(
        self,
        reader: ReaderTwin,
        panel: PanelTwin,
        gate: GateTwin | None,
        tags: Sequence[str],
        *,
        seed: int,
        mistakes: float = 0.04,
        touch: Callable[[Mapping[str, object]], object] = lambda _line: None,
        spares: Mapping[str, str] | None = None,
        start_key: str = "start",
        newcomers: bool = True,
        hand_for_hand: Callable[[], bool] = lambda: False,
    ) -> None:
        self._hand_for_hand = hand_for_hand
        self._newcomers = newcomers
        self._start_key = start_key
        self._reader = reader
        self._panel = panel
        self._gate = gate
        self._deck = Deck(tuple(tags), seed)
        self._chance = random.Random(seed)
        self._mistakes = mistakes
        self._taken_up = False
        self._touch = touch
        self._spares = spares or {}
        self._wrong: str | None = None
        self._wrongly: list[str] = []
        self._to_report: str | None = None
        self._to_touch: Mapping[str, object] | None = None
        self._to_undo = False
        self._on_reader: str | None = None
        self._presented = 0
        self._by_rounds = False
        """Whether this table is told rounds: its showdown is one word, too."""

    @property
    def wrong(self) -> str | None:
        """What is to go wrong as soon as it can."""
        return self._wrong

    def go_wrong(self, fault: str) -> None:
        """Let something go wrong as soon as it can; the last wish counts."""
        self._wrong = fault

    def next_move(self, output: Mapping[str, Any], refused: bool, faults: Sequence[FaultStanding] = ()) -> Move | None:
        """Choose what people do at a table that shows `output`; `None` while there is nothing they can do.

        Of the `faults` that are up they see to those that end by a person's word.
        """
        if not self._taken_up:
            self._take_up(output)
        if output["phase"] == "halted":
            return self._see_to(faults)
        if self._to_report is not None:
            return Move("report", 1.2, self._to_report)
        if self._to_undo:
            return Move("undo", 1.2, "undo")
        if self._wrongly:
            return Move("card", 0.5)
        if self._to_touch is not None:
            return Move("report", 1.2, line=self._to_touch)
        steps = output["next"]
        if not steps:
            return self._between_hands(output, refused)
        if refused and steps[0]["step"] == "award":
            return Move("won", 2.0, line={"ev": "won", "seat": steps[0]["seats"][0], "pot": steps[0]["pot"]})
        if self._wrong is not None and (move := mishaps.due(self._wrong, output)) is not None:
            return move
        return self._move_for(steps[0])

    def do(self, move: Move, output: Mapping[str, Any]) -> None:
        """Do it."""
        steps = output["next"]
        step = steps[0] if steps else None
        if move.fault is not None and step is not None:
            self._mishap(move.fault, step, output)
            return
        if move.line is not None:
            self._to_touch = None
            self._touch(move.line)
            return
        if move.key is None and step is not None:
            self._deal(step)
            return
        if move.what == "report":
            self._to_report = None
        elif move.what == "undo":
            self._to_undo = False
        elif move.what == "slip":
            self._to_undo = True
        elif move.what == "start":
            self._deck.riffle(int(output["hand"]) + 1)
        elif move.what == "done" and step is not None:
            self._carry(step)
        if move.key is not None:
            self._panel.tap(move.key)

    def settle(self, noticed: bool) -> None:
        """Take the card off the reader; one that the table has not noticed will be shown to it again."""
        if self._on_reader is None:
            return
        self._reader.remove(self._on_reader)
        if noticed or self._presented >= MOST_SHOWN:
            self._on_reader = None

    def _take_up(self, output: Mapping[str, Any]) -> None:
        self._taken_up = True
        if output["next"]:
            self._deck.resume(int(output["hand"]), int(output["piles"]["stub"]))

    def _see_to(self, faults: Sequence[FaultStanding]) -> Move | None:
        """Compare the table, change the deck: whatever it takes until the fault can be said to be over.

        A table that is out of service is a technician's, who alone says when it is back.
        """
        if any(fault.code == IN_SERVICE for fault in faults):
            return None
        for fault in faults:
            if fault.id and not FAULTS[fault.code].by_self_check:
                return Move("clear", 4.0, line={"ev": "device", "id": fault.id, "status": "back", "needed": True})
        return None

    def _between_hands(self, output: Mapping[str, Any], refused: bool) -> Move | None:
        timer, stacks = output.get("timer", {}), output.get("stacks")
        if timer.get("stage") == "break":
            return None
        if not self._newcomers:
            plays = timer.get("running") or (timer and self._hand_for_hand())
            waits = refused or not plays or len(stacks or ()) < FEWEST_AT_A_TOURNAMENT
            return None if waits else Move("start", 3.0, self._start_key)
        if refused or (stacks is not None and len(stacks) < FEWEST_PLAYERS):
            return Move("sit", 2.0, "new_player")
        return Move("start", 3.0, self._start_key)

    def _move_for(self, step: Mapping[str, Any]) -> Move | None:
        match step["step"]:
            case "deal" | "burn" | "board":
                if self._gate is not None and not self._gate.is_open():
                    return None
                return Move("card", 0.9)
            case "hold":  # hand for hand: the floor says when
                return None
            case "act":
                return self._act(step)
            case "bet":
                return self._round(step)
            case "show" if self._by_rounds:
                return Move("done", 6.0, "done")
            case "show":
                return Move("show", 1.5, "show")
            case "draw":
                count = step.get("discard") or self._chance.choice((0, 1, 1, 2, 3))
                return Move("draw", 2.0, line={"ev": "draw", "seat": step["seat"], "discard": count})
            case "floor":
                if not {"play-on", "misdeal"} & set(step["options"]):
                    return Move("floor", 4.0, line={"ev": "floor", "decide": step["options"][0]})
                key = "play_on" if "play-on" in step["options"] else "misdeal"
                return Move("floor", 4.0, key)
            case "say" if "acted" in step["options"]:
                return Move("say", 3.0, line={"ev": "report", "what": "acted", "count": 2, "chips": True})
            case "say" if "opened" in step["options"]:
                return Move("say", 3.0, line={"ev": "report", "what": "opened"})
            case "say":
                return Move("say", 3.0, "premature" if "premature" in step["options"] else "put_back")
            case _:
                return Move("done", 1.8, "done")

    def _round(self, step: Mapping[str, Any]) -> Move:
        """A betting round that is told as a whole: some fold, one after the other, and then it is over."""
        self._by_rounds = True
        seats = step["seats"]
        if len(seats) > 1 and self._chance.random() < 0.45:
            return Move("act", 1.6, line={"ev": "act", "seat": self._chance.choice(seats), "do": "fold"})
        return Move("closed", 4.0, line={"ev": "closed"})

    def _act(self, step: Mapping[str, Any]) -> Move:
        options = step["options"]
        for word, odds in (("bring-in", 0.8), ("complete", 0.25)):
            if word in options and self._chance.random() < odds:
                amount = {} if word == "bring-in" or "min_to" not in step else {"to": step["min_to"]}
                return Move("act", 1.6, line={"ev": "act", "seat": step["seat"], "do": word, **amount})
        wishes = {"fold": 0.38 if step.get("to_call") else 0.0, "call": 0.46, "raise": 0.13, "all_in": 0.03}
        legal = {
            "fold": "fold" in options,
            "call": bool({"check", "call"} & set(options)),
            "raise": bool({"bet", "raise"} & set(options)),
            "all_in": "all-in" in options,
        }
        keys = [key for key in wishes if legal[key]] or ["fold"]
        key = self._chance.choices(keys, [wishes[key] or 0.001 for key in keys])[0]
        if not legal[key] and "complete" in options:
            amount = {"to": step["min_to"]} if "min_to" in step else {}
            return Move("act", 1.6, line={"ev": "act", "seat": step["seat"], "do": "complete", **amount})
        if key == "call" and self._chance.random() < self._mistakes / 2:
            return Move("slip", 1.6, key)
        return Move("act", self._chance.uniform(1.0, 2.2), key)

    def _mishap(self, fault: str, step: Mapping[str, Any], output: Mapping[str, Any]) -> None:
        """Do the step wrongly: where the cards go instead, and what the dealer will say when he sees it."""
        self._wrong = None
        places, said = mishaps.instead(fault, step, output)
        if fault in ("duplicate", "foreign"):
            self._strange(fault, str(step.get("seat", "")))
            return
        if fault in mishaps.BY_KEY:
            self._to_report = mishaps.BY_KEY[fault]
        self._to_touch = said
        self._wrongly = list(places)
        self._deal(step)
        if self._on_reader is not None and fault in mishaps.BY_KEY:
            self._deck.irregular.add(self._on_reader)

    def _strange(self, fault: str, seat: str) -> None:
        """Deal a card that is none of this deck's, or one of the old deck whose face is out already."""
        out = [tag for lying in self._deck.places.values() for tag in lying if tag in self._spares]
        tag = self._reader.nth_tag(STRANGE_TAG) if fault == "foreign" or not out else self._spares[out[0]]
        self._deck.irregular.add(tag)
        self._deck.places.setdefault(f"seat {seat}", []).append(tag)
        self._on_reader, self._presented = tag, 1
        self._reader.present(tag)

    def _deal(self, step: Mapping[str, Any]) -> None:
        """Move a card past the reader: again the one that the table has not noticed, if there is one."""
        self._presented += 1
        if self._on_reader is not None:
            self._reader.present(self._on_reader)
            return
        if not self._deck.stub:
            return
        place = f"seat {step['seat']}" if step["step"] == "deal" else str(step["step"])
        if self._wrongly:
            place = self._wrongly.pop(0)
        tag = self._deck.deal(place)
        self._on_reader, self._presented = tag, 1
        self._reader.present(tag)
        if step["step"] != "deal" or self._to_report or self._to_touch:
            return
        if step["face"] == "down" and self._chance.random() < self._mistakes:
            self._deck.irregular.add(tag)
            self._to_report = self._chance.choices(("exposed", "boxed", "off_table"), (6, 2, 1))[0]

    def _carry(self, step: Mapping[str, Any]) -> None:
        """Carry the cards of a step that the dealer then confirms."""
        match step["step"]:
            case "return" | "discard":
                source = str(step.get("from", STUB))
                if source == STUB:
                    for _ in range(int(step["count"])):
                        self._deck.deal(str(step["to"]))
                else:
                    self._deck.move(source, str(step["to"]), int(step["count"]))
            case "move" if step["what"] != "button":
                self._deck.move(str(step["from"]), str(step["to"]), int(step["count"]))
            case "shuffle":
                self._deck.shuffle(self._chance)
            case _:
                pass
