"""Turns the keys of a panel into events of the table.

What a key means is data: a line of the table script, in which some values may be left to the moment:

* `seat = "turn"`: the seat of the first step of `next` that waits for such an entry (`act`, `draw`, `show`); where the
  betting is told by rounds, the first seat of the round, whose lamp is lit, for a fold and an all-in;
* `seat = "empty"`: the lowest chair without a player;
* `do = ["check", "call"]`: the first of these that is legal now, else the last;
* `card = "unread"`: a card left the shoe, and no reader says which (the script's `null`, which TOML does not have);
* `to = "least"` and `to = "most"`: the smallest and the largest wager that is legal now;
* `ev = "next"`: what the first step waits for is done: `start` between hands, `closed` where the betting is told by
  rounds, else `done`. Alone it says nothing of a step that only cards, an act or an answer can carry out.

A key that means nothing at the moment is a notice, not an event. Whether what it means is allowed is for the table.
"""

from collections.abc import Collection, Mapping, Sequence

from controller.core.protocol import script
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Event
from controller.runtime.loop.notices import Code, Notice
from drivers.contract.base import KeyPressed

TURN, EMPTY, LEAST, MOST, UNREAD, NEXT = "turn", "empty", "least", "most", "unread", "next"

_WORDS_OF_NEXT = {
    "bet": "closed",
    **dict.fromkeys(("show", "award", "return", "shuffle", "cut", "move", "discard", "post"), "done"),
}
"""Step of the table script -> the word by which a person says that it is done."""

_STEPS_OF_ENTRY = {
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


class _Idle(Exception):  # no error: it leaves `_filled` when a key means nothing now
    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Panel:
    """The keys of one panel. `places` is how many chairs the table has. Raises `KeyMapError`."""

    def __init__(self, name: str, keys: Mapping[str, Mapping[str, object]], *, places: int) -> None:
        self.name = name
        self._keys = keys
        self._places = places
        for key, meaning in keys.items():
            _check(key, meaning)

    def translate(
        self, event: KeyPressed, output: Mapping[str, object], taken: Collection[int]
    ) -> Sequence[Event | Notice]:
        """Say what a key means at a table that stands as `output`, a line of the table script, has it.

        `taken` are the chairs in which somebody sits.
        """
        meaning = self._keys.get(event.key)
        try:
            if meaning is None:
                raise _Idle("it has no meaning in this table's configuration")
            return (script.read(self._filled(meaning, output, taken)),)
        except Refused as why:
            idle = _Idle(why.message.rstrip("."))
        except _Idle as why:
            idle = why
        return (Notice(Code.KEY_IDLE, self.name, f"Key {event.key!r} does nothing now: {idle.why}."),)

    def _filled(
        self, meaning: Mapping[str, object], output: Mapping[str, object], taken: Collection[int]
    ) -> dict[str, object]:
        line = _with_unread(meaning)
        if line["ev"] == NEXT:
            line["ev"] = _word_of_next(output)
        step = _step_for(str(line["ev"]), output)
        if line.get("seat") == TURN:
            if step is None:
                raise _Idle("nobody's turn has come for that")
            line["seat"] = _seat_of(step, line)
        elif line.get("seat") == EMPTY:
            line["seat"] = self._empty_chair(taken)
        if isinstance(line.get("do"), list):
            line["do"] = _legal(line["do"], step)
        if line.get("to") in (LEAST, MOST):
            amount = (step or {}).get("min_to" if line["to"] == LEAST else "max_to")
            if amount is None or line.get("do") == "all-in":
                del line["to"]
            else:
                line["to"] = amount
        return line

    def _empty_chair(self, taken: Collection[int]) -> int:
        for seat in range(1, self._places + 1):
            if seat not in taken:
                return seat
        raise _Idle("every chair is taken")


def _check(key: str, meaning: Mapping[str, object]) -> None:
    """Read the line with any legal value in the places left open, so that a misspelt one is found at the start."""
    line = _with_unread(meaning)
    if "ev" not in line:
        raise KeyMapError(key, 'want a line of the table script with `ev`, such as { ev = "done" }')
    if line["ev"] == NEXT:
        line["ev"] = "done"
    if line.get("seat") in (TURN, EMPTY):
        line["seat"] = 1
    words = line.get("do")
    samples = words if isinstance(words, list) and words else [words]
    if line.get("to") in (LEAST, MOST):
        line["to"] = 1
    for word in samples:
        sample = {**line, "do": word} if word is not None else line
        try:
            script.read(sample)
        except Refused as why:
            raise KeyMapError(key, f'{why} (a seat may also be "turn" or "empty", `to` "least" or "most")') from why


def _with_unread(meaning: Mapping[str, object]) -> dict[str, object]:
    return {key: None if (key, value) == ("card", UNREAD) else value for key, value in meaning.items()}


def _seat_of(step: Mapping[str, object], line: Mapping[str, object]) -> object:
    """Whose turn it is; of a round that is told as a whole only what changes it is entered for its first seat."""
    seats = step.get("seats")
    if not isinstance(seats, list):
        return step["seat"]
    if line.get("do") not in ("fold", "all-in"):
        raise _Idle("this table is told rounds: of the acts only folds and all-ins")
    return seats[0]


def _word_of_next(output: Mapping[str, object]) -> str:
    """What is entered when somebody says that the first step of `next` is done."""
    steps = output.get("next")
    if not isinstance(steps, list) or not steps:
        return "start"
    word = _WORDS_OF_NEXT.get(steps[0]["step"])
    if word is None:
        raise _Idle(f"the table waits for more than a word ({steps[0]['step']})")
    return word


def _step_for(entry: str, output: Mapping[str, object]) -> Mapping[str, object] | None:
    steps = output.get("next")
    wanted = _STEPS_OF_ENTRY.get(entry, ())
    if isinstance(steps, list):
        for step in steps:
            if isinstance(step, Mapping) and step.get("step") in wanted:
                return step
    return None


def _legal(words: object, step: Mapping[str, object] | None) -> object:
    options = step.get("options") if step else None
    assert isinstance(words, list)
    for word in words:
        if isinstance(options, list) and word in options:
            return word
    return words[-1]
