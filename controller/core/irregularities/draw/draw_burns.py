"""The dealer failed to burn, or burned too many, on the draw.

The cards of a draw are known by their numbers: all that left the shoe since its first request. Those that lie wrong go
back on the stub, the last one dealt first, and the plan deals them anew, as long as nobody has looked at them.
"""

from controller.core.irregularities.common.dealt_street_cards import acted_on
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.remedies import scrapped_cards
from controller.core.model.hand import Hand
from controller.core.play.deal import draws
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Burn, Deal, Return, Step
from controller.core.protocol.vocabulary import What
from controller.core.rules.questions.irregularities.burns import BurnRules
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.piles import BURN, STUB, hand_of, seat_of
from controller.core.values.value import replace


def misburned(hand: Hand, event: Report) -> tuple[Ruling, ...]:
    """So many cards were burned before the first new card; its street's cards are brought to their proper places.

    Raises `Refused` (`value`, `no-burn-due`, `no-card`, `already-ruled`).
    """
    book, street, finding = table_of(hand.setup, hand.setup.rulebook.burns), hand.streets.planned, event.what.value
    if event.what is What.NO_BURN and _second_burn(hand):
        return _burn_of_the_fifth(hand, book, finding)
    due = int(hand.setup.game.streets[street].burn and draws.book_of(hand).burn.value)
    burned = _burned(hand, event, due)
    serials = _since_the_request(hand, event)
    dealt = _dealt_to(hand, serials[due:])
    seats = (*dealt, *_due_next(hand))
    acted = acted_on(hand, street)
    if acted >= book.stands_after.value or hand.award_pushed or len(hand.betting.live) == 1:
        sentence = f"{counted(acted, 'player')} acted after the draw: its cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.stands_after, sentence),)
    _fit(serials, burned, seats)
    if any(seat in hand.cards.looked for seat in seats[: len(serials) - burned]):
        sentence = "a player has looked at a card of the draw: the cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.afterwards, sentence),)
    _laid_out(hand, serials, burned, seats)
    again: list[Step] = [Burn(of=street)] * (due - min(due, burned))
    again += (Deal(seat, "down", "draw", of=street) for seat in dealt)
    hand.plan = hand.plan.first(*_back(hand, serials[min(due, burned) :]), *again)
    sentence = "the burn was wrong: put the cards back on the stub, the last one first, and deal them to their places"
    return (ruled(finding, Verdict.CORRECT, book.put_right, sentence),)


def stands(hand: Hand, event: Report) -> None:
    """The cards of the draw lie after so many burns and stand there, looked at or not; who lacks cards gets them.

    Raises `Refused` (`value`, `no-burn-due`, `no-card`, `already-ruled`).
    """
    if event.what is What.NO_BURN and _second_burn(hand):
        hand.cards = replace(
            hand.cards,
            piles=hand.cards.piles.sent((hand.cards.piles.left,), hand_of(_due_next(hand)[0]), up=False),
            last=None,
        )
        hand.plan = hand.plan.done()
        return
    due = int(hand.setup.game.streets[hand.streets.planned].burn and draws.book_of(hand).burn.value)
    burned, serials, next_ = _burned(hand, event, due), _since_the_request(hand, event), _due_next(hand)
    seats = (*_dealt_to(hand, serials[due:]), *next_)
    _fit(serials, burned, seats)
    _laid_out(hand, serials, burned, seats)
    missing = (Deal(seat, "down", "draw", of=hand.streets.planned) for seat in seats[len(serials) - burned :])
    hand.plan = hand.plan.less(*hand.plan[: len(next_)]).first(*missing)


def _fit(serials: tuple[int, ...], burned: int, seats: tuple[int, ...]) -> None:
    """Refuse a number of burns that the cards of the draw do not fit."""
    if not burned <= len(serials) <= burned + len(seats):
        raise Refused(
            "no-card", f"cards that left the shoe on this draw: {len(serials)}, which does not fit {burned} burned."
        )


def _laid_out(hand: Hand, serials: tuple[int, ...], burned: int, seats: tuple[int, ...]) -> None:
    """Put the cards where the dealer says they are: so many burned, the others with these seats."""
    for place, serial in enumerate(serials):
        to = BURN if place < burned else hand_of(seats[place - burned])
        hand.cards = replace(hand.cards, piles=hand.cards.piles.sent((serial,), to, up=False))
    undue = tuple(serial for serial in hand.cards.undue if serial not in serials)
    hand.cards = replace(hand.cards, undue=undue, last=None)


def _second_burn(hand: Hand) -> bool:
    """Whether the last card had the burn that comes before the fifth card of a draw of five."""
    serial, step = hand.cards.last or (0, None)
    if not isinstance(step, Burn) or serial != hand.cards.piles.left or hand.cards.undue or not _due_next(hand):
        return False
    return any(laid.burned and laid.of == step.of and laid.serial < serial for laid in hand.cards.laid)


def _burn_of_the_fifth(hand: Hand, book: BurnRules, finding: str) -> tuple[Ruling, ...]:
    """The player got that card: it goes on the burns and the next one is the fifth, unless the player has looked."""
    serial, seat = hand.cards.piles.left, _due_next(hand)[0]
    hand.cards = replace(hand.cards, piles=hand.cards.piles.sent((serial,), hand_of(seat), up=False), last=None)
    if seat in hand.cards.looked:
        hand.plan = hand.plan.done()
        sentence = f"seat {seat} has looked at its fifth card: it stands"
        return (ruled(finding, Verdict.PLAY_ON, book.afterwards, sentence, seat),)
    hand.plan = hand.plan.first(Return("extra", hand_of(seat), BURN, 1, (serial,), ruled=True, concerns=seat))
    sentence = f"no card was burned before the fifth card of seat {seat}: the card is the burn, the next one its fifth"
    return (ruled(finding, Verdict.CORRECT, book.put_right, sentence, seat),)


def _burned(hand: Hand, event: Report, due: int) -> int:
    """How many cards the dealer has burned; refuses what is no error."""
    if event.what is What.NO_BURN:
        if not due:
            source = draws.book_of(hand).burn.source
            raise Refused("no-burn-due", f"nothing is burned on this draw ({source}), or the burn lay there already.")
        return 0
    burned = event.count or due + 1
    if burned <= due:
        raise Refused("value", f"`count` is how many cards were burned: more than {due}, which the draw needs.")
    return burned


def _since_the_request(hand: Hand, event: Report) -> tuple[int, ...]:
    """The numbers of the cards that left the shoe since the first request of this draw."""
    asked = next((drawn for drawn in hand.draw.draws if drawn.street == hand.streets.planned), None)
    if asked is None or asked.left == hand.cards.piles.left:
        raise Refused(
            "no-card", f"`{event.what.value}` speaks of the burn of this draw; no card of it has left the shoe."
        )
    serials = tuple(range(asked.left + 1, hand.cards.piles.left + 1))
    for serial in serials:
        place = hand.cards.piles.place_of(serial)
        known = place is not None and (place == BURN or seat_of(place) is not None or serial in hand.cards.undue)
        if not known or scrapped_cards.taken_away(hand, serial):
            raise Refused("already-ruled", "cards of this draw have been dealt with already; carry out the steps.")
    return serials


def _dealt_to(hand: Hand, dealt: tuple[int, ...]) -> tuple[int, ...]:
    """The seats to which the plan has dealt these cards."""
    found = (seat_of(hand.cards.piles.place_of(serial) or "") for serial in dealt if serial not in hand.cards.undue)
    return tuple(seat for seat in found if seat is not None)


def _due_next(hand: Hand) -> tuple[int, ...]:
    """The seats that get the next cards of the draw."""
    end = next((step for step in hand.plan if not (isinstance(step, Deal) and step.why == "draw")), None)
    cards = hand.plan if end is None else hand.plan.parted(end)[0]
    return tuple(deal.seat for deal in cards.every(Deal))


def _back(hand: Hand, serials: tuple[int, ...]) -> tuple[Step, ...]:
    """Return the cards to the stub, the last one first."""
    places = ((serial, hand.cards.piles.place_of(serial) or "") for serial in reversed(serials))
    return tuple(
        Return("burn" if place == BURN else "extra", place, STUB, 1, (serial,), ruled=True, concerns=seat_of(place))
        for serial, place in places
    )
