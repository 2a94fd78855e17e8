"""A bet or raise that was wrong in its amount, noticed when others have acted on it [TDA-52, WSOP-T-90.e]."""

from controller.core.model.hand import Acted, Hand, Round
from controller.core.model.setup import Structure
from controller.core.model.state import State
from controller.core.play.betting import betting_round
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.vocabulary import What
from controller.core.rules.policies.misdeal_window import substantial_action
from controller.core.rules.questions.play.wagers import Until
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace


def noticed(state: State, event: Report) -> tuple[Ruling, ...]:
    """The last wager of the street should have been `to`: it is put right for all who have matched it.

    Raises `Refused` (`amount`, `key-missing`, `no-wager`, `other-seat`).
    """
    hand = state.hand_in_play
    round_, seat = _wager(hand, event)
    over, pot_limit = event.what is What.OVERPOT, hand.setup.betting.structure is Structure.POT_LIMIT
    wagers = hand.setup.rulebook.wagers
    rule = wagers.over_pot if over else wagers.under_pot if pot_limit else wagers.least
    to = event.to
    if to is None:
        raise Refused("key-missing", f"`{event.what.value}` needs `to`, what the wager should have been in all.")
    if (to >= round_.high) if over else (to <= round_.high):
        way = "less" if over else "more"
        raise Refused("amount", f"the wager of seat {seat} is {round_.high}; `to` is {way} than that, not {to}.")
    late = _too_late(hand, round_, seat, rule.value)
    if late:
        return (ruled(event.what.value, Verdict.PLAY_ON, rule, f"the wager of seat {seat} stands: {late}", seat),)
    put_right(hand, round_, to)
    sentence = f"the wager of seat {seat} is put right to {to}, for all who have matched it"
    return (ruled(event.what.value, Verdict.CORRECT, rule, sentence, seat),)


def _wager(hand: Hand, event: Report) -> tuple[Round, int]:
    """The round and who made its last wager: the one that is on, or the last while no card has followed it."""
    round_ = hand.round
    if round_ is not None and _is_over(round_) and not hand.chips.bets:
        round_ = hand.betting.last_round
    if not hand.setup.tracked:
        raise Refused("amount", "this table does not track amounts: there is none to put right.")
    if round_ is None or round_.aggressor is None:
        raise Refused("no-wager", "nobody has bet or raised on this street; a blind is put right with `undo`.")
    if event.seat not in (None, round_.aggressor):
        raise Refused("other-seat", f"the last to bet or raise was seat {round_.aggressor}, not {event.seat}.")
    return round_, round_.aggressor


def _is_over(round_: Round) -> bool:
    """Whether the betting that was last on is over, and nobody has acted since."""
    return (round_.aggressor is None and not round_.acted) or not round_.queue


def _too_late(hand: Hand, round_: Round, seat: int, until: Until) -> str:
    """Why the wager stands; empty where it can be put right."""
    if until is Until.ROUND and not hand.chips.bets:
        return "all have acted on it, the betting round is over"
    if hand.award_pushed or hand.showdown.tabled or any(laid.of > round_.street for laid in hand.cards.laid):
        return "the street is over"
    since = tuple(zip(hand.betting.acted, hand.betting.acts, strict=True))
    own = max(place for place, (acted, _) in enumerate(since) if acted == seat)
    counts = until is Until.SUBSTANTIAL and substantial_action(since[own + 1 :], (), ())
    return "substantial action has followed it" if counts else ""


def put_right(hand: Hand, round_: Round, to: int) -> None:
    """Whoever has as much in as was wagered has `to` in, or all that it has; chips go back, or more come."""
    old, over = round_.high, not hand.chips.bets
    lying = dict(hand.chips.paid_last if over else hand.chips.bets)
    stacks, paid, all_in = dict(hand.chips.stacks), dict(hand.chips.paid), set(hand.betting.all_in)
    for seat, bet in tuple(lying.items()):
        if bet != old or seat not in hand.betting.live:
            continue
        now = min(to, bet + stacks[seat])
        stacks[seat] += bet - now
        lying[seat] = now
        if over:
            paid[seat] += now - bet
        (all_in.discard if stacks[seat] else all_in.add)(seat)
    if over:
        hand.chips = replace(hand.chips, stacks=stacks, paid=paid, paid_last=lying)
        hand.betting = replace(hand.betting, all_in=frozenset(all_in))
        return
    hand.chips = replace(hand.chips, stacks=stacks, bets=lying)
    hand.betting = replace(hand.betting, all_in=frozenset(all_in))
    whole = round_.level == old
    acted = {seat: Acted(to, how.full_raises) if how.high == old else how for seat, how in round_.acted.items()}
    hand.round = replace(
        round_,
        high=to,
        level=to if whole else round_.level,
        full=max(round_.full + to - old, hand.setup.betting.minimum) if whole else round_.full,
        acted=acted,
        queue=tuple(seat for seat in round_.queue if seat not in all_in),
    )
    betting_round.pruned(hand)
