"""A betting round: how it begins, and what an act changes.

What a seat may do stands in `options`. Where amounts are untracked the same round runs on counts: a full wager is two
units, an all-in of less than a raise one.
"""

from controller.core.model.hand import Acted, Folded, Hand, Round
from controller.core.model.setup import Structure
from controller.core.play.betting import pots, raise_cap
from controller.core.play.betting.legal_actions import Options, described, is_short, may_raise, must_open, options_of
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act
from controller.core.protocol.vocabulary import Do
from controller.core.values.piles import MUCK, hand_of
from controller.core.values.value import replace

UNTRACKED_WAGER = 2


def wager_size(hand: Hand, street: int) -> int:
    """The size of a full bet on a street."""
    betting = hand.setup.betting
    if not hand.setup.tracked:
        return UNTRACKED_WAGER
    if betting.structure is Structure.FIXED_LIMIT:
        return betting.big_bet if hand.setup.game.streets[street].bet == "big" else betting.small_bet
    return max(betting.minimum, hand.chips.straddled)


def opened(hand: Hand, street: int, ring: tuple[int, ...], forced: int = 0, blind: bool = False) -> None:
    """Begin a round: `ring` in acting order, `forced` what the forced bets come to, `blind` if they are a full bet."""
    size = wager_size(hand, street)
    full = max(size, forced) if blind and hand.setup.tracked else size
    level = forced if blind and forced >= size else 0
    queue = tuple(seat for seat in ring if seat in hand.betting.live and seat not in hand.betting.all_in)
    hand.round = Round(street, ring, queue, forced, level, full, int(level > 0), began=len(queue))
    hand.betting = replace(
        hand.betting, acted_before={**hand.betting.acted_before, street: len(hand.betting.acted)}, checked=frozenset()
    )
    pruned(hand)


def pruned(hand: Hand) -> None:
    """Nobody is asked who can neither be bet at nor has anything to match."""
    round_ = hand.round
    if round_ is None or not round_.queue:
        return
    able = hand.contenders
    if len(able) > 1:
        return
    matched = max((hand.chips.bets.get(seat, 0) for seat in hand.betting.live if seat not in able), default=0)
    if len(hand.betting.live) < 2 or not able or hand.chips.bets.get(able[0], 0) >= matched:
        hand.round = replace(round_, queue=())


def act(hand: Hand, event: Act) -> None:
    """Carry out an act of the seat whose turn it is; refuses what is not among its options.

    Raises `Refused` (`act-not-open`, `amount`).
    """
    round_ = hand.round
    assert round_ is not None
    seat, open_ = event.seat, options_of(hand, event.seat)
    if event.do.value not in open_.words:
        raise Refused("act-not-open", f"seat {seat} cannot {event.do.value} now: {described(open_)}.")
    noted(hand, seat, event.do)
    if event.do is Do.FOLD:
        receives_on(hand, round_, seat)
        fold(hand, seat)
        return
    total = _total(hand, round_, event, open_)
    if event.do is Do.CHECK:
        hand.betting = replace(hand.betting, checked=hand.betting.checked | {seat})
    elif hand.openers.opener is None:
        hand.openers = replace(
            hand.openers, opener=seat, opened_on=hand.cards.piles.at(hand_of(seat)), opened_for=total
        )
    if hand.setup.tracked:
        if more := total - hand.chips.bets.get(seat, 0):
            pots.wager(hand, seat, more)
    else:
        hand.chips = replace(hand.chips, bets={**hand.chips.bets, seat: total})
        if event.do is Do.ALL_IN:
            hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})
    if total > round_.high:
        swept(hand)
        brought_in = must_open(round_) and total <= round_.due < round_.full
        counted = event.do is not Do.ALL_IN or event.full
        hand.round = forced(hand, round_, seat) if brought_in else raised(hand, round_, seat, total, counted)
    else:
        acted = {**round_.acted, seat: Acted(round_.high, round_.full_raises)}
        hand.round = replace(round_, queue=round_.queue[1:], acted=acted)
    pruned(hand)


def noted(hand: Hand, seat: int, do: Do) -> None:
    """A seat has acted."""
    hand.betting = replace(hand.betting, acted=(*hand.betting.acted, seat), acts=(*hand.betting.acts, do))


def _total(hand: Hand, round_: Round, event: Act, open_: Options) -> int:
    """The seat's total on the round after the act; refuses an amount that does not fit."""
    seat, bet = event.seat, hand.chips.bets.get(event.seat, 0)
    if not hand.setup.tracked:
        return _untracked_total(round_, event, bet, may_raise(hand, round_, seat))
    whole = bet + hand.chips.stacks[seat]
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
    if total % hand.setup.betting.chip and total not in (low, top, whole):
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
    return max(round_.high + 1, (round_.level if is_short(round_) else round_.high) + UNTRACKED_WAGER)


def forced(hand: Hand, round_: Round, seat: int) -> Round:
    """The round after the forced bet: all others come in for at least that, even if it was short [R7-8.stud.4#b]."""
    place = round_.ring.index(seat)
    others = round_.ring[place + 1 :] + round_.ring[:place]
    queue = tuple(other for other in others if other in hand.betting.live and other not in hand.betting.all_in)
    acted = {**round_.acted, seat: Acted(round_.due, round_.full_raises)}
    return replace(round_, queue=queue, high=round_.due, acted=acted)


def receives_on(hand: Hand, round_: Round, seat: int) -> None:
    """A seat that folds without a wager goes on receiving cards where seats get them singly [R7-8.stud.9, AU-19.19]."""
    book = hand.setup.rulebook.upcards.get(hand.setup.game.form)
    if book is None or not hand.setup.game.deals_singly:
        return
    forced = book.forced_keeps_receiving.value and seat == hand.stud.forced and round_.street == 0
    if forced or (not round_.high and book.keeps_receiving.value):
        hand.stud = replace(hand.stud, receiving=(*hand.stud.receiving, seat))


def swept(hand: Hand) -> None:
    """A wager sends the cards of seats without a live hand to the muck, and they get no more."""
    if not hand.stud.receiving:
        return
    for seat in hand.stud.receiving:
        hand.cards = replace(hand.cards, piles=hand.cards.piles.emptied(hand_of(seat), MUCK, up=False))
    hand.stud = replace(hand.stud, receiving=())


def raised(hand: Hand, round_: Round, seat: int, total: int, counted: bool) -> Round:
    """The round after a seat has bet or raised to `total`; `counted`: a full wager where amounts are untracked."""
    limit = hand.setup.betting.structure is Structure.FIXED_LIMIT
    spread = hand.setup.betting.structure is Structure.SPREAD_LIMIT
    size = round_.full if round_.option or spread else wager_size(hand, round_.street)
    if (limit or spread) and hand.setup.tracked:
        book = hand.setup.rulebook.betting.full_wager.value
        is_raise = round_.level > 0 and round_.high == round_.level
        whole = book(total - round_.level, size, is_raise)
    elif not hand.setup.tracked:
        whole = counted
    else:
        whole = total - (0 if is_short(round_) else round_.high) >= round_.full
    ring, able = round_.ring, hand.contenders
    place = ring.index(seat) + 1
    queue = tuple([other for other in ring[place:] + ring[: place - 1] if other in able])
    full_raises = round_.full_raises + whole
    full = round_.full if limit or not whole else max(round_.full, total - round_.high)
    if round_.option and total - round_.level >= round_.option:
        full = round_.option
    after = replace(
        round_,
        queue=queue,
        high=total,
        level=total if whole else round_.level,
        full=full,
        wagers=round_.wagers + whole,
        full_raises=full_raises,
        aggressor=seat,
        acted={**round_.acted, seat: Acted(total, full_raises)},
    )
    return replace(after, capped=True) if (limit or spread) and raise_cap.reached(hand, after) else after


def given_up(hand: Hand, seat: int, *, mucked: bool = False) -> None:
    """Note which cards a hand that is given up has, and what it had bet."""
    pile = hand.cards.piles.at(hand_of(seat))
    street = hand.streets.planned if hand.round is None else hand.round.street
    cards = tuple([lying.serial for lying in pile])
    up = tuple([lying.serial for lying in pile if lying.up])
    how = Folded(street, cards, up, hand.chips.bets.get(seat, 0), mucked)
    hand.given_up = replace(hand.given_up, folded={**hand.given_up.folded, seat: how})


def fold(hand: Hand, seat: int) -> None:
    """A hand is out: its cards go to the muck, its turn is over."""
    given_up(hand, seat)
    hand.betting = replace(hand.betting, live=tuple([other for other in hand.betting.live if other != seat]))
    hand.cards = replace(hand.cards, piles=hand.cards.piles.emptied(hand_of(seat), MUCK, up=False))
    if hand.round is not None:
        hand.round = replace(hand.round, queue=tuple([other for other in hand.round.queue if other != seat]))
        pruned(hand)
