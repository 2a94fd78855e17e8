"""The simulated room: a deck of tagged cards, a dealer and players, round a table that does not know them.

The room moves cards past the simulated reader and presses simulated keys; it looks at the table only as people do, at
what the table shows (the published standing) and at whether the gate lets a card out. It never speaks to the table.
Chance comes from a seed.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from drivers.sim.twin import GateTwin, PanelTwin, ReaderTwin

STUB, STUB_BOTTOM, DEALT = "stub", "stub-bottom", "dealt"

CARD_STEPS = ("deal", "burn", "board")

MOST_SHOWN = 2
"""How often a card is shown to a reader that does not notice it; then it is left where it is."""

FEWEST_PLAYERS = 5
"""With fewer chairs taken, somebody new sits down."""


@dataclass(frozen=True, slots=True)
class Move:
    """One thing people do: `seconds` is how long they take to get to it at their own pace."""

    what: str
    seconds: float
    key: str | None = None
    """The key that is pressed for it, or `None` when a card leaves the shoe."""


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
        """Carry cards from one place to another; those that went wrong first, then the last ones put there."""
        if source == "all":
            gathered = [tag for place in self.places.values() for tag in place]
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
    and taken back.
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
    ) -> None:
        self._reader = reader
        self._panel = panel
        self._gate = gate
        self._deck = Deck(tuple(tags), seed)
        self._chance = random.Random(seed)
        self._mistakes = mistakes
        self._taken_up = False
        self._to_report: str | None = None
        self._to_undo = False
        self._on_reader: str | None = None
        self._presented = 0

    def next_move(self, output: Mapping[str, Any], refused: bool) -> Move | None:
        """Choose what people do at a table that shows `output`; `None` while there is nothing they can do."""
        if not self._taken_up:
            self._take_up(output)
        if output["phase"] == "halted":
            return None
        if self._to_report is not None:
            return Move("report", 1.2, self._to_report)
        if self._to_undo:
            return Move("undo", 1.2, "undo")
        steps = output["next"]
        if not steps:
            return self._between_hands(output, refused)
        return self._move_for(steps[0])

    def do(self, move: Move, output: Mapping[str, Any]) -> None:
        """Do it."""
        steps = output["next"]
        step = steps[0] if steps else None
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

    def _between_hands(self, output: Mapping[str, Any], refused: bool) -> Move:
        taken = len(output.get("stacks") or ())
        if taken < FEWEST_PLAYERS or refused:
            return Move("sit", 2.0, "new_player")
        return Move("start", 3.0, "start")

    def _move_for(self, step: Mapping[str, Any]) -> Move | None:
        match step["step"]:
            case "deal" | "burn" | "board":
                if self._gate is not None and not self._gate.is_open():
                    return None
                return Move("card", 0.9)
            case "act":
                return self._act(step)
            case "show":
                return Move("show", 1.5, "show")
            case "floor":
                key = "play_on" if "play-on" in step["options"] else "misdeal"
                return Move("floor", 4.0, key)
            case "say":
                return Move("say", 3.0, "premature" if "premature" in step["options"] else "put_back")
            case _:
                return Move("done", 1.8, "done")

    def _act(self, step: Mapping[str, Any]) -> Move:
        options = step["options"]
        wishes = {"fold": 0.38 if step.get("to_call") else 0.0, "call": 0.46, "raise": 0.13, "all_in": 0.03}
        legal = {
            "fold": "fold" in options,
            "call": bool({"check", "call"} & set(options)),
            "raise": bool({"bet", "raise"} & set(options)),
            "all_in": "all-in" in options,
        }
        keys = [key for key in wishes if legal[key]] or ["fold"]
        key = self._chance.choices(keys, [wishes[key] or 0.001 for key in keys])[0]
        if key == "call" and self._chance.random() < self._mistakes / 2:
            return Move("slip", 1.6, key)
        return Move("act", self._chance.uniform(1.0, 2.2), key)

    def _deal(self, step: Mapping[str, Any]) -> None:
        """Move a card past the reader: again the one that the table has not noticed, if there is one."""
        self._presented += 1
        if self._on_reader is not None:
            self._reader.present(self._on_reader)
            return
        if not self._deck.stub:
            return
        place = f"seat {step['seat']}" if step["step"] == "deal" else str(step["step"])
        tag = self._deck.deal(place)
        self._on_reader, self._presented = tag, 1
        self._reader.present(tag)
        if step["step"] == "deal" and step["face"] == "down" and self._chance.random() < self._mistakes:
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
