"""A betting round that is told as a whole: nobody enters acts, one key says that the betting is over.

What somebody enters all the same is a fact of any seat in any order; only a fold and an all-in change what comes.
Source: table script 2, section 3 (`follow` `rounds`).
"""

from controller.core.model.hand import Hand, Round
from controller.core.model.setup import PlayTracking
from controller.core.play.betting import betting_round, carried_pot
from controller.core.play.betting.betting_round import UNTRACKED_WAGER
from controller.core.protocol.events import PlayerActed
from controller.core.protocol.facts import SeatActed
from controller.core.protocol.steps import ActStep, BettingRoundStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules.policies.misdeal_window import CHIP_ACTIONS
from controller.core.values.piles import hand_place
from controller.core.values.value import replace

ROUND_ACTIONS = (
    ActionType.FOLD,
    ActionType.CHECK,
    ActionType.CALL,
    ActionType.BET,
    ActionType.RAISE,
    ActionType.ALL_IN,
)
"""Acts that are taken as facts."""


def next_betting_step(hand: Hand, round_: Round) -> ActStep | BettingRoundStep:
    """The step that the betting waits at: the seat that is to act, or the round as a whole."""
    if hand.setup.play_tracking is PlayTracking.ACTIONS:
        return ActStep(round_.queue[0])
    return BettingRoundStep(hand.setup.game.streets[round_.street].name, round_.queue)


def record_round_action(hand: Hand, event: PlayerActed) -> None:
    """A seat of the round has acted. Raises `Refused` for a seat that cannot, and for words that are no facts."""
    round_ = hand.round_in_play
    seat = event.seat
    _refuse_invalid_action(hand, round_, event)
    _record_action(hand, round_, seat, event.action_type)
    if event.action_type is ActionType.FOLD:
        betting_round.fold(hand, seat)
        betting_round.muck_receiving_hands(hand)
    elif event.action_type is ActionType.CHECK:
        hand.betting = replace(hand.betting, checked_seats=hand.betting.checked_seats | {seat})
    elif event.action_type is ActionType.CALL:
        hand.chips = replace(
            hand.chips, bet_by_seat={**hand.chips.bet_by_seat, seat: max(round_.current_bet, UNTRACKED_WAGER)}
        )
    else:
        _record_wager(hand, round_, event)


def _refuse_invalid_action(hand: Hand, round_: Round, event: PlayerActed) -> None:
    seat = event.seat
    if event.action_type not in ROUND_ACTIONS:
        words = ", ".join(do.value for do in ROUND_ACTIONS)
        raise Refused("act-not-open", f"this table is told rounds, not acts: of an act it takes {words}.")
    if event.total is not None:
        raise Refused("amount", "this table does not track amounts; leave `to` out.")
    if seat not in hand.betting.live_seats:
        holding = ", ".join(map(str, sorted(hand.betting.live_seats)))
        raise Refused("no-live-hand", f"seat {seat} has no live hand to act with; seats {holding} have one.")
    if seat in hand.betting.all_in_seats:
        raise Refused("all-in", f"seat {seat} is all-in and acts no more in this hand.")
    if seat not in round_.queue:
        asked = ", ".join(map(str, round_.queue))
        raise Refused("act-not-open", f"seat {seat} takes no part in this round; seats {asked} do.")


def _record_wager(hand: Hand, round_: Round, event: PlayerActed) -> None:
    """A bet, a raise, or an all-in, of which nobody says whether it raised."""
    seat, total = event.seat, round_.current_bet + UNTRACKED_WAGER
    if hand.openers.opener is None:
        hand.openers = replace(
            hand.openers, opener=seat, opener_cards=hand.cards.piles.cards_at(hand_place(seat)), opening_wager=total
        )
    hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, seat: total})
    betting_round.muck_receiving_hands(hand)
    all_in = event.action_type is ActionType.ALL_IN
    hand.round = replace(
        round_,
        current_bet=total,
        last_full_wager=total,
        wager_count=round_.wager_count + 1,
        full_raise_count=round_.full_raise_count + 1,
        aggressor=round_.aggressor if all_in else seat,
    )
    if all_in:
        hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})
        hand.round = replace(hand.round, queue=tuple(other for other in round_.queue if other != seat))
        betting_round.close_round_if_no_action(hand)


def is_opening_in_doubt(hand: Hand) -> bool:
    """Whether the pot had to be opened, and nothing that was entered says that it was: nobody bet, nobody folded."""
    return carried_pot.is_unopened(hand) and not any(
        seat not in hand.betting.live_seats for seat in hand.betting.acted_seats
    )


def close_round(hand: Hand, opener: int | None = None, *, opened: bool = True) -> None:
    """The betting is over and everybody of the round is in: all have acted, and matched what was wagered.

    `opener`: who is said to have opened; `opened`: false where the pot was passed out.
    """
    round_ = hand.round_in_play
    here = hand.betting.acted_seats[hand.betting.acted_count_by_street.get(round_.street, 0) :]
    for seat in round_.queue:
        if seat not in here:
            _record_action(hand, round_, seat, ActionType.CALL if round_.current_bet else ActionType.CHECK)
    high = round_.current_bet
    if opener is not None:
        hand.openers = replace(hand.openers, opener=opener, opener_cards=hand.cards.piles.cards_at(hand_place(opener)))
    if not opened:
        hand.betting = replace(hand.betting, checked_seats=hand.betting.checked_seats | {*round_.queue})
    elif carried_pot.is_unopened(hand) or opener is not None:
        high = max(high, UNTRACKED_WAGER)
        hand.openers = replace(hand.openers, opening_wager=high)
    if high:
        hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, **dict.fromkeys(round_.queue, high)})
    hand.round = replace(round_, queue=(), current_bet=high)


def record_acted_count(hand: Hand, count: int, *, chips: bool) -> None:
    """So many have acted in turn on this round, and one of them put chips in or not; more may have been entered."""
    round_ = hand.round_in_play
    before = hand.betting.acted_count_by_street.get(round_.street, len(hand.betting.acted_seats))
    here = hand.betting.acted_seats[before:]
    able = [
        seat
        for seat in round_.acting_order
        if seat in here or (seat in hand.betting.live_seats and seat not in hand.betting.all_in_seats)
    ]
    others = tuple(seat for seat in able if seat not in here)
    told = others[: max(count - len(set(here)), 0)]
    for seat in told:
        betting_round.record_action(hand, seat, ActionType.CHECK)
    acts = hand.betting.action_types[before:]
    if chips and acts and not any(do in CHIP_ACTIONS for do in acts):
        hand.betting = replace(hand.betting, action_types=(*hand.betting.action_types[:-1], ActionType.CALL))
    for seat, do in zip(told, hand.betting.action_types[len(hand.betting.action_types) - len(told) :], strict=True):
        hand.tell(SeatActed(seat, do, street_index=round_.street, is_told_by_round=True))
    if (
        chips
        and hand.setup.play_tracking is PlayTracking.ROUNDS
        and round_.aggressor is None
        and not any(hand.chips.bet_by_seat.get(seat, 0) for seat in hand.betting.acted_seats[before:])
    ):
        first = next(iter(hand.betting.acted_seats[before:]), None)
        if first is not None:
            total = max(round_.current_bet, UNTRACKED_WAGER)
            hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, first: total})
            hand.round = replace(round_, current_bet=total)


def _record_action(hand: Hand, round_: Round, seat: int, action_type: ActionType) -> None:
    betting_round.record_action(hand, seat, action_type)
    hand.tell(SeatActed(seat, action_type, street_index=round_.street, is_told_by_round=True))
