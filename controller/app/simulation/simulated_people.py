"""The simulated room: a deck of tagged cards, a dealer and players, round a table that does not know them.

The room moves cards past the simulated reader and presses simulated keys; it looks at the table only as people do, at
what the table shows (the published view) and at whether the gate lets a card out. What the panel has no key for
people touch on the page, as a line of the table script. Things go wrong by chance, which comes from a seed, or when
somebody who watches wants to see it (`cause_mishap`).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.app.simulation import mishaps
from controller.app.simulation.simulated_move import SimulatedMove
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.faults.fault_table import FAULTS, OUT_OF_SERVICE
from drivers.simulators.bench.simulator_interfaces import GateSimulator, PanelSimulator, ReaderSimulator

STUB_PLACE, STUB_BOTTOM_PLACE, DEALT_PLACE = "stub", "stub-bottom", "dealt"

FOREIGN_TAG_NUMBER = 900
"""Which tag of the box is in a card of no deck."""

MAX_PRESENTATIONS = 2
"""How often a card is shown to a reader that does not notice it; then it is left where it is."""

MIN_PLAYERS = 5
"""With fewer chairs taken, somebody new sits down."""

MIN_TOURNAMENT_PLAYERS = 2


@dataclass(slots=True)
class SimulatedDeck:
    """The pieces of plastic: a stub, the next card last, and what lies outside it; nobody knows a face."""

    tags: Sequence[str]
    seed: int
    stub: list[str] = field(default_factory=list)
    tags_by_place: dict[str, list[str]] = field(default_factory=dict)
    irregular_tags: set[str] = field(default_factory=set)

    def gather_and_shuffle(self, hand: int) -> None:
        """Gather all cards and shuffle them for hand number `hand`."""
        self.stub = list(self.tags)
        self.tags_by_place.clear()
        self.irregular_tags.clear()
        random.Random(f"{self.seed}/{hand}").shuffle(self.stub)

    def resume(self, hand: int, left: int) -> None:
        """Take up the deck in the middle of a hand from which `left` cards remain in the stub."""
        self.gather_and_shuffle(hand)
        gone, self.stub = self.stub[left:], self.stub[:left]
        self.tags_by_place[DEALT_PLACE] = gone[::-1]

    def deal(self, place: str) -> str:
        """Take the top card; it will lie at `place`."""
        tag = self.stub.pop()
        self.tags_by_place.setdefault(place, []).append(tag)
        return tag

    def shuffle(self, chance: random.Random) -> None:
        """Shuffle the stub as it now is."""
        chance.shuffle(self.stub)

    def move(self, source: str, to: str, count: int) -> None:
        """Carry cards from one place to another; those that went wrong first, then the last ones put there.

        A card that is none of the deck's does not go back with the others: the deck is made sound.
        """
        if source == "all":
            gathered = [tag for place in self.tags_by_place.values() for tag in place if tag in self.tags]
            self.tags_by_place.clear()
        else:
            lying = self.tags_by_place.get(source) or self.tags_by_place.get(DEALT_PLACE, [])
            chosen = ([tag for tag in lying if tag in self.irregular_tags] + lying[::-1])[:count]
            gathered = list(dict.fromkeys(chosen))
            for tag in gathered:
                lying.remove(tag)
        self.irregular_tags.difference_update(gathered)
        if to == STUB_PLACE:
            self.stub.extend(gathered)
        elif to == STUB_BOTTOM_PLACE:
            self.stub[:0] = gathered
        else:
            self.tags_by_place.setdefault(to, []).extend(gathered)


class SimulatedPeople:
    """Decides what happens next in the room, and does it at the far ends of the wires.

    `mistakes` is the probability that something goes wrong with a downcard, and about that of a key pressed in error
    and taken back. `touch` enters a line on the page. `spares` has for each tag that of a card of the same face, from
    an older deck. `touch_key` enters on the page what a key means that the panel has not, and says whether it did so.
    `start_key` starts a hand. Without `newcomers` nobody sits down by themselves: a tournament's desk
    gives the chairs, and a hand begins while its timer runs and two have one; `hand_for_hand`: whether that has been
    announced, as the timer may stand still for it.
    """

    def __init__(
        self,
        reader: ReaderSimulator,
        panel: PanelSimulator,
        gate: GateSimulator | None,
        tags: Sequence[str],
        *,
        seed: int,
        mistakes: float = 0.04,
        touch: Callable[[Mapping[str, object]], object] = lambda _line: None,
        touch_key: Callable[[str, Mapping[str, object]], bool] = lambda _key, _output: False,
        spares: Mapping[str, str] | None = None,
        start_key: str = "start",
        newcomers: bool = True,
        hand_for_hand: Callable[[], bool] = lambda: False,
    ) -> None:
        self._is_hand_for_hand = hand_for_hand
        self._newcomers_allowed = newcomers
        self._start_key = start_key
        self._reader = reader
        self._panel = panel
        self._gate = gate
        self._deck = SimulatedDeck(tuple(tags), seed)
        self._random = random.Random(seed)
        self._mistake_probability = mistakes
        self._shuffled_hand = 0
        """The hand for which the deck was shuffled."""
        self._enter_line = touch
        self._touch_key = touch_key
        self._spare_tag_by_tag = spares or {}
        self._next_mishap: str | None = None
        self._mishap_places: list[str] = []
        self._key_to_press: str | None = None
        self._line_to_enter: Mapping[str, object] | None = None
        self._undo_pending = False
        self._tag_on_reader: str | None = None
        self._presentation_count = 0
        self._round_tracking = False
        """Whether this table is told rounds: its showdown is one word, too."""

    def lacks_card(self, output: Mapping[str, Any]) -> bool:
        """Whether a card is due and none is left, nor lies on the reader: nothing moves until the next hand."""
        is_due = bool(output["next"]) and output["next"][0]["step"] in ("deal", "burn", "board")
        return is_due and not self._deck.stub and self._tag_on_reader is None

    @property
    def next_mishap(self) -> str | None:
        """What is to go wrong as soon as it can."""
        return self._next_mishap

    def cause_mishap(self, fault: str) -> None:
        """Let something go wrong as soon as it can; the last wish counts."""
        self._next_mishap = fault

    def choose_move(
        self, output: Mapping[str, Any], refused: bool, faults: Sequence[FaultStatus] = ()
    ) -> SimulatedMove | None:
        """Choose what people do at a table that shows `output`; `None` while there is nothing they can do.

        Of the `faults` that are up they see to those that end by a person's word.
        """
        if output["next"] and int(output["hand"]) != self._shuffled_hand:
            self._take_up_hand(output)
        if output["phase"] == "halted":
            return self._choose_fault_move(faults)
        if self._key_to_press is not None:
            return SimulatedMove("report", 1.2, self._key_to_press)
        if self._undo_pending:
            return SimulatedMove("undo", 1.2, "undo")
        if self._mishap_places:
            return SimulatedMove("card", 0.5)
        if self._line_to_enter is not None:
            return SimulatedMove("report", 1.2, script_line=self._line_to_enter)
        steps = output["next"]
        if not steps:
            return self._choose_move_between_hands(output, refused)
        if refused and steps[0]["step"] == "award":
            return SimulatedMove(
                "won", 2.0, script_line={"ev": "won", "seat": steps[0]["seats"][0], "pot": steps[0]["pot"]}
            )
        if self._next_mishap is not None and (move := mishaps.make_mishap_move(self._next_mishap, output)) is not None:
            return move
        return self._choose_step_move(steps[0])

    def make_move(self, move: SimulatedMove, output: Mapping[str, Any]) -> None:
        """Do it."""
        steps = output["next"]
        step = steps[0] if steps else None
        if move.mishap is not None and step is not None:
            self._make_mishap(move.mishap, step, output)
            return
        if move.script_line is not None:
            self._line_to_enter = None
            self._enter_line(move.script_line)
            return
        if move.key is None and step is not None:
            self._deal_card(step)
            return
        if move.kind == "report":
            self._key_to_press = None
        elif move.kind == "undo":
            self._undo_pending = False
        elif move.kind == "slip":
            self._undo_pending = True
        elif move.kind == "start":
            self._shuffled_hand = int(output["hand"]) + 1
            self._deck.gather_and_shuffle(self._shuffled_hand)
        elif move.kind == "done" and step is not None:
            self._move_cards(step)
        if move.key is not None and not self._touch_key(move.key, output):
            self._panel.tap(move.key)

    def clear_reader(self, noticed: bool) -> None:
        """Take the card off the reader; one that the table has not noticed will be shown to it again."""
        if self._tag_on_reader is None:
            return
        self._reader.remove(self._tag_on_reader)
        if noticed or self._presentation_count >= MAX_PRESENTATIONS:
            self._tag_on_reader = None

    def _take_up_hand(self, output: Mapping[str, Any]) -> None:
        """A hand is on that these people did not begin: somebody else pressed start, or it was on before them."""
        self._shuffled_hand = int(output["hand"])
        self._deck.resume(self._shuffled_hand, int(output["piles"]["stub"]))

    def _choose_fault_move(self, faults: Sequence[FaultStatus]) -> SimulatedMove | None:
        """Compare the table, change the deck: whatever it takes until the fault can be said to be over.

        A table that is out of service is a technician's, who alone says when it is back.
        """
        if any(fault.code == OUT_OF_SERVICE for fault in faults):
            return None
        for fault in faults:
            if fault.id and not FAULTS[fault.code].is_proved_by_self_check:
                return SimulatedMove(
                    "clear", 4.0, script_line={"ev": "device", "id": fault.id, "status": "back", "needed": True}
                )
        return None

    def _choose_move_between_hands(self, output: Mapping[str, Any], refused: bool) -> SimulatedMove | None:
        timer, stacks = output.get("timer", {}), output.get("stacks")
        if timer.get("stage") == "break":
            return None
        if not self._newcomers_allowed:
            plays = timer.get("running") or (timer and self._is_hand_for_hand())
            waits = refused or not plays or len(stacks or ()) < MIN_TOURNAMENT_PLAYERS
            return None if waits else SimulatedMove("start", 3.0, self._start_key)
        if refused or (stacks is not None and len(stacks) < MIN_PLAYERS):
            return SimulatedMove("sit", 2.0, "new_player")
        return SimulatedMove("start", 3.0, self._start_key)

    def _choose_step_move(self, step: Mapping[str, Any]) -> SimulatedMove | None:
        match step["step"]:
            case "deal" | "burn" | "board":
                if self._gate is not None and not self._gate.is_open():
                    return None
                return SimulatedMove("card", 0.9)
            case "hold":  # hand for hand: the floor says when
                return None
            case "act":
                return self._choose_action_move(step)
            case "bet":
                return self._choose_round_move(step)
            case "show" if self._round_tracking:
                return SimulatedMove("done", 6.0, "done")
            case "show":
                return SimulatedMove("show", 1.5, "show")
            case "draw":
                count = step.get("discard") or self._random.choice((0, 1, 1, 2, 3))
                return SimulatedMove("draw", 2.0, script_line={"ev": "draw", "seat": step["seat"], "discard": count})
            case "floor":
                options = step["options"]
                decided = next((word for word in ("play-on", "misdeal") if word in options), options[0])
                return SimulatedMove("floor", 4.0, script_line={"ev": "floor", "decide": decided})
            case "say" if "acted" in step["options"]:
                return SimulatedMove(
                    "say", 3.0, script_line={"ev": "report", "what": "acted", "count": 2, "chips": True}
                )
            case "say" if "opened" in step["options"]:
                return SimulatedMove("say", 3.0, script_line={"ev": "report", "what": "opened"})
            case "say":
                return SimulatedMove("say", 3.0, "premature" if "premature" in step["options"] else "put_back")
            case _:
                return SimulatedMove("done", 1.8, "done")

    def _choose_round_move(self, step: Mapping[str, Any]) -> SimulatedMove:
        """A betting round that is told as a whole: some fold, one after the other, and then it is over."""
        self._round_tracking = True
        seats = step["seats"]
        if len(seats) > 1 and self._random.random() < 0.45:
            return SimulatedMove(
                "act", 1.6, script_line={"ev": "act", "seat": self._random.choice(seats), "do": "fold"}
            )
        return SimulatedMove("closed", 4.0, script_line={"ev": "closed"})

    def _choose_action_move(self, step: Mapping[str, Any]) -> SimulatedMove:
        options = step["options"]
        for word, odds in (("bring-in", 0.8), ("complete", 0.25)):
            if word in options and self._random.random() < odds:
                amount = {} if word == "bring-in" or "min_to" not in step else {"to": step["min_to"]}
                return SimulatedMove("act", 1.6, script_line={"ev": "act", "seat": step["seat"], "do": word, **amount})
        wishes = {"fold": 0.38 if step.get("to_call") else 0.0, "call": 0.46, "raise": 0.13, "all_in": 0.03}
        legal = {
            "fold": "fold" in options,
            "call": bool({"check", "call"} & set(options)),
            "raise": bool({"bet", "raise"} & set(options)),
            "all_in": "all-in" in options,
        }
        keys = [key for key in wishes if legal[key]] or ["fold"]
        key = self._random.choices(keys, [wishes[key] or 0.001 for key in keys])[0]
        if not legal[key] and "complete" in options:
            amount = {"to": step["min_to"]} if "min_to" in step else {}
            return SimulatedMove(
                "act", 1.6, script_line={"ev": "act", "seat": step["seat"], "do": "complete", **amount}
            )
        if key == "call" and self._random.random() < self._mistake_probability / 2:
            return SimulatedMove("slip", 1.6, key)
        return SimulatedMove("act", self._random.uniform(1.0, 2.2), key)

    def _make_mishap(self, fault: str, step: Mapping[str, Any], output: Mapping[str, Any]) -> None:
        """Do the step wrongly: where the cards go instead, and what the dealer will say when he sees it."""
        self._next_mishap = None
        places, said = mishaps.plan_mishap(fault, step, output)
        if fault in ("duplicate", "foreign"):
            self._deal_strange_card(fault, str(step.get("seat", "")))
            return
        if fault in mishaps.PANEL_KEY_BY_MISHAP:
            self._key_to_press = mishaps.PANEL_KEY_BY_MISHAP[fault]
        self._line_to_enter = said
        self._mishap_places = list(places)
        self._deal_card(step)
        if self._tag_on_reader is not None and fault in mishaps.PANEL_KEY_BY_MISHAP:
            self._deck.irregular_tags.add(self._tag_on_reader)

    def _deal_strange_card(self, fault: str, seat: str) -> None:
        """Deal a card that is none of this deck's, or one of the old deck whose face is out already."""
        out = [tag for lying in self._deck.tags_by_place.values() for tag in lying if tag in self._spare_tag_by_tag]
        tag = (
            self._reader.nth_tag(FOREIGN_TAG_NUMBER)
            if fault == "foreign" or not out
            else self._spare_tag_by_tag[out[0]]
        )
        self._deck.irregular_tags.add(tag)
        self._deck.tags_by_place.setdefault(f"seat {seat}", []).append(tag)
        self._tag_on_reader, self._presentation_count = tag, 1
        self._reader.present(tag)

    def _deal_card(self, step: Mapping[str, Any]) -> None:
        """Move a card past the reader: again the one that the table has not noticed, if there is one."""
        self._presentation_count += 1
        if self._tag_on_reader is not None:
            self._reader.present(self._tag_on_reader)
            return
        if not self._deck.stub:
            return
        place = f"seat {step['seat']}" if step["step"] == "deal" else str(step["step"])
        if self._mishap_places:
            place = self._mishap_places.pop(0)
        tag = self._deck.deal(place)
        self._tag_on_reader, self._presentation_count = tag, 1
        self._reader.present(tag)
        if step["step"] != "deal" or self._key_to_press or self._line_to_enter:
            return
        if step["face"] == "down" and self._random.random() < self._mistake_probability:
            self._deck.irregular_tags.add(tag)
            self._key_to_press = self._random.choices(("exposed", "boxed", "off_table"), (6, 2, 1))[0]

    def _move_cards(self, step: Mapping[str, Any]) -> None:
        """Carry the cards of a step that the dealer then confirms."""
        match step["step"]:
            case "return" | "discard":
                source = str(step.get("from", STUB_PLACE))
                if source == STUB_PLACE:
                    for _ in range(int(step["count"])):
                        self._deck.deal(str(step["to"]))
                else:
                    self._deck.move(source, str(step["to"]), int(step["count"]))
            case "move" if step["what"] != "button":
                self._deck.move(str(step["from"]), str(step["to"]), int(step["count"]))
            case "shuffle":
                self._deck.shuffle(self._random)
            case _:
                pass
