"""A pot that nobody opened: the hand is over, what was anted stays for the next deal [R7-12.jacks.1].

`State.carried` is what lies in the pot then, `State.matched` what each seat has anted of it. The rest is nobody's: what
departed players left there, and the bet of one who opened without openers.
"""

from dataclasses import replace

from controller.core.model.hand import Hand
from controller.core.model.setup import Setup
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.rules.questions.draw import DrawRules
from controller.core.rules.rulings import Ruling, Verdict, ruled


def book_of(setup: Setup) -> DrawRules | None:
    """What the book says about draws of this form of game, where it says anything."""
    return setup.rulebook.exchange.get(setup.game.form)


def is_unopened(hand: Hand) -> bool:
    """Whether the betting before the draw is over without a wager, where the book then antes again."""
    following = hand.planned + 1
    streets = hand.setup.game.streets
    book = book_of(hand.setup)
    if book is None or not book.passed_out.value or hand.planned or following >= len(streets):
        return False
    if len(hand.contenders) < 2 and hand.setup.game.openers is None:
        return False
    return streets[following].draw and hand.opener is None and not any(hand.bets.values())


def settle(state: State) -> tuple[Ruling, ...]:
    """End a hand that nobody opened; the next one begins with its pot."""
    hand = state.hand
    if hand is None or not hand.passed_out:
        return ()
    hand.passed_out = False
    book = hand.setup.rulebook.exchange[hand.setup.game.form]
    state.carried = sum(hand.paid.values()) + hand.dead
    if hand.sits_out in state.chairs:
        state.sitting_out |= {state.chairs[hand.sits_out].player}
    staying = (seat for seat in hand.anted if seat in state.chairs and seat != hand.sits_out)
    state.matched = {seat: hand.anted[seat] for seat in staying}
    state.forfeited = state.forfeited or hand.forfeited
    state.passed += not hand.forfeited
    state.before = None
    state.chairs = {
        seat: chair if seat not in hand.stacks else chair.changed(stack=hand.stacks[seat])
        for seat, chair in state.chairs.items()
    }
    hand.paid, hand.dead = {}, 0
    antes = "all ante again" if not book.antes.value or state.passed < book.antes.value else "nobody antes any more"
    sentence = f"nobody opens the pot: it stays, the button moves on and {antes}"
    return (ruled("passed-out", Verdict.PLAY_ON, book.passed_out, sentence),)


def over(state: State) -> None:
    """A pot has been won: nothing is left over for the next deal."""
    state.carried = state.passed = 0
    state.matched, state.forfeited, state.sitting_out = {}, False, frozenset()


def sits_out(state: State, player: str) -> bool:
    """Whether a player gets no hand until this pot is won, even after buying in again [R7-12.jacks.5]."""
    return player in state.sitting_out


def stakes(state: State, setup: Setup) -> Setup:
    """The table of the next deal: without antes when they have been posted as often as the game asks."""
    book = book_of(setup)
    if book is None or not book.antes.value or state.passed < book.antes.value:
        return setup
    return setup.at_stakes(replace(setup.betting, ante=0))


def plays_for_matched(state: State, seat: int) -> bool:
    """Whether a player without chips is dealt in for the antes that it has matched [R7-12.draw.14]."""
    book = book_of(state.setup)
    return book is not None and book.matched_antes.value and state.matched.get(seat, 0) > 0


def missed_antes(state: State, seats: tuple[int, ...]) -> dict[int, int]:
    """What each seat has yet to ante of what the others have in the pot already [R7-12.draw.12]."""
    book = book_of(state.setup)
    if book is None or not book.missed_antes.value:
        return {}
    whole = max(state.matched.values(), default=0)
    return {seat: whole - state.matched.get(seat, 0) for seat in seats}


def seats_are_fixed(state: State) -> None:
    """Refuse a change of seats while the pot holds several antes or forfeited money [R7-12.draw.11]."""
    book = book_of(state.setup)
    if book is not None and book.seats_fixed.value and state.carried:
        raise Refused(
            "seat-change",
            f"nobody changes seats while chips of the last deal lie in the pot "
            f"({book.seats_fixed.source}); play until it is won.",
        )
