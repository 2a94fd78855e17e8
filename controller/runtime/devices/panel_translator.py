"""Turns the keys of a panel into events of the table.

What a key means is data: a line of the table script, in which some values may be left to the moment:

* `seat = "turn"`: the seat of the first step of `next` that waits for such an entry (`act`, `draw`, `show`); where the
  betting is told by rounds, the first seat of the round, whose lamp is lit, for a fold and an all-in;
* `seat = "empty"`: the lowest chair without a player;
* `do = ["check", "call"]`: the first of these that is legal now, else the last;
* `card = "unread"`: a card left the shoe, and no reader says which (the script's `null`, which TOML does not have);
* `to = "least"` and `to = "most"`: the smallest and the largest wager that is legal now;
* `ev = "next"`: what the first step waits for is done: `start` between hands, `closed` where the betting is told by
  rounds, else `done`. Alone it says nothing of a step that only cards, an act or an answer can carry out;
* `ev = "done"` or `"next"` where the house's part is to be dropped: that, and the pot that is pushed with it, where it
  is known whose it is;
* `ev = "call-floor"`: the floor is called to the table, or the call is taken back: no entry, and always taken.

A key that means nothing at the moment is a notice, not an event. Whether what it means is allowed is for the table.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from controller.core.protocol import script_lines
from controller.core.protocol.events import Event, StepConfirmed
from controller.core.protocol.steps import AwardStep, CollectStep, Step
from controller.core.protocol.table_error import Refused
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import KeyPressed

FLOOR_CALL = "call-floor"
TURN_SEAT, EMPTY_SEAT, MIN_WAGER, MAX_WAGER, UNREAD_CARD, NEXT_STEP = "turn", "empty", "least", "most", "unread", "next"

_EVENT_BY_STEP = {
    "bet": "closed",
    **dict.fromkeys(("show", "award", "collect", "return", "shuffle", "cut", "move", "discard", "post"), "done"),
}
"""Step of the table script -> the word by which a person says that it is done."""

_STEPS_BY_EVENT = {
    "act": ("act", "bet"),
    "draw": ("draw",),
    "show": ("show",),
    "muck": ("show",),
    "clock": ("act", "draw"),
}
"""Which steps of `next` an entry answers, so that "turn" has a meaning."""


class KeyMapError(ValueError):
    """A key of the panel is given no sense; `key` is the key, the message says what would be accepted."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class _IdleKeyError(Exception):  # no error: it leaves `_fill_in_line` when a key means nothing now
    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.reason = why


@dataclass(frozen=True, slots=True)
class FloorCallKeyPressed:
    """The key of a panel was pressed that calls the floor, or takes the call back."""

    device: str


class PanelTranslator:
    """The keys of one panel. `places` is how many chairs the table has. Raises `KeyMapError`."""

    def __init__(self, name: str, keys: Mapping[str, Mapping[str, object]], *, places: int) -> None:
        self.name = name
        self._meaning_by_key = keys
        self._seat_count = places
        for key, meaning in keys.items():
            parse_sample_events(key, meaning)

    def translate(
        self, event: KeyPressed, output: Mapping[str, object], taken: Collection[int], plan: Sequence[Step] = ()
    ) -> Sequence[Event | Notice | FloorCallKeyPressed]:
        """Say what a key means at a table that stands as `output`, a line of the table script, has it.

        `taken` are the chairs in which somebody sits, `plan` the steps that `output` tells of.
        """
        meaning = self._meaning_by_key.get(event.key)
        try:
            if meaning is None:
                raise _IdleKeyError("it has no meaning in this table's configuration")
            if meaning["ev"] == FLOOR_CALL:
                return (FloorCallKeyPressed(self.name),)
            found = script_lines.parse_line(self._fill_in_line(meaning, output, taken))
            return (found, found) if isinstance(found, StepConfirmed) and _drops_with_award(plan) else (found,)
        except Refused as why:
            idle = _IdleKeyError(why.message.rstrip("."))
        except _IdleKeyError as why:
            idle = why
        return (
            Notice(NoticeCode.KEY_WITHOUT_MEANING, self.name, f"Key {event.key!r} does nothing now: {idle.reason}."),
        )

    def _fill_in_line(
        self, meaning: Mapping[str, object], output: Mapping[str, object], taken: Collection[int]
    ) -> dict[str, object]:
        line = _replace_unread_card(meaning)
        if line["ev"] == NEXT_STEP:
            line["ev"] = _find_next_event(output)
        step = _find_step(str(line["ev"]), output)
        if line.get("seat") == TURN_SEAT:
            if step is None:
                raise _IdleKeyError("nobody's turn has come for that")
            line["seat"] = _find_seat(step, line)
        elif line.get("seat") == EMPTY_SEAT:
            line["seat"] = self._find_empty_seat(taken)
        if isinstance(line.get("do"), list):
            line["do"] = _choose_legal_action(line["do"], step)
        if line.get("to") in (MIN_WAGER, MAX_WAGER):
            amount = (step or {}).get("min_to" if line["to"] == MIN_WAGER else "max_to")
            if amount is None or line.get("do") == "all-in":
                del line["to"]
            else:
                line["to"] = amount
        return line

    def _find_empty_seat(self, taken: Collection[int]) -> int:
        for seat in range(1, self._seat_count + 1):
            if seat not in taken:
                return seat
        raise _IdleKeyError("every chair is taken")


def parse_sample_events(key: str, meaning: Mapping[str, object]) -> list[Event]:
    """Read the line with any legal value in the places left open, so that a misspelt one is found at the start.

    Returns what the key can come to; nothing where it is no entry. Raises `KeyMapError`.
    """
    line = _replace_unread_card(meaning)
    if "ev" not in line:
        raise KeyMapError(key, 'want a line of the table script with `ev`, such as { ev = "done" }')
    if line["ev"] == FLOOR_CALL:
        if len(line) > 1:
            raise KeyMapError(key, f'{{ ev = "{FLOOR_CALL}" }} stands alone; take {", ".join([*line][1:])} out')
        return []
    if line["ev"] == NEXT_STEP:
        line["ev"] = "done"
    if line.get("seat") in (TURN_SEAT, EMPTY_SEAT):
        line["seat"] = 1
    words = line.get("do")
    samples = words if isinstance(words, list) and words else [words]
    if line.get("to") in (MIN_WAGER, MAX_WAGER):
        line["to"] = 1
    found: list[Event] = []
    for word in samples:
        sample = {**line, "do": word} if word is not None else line
        try:
            found.append(script_lines.parse_line(sample))
        except Refused as why:
            raise KeyMapError(key, f'{why} (a seat may also be "turn" or "empty", `to` "least" or "most")') from why
    return found


def _replace_unread_card(meaning: Mapping[str, object]) -> dict[str, object]:
    return {key: None if (key, value) == ("card", UNREAD_CARD) else value for key, value in meaning.items()}


def _find_seat(step: Mapping[str, object], line: Mapping[str, object]) -> object:
    """Whose turn it is; of a round that is told as a whole only what changes it is entered for its first seat."""
    seats = step.get("seats")
    if not isinstance(seats, list):
        return step["seat"]
    if line.get("do") not in ("fold", "all-in"):
        raise _IdleKeyError("this table is told rounds: of the acts only folds and all-ins")
    return seats[0]


def _find_next_event(output: Mapping[str, object]) -> str:
    """What is entered when somebody says that the first step of `next` is done."""
    steps = output.get("next")
    if not isinstance(steps, list) or not steps:
        return "start"
    word = _EVENT_BY_STEP.get(steps[0]["step"])
    if word is None:
        raise _IdleKeyError(f"the table waits for more than a word ({steps[0]['step']})")
    return word


def _drops_with_award(plan: Sequence[Step]) -> bool:
    """Whether what the house takes is dropped now and the first pot pushed: one press confirms both.

    A pot whose hands nobody can read is not pushed by a press: somebody names the winner.
    """
    match plan[:2]:
        case [CollectStep(seat=None), AwardStep(is_unread=False)]:
            return True
        case _:
            return False


def _find_step(entry: str, output: Mapping[str, object]) -> Mapping[str, object] | None:
    steps = output.get("next")
    wanted = _STEPS_BY_EVENT.get(entry, ())
    if isinstance(steps, list):
        for step in steps:
            if isinstance(step, Mapping) and step.get("step") in wanted:
                return step
    return None


def _choose_legal_action(words: object, step: Mapping[str, object] | None) -> object:
    options = step.get("options") if step else None
    assert isinstance(words, list)
    for word in words:
        if isinstance(options, list) and word in options:
            return word
    return words[-1]
