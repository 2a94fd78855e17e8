"""The facts of a finished hand, gathered while its events are handled again.

A record holds what the table saw: cards are named only when they lay open on the board or as an upcard, or when their
holder tabled them. After a misdeal or a void hand what was dealt before is not kept, but the rulings are. What the
dealer took back never happened. What was put right is recorded as it was played again, with the entries struck through.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import NamedTuple

from controller.core.engine.past.history import LONGEST, Amendment, History
from controller.core.engine.table import Table
from controller.core.irregularities.conduct import chips_and_words
from controller.core.irregularities.conduct.time_called import CLOCK_EXPIRED
from controller.core.model.hand import Hand, Round
from controller.core.model.kept import Kept
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnteBy, AnyEvent, Setup
from controller.core.model.state import State
from controller.core.play.betting.legal_actions import options_of
from controller.core.play.posting.blinds import last_blind
from controller.core.protocol.events import Act, Device, Floor, Motion, Seen, Start, Time, Undo
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.protocol.vocabulary import Decide, Do
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling, Verdict
from controller.core.values.piles import BOARD, BURN, hand_of
from controller.records.told import stood_there, told


@dataclass(frozen=True, slots=True)
class Acted:
    """One act in turn. `to` is the seat's total on the round after a wager, `None` for any other act or untracked.

    `entry`: its number of the journal or line of the script; `street`: the index of its street; `paid`: the chips that
    it put in; `high`: the total of the round that it had to match.
    """

    seat: int
    do: Do
    to: int | None = None
    entry: int = 0
    street: int = 0
    paid: int = 0
    high: int = 0

    @property
    def wagers(self) -> bool:
        """Whether it puts more in than a call."""
        return self.to is not None


@unique
class Posting(Enum):
    """Why chips were posted before the first card; POST: live, to come in or to make up blinds."""

    ANTE = "ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    POST = "post"
    DEAD = "dead post"
    STRADDLE = "straddle"
    KILL = "kill"

    @property
    def is_bet(self) -> bool:
        """Whether it lies before the seat, and counts as its bet."""
        return self not in (Posting.ANTE, Posting.DEAD)


class Posted(NamedTuple):
    """Chips that a seat had to put in before the first card; `amount` is what went."""

    seat: int
    what: Posting
    amount: int


class Drew(NamedTuple):
    """How many cards a seat exchanged, and the index of the street."""

    seat: int
    cards: int
    street: int


class Killed(NamedTuple):
    """A hand that a ruling killed: on which street, and how many acts of the final deal had been made."""

    seat: int
    street: int
    acts: int


class Pushed(NamedTuple):
    """Chips of a pot, the main pot being 0, that a seat won."""

    pot: int
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling, and how many acts of the final deal had been made when it was made; `deal` counts from 1."""

    ruling: Ruling
    deal: int
    acts: int


@dataclass(frozen=True, slots=True)
class Decided:
    """What the floor decided with entry `entry`: who did and why, where it was said; `deal`, `acts` as in `Ruled`."""

    entry: int
    deal: int
    acts: int
    decide: Decide
    seat: int | None
    who: str | None
    why: str | None


@dataclass(frozen=True, slots=True)
class PutRight:
    """An entry that entry `by` put right: `was` is struck through, `now` took its place; `None`: nothing.

    Both are lines of the table script, without cards that nobody saw. `entry`: its number, for an insertion `by`;
    `at`: the entry at whose place it stands.
    """

    entry: int
    at: int
    by: int
    was: Mapping[str, object] | None
    now: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Record:
    """A finished hand; seats are in dealing order, the button's left first.

    `starting` and `finishing` are stacks before the forced bets and after the last pot; `antes` are forced money that
    is no bet (antes, dead posts), `blinds` forced bets by seat, `posted` those of them that do not open the betting
    (posts, the kill); `posts` tells what each of them was. `pushed`: who won what, as it was pushed. `up`: upcards in
    the order dealt; `tabled`: hands shown, `None` where nobody read them. `first_entry`, `last_entry`: numbers of the
    journal or lines of the script.
    """

    number: int
    setup: Setup
    order: tuple[int, ...]
    players: Mapping[int, str]
    first_entry: int
    last_entry: int
    button: int | None
    starting: Mapping[int, int]
    finishing: Mapping[int, int]
    antes: Mapping[int, int]
    blinds: Mapping[int, int]
    posted: frozenset[int]
    acts: tuple[Acted, ...]
    draws: tuple[Drew, ...]
    board: tuple[str | None, ...]
    up: Mapping[int, tuple[str | None, ...]]
    tabled: Mapping[int, tuple[str, ...] | None]
    burns: int
    deals: int
    rulings: tuple[Ruled, ...]
    put_right: tuple[PutRight, ...] = ()
    decisions: tuple[Decided, ...] = ()
    posts: tuple[Posted, ...] = ()
    pushed: tuple[Pushed, ...] = ()
    killed: tuple[Killed, ...] = ()


@dataclass(frozen=True, slots=True)
class _Hand:
    """What is gathered of the hand in progress; replaced whole, so that an `undo` costs nothing."""

    first_entry: int
    opened: Hand
    players: Mapping[int, str]
    starting: Mapping[int, int]
    acts: tuple[Acted, ...] = ()
    up: Mapping[int, tuple[str | None, ...]] = field(default_factory=dict)
    deals: int = 1
    rulings: tuple[Ruled, ...] = ()
    decisions: tuple[Decided, ...] = ()
    pushed: tuple[Pushed, ...] = ()
    killed: tuple[Killed, ...] = ()


class Recorder:
    """Takes every event that the table took, with how it stood after it; `finished` are the records so far."""

    def __init__(self) -> None:
        self.finished: tuple[Record, ...] = ()
        self._before: Outcome | None = None
        self._hand: _Hand | None = None
        self._last: _Hand | None = None
        self._standings: deque[tuple[State, _Hand | None]] = deque(maxlen=2 * LONGEST)
        """What was gathered when the table stood as it did."""

    def take(self, event: AnyEvent, outcome: Outcome, entry: int, history: History) -> None:
        """Take event number `entry`, which was not refused; `history`: that of the table after it."""
        if isinstance(event, Undo) or outcome.amended is not None:
            self.again(history)
            self._before = outcome
        else:
            self._follow(event, outcome, entry, history.amendments)

    def again(self, history: History) -> None:
        """Gather what the entries of a table come to now, from where they begin."""
        base = history.base
        whole = base.number - 1 if base.plan else base.number
        self.finished = tuple(record for record in self.finished if record.number <= whole)
        self._hand = self._last = next((hand for state, hand in self._standings if state is base), None)
        self._before = Outcome(base)
        self._standings.clear()
        self._standings.append((base, self._hand))
        for taken in history.entries:
            if taken.after is not None:
                self._follow(taken.event, Outcome(taken.after, taken.rulings), taken.line, history.amendments)

    def _follow(self, event: AnyEvent, outcome: Outcome, entry: int, amendments: tuple[Amendment, ...]) -> None:
        late = _timed_out(outcome)
        if self._before is not None and late is not None and not isinstance(event, Time):
            ran_out = Time(t=event.t)
            first = Table.at(Kept(self._before.state)).handle(ran_out)
            self._follow(ran_out, first, entry, amendments)
            if isinstance(event, Act | Motion) and event.seat == late.seat:
                self._before = outcome
                return
            outcome = Outcome(outcome.state, outcome.rulings[len(first.rulings) :])
        before, self._before = self._before, outcome
        standing = self._hand
        if before is not None:
            self._gather(event, before, outcome, entry, amendments)
        if outcome.rulings or not isinstance(event, Time | Device):
            self._last = standing
        self._standings.append((outcome.state, self._hand))

    def _gather(
        self, event: AnyEvent, before: Outcome, outcome: Outcome, entry: int, amendments: tuple[Amendment, ...]
    ) -> None:
        state = outcome.state
        if isinstance(event, Start) and state.hand is not None:
            self._hand = _begun(state, entry)
        if self._hand is None or state.hand is None:
            self._after_the_hand(event, outcome, entry)
            return
        if _set_aside(event, before):
            self._hand = self._last or self._hand
        did = _interpreted(event, before)
        acted = None if did is None else _acted(did, before.state)
        if isinstance(event, Seen):
            acted = _mucked(before.state, state)
        late = _timed_out(outcome)
        if late is not None and late.seat is not None and late.verdict is Verdict.BIND:
            acted = Acted(late.seat, Do.CHECK)
        if acted is not None:
            acted = replace(acted, entry=entry, street=_street(before.state))
            self._hand = replace(self._hand, acts=(*self._hand.acts, acted))
        found = self._hand
        rulings = tuple(Ruled(ruling, found.deals, len(found.acts)) for ruling in outcome.rulings)
        decisions = _decided(event, entry, found.deals, len(found.acts))
        found = replace(
            found,
            rulings=(*found.rulings, *rulings),
            decisions=(*found.decisions, *decisions),
            up=_open_cards(state.hand, found.up),
            pushed=(*found.pushed, *_pushed(before.state.hand, state.hand)),
            killed=(*found.killed, *_killed(before.state, state.hand, len(found.acts))),
        )
        if not state.hand.cards.piles.left:
            again = (
                before.state.hand is not None
                and before.state.hand.cards.piles.left > 0
                and not isinstance(event, Start)
            )
            begun = replace(_begun(state, found.first_entry), deals=found.deals + again)
            found = replace(begun, rulings=found.rulings, decisions=found.decisions)
        self._hand = found
        if before.plan and not outcome.plan:
            self.finished = (
                *self.finished,
                _with_amendments(_finished(found, before, state, entry), amendments, outcome),
            )
            self._hand = None

    def _after_the_hand(self, event: AnyEvent, outcome: Outcome, entry: int) -> None:
        """Add what was ruled and decided between two hands to the one that it is about."""
        last = self.finished[-1] if self.finished else None
        if last is None or last.number != outcome.state.number:
            return
        rulings = tuple(Ruled(ruling, last.deals, len(last.acts)) for ruling in outcome.rulings)
        decisions = _decided(event, entry, last.deals, len(last.acts))
        if rulings or decisions:
            told = replace(last, rulings=(*last.rulings, *rulings), decisions=(*last.decisions, *decisions))
            self.finished = (*self.finished[:-1], told)


def finished_in(history: History) -> Record | None:
    """The hand that the entries of a table at rest end with; `None` where they do not reach back to its start."""
    recorder = Recorder()
    recorder.again(history)
    return recorder.finished[-1] if recorder.finished else None


def _decided(event: AnyEvent, entry: int, deal: int, acts: int) -> tuple[Decided, ...]:
    if not isinstance(event, Floor):
        return ()
    return (Decided(entry, deal, acts, event.decide, event.seat, event.who, event.why),)


def _begun(state: State, entry: int) -> _Hand:
    hand = state.hand
    assert hand is not None
    chairs = {seat: state.seating.chairs[seat] for seat in hand.order}
    return _Hand(
        first_entry=entry,
        opened=hand,
        players={seat: chair.player for seat, chair in chairs.items()},
        starting={seat: chair.stack or 0 for seat, chair in chairs.items()},
    )


def _timed_out(outcome: Outcome) -> Ruling | None:
    """The ruling on a seat whose time ran out, whose hand is dead by it or has checked [TDA-29]."""
    over = (Verdict.BIND, Verdict.DEAD_HAND)
    return next((each for each in outcome.rulings if each.finding == CLOCK_EXPIRED and each.verdict in over), None)


def _mucked(before: State, after: State) -> Acted | None:
    """The fold of the seat that was to act, which the antenna of the muck read."""
    first = before.plan[0] if before.plan else None
    if not isinstance(first, ActStep) or after.hand is None or first.seat in after.hand.betting.live:
        return None
    return Acted(first.seat, Do.FOLD)


def _set_aside(event: AnyEvent, before: Outcome) -> bool:
    """Whether the floor sets the last ruling aside, so that the entry before never had its effect."""
    asked = any(isinstance(step, FloorStep) for step in before.plan)
    return isinstance(event, Floor) and event.decide is Decide.PLAY_ON and not asked


def _interpreted(event: AnyEvent, before: Outcome) -> Act | None:
    """The act of an entry: itself, what chips and words came to, or what the floor made of too few of them."""
    hand = before.state.hand
    if isinstance(event, Act) or hand is None:
        return event if isinstance(event, Act) else None
    step = before.plan[0] if before.plan else None
    if isinstance(event, Motion):
        return chips_and_words.read(hand, event).act(event.seat)
    if isinstance(event, Floor) and isinstance(step, FloorStep) and step.question == chips_and_words.UNDERCALL:
        return None if step.seat is None else Act(step.seat, Do.CALL if event.decide is Decide.BIND else Do.FOLD)
    return None


def _acted(event: Act, state: State) -> Acted | None:
    """What an act in turn came to; `None` out of turn, where no chips move."""
    first = next((step for step in state.plan if not isinstance(step, FloorStep)), None)
    hand = state.hand
    if hand is None or hand.round is None or not isinstance(first, ActStep) or first.seat != event.seat:
        return None
    if not state.setup.tracked or event.do in (Do.FOLD, Do.CHECK, Do.CALL, Do.BRING_IN):
        return Acted(event.seat, event.do, paid=_paid(hand, hand.round, event), high=hand.round.high)
    bet = hand.chips.bets.get(event.seat, 0)
    if event.do is Do.ALL_IN:
        total = bet + hand.chips.stacks[event.seat]
    else:
        total = event.to if event.to is not None else options_of(hand, event.seat).min_to or 0
    raised = total if event.do is not Do.ALL_IN or total > hand.round.high else None
    return Acted(event.seat, event.do, raised, paid=total - bet, high=hand.round.high)


def _paid(hand: Hand, round_: Round, event: Act) -> int:
    """What an act that is no wager puts in."""
    if not hand.setup.tracked or event.do not in (Do.CALL, Do.BRING_IN):
        return 0
    due = round_.due if event.do is Do.BRING_IN else round_.high
    return max(0, min(due - hand.chips.bets.get(event.seat, 0), hand.chips.stacks[event.seat]))


def _street(state: State) -> int:
    """The index of the street that is bet on, or was last."""
    return 0 if state.hand is None or state.hand.round is None else state.hand.round.street


def _pushed(before: Hand | None, after: Hand) -> tuple[Pushed, ...]:
    """What was pushed to whom by one event."""
    if before is None:
        return ()
    took, given = before.showdown.took, before.showdown.given
    gains = {seat: n - took.get(seat, 0) for seat, n in after.showdown.took.items() if n > took.get(seat, 0)}
    parts = {part.pot: n - given.get(part, 0) for part, n in after.showdown.given.items() if n > given.get(part, 0)}
    if len(gains) == 1:
        return tuple(Pushed(pot, seat, amount) for seat in gains for pot, amount in parts.items())
    return tuple(Pushed(min(parts, default=0), seat, amount) for seat, amount in gains.items())


def _killed(before: State, after: Hand, acts: int) -> tuple[Killed, ...]:
    """The hands that a ruling killed with one event."""
    old = before.hand.betting.killed if before.hand is not None else frozenset()
    return tuple(Killed(seat, _street(before), acts) for seat in after.order if seat in after.betting.killed - old)


def _open_cards(hand: Hand, known: Mapping[int, tuple[str | None, ...]]) -> Mapping[int, tuple[str | None, ...]]:
    """Upcards as they lie now; those of a hand that has gone stay as they lay."""
    if hand.setup.game.button:
        return known
    lying = {
        seat: tuple(card.card for card in hand.cards.piles.at(hand_of(seat)) if card.up)
        for seat in hand.order
        if seat not in hand.showdown.tabled and hand.cards.piles.at(hand_of(seat))
    }
    return {**known, **lying}


def _finished(found: _Hand, before: Outcome, state: State, entry: int) -> Record:
    hand, opened = state.hand, found.opened
    assert hand is not None
    last = before.state.hand
    assert last is not None
    left = {seat: chair.stack or 0 for seat, chair in state.seating.chairs.items()}
    antes, blinds = _forced(opened, found.starting)
    return Record(
        number=hand.number,
        setup=opened.setup,
        order=opened.order,
        players=found.players,
        first_entry=found.first_entry,
        last_entry=entry,
        button=opened.positions.button,
        starting=found.starting,
        finishing={seat: left.get(seat, 0) for seat in opened.order},
        antes=antes,
        blinds=blinds,
        posted=_posted(opened, blinds),
        acts=found.acts,
        draws=tuple(Drew(drawn.seat, drawn.count, drawn.street) for drawn in hand.draw.draws),
        board=tuple(lying.card for lying in hand.cards.piles.at(BOARD)),
        up={seat: cards for seat, cards in found.up.items() if cards},
        tabled=last.showdown.tabled,
        burns=len(hand.cards.piles.at(BURN)),
        deals=found.deals,
        rulings=found.rulings,
        decisions=found.decisions,
        posts=_posts(opened),
        pushed=found.pushed,
        killed=tuple(each for each in found.killed if each.seat in last.betting.killed),
    )


def _with_amendments(record: Record, amendments: tuple[Amendment, ...], over: Outcome) -> Record:
    """The record with what was put right of the hand, up to the entry with which it was over."""
    put_right: list[PutRight] = []
    rulings = list(record.rulings)
    for amendment in amendments:
        struck = [each for each in amendment.struck if each.at <= record.last_entry]
        if not struck:
            continue
        acts = sum(act.entry < amendment.line for act in record.acts)
        rulings.append(Ruled(amendment.ruling, record.deals, acts))
        put_right += (
            PutRight(
                each.line,
                each.at,
                amendment.line,
                stood_there(each, over),
                None if each.now is None else told(each.now, over),
            )
            for each in struck
        )
    return replace(record, rulings=tuple(rulings), put_right=tuple(put_right))


def _forced(hand: Hand, starting: Mapping[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """Antes and forced bets by seat; a blind that a short stack could not post whole counts as due."""
    if not hand.setup.tracked:
        return {}, {}
    stakes = hand.setup.betting
    blinds = {seat: bet for seat, bet in hand.chips.bets.items() if bet}
    if hand.positions.small is not None:
        blinds[hand.positions.small] = max(blinds.get(hand.positions.small, 0), stakes.small_blind)
    for seat in hand.positions.big:
        blinds[seat] = max(blinds.get(seat, 0), stakes.big_blind)
    antes = {seat: starting[seat] - hand.chips.stacks[seat] - hand.chips.bets.get(seat, 0) for seat in hand.order}
    return {seat: ante for seat, ante in antes.items() if ante}, blinds


def _posts(hand: Hand) -> tuple[Posted, ...]:
    """What each seat posted: antes, then blinds, then what others put in, all in dealing order."""
    if not hand.setup.tracked:
        return ()
    chips, stakes, big = hand.chips, hand.setup.betting, hand.positions.big
    found: list[Posted] = []
    for seat in hand.order:
        dead, bet = chips.dead_posts.get(seat, 0), chips.bets.get(seat, 0)
        for_all = min(dead, stakes.ante) if stakes.ante_by is AnteBy.BIG_BLIND and seat in big else 0
        small = min(bet, stakes.small_blind) if seat == hand.positions.small else 0
        large = min(bet, stakes.big_blind) if seat in big else 0
        rest = bet - small - large
        straddles = chips.straddles and (seat == chips.straddler or rest > stakes.big_blind)
        extra = Posting.KILL if seat == hand.kill.seat else Posting.STRADDLE if straddles else Posting.POST
        found += (
            Posted(seat, Posting.ANTE, chips.paid.get(seat, 0) + for_all),
            Posted(seat, Posting.SMALL_BLIND, small),
            Posted(seat, Posting.BIG_BLIND, large),
            Posted(seat, extra, rest),
            Posted(seat, Posting.DEAD, dead - for_all),
        )
    kinds = list(Posting)
    return tuple(sorted((each for each in found if each.amount), key=lambda each: kinds.index(each.what)))


def _posted(hand: Hand, blinds: Mapping[int, int]) -> frozenset[int]:
    """Forced bets that do not open the betting: they lie behind the last blind, or before nobody's position."""
    last = last_blind(hand)
    if hand.chips.straddles or last not in hand.order:
        return frozenset()
    positions = {*hand.positions.big, hand.positions.small}
    behind = hand.order[hand.order.index(last) + 1 :]
    return frozenset(seat for seat in blinds if seat in behind or seat not in positions)


def title(setup: Setup) -> str:
    """Name the game as it was played: structure and game."""
    return f"{setup.betting.structure.value} {setup.game.name}"


def is_tournament(setup: Setup) -> bool:
    """Whether it was a hand of a tournament."""
    return setup.mode is Mode.TOURNAMENT


def won(record: Record) -> dict[int, int]:
    """What each seat gained, where it gained anything."""
    gains = {seat: record.finishing[seat] - record.starting[seat] for seat in record.order}
    return {seat: gain for seat, gain in gains.items() if gain > 0}
