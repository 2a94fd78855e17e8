"""`amend`: an entry is put right, and the hand played again from its entries (docs/amend.md).

The changed entries are played again from the end of the hand before, by the same `handle` that took them first; the
table then stands where it would stand had they been so from the beginning. Only the result must fit.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from controller.core.engine.display import view
from controller.core.engine.past.history import Amendment, History, Struck, Taken, cards_of, is_due
from controller.core.model.outcome import Amended, Outcome
from controller.core.model.state import State
from controller.core.play.refusals import waits_for
from controller.core.protocol import events, script
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import (
    Act,
    Amend,
    Break,
    Card,
    Change,
    ColourUp,
    Device,
    Done,
    Entry,
    Event,
    Floor,
    Halt,
    HandForHand,
    LastHands,
    Level,
    Motion,
    Penalty,
    Report,
    Seen,
    Start,
    Time,
    Timer,
)
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Bet, Move, Return, Shuffle, Step
from controller.core.protocol.vocabulary import Do, What
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import ALL, STUB, STUB_BOTTOM, Lying
from controller.core.values.value import Working, replace

FINDING = "amended"
OUT_OF_TURN_TOO = (Do.STRADDLE, Do.KILL)
"""Acts that are not made in turn."""


class Player(Protocol):
    """A table that plays entries again."""

    @property
    def outcome(self) -> Outcome:
        """How it stands."""

    @property
    def history(self) -> History:
        """What it has played."""

    def handle(self, event: Event, line: int | None = None) -> Outcome:
        """Take one entry; raises `Refused`."""


class _Slot(Working):
    """An entry to be played: `origin` is how it stood before, `changed`: the amendment speaks of it."""

    line: int
    event: Entry | None
    origin: Taken | None = None
    changed: bool = False


def played_again(
    table: Callable[[History], Player], history: History, now: State, event: Amend, line: int
) -> tuple[Outcome, History]:
    """Let a `table` that stands where the entries begin to differ play them again; returns how it then stands.

    Raises `Refused` with `amend-a-fact`, `amend-too-late`, `amend-unknown-line`, `amend-conflict`, or with the code of
    the amended line itself where that is refused at its own place.
    """
    slots = _changed(history, event, line)
    alike = next(i for i, slot in enumerate(slots) if slot.changed)
    before = history.upto(alike)
    player = table(before)
    gone: list[int] = []
    elsewhere = _pending(history, now)
    for place, slot in enumerate(slots[len(before.entries) :], start=len(before.entries) + 1):
        if slot.event is None:
            continue
        if _falls_away(slot, player, history):
            assert slot.origin is not None
            if slot.origin.first not in history.moves:
                gone.append(slot.line)
            _moved(elsewhere, slot.origin, history)
            continue
        if not _is_explained(slots, place):
            _must_fit(slot, player.outcome.state)
        step = player.outcome.state.plan[:1]
        try:
            player.handle(slot.event, slot.line)
        except Refused as why:
            if slot.changed:
                raise
            raise _conflict(slot.line, why.message) from None
        if isinstance(slot.event, Done):
            _no_longer(elsewhere, step, player.history)
    if event.t is not None:
        player.handle(Time(t=event.t), 0)
    played = _as_they_came(player.history, history)
    after = _with_moves(player.outcome.state, elsewhere, played)
    rulings = _rulings(now, history, played, line)
    told = _told(event, line, slots, gone, now, after, history, played)
    struck = Amendment(line, rulings[0], tuple(_struck(slots, gone, line, now)))
    moves = after.plan[: len(after.plan) - len(player.outcome.plan)]
    return Outcome(after, rulings, told), replace(played, amendments=history.amendments).put_right(struck, moves)


def needs_floor(history: History, state: State, event: Amend) -> bool:
    """Whether only the floor may make the amendment.

    A card has left since, a face-down card is named, or it is of an entry that the floor alone makes.
    """
    changes = _changes(event)
    order = {each.line: index for index, each in enumerate(history.entries)}
    for change in changes:
        place = change.line if change.line is not None else change.before
        index = order.get(place or 0, len(history.entries))
        after = history.entries[index + (change.line is not None) :]
        of = history.entries[index].event if change.line is not None and index < len(history.entries) else None
        if is_the_floors(change.to) or is_the_floors(of) or any(isinstance(each.event, Card) for each in after):
            return True
        if isinstance(change.to, Card) and change.to.card is not None:
            origin = None if change.line is None or index >= len(history.entries) else history.entries[index]
            if origin is None or _lying(state, origin.serial) is None:
                return True
    return False


def is_the_floors(event: Entry | None) -> bool:
    """Whether the floor alone enters it: a decision, what it has seen for itself, what a card is."""
    if isinstance(event, Report):
        return event.witnessed or event.what is What.MISREAD
    return isinstance(event, Floor | Penalty | HandForHand | LastHands | Halt)


def _changes(event: Amend) -> tuple[Change, ...]:
    dropped = tuple(Change(None, line=number) for number in event.drop)
    return (Change(event.to, event.line, event.before), *event.also, *dropped)


def _changed(history: History, event: Amend, line: int) -> list[_Slot]:
    """The entries as they should have been."""
    slots = [_Slot(each.line, each.event, each) for each in history.entries]
    reach = _reach(history)
    for change in _changes(event):
        if (change.line is None) is (change.before is None):
            raise Refused(
                "key-missing", "a change names the `line` that it puts right, or the one `before` which it comes."
            )
        if change.before is not None:
            if change.to is None:
                raise Refused("value", "`to` null takes a line out: name it with `line`, not with `before`.")
            _no_fact(change.to)
            place = len(slots) if change.before == line else _place(slots, history, change.before, reach)
            slots.insert(place, _Slot(line, change.to, None, changed=True))
            continue
        assert change.line is not None
        slot = slots[_place(slots, history, change.line, reach)]
        assert slot.origin is not None
        if slot.changed:
            raise Refused("value", f"line {change.line} is named twice: say once what it should have been.")
        slot.event, slot.changed = _corrected(slot.origin, change.to), True
    return slots


def _reach(history: History) -> int:
    """How many of the oldest entries lay before cards that were shuffled in since."""
    entries = history.entries
    shuffled = (i for i in range(len(entries), 0, -1) if _shuffles(entries[i - 1]))
    return next(shuffled, 0)


def _shuffles(entry: Taken) -> bool:
    return isinstance(entry.event, Done) and isinstance(entry.first, Shuffle)


def _place(slots: Sequence[_Slot], history: History, number: int, reach: int) -> int:
    """Where the entry of a line stands among the slots."""
    place = next((i for i, slot in enumerate(slots) if slot.origin is not None and slot.line == number), None)
    if place is None:
        if number <= history.line:
            raise Refused(
                "amend-too-late",
                f"line {number} lies before the end of the hand before: what can be put right begins after line "
                f"{history.line}.",
            )
        raise Refused(
            "amend-unknown-line",
            f"line {number} names no entry that stands: it was refused, taken back, or never made.",
        )
    if reach and any(slots[place].origin is each for each in history.entries[:reach]):
        raise Refused(
            "amend-too-late", f"line {number} lies before cards that were shuffled in since: it cannot be played again."
        )
    return place


def _corrected(origin: Taken, to: Entry | None) -> Entry | None:
    """What takes the place of an entry; raises `Refused` where it was a fact."""
    was = origin.event
    _no_fact(was)
    if to is None:
        if isinstance(was, Start):
            raise Refused("amend-a-fact", "the hand did begin: `start` is not taken out.")
        if isinstance(was, Card):
            raise Refused("amend-a-fact", "a card did leave the shoe: give it another name, it is not taken out.")
        if isinstance(was, Seen) and not counted_as_fold(origin):
            raise Refused("amend-a-fact", "an antenna did read the card there.")
        return None
    _no_fact(to)
    if isinstance(was, Start | Card) and type(to) is not type(was):
        what = "the hand did begin" if isinstance(was, Start) else "a card did leave the shoe"
        raise Refused("amend-a-fact", f"{what}: the line stays a `{events.NAMES[type(was)]}`.")
    if to.t is not None and to.t != was.t:
        raise Refused("amend-a-fact", "when it was entered is a fact: leave `t` out.")
    to = replace(to, t=was.t)
    if isinstance(was, Seen) and to != was:
        raise Refused("amend-a-fact", "an antenna did read that card there.")
    return to


def counted_as_fold(origin: Taken) -> bool:
    """Whether a card seen at the muck was taken for the fold of its seat: the seat was to act when it was read.

    Where a whole round is told, its seat was out then; a second card of that hand told the same.
    """
    was, first, after = origin.event, origin.first, origin.after
    if not isinstance(was, Seen) or was.at != "muck":
        return False
    if isinstance(first, Bet):
        if after is None or after.hand is None:
            return False
        hand = after.hand
        return any(
            hand.cards.piles.place_of(serial) is not None and hand.cards.piles.card(serial).card == was.card
            for folded in hand.given_up.folded.values()
            for serial in folded.cards
        )
    return isinstance(first, ActStep)


def _no_fact(event: Event) -> None:
    """Refuse what nobody enters: it is so."""
    timer = isinstance(event, Level | Timer | Break | ColourUp) and event.due
    if isinstance(event, Time | Device) or timer:
        raise Refused(
            "amend-a-fact", f"`{events.NAMES[type(event)]}` tells of a fact that nobody entered: it is not amended."
        )


def _conflict(line: int, why: str) -> Refused:
    return Refused("amend-conflict", f"line {line} does not fit then: {why} Mend it with `drop` or `also`.")


def _must_fit(slot: _Slot, state: State) -> None:
    """Refuse an act that was in turn and no longer is, and a card that comes when none is due any more."""
    origin = slot.origin
    if origin is None or slot.event is None or not origin.was_due or is_due(slot.event, state.plan.now):
        return
    if isinstance(slot.event, Card):
        raise _conflict(slot.line, f"a card left the shoe when none was due, because {waits_for(state)}.")
    acted = isinstance(slot.event, Motion) or (isinstance(slot.event, Act) and slot.event.do not in OUT_OF_TURN_TOO)
    if isinstance(slot.event, Act | Motion) and acted and not slot.changed:
        seat = slot.event.seat
        raise _conflict(slot.line, f"seat {seat} acted in turn and would not any more: {waits_for(state)}.")


def _is_explained(slots: Sequence[_Slot], place: int) -> bool:
    """Whether the entry before `place` is a card, and the amendment says behind it what it and those after it were."""
    if not isinstance(slots[place - 1].event, Card):
        return False
    behind = next((slot for slot in slots[place:] if not isinstance(slot.event, Card)), None)
    return behind is not None and behind.changed and isinstance(behind.event, Report)


def _as_they_came(played: History, history: History) -> History:
    """The entries that were played again, of each whether it was due when it first came."""
    undue = {each.line for each in history.entries if not each.was_due}
    if not undue:
        return played
    entries = (replace(each, was_due=False) if each.line in undue else each for each in played.entries)
    return replace(played, entries=tuple(entries))


def _falls_away(slot: _Slot, player: Player, history: History) -> bool:
    """Whether the entry confirmed a step of a ruling that is gone."""
    origin = slot.origin
    if origin is None or slot.event != origin.event or not isinstance(slot.event, Done):
        return False
    step = origin.first
    if step is None or not step.ruled:
        return False
    first = player.outcome.state.plan.now
    if first is not None and first.ruled and type(first) is type(step):
        return False
    return not _still_ruled(step, origin, player, history)


def _still_ruled(step: Step, origin: Taken, player: Player, history: History) -> bool:
    """Whether what put the step on the plan is ruled as it was."""
    index = history.entries.index(origin)
    while index and any(each is step for each in history.entries[index].plan):
        index -= 1
    put = history.entries[index]
    keys = [_key(ruling) for ruling in put.rulings]
    now = (each for each in player.history.entries if each.line == put.line)
    return bool(keys) and any([_key(ruling) for ruling in each.rulings] == keys for each in now)


def _moved(elsewhere: dict[int, str], origin: Taken, history: History) -> None:
    """A confirmed step that falls away has moved cards all the same; `elsewhere`: line of a card -> where it lies."""
    step = origin.first
    if not isinstance(step, Return | Move):
        return
    lines = cards_of(history.entries[: history.entries.index(origin)])
    serials = tuple(lines) if isinstance(step, Return) and step.source == ALL else step.cards
    elsewhere |= {lines[serial]: step.to for serial in serials if serial in lines}


def _no_longer(elsewhere: dict[int, str], first: Sequence[Step], played: History) -> None:
    """A step that is confirmed in the amended hand, too, has moved its cards where it says."""
    if elsewhere and first and isinstance(first[0], Return | Move):
        if isinstance(first[0], Return) and first[0].source == ALL:
            elsewhere.clear()
        lines = played.cards()
        for serial in first[0].cards:
            elsewhere.pop(lines.get(serial, 0), None)


def _pending(history: History, now: State) -> dict[int, str]:
    """Cards that an earlier amendment found elsewhere and that have not been moved yet."""
    lines = history.cards()
    steps = [step for step in now.plan if isinstance(step, Move) and step in history.moves]
    return {lines[serial]: step.source for step in steps for serial in step.cards if serial in lines}


def _with_moves(state: State, elsewhere: dict[int, str], played: History) -> State:
    """The table with the steps that bring cards where the amended plan says, in the order in which they left."""
    hand = state.hand
    if hand is None or not hand.plan or not elsewhere:
        return state
    moves: list[Move] = []
    piles = hand.cards.piles
    for serial, line in sorted(played.cards().items()):
        source, to = elsewhere.get(line), piles.place_of(serial) or STUB
        if source is None or source == to or {source, to} == {STUB, STUB_BOTTOM}:
            continue
        moves.append(Move(source, to, "card", 1, (serial,), ruled=True))
        if to != STUB:
            piles = piles.lying_at(serial, source)
    return replace(state, hand=replace(hand, plan=hand.plan.first(*moves), cards=replace(hand.cards, piles=piles)))


def _struck(slots: Sequence[_Slot], gone: Sequence[int], line: int, before: State) -> Iterator[Struck]:
    """The entries that are struck through, in their order."""
    for index, slot in enumerate(slots):
        was = None if slot.origin is None else slot.origin.event
        now = None if was is not None and slot.line in gone else slot.event
        if was != now:
            follows = (each.line for each in slots[index:] if each.origin is not None)
            lying = None if slot.origin is None else _lying(before, slot.origin.serial)
            faces_up = lying is not None and isinstance(was, Card) and lying.public == was.card
            yield Struck(slot.line, next(follows, line), was, now, faces_up)


def _rulings(now: State, history: History, played: History, line: int) -> tuple[Ruling, ...]:
    """The amendment, and what is ruled only because of it."""
    rule = now.setup.rulebook.floor.corrected
    sentence = f"what was entered is put right, as line {line} says: the table stands as if it had been so at once"
    noted = ruled(FINDING, Verdict.CORRECT, rule, sentence)
    before = Counter(_key(ruling) for ruling in _all_rulings(history))
    new: list[Ruling] = []
    for ruling in _all_rulings(played):
        key = _key(ruling)
        if before[key]:
            before[key] -= 1
        else:
            new.append(ruling)
    return (noted, *new)


def _all_rulings(history: History) -> Iterable[Ruling]:
    return (ruling for entry in history.entries for ruling in entry.rulings)


def _key(ruling: Ruling) -> tuple[str, Verdict, int | None]:
    return ruling.finding, ruling.verdict, ruling.seat


def _told(
    event: Amend,
    line: int,
    slots: Sequence[_Slot],
    gone: Sequence[int],
    now: State,
    after: State,
    history: History,
    played: History,
) -> Amended:
    main = next(slot for slot in slots if slot.changed and slot.line == (line if event.line is None else event.line))
    removed = {slot.line for slot in slots if slot.event is None and slot is not main}
    still = Counter(ruling.finding for ruling in _all_rulings(played))
    no_more: list[str] = []
    for ruling in _all_rulings(history):
        if still[ruling.finding]:
            still[ruling.finding] -= 1
        else:
            no_more.append(ruling.finding)
    hidden = _hides(main, now, after, played)
    return Amended(
        line=main.line,
        was=None if main.origin is None else _shown(main.origin.event, hidden),
        now=None if main.event is None else _shown(main.event, hidden),
        dropped=tuple(sorted({*removed, *gone})),
        chips=_chips(now, after),
        gone=tuple(no_more),
    )


def _hides(main: _Slot, now: State, after: State, played: History) -> bool:
    """Whether the card of which the amendment speaks lies face down."""
    if isinstance(main.event, Report) or (main.origin is not None and isinstance(main.origin.event, Report)):
        return True
    if main.origin is not None and isinstance(main.origin.event, Card) and _lying(now, main.origin.serial) is None:
        return True
    if not isinstance(main.event, Card):
        return False
    serial = next((number for number, line in played.cards().items() if line == main.line), 0)
    return _lying(after, serial) is None


def _lying(state: State, serial: int) -> Lying | None:
    """The card with this number, where it lies open."""
    if state.hand is None:
        return None
    piles = state.hand.cards.piles.out.values()
    return next((lying for pile in piles for lying in pile if lying.serial == serial and lying.up), None)


def _shown(event: Event, hidden: bool) -> dict[str, Any]:
    line = script.write(replace(event, t=None))
    if hidden:
        line.pop("card", None)
    return line


def _chips(now: State, after: State) -> dict[int, int]:
    """What each stack has more or less than before."""
    if not now.setup.tracked:
        return {}
    was, is_ = view.money_shown(now)["stacks"], view.money_shown(after)["stacks"]
    seats = sorted({*was, *is_}, key=int)
    return {int(s): is_.get(s, 0) - was.get(s, 0) for s in seats if is_.get(s, 0) != was.get(s, 0)}
