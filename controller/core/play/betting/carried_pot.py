"""A pot that nobody opened: the hand is over, what was anted stays for the next deal [R7-12.jacks.1].

`State.carried` is what lies in the pot then, `State.matched` what each seat has anted of it. The rest is nobody's: what
departed players left there, and the bet of one who opened without openers.
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import Setup
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.rules.questions.play.draw import DrawRules
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import Lying
from controller.core.values.value import replace


def book_of(setup: Setup) -> DrawRules | None:
    """What the book says about draws of this form of game, where it says anything."""
    return setup.rulebook.exchange.get(setup.game.form)


def is_unopened(hand: Hand) -> bool:
    """Whether the betting before the draw is over without a wager, where the book then antes again."""
    following = hand.streets.planned + 1
    streets = hand.setup.game.streets
    book = book_of(hand.setup)
    if book is None or not book.passed_out.value or hand.streets.planned or following >= len(streets):
        return False
    if len(hand.contenders) < 2 and hand.setup.game.openers is None:
        return False
    return streets[following].draw and hand.openers.opener is None and not any(hand.chips.bets.values())


def must_prove_openers(hand: Hand, seat: int) -> bool:
    """Whether this seat opened the pot and has yet to show what it opened on to win it [R7-12.jacks.3]."""
    return _openers_are_asked_for(hand) and seat == hand.openers.opener and seat not in hand.showdown.tabled


def openers_shown(hand: Hand) -> tuple[Lying, ...]:
    """What the opener has shown that it opened on, all of it: a card that it threw away since is shown too."""
    shown = _openers_are_asked_for(hand) and hand.openers.opener in hand.showdown.tabled
    return hand.openers.opened_on if shown else ()


def _openers_are_asked_for(hand: Hand) -> bool:
    book = book_of(hand.setup)
    return book is not None and book.prove_openers.value and hand.setup.game.openers is not None


def settle(state: State) -> tuple[Ruling, ...]:
    """End a hand that nobody opened; the next one begins with its pot."""
    hand = state.hand
    if hand is None or not hand.openers.passed_out:
        return ()
    hand.openers = replace(hand.openers, passed_out=False)
    book = hand.setup.rulebook.exchange[hand.setup.game.form]
    state.carried_pot = replace(state.carried_pot, chips=sum(hand.chips.paid.values()) + hand.chips.dead)
    if hand.openers.sits_out in state.seating.chairs:
        state.carried_pot = replace(
            state.carried_pot,
            sitting_out=state.carried_pot.sitting_out | {state.seating.chairs[hand.openers.sits_out].player},
        )
    staying = (seat for seat in hand.openers.anted if seat in state.seating.chairs and seat != hand.openers.sits_out)
    state.carried_pot = replace(
        state.carried_pot,
        matched={seat: hand.openers.anted[seat] for seat in staying},
        forfeited=state.carried_pot.forfeited or hand.openers.forfeited,
        passed=state.carried_pot.passed + (not hand.openers.forfeited),
    )
    state.before = None
    state.seating = replace(
        state.seating,
        chairs={
            seat: chair if seat not in hand.chips.stacks else replace(chair, stack=hand.chips.stacks[seat])
            for seat, chair in state.seating.chairs.items()
        },
    )
    hand.chips = replace(hand.chips, paid={}, dead=0)
    antes = (
        "all ante again"
        if not book.antes.value or state.carried_pot.passed < book.antes.value
        else "nobody antes any more"
    )
    sentence = f"nobody opens the pot: it stays, the button moves on and {antes}"
    return (ruled("passed-out", Verdict.PLAY_ON, book.passed_out, sentence),)


def over(state: State) -> None:
    """A pot has been won: nothing is left over for the next deal."""
    state.carried_pot = replace(state.carried_pot, chips=0, passed=0)
    state.carried_pot = replace(state.carried_pot, matched={}, forfeited=False, sitting_out=frozenset())


def sits_out(state: State, player: str) -> bool:
    """Whether a player gets no hand until this pot is won, even after buying in again [R7-12.jacks.5]."""
    return player in state.carried_pot.sitting_out


def stakes(state: State, setup: Setup) -> Setup:
    """The table of the next deal: without antes when they have been posted as often as the game asks."""
    book = book_of(setup)
    if book is None or not book.antes.value or state.carried_pot.passed < book.antes.value:
        return setup
    return setup.at_stakes(replace(setup.betting, ante=0))


def plays_for_matched(state: State, seat: int) -> bool:
    """Whether a player without chips is dealt in for the antes that it has matched [R7-12.draw.14]."""
    book = book_of(state.setup)
    return book is not None and book.matched_antes.value and state.carried_pot.matched.get(seat, 0) > 0


def missed_antes(state: State, seats: tuple[int, ...]) -> dict[int, int]:
    """What each seat has yet to ante of what the others have in the pot already [R7-12.draw.12]."""
    book = book_of(state.setup)
    if book is None or not book.missed_antes.value:
        return {}
    whole = max(state.carried_pot.matched.values(), default=0)
    return {seat: whole - state.carried_pot.matched.get(seat, 0) for seat in seats}


def seats_are_fixed(state: State) -> None:
    """Refuse a change of seats while the pot holds several antes or forfeited money [R7-12.draw.11].

    Raises `Refused` (`seat-change`).
    """
    book = book_of(state.setup)
    if book is not None and book.seats_fixed.value and state.carried_pot.chips:
        raise Refused(
            "seat-change",
            f"nobody changes seats while chips of the last deal lie in the pot "
            f"({book.seats_fixed.source}); play until it is won.",
        )
