"""A betting round that is told as a whole: nobody enters acts, one key says that the betting is over.

What somebody enters all the same is a fact of any seat in any order; only a fold and an all-in change what comes.
Source: table script 2, section 3 (`follow` `rounds`).
"""

from controller.core.model.hand import Hand, Round
from controller.core.model.setup import Follow
from controller.core.play.betting import betting_round, carried_pot
from controller.core.play.betting.betting_round import UNTRACKED_WAGER
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act
from controller.core.protocol.steps import Act as ActStep
from controller.core.protocol.steps import Bet
from controller.core.protocol.vocabulary import Do
from controller.core.rules.policies.misdeal_window import CHIPS_IN
from controller.core.values.piles import hand_of
from controller.core.values.value import replace

FACTS = (Do.FOLD, Do.CHECK, Do.CALL, Do.BET, Do.RAISE, Do.ALL_IN)
"""Acts that are taken as facts."""


def turn(hand: Hand, round_: Round) -> ActStep | Bet:
    """The step that the betting waits at: the seat that is to act, or the round as a whole."""
    if hand.setup.follow is Follow.ACTS:
        return ActStep(round_.queue[0])
    return Bet(hand.setup.game.streets[round_.street].name, round_.queue)


def fact(hand: Hand, event: Act) -> None:
    """A seat of the round has acted. Raises `Refused` for a seat that cannot, and for words that are no facts."""
    round_ = _round(hand)
    seat = event.seat
    _can_act(hand, round_, event)
    betting_round.noted(hand, seat, event.do)
    if event.do is Do.FOLD:
        betting_round.fold(hand, seat)
        betting_round.swept(hand)
    elif event.do is Do.CHECK:
        hand.betting = replace(hand.betting, checked=hand.betting.checked | {seat})
    elif event.do is Do.CALL:
        hand.chips = replace(hand.chips, bets={**hand.chips.bets, seat: max(round_.high, UNTRACKED_WAGER)})
    else:
        _wagered(hand, round_, event)


def _can_act(hand: Hand, round_: Round, event: Act) -> None:
    seat = event.seat
    if event.do not in FACTS:
        words = ", ".join(do.value for do in FACTS)
        raise Refused("act-not-open", f"this table is told rounds, not acts: of an act it takes {words}.")
    if event.to is not None:
        raise Refused("amount", "this table does not track amounts; leave `to` out.")
    if seat not in hand.betting.live:
        holding = ", ".join(map(str, sorted(hand.betting.live)))
        raise Refused("no-live-hand", f"seat {seat} has no live hand to act with; seats {holding} have one.")
    if seat in hand.betting.all_in:
        raise Refused("all-in", f"seat {seat} is all-in and acts no more in this hand.")
    if seat not in round_.queue:
        asked = ", ".join(map(str, round_.queue))
        raise Refused("act-not-open", f"seat {seat} takes no part in this round; seats {asked} do.")


def _wagered(hand: Hand, round_: Round, event: Act) -> None:
    """A bet, a raise, or an all-in, of which nobody says whether it raised."""
    seat, total = event.seat, round_.high + UNTRACKED_WAGER
    if hand.openers.opener is None:
        hand.openers = replace(
            hand.openers, opener=seat, opened_on=hand.cards.piles.at(hand_of(seat)), opened_for=total
        )
    hand.chips = replace(hand.chips, bets={**hand.chips.bets, seat: total})
    betting_round.swept(hand)
    all_in = event.do is Do.ALL_IN
    hand.round = replace(
        round_,
        high=total,
        level=total,
        wagers=round_.wagers + 1,
        full_raises=round_.full_raises + 1,
        aggressor=round_.aggressor if all_in else seat,
    )
    if all_in:
        hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})
        hand.round = replace(hand.round, queue=tuple(other for other in round_.queue if other != seat))
        betting_round.pruned(hand)


def is_in_doubt(hand: Hand) -> bool:
    """Whether the pot had to be opened, and nothing that was entered says that it was: nobody bet, nobody folded."""
    return carried_pot.is_unopened(hand) and not any(seat not in hand.betting.live for seat in hand.betting.acted)


def over(hand: Hand, opener: int | None = None, *, opened: bool = True) -> None:
    """The betting is over and everybody of the round is in: all have acted, and matched what was wagered.

    `opener`: who is said to have opened; `opened`: false where the pot was passed out.
    """
    round_ = _round(hand)
    here = hand.betting.acted[hand.betting.acted_before.get(round_.street, 0) :]
    for seat in round_.queue:
        if seat not in here:
            betting_round.noted(hand, seat, Do.CALL if round_.high else Do.CHECK)
    high = round_.high
    if opener is not None:
        hand.openers = replace(hand.openers, opener=opener, opened_on=hand.cards.piles.at(hand_of(opener)))
    if not opened:
        hand.betting = replace(hand.betting, checked=hand.betting.checked | {*round_.queue})
    elif carried_pot.is_unopened(hand) or opener is not None:
        high = max(high, UNTRACKED_WAGER)
        hand.openers = replace(hand.openers, opened_for=high)
    if high:
        hand.chips = replace(hand.chips, bets={**hand.chips.bets, **dict.fromkeys(round_.queue, high)})
    hand.round = replace(round_, queue=(), high=high)


def said(hand: Hand, count: int, *, chips: bool) -> None:
    """So many have acted in turn on this round, and one of them put chips in or not; more may have been entered."""
    round_ = _round(hand)
    before = hand.betting.acted_before.get(round_.street, len(hand.betting.acted))
    here = hand.betting.acted[before:]
    able = [
        seat for seat in round_.ring if seat in here or (seat in hand.betting.live and seat not in hand.betting.all_in)
    ]
    others = tuple(seat for seat in able if seat not in here)
    for seat in others[: max(count - len(set(here)), 0)]:
        betting_round.noted(hand, seat, Do.CHECK)
    acts = hand.betting.acts[before:]
    if chips and acts and not any(do in CHIPS_IN for do in acts):
        hand.betting = replace(hand.betting, acts=(*hand.betting.acts[:-1], Do.CALL))
    if (
        chips
        and hand.setup.follow is Follow.ROUNDS
        and round_.aggressor is None
        and not any(hand.chips.bets.get(seat, 0) for seat in hand.betting.acted[before:])
    ):
        first = next(iter(hand.betting.acted[before:]), None)
        if first is not None:
            total = max(round_.high, UNTRACKED_WAGER)
            hand.chips = replace(hand.chips, bets={**hand.chips.bets, first: total})
            hand.round = replace(round_, high=total)


def _round(hand: Hand) -> Round:
    assert hand.round is not None
    return hand.round
