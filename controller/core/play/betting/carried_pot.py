"""A pot that nobody opened: the hand is over, what was anted stays for the next deal [R7-12.jacks.1].

`CarriedPot.chips` is what lies in the pot then, `ante_by_seat` what each seat has anted of it. The rest is nobody's:
what departed players left there, and the bet of one who opened without openers.
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import Setup
from controller.core.model.table_state import CarriedPot, TableState
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.play.draw_rules import DrawRules
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.piles import ASIDE, PlacedCard
from controller.core.values.value import replace


def find_draw_rules(setup: Setup) -> DrawRules | None:
    """What the book says about draws of this form of game, where it says anything."""
    return setup.rulebook.exchange.get(setup.game.rules_form)


def is_unopened(hand: Hand) -> bool:
    """Whether the betting before the draw is over without a wager, where the book then antes again."""
    following = hand.streets.planned_street + 1
    streets = hand.setup.game.streets
    book = find_draw_rules(hand.setup)
    if book is None or not book.passed_out.value or hand.streets.planned_street or following >= len(streets):
        return False
    if len(hand.contenders) < 2 and hand.setup.game.min_openers is None:
        return False
    return streets[following].has_draw and hand.openers.opener is None and not any(hand.chips.bet_by_seat.values())


def needs_to_prove_openers(hand: Hand, seat: int) -> bool:
    """Whether this seat opened the pot and has yet to show what it opened on to win it [R7-12.jacks.3]."""
    return (
        _needs_openers_proved(hand) and seat == hand.openers.opener and seat not in hand.showdown.tabled_cards_by_seat
    )


def shown_openers(hand: Hand) -> tuple[PlacedCard, ...]:
    """What the opener has shown that it opened on, all of it: a card that it threw away since is shown too.

    A card that was put aside, boxed say, is none of it: another was dealt for it.
    """
    if not (_needs_openers_proved(hand) and hand.openers.opener in hand.showdown.tabled_cards_by_seat):
        return ()
    aside = {lying.serial for lying in hand.cards.piles.cards_at(ASIDE)}
    return tuple([lying for lying in hand.openers.opener_cards if lying.serial not in aside])


def _needs_openers_proved(hand: Hand) -> bool:
    book = find_draw_rules(hand.setup)
    return book is not None and book.prove_openers.value and hand.setup.game.min_openers is not None


def carry_pot_over(state: TableState) -> None:
    """Nobody opened the hand, which is over; the next one begins with its pot."""
    hand = state.hand_in_play
    hand.openers = replace(hand.openers, is_passed_out=False)
    book = hand.setup.rulebook.exchange[hand.setup.game.rules_form]
    state.carried_pot = replace(
        state.carried_pot, chips=sum(hand.chips.paid_earlier_by_seat.values()) + hand.chips.dead_chips
    )
    if hand.openers.sitting_out_seat in state.seating.state_by_seat:
        state.carried_pot = replace(
            state.carried_pot,
            sitting_out_players=state.carried_pot.sitting_out_players
            | {state.seating.state_by_seat[hand.openers.sitting_out_seat].player},
        )
    staying = (
        seat
        for seat in hand.openers.ante_by_seat
        if seat in state.seating.state_by_seat and seat != hand.openers.sitting_out_seat
    )
    state.carried_pot = replace(
        state.carried_pot,
        ante_by_seat={seat: hand.openers.ante_by_seat[seat] for seat in staying},
        has_forfeited_chips=state.carried_pot.has_forfeited_chips or hand.openers.has_forfeited_bet,
        passed_out_count=state.carried_pot.passed_out_count + (not hand.openers.has_forfeited_bet),
    )
    state.state_before_hand = None
    state.seating = replace(
        state.seating,
        state_by_seat={
            seat: chair
            if seat not in hand.chips.stack_by_seat
            else replace(chair, stack=hand.chips.stack_by_seat[seat])
            for seat, chair in state.seating.state_by_seat.items()
        },
    )
    hand.chips = replace(hand.chips, paid_earlier_by_seat={}, dead_chips=0)
    antes_again = not book.antes.value or state.carried_pot.passed_out_count < book.antes.value
    sentence = said.PASSED_OUT_ANTES if antes_again else said.PASSED_OUT_NO_ANTES
    ruling = build_ruling("passed-out", Verdict.PLAY_ON, book.passed_out, sentence)
    hand.play_rulings = (ruling, *hand.play_rulings)


def clear_carried_pot(state: TableState) -> None:
    """A pot has been won: nothing is left over for the next deal."""
    state.carried_pot = CarriedPot()


def is_sitting_out(state: TableState, player: str) -> bool:
    """Whether a player gets no hand until this pot is won, even after buying in again [R7-12.jacks.5]."""
    return player in state.carried_pot.sitting_out_players


def apply_ante_limit(state: TableState, setup: Setup) -> Setup:
    """The table of the next deal: without antes when they have been posted as often as the game asks."""
    book = find_draw_rules(setup)
    if book is None or not book.antes.value or state.carried_pot.passed_out_count < book.antes.value:
        return setup
    return setup.replace_stakes(replace(setup.stakes, ante=0))


def can_play_for_matched_antes(state: TableState, seat: int) -> bool:
    """Whether a player without chips is dealt in for the antes that it has matched [R7-12.draw.14]."""
    book = find_draw_rules(state.setup)
    return book is not None and book.matched_antes.value and state.carried_pot.ante_by_seat.get(seat, 0) > 0


def missed_antes(state: TableState, seats: tuple[int, ...]) -> dict[int, int]:
    """What each seat has yet to ante of what the others have in the pot already [R7-12.draw.12]."""
    book = find_draw_rules(state.setup)
    if book is None or not book.missed_antes.value:
        return {}
    whole = max(state.carried_pot.ante_by_seat.values(), default=0)
    return {seat: whole - state.carried_pot.ante_by_seat.get(seat, 0) for seat in seats}


def refuse_seat_change(state: TableState) -> None:
    """Refuse a change of seats while the pot holds several antes or forfeited money [R7-12.draw.11].

    Raises `Refused` (`seat-change`).
    """
    book = find_draw_rules(state.setup)
    if book is not None and book.seats_fixed.value and state.carried_pot.chips:
        raise Refused(
            "seat-change",
            f"nobody changes seats while chips of the last deal lie in the pot "
            f"({book.seats_fixed.source}); play until it is won.",
        )
