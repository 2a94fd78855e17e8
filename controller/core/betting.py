"""A betting round: whose turn it is, what that seat may do, and what an act changes.

The rules of amounts are those of the structure (no-limit, pot-limit, fixed-limit, spread-limit); what the books answer
differently are policies of the rulebook. Where amounts are untracked the same round runs on counts: a full wager is two
units, an all-in of less than a raise one, and stacks have no end.
"""

from dataclasses import dataclass

from controller.core import lowball, money
from controller.core.errors import Refused
from controller.core.events import Act, Do
from controller.core.piles import MUCK, hand_of
from controller.core.rules.betting import CapHeadsUp
from controller.core.rules.rule import Rule
from controller.core.rules.table import Mode
from controller.core.setup import Structure
from controller.core.state import Hand, Round

UNTRACKED_STACK = 1 << 30
UNTRACKED_WAGER = 2


@dataclass(frozen=True, slots=True)
class Options:
    """What a seat may do. Amounts are `None` where they do not apply, or are not tracked."""

    words: tuple[str, ...]
    to_call: int | None
    min_to: int | None
    max_to: int | None


def rule_for_mode(hand: Hand, cash: Rule, tournament: Rule) -> Rule:  # type: ignore[type-arg]  # any answer will do
    """The answer for the kind of game that is played."""
    return tournament if hand.setup.mode is Mode.TOURNAMENT else cash


def contenders(hand: Hand) -> tuple[int, ...]:
    """Live seats that still have chips behind."""
    return tuple(seat for seat in hand.live if seat not in hand.all_in)


def wager_size(hand: Hand, street: int) -> int:
    """The size of a full bet on a street."""
    betting = hand.setup.betting
    if not hand.setup.tracked:
        return UNTRACKED_WAGER
    if betting.structure is Structure.FIXED_LIMIT:
        return betting.big_bet if hand.setup.game.streets[street].bet == "big" else betting.small_bet
    return betting.minimum


def opened(hand: Hand, street: int, ring: tuple[int, ...], forced: int = 0, blind: bool = False) -> None:
    """Begin a round: `ring` in acting order, `forced` what the forced bets come to, `blind` if they are a full bet."""
    size = wager_size(hand, street)
    full = max(size, forced) if blind and hand.setup.tracked else size
    level = forced if blind and forced >= size else 0
    queue = tuple(seat for seat in ring if seat in hand.live and seat not in hand.all_in)
    hand.round = Round(street, ring, queue, forced, level, full, int(level > 0))
    hand.acted_before = {**hand.acted_before, street: len(hand.acted)}
    hand.checked = frozenset()
    pruned(hand)


def pruned(hand: Hand) -> None:
    """Nobody is asked who can neither be bet at nor has anything to match."""
    round_ = hand.round
    if round_ is None or not round_.queue:
        return
    able = contenders(hand)
    alone = len(able) == 1
    matched = max((hand.bets.get(seat, 0) for seat in hand.live if seat not in able), default=0)
    if len(hand.live) < 2 or not able or (alone and hand.bets.get(able[0], 0) >= matched):
        hand.round = round_.changed(queue=())


def stack_of(hand: Hand, seat: int) -> int:
    """Chips behind."""
    return hand.stacks[seat] if hand.setup.tracked else UNTRACKED_STACK


def may_raise(hand: Hand, round_: Round, seat: int) -> bool:
    """Whether the seat may bet or raise at all, amounts aside."""
    if (
        binding_cap(hand, round_)
        or seat in round_.no_raise
        or seat in round_.called_early
        or seat in hand.checked_early
    ):
        return False
    if round_.ceiling is not None and round_.high >= round_.ceiling:
        return False
    if not any(other != seat for other in contenders(hand)):
        return False
    if seat in round_.acted and round_.acted[seat][0] == 0 and not may_check_raise(hand):
        return False
    if seat in round_.acted:
        high, full_raises = round_.acted[seat]
        reopens = hand.setup.rulebook.betting.reopens.value
        return reopens(round_.high - high, round_.full, round_.full_raises > full_raises)
    return True


def may_check_raise(hand: Hand) -> bool:
    """Whether a player who checked may raise: not everywhere in lowball [R7-11.a5.2]."""
    book = hand.setup.rulebook.lowball.get(hand.setup.game.form)
    return book is None or book.check_raise_a5_limit.value or not lowball.is_limit_a5(hand.setup)


def bounds(hand: Hand, round_: Round, seat: int) -> tuple[int, int] | None:
    """Smallest and largest total of a bet or raise; `None` where the seat may make none."""
    bet, behind = hand.bets.get(seat, 0), stack_of(hand, seat)
    if bet + behind <= round_.high or not may_raise(hand, round_, seat):
        return None
    betting = hand.setup.betting
    low, top = round_.high + round_.full, bet + behind
    base = round_.level if completes(round_) else round_.high
    if betting.structure is Structure.FIXED_LIMIT:
        low = base + round_.full
        top = min(top, base + max(round_.full, round_.option))
    elif is_short(round_):
        low = base + round_.full
    if hand.setup.tracked and betting.structure is Structure.SPREAD_LIMIT:
        top = min(top, round_.high + betting.max_bet)
    if hand.setup.tracked and betting.structure is Structure.POT_LIMIT:
        top = min(top, round_.high + pot_after_call(hand, round_, seat))
    if round_.ceiling is not None:
        top = min(top, round_.ceiling)
    return min(low, top), top


def pot_after_call(hand: Hand, round_: Round, seat: int) -> int:
    """The pot as pot-limit counts it, once the seat has called [R7-14.intro]."""
    book = hand.setup.rulebook.betting
    lying = sum(hand.bets.values()) + sum(hand.paid.values()) + hand.dead
    betting = hand.setup.betting
    small = hand.bets.get(hand.small, 0) if hand.small is not None else 0
    waiting = round_.street == 0 and any(blind in round_.queue for blind in hand.big)
    opening = rule_for_mode(hand, book.opening_pot_cash, book.opening_pot_tournament).value
    lying += opening(min(small, betting.small_blind), betting.big_blind, waiting)
    return int(lying + round_.high - hand.bets.get(seat, 0))


def options(hand: Hand, seat: int) -> Options:
    """What the seat may do in the round as it stands."""
    round_ = hand.round
    assert round_ is not None
    bet, behind = hand.bets.get(seat, 0), stack_of(hand, seat)
    tracked = hand.setup.tracked
    to_call = min(round_.high - bet, behind)
    range_ = bounds(hand, round_, seat)
    if seat in round_.bound:
        return _bound_options(hand, round_, seat, to_call, range_)
    words = ["fold", "call" if to_call else "check"]
    if not round_.high and round_.street == 0 and lowball.open_or_fold(hand.setup):
        words = ["fold"]
    if must_open(round_):
        words = ["fold"] if round_.free else []
        if round_.due < round_.full:
            words.append("bring-in")
    if range_ and (not must_open(round_) or bet + behind > round_.due or round_.due >= round_.full):
        words.append(raise_word(hand, round_))
    if all_in_is_legal(hand, round_, seat, range_):
        words.append("all-in")
    if not tracked:
        return Options(tuple(words), None, None, None)
    low, top = range_ or (None, None)
    return Options(tuple(words), to_call, low, top)


def _bound_options(hand: Hand, round_: Round, seat: int, to_call: int, range_: tuple[int, int] | None) -> Options:
    """The one thing left to a seat that is bound: its word, at its amount as near as that is legal now."""
    word, amount = round_.bound[seat]
    if word == "all-in" and not all_in_is_legal(hand, round_, seat, range_):
        word, amount = "raise", UNTRACKED_STACK
    if word in ("bet", "raise", "complete"):
        word = raise_word(hand, round_) if range_ else "call"
    if word == "call" and not to_call:
        word = "check"
    if not hand.setup.tracked:
        return Options((word,), None, None, None)
    if range_ is None or word in ("fold", "check", "call", "all-in"):
        return Options((word,), to_call, None, None)
    low, top = range_
    if amount is not None:
        low = top = min(max(amount, low), top)
    return Options((word,), to_call, low, top)


def raise_word(hand: Hand, round_: Round) -> str:
    """What a wager above the call is called now."""
    if is_short(round_) and round_.due < round_.full and round_.high < round_.full:
        return "complete"
    if not round_.high:
        return "bet"
    fixed = hand.setup.betting.structure is Structure.FIXED_LIMIT
    return "complete" if fixed and round_.high > round_.level and completes(round_) else "raise"


def completes(round_: Round) -> bool:
    """Whether the next full wager only completes what lies there, a forced bet or an all-in of less than half a bet.

    A short all-in raise of half a bet or more is what must be called, and the next raise is added to it [AU-1.1#raise].
    """
    short = round_.high - round_.level
    return short < round_.full and not (round_.level and 2 * short >= round_.full)


def must_open(round_: Round) -> bool:
    """Whether the round still waits for its forced bet."""
    return bool(round_.due) and not round_.high


def is_short(round_: Round) -> bool:
    """Whether the round has a forced bet and nobody has made it a full one [R7-8.stud.6]."""
    return bool(round_.due) and not round_.level


def all_in_is_legal(hand: Hand, round_: Round, seat: int, range_: tuple[int, int] | None) -> bool:
    """Whether going all-in is a legal call, bet or raise."""
    if not hand.setup.tracked:
        return may_raise(hand, round_, seat) or round_.high > hand.bets.get(seat, 0)
    whole = hand.bets.get(seat, 0) + hand.stacks[seat]
    return whole <= (round_.due if must_open(round_) else round_.high) or (range_ is not None and whole <= range_[1])


def act(hand: Hand, event: Act) -> None:
    """Carry out an act of the seat whose turn it is; refuses what is not among its options."""
    round_ = hand.round
    assert round_ is not None
    seat, open_ = event.seat, options(hand, event.seat)
    if event.do.value not in open_.words:
        raise Refused("act-not-open", f"seat {seat} cannot {event.do.value} now: {described(open_)}.")
    hand.acted = (*hand.acted, seat)
    if event.do is Do.FOLD:
        receives_on(hand, round_, seat)
        fold(hand, seat)
        return
    total = _total(hand, round_, event, open_)
    if event.do is Do.CHECK:
        hand.checked |= {seat}
    elif hand.opener is None:
        hand.opener, hand.opened_on = seat, hand.piles.at(hand_of(seat))
    if hand.setup.tracked:
        money.wager(hand, seat, total - hand.bets.get(seat, 0))
    else:
        hand.bets = {**hand.bets, seat: total}
        if event.do is Do.ALL_IN:
            hand.all_in |= {seat}
    if total > round_.high:
        swept(hand)
        brought_in = must_open(round_) and total <= round_.due < round_.full
        hand.round = forced(hand, round_, seat) if brought_in else raised(hand, round_, seat, total)
    else:
        acted = {**round_.acted, seat: (round_.high, round_.full_raises)}
        hand.round = round_.changed(queue=round_.queue[1:], acted=acted)
    pruned(hand)


def _total(hand: Hand, round_: Round, event: Act, open_: Options) -> int:
    """The seat's total on the round after the act; refuses an amount that does not fit."""
    seat, bet = event.seat, hand.bets.get(event.seat, 0)
    if not hand.setup.tracked:
        return _untracked_total(round_, event, bet, may_raise(hand, round_, seat))
    whole = bet + hand.stacks[seat]
    if event.do is Do.BRING_IN:
        if event.to not in (None, min(round_.due, whole)):
            raise Refused("amount", f"the forced bet of seat {seat} is {min(round_.due, whole)}; leave `to` out.")
        return min(round_.due, whole)
    if event.do in (Do.CHECK, Do.CALL):
        total = min(round_.high, whole)
        if event.to is not None and event.to != total:
            raise Refused("amount", f"a {event.do.value} of seat {seat} makes {total} in all; leave `to` out.")
        return max(total, bet)
    if event.do is Do.ALL_IN:
        if event.to is not None and event.to != whole:
            raise Refused("amount", f"all-in of seat {seat} is {whole} in all; leave `to` out.")
        return whole
    low, top = open_.min_to, open_.max_to
    if low is None or top is None:
        raise Refused("act-not-open", f"seat {seat} cannot {event.do.value} now: {described(open_)}.")
    total = low if event.to is None and low == top else event.to or 0
    if event.to is None and low != top:
        raise Refused("amount", f"a {event.do.value} of seat {seat} needs `to`: its total, from {low} to {top}.")
    if not low <= total <= top:
        raise Refused("amount", f"a {event.do.value} of seat {seat} must make {low} to {top} in all, not {total}.")
    if round_.option and total not in (low, top, whole):
        raise Refused("amount", f"a {event.do.value} of seat {seat} makes {low} or {top} in all, not {total}.")
    if total % hand.setup.betting.chip and total != whole:
        raise Refused("amount", f"{total} is not payable: the smallest chip that plays is {hand.setup.betting.chip}.")
    return total


def _untracked_total(round_: Round, event: Act, bet: int, raising: bool) -> int:
    if event.to is not None:
        raise Refused("amount", "this table does not track amounts; leave `to` out.")
    if event.do in (Do.CHECK, Do.CALL) or (event.do is Do.ALL_IN and not raising):
        return round_.high
    if event.do is Do.BRING_IN:
        return round_.due
    if event.do is Do.ALL_IN and not event.full:
        return max(round_.high + 1, bet)
    return (round_.level if is_short(round_) else round_.high) + UNTRACKED_WAGER


def forced(hand: Hand, round_: Round, seat: int) -> Round:
    """The round after the forced bet: all others come in for at least that, even if it was short [R7-8.stud.4#b]."""
    place = round_.ring.index(seat)
    others = round_.ring[place + 1 :] + round_.ring[:place]
    queue = tuple(other for other in others if other in hand.live and other not in hand.all_in)
    acted = {**round_.acted, seat: (round_.due, round_.full_raises)}
    return round_.changed(queue=queue, high=round_.due, acted=acted)


def receives_on(hand: Hand, round_: Round, seat: int) -> None:
    """A seat that folds without a wager goes on receiving cards where seats get them singly [R7-8.stud.9, AU-19.19]."""
    book = hand.setup.rulebook.upcards.get(hand.setup.game.form)
    if not round_.high and hand.setup.game.deals_singly and book is not None and book.keeps_receiving.value:
        hand.receiving = (*hand.receiving, seat)


def swept(hand: Hand) -> None:
    """A wager sends the cards of seats without a live hand to the muck, and they get no more."""
    for seat in hand.receiving:
        hand.piles = hand.piles.emptied(hand_of(seat), MUCK, up=False)
    hand.receiving = ()


def raised(hand: Hand, round_: Round, seat: int, total: int) -> Round:
    """The round after a seat has bet or raised to `total`."""
    size = round_.full if round_.option else wager_size(hand, round_.street)
    limit = hand.setup.betting.structure is Structure.FIXED_LIMIT
    if limit and hand.setup.tracked:
        book = hand.setup.rulebook.betting.full_wager.value
        is_raise = round_.level > 0 and round_.high == round_.level
        whole = book(total - round_.level, size, is_raise)
    else:
        whole = total - round_.high >= round_.full
    ring = round_.ring
    place = ring.index(seat) + 1
    queue = tuple(s for s in ring[place:] + ring[: place - 1] if s in hand.live and s not in hand.all_in)
    full_raises = round_.full_raises + whole
    full = round_.full if limit or not whole else max(round_.full, total - round_.high)
    if round_.option and total - round_.level >= round_.option:
        full = round_.option
    after = round_.changed(
        queue=queue,
        high=total,
        level=total if whole else round_.level,
        full=full,
        wagers=round_.wagers + whole,
        full_raises=full_raises,
        aggressor=seat,
        acted={**round_.acted, seat: (total, full_raises)},
    )
    limited = hand.setup.betting.structure in (Structure.FIXED_LIMIT, Structure.SPREAD_LIMIT)
    return after.changed(capped=True) if limited and caps(hand, after) else after


def binding_cap(hand: Hand, round_: Round) -> bool:
    """Whether the round was capped and still is, now that some may have folded [AU-16.6(f), R7-3.betting.4]."""
    if not round_.capped or len(contenders(hand)) > 2:
        return round_.capped
    book = hand.setup.rulebook.betting
    heads_up = rule_for_mode(hand, book.cap_heads_up_cash, book.cap_heads_up_tournament).value
    return heads_up is not CapHeadsUp.ALWAYS_OPEN


def caps(hand: Hand, round_: Round) -> bool:
    """Whether the raises of a limit round are used up [R7-3.betting.3a, R7-3.betting.4, R7-15.tourn.23]."""
    if round_.capped:
        return True
    book = hand.setup.rulebook.betting
    raises = (book.raises_long if len(hand.setup.game.streets) > 2 else book.raises_short).value
    if not raises or round_.wagers < 1 + raises:
        return False
    if len(contenders(hand)) > 2:
        return True
    heads_up = rule_for_mode(hand, book.cap_heads_up_cash, book.cap_heads_up_tournament).value
    return heads_up is CapHeadsUp.LAST_TWO_ONLY and len(hand.order) > 2


def fold(hand: Hand, seat: int) -> None:
    """A hand is out: its cards go to the muck, its turn is over."""
    hand.live = tuple(other for other in hand.live if other != seat)
    hand.piles = hand.piles.emptied(hand_of(seat), MUCK, up=False)
    if hand.round is not None:
        hand.round = hand.round.changed(queue=tuple(other for other in hand.round.queue if other != seat))
        pruned(hand)


def described(open_: Options) -> str:
    """The options in words, for a refusal."""
    words = ", ".join(open_.words)
    amounts = "" if open_.min_to is None else f" (from {open_.min_to} to {open_.max_to})"
    return f"it may {words}{amounts}"
