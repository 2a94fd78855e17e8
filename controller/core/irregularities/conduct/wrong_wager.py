"""A bet or raise that was wrong in its amount, noticed when others have acted on it [TDA-52, WSOP-T-90.e]."""

from controller.core.model.hand import Hand, Round, RoundAtAction
from controller.core.model.setup import BettingStructure
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round
from controller.core.protocol.events import Report
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.policies.misdeal_window import is_closed_by_substantial_action
from controller.core.rules.questions.play.wager_rules import CorrectionDeadline
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace


def rule_on_wrong_wager(state: TableState, event: Report) -> tuple[Ruling, ...]:
    """The last wager of the street should have been `to`: it is put right for all who have matched it.

    Raises `Refused` (`amount`, `key-missing`, `no-wager`, `other-seat`).
    """
    hand = state.hand_in_play
    round_, seat = _find_last_wager(hand, event)
    over, pot_limit = event.kind is ReportKind.OVERPOT, hand.setup.stakes.structure is BettingStructure.POT_LIMIT
    wagers = hand.setup.rulebook.wagers
    rule = wagers.over_pot if over else wagers.under_pot if pot_limit else wagers.least
    to = event.total
    if to is None:
        raise Refused("key-missing", f"`{event.kind.value}` needs `to`, what the wager should have been in all.")
    if (to >= round_.current_bet) if over else (to <= round_.current_bet):
        way = "less" if over else "more"
        raise Refused("amount", f"the wager of seat {seat} is {round_.current_bet}; `to` is {way} than that, not {to}.")
    late = _too_late_reason(hand, round_, seat, rule.value)
    if late:
        return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, late.format(seat=seat), seat),)
    correct_wager(hand, round_, to)
    sentence = said.WAGER_PUT_RIGHT.format(seat=seat, amount=to)
    return (build_ruling(event.kind.value, Verdict.CORRECT, rule, sentence, seat),)


def _find_last_wager(hand: Hand, event: Report) -> tuple[Round, int]:
    """The round and who made its last wager: the one that is on, or the last while no card has followed it."""
    round_ = hand.round
    if round_ is not None and _is_betting_over(round_) and not hand.chips.bet_by_seat:
        round_ = hand.betting.last_round
    if not hand.setup.tracks_amounts:
        raise Refused("amount", "this table does not track amounts: there is none to put right.")
    if round_ is None or round_.aggressor is None:
        raise Refused("no-wager", "nobody has bet or raised on this street; a blind is put right with `undo`.")
    if event.seat not in (None, round_.aggressor):
        raise Refused("other-seat", f"the last to bet or raise was seat {round_.aggressor}, not {event.seat}.")
    return round_, round_.aggressor


def _is_betting_over(round_: Round) -> bool:
    """Whether the betting that was last on is over, and nobody has acted since."""
    return (round_.aggressor is None and not round_.last_action_by_seat) or not round_.queue


def _too_late_reason(hand: Hand, round_: Round, seat: int, until: CorrectionDeadline) -> str:
    """The sentence that says why the wager stands; empty where it can be put right."""
    if until is CorrectionDeadline.ROUND and not hand.chips.bet_by_seat:
        return said.WAGER_STANDS_ROUND_OVER
    if (
        hand.is_award_pushed
        or hand.showdown.tabled_cards_by_seat
        or any(laid.street_index > round_.street for laid in hand.cards.street_cards)
    ):
        return said.WAGER_STANDS_STREET_OVER
    since = tuple(zip(hand.betting.acted_seats, hand.betting.action_types, strict=True))
    own = max(place for place, (acted, _) in enumerate(since) if acted == seat)
    counts = until is CorrectionDeadline.SUBSTANTIAL and is_closed_by_substantial_action(since[own + 1 :], (), ())
    return said.WAGER_STANDS_ACTION if counts else ""


def correct_wager(hand: Hand, round_: Round, to: int) -> None:
    """Whoever has as much in as was wagered has `to` in, or all that it has; chips go back, or more come."""
    old, over = round_.current_bet, not hand.chips.bet_by_seat
    lying = dict(hand.chips.paid_last_round_by_seat if over else hand.chips.bet_by_seat)
    stacks, paid, all_in = (
        dict(hand.chips.stack_by_seat),
        dict(hand.chips.paid_earlier_by_seat),
        set(hand.betting.all_in_seats),
    )
    for seat, bet in tuple(lying.items()):
        if bet != old or seat not in hand.betting.live_seats:
            continue
        now = min(to, bet + stacks[seat])
        stacks[seat] += bet - now
        lying[seat] = now
        if over:
            paid[seat] += now - bet
        (all_in.discard if stacks[seat] else all_in.add)(seat)
    if over:
        hand.chips = replace(hand.chips, stack_by_seat=stacks, paid_earlier_by_seat=paid, paid_last_round_by_seat=lying)
        hand.betting = replace(hand.betting, all_in_seats=frozenset(all_in))
        return
    hand.chips = replace(hand.chips, stack_by_seat=stacks, bet_by_seat=lying)
    hand.betting = replace(hand.betting, all_in_seats=frozenset(all_in))
    whole = round_.last_full_wager == old
    acted = {
        seat: RoundAtAction(to, how.full_raise_count) if how.current_bet == old else how
        for seat, how in round_.last_action_by_seat.items()
    }
    hand.round = replace(
        round_,
        current_bet=to,
        last_full_wager=to if whole else round_.last_full_wager,
        full_raise_size=max(round_.full_raise_size + to - old, hand.setup.stakes.effective_min_bet)
        if whole
        else round_.full_raise_size,
        last_action_by_seat=acted,
        queue=tuple(seat for seat in round_.queue if seat not in all_in),
    )
    betting_round.close_round_if_no_action(hand)
