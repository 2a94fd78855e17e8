"""The draw: who asks, what is dealt, in which order.

A street may also have cards thrown away without new ones, as pineapple does: those requests stand on the plan together.

Each seat's request is followed by its cards before the next seat's request. What the plan cannot hold in that order
(the fifth card of a draw of five, the replacement of a card exposed on the draw) waits in `Hand.late`.
"""

from controller.core.model.hand import Drawn, Hand
from controller.core.model.plan import NO_STEPS
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Draw as DrawEvent
from controller.core.protocol.steps import Burn, Cut, Deal, Draw, Return, Shuffle, Step
from controller.core.rules.questions.play.draw import DrawRules, LastCard
from controller.core.rules.rulings import Verdict, ruled
from controller.core.values.piles import BURN, MUCK, STUB, Lying, hand_of
from controller.core.values.value import replace


def book_of(hand: Hand) -> DrawRules:
    """What the rulebook says about the draw of this form of game."""
    return hand.setup.rulebook.exchange[hand.setup.game.form]


def first_request(hand: Hand, index: int) -> tuple[Step, ...]:
    """The draw begins left of the button, with every live hand, all-in or not."""
    hand.draw = replace(hand.draw, drawing=hand.betting.live)
    return (Draw(hand.betting.live[0], of=index),)


def thrown_away(hand: Hand, index: int) -> tuple[Step, ...]:
    """Who still holds more cards than a hand keeps for this street is asked to throw them away, left of the button on.

    [WSOP-L-pineapple]
    """
    live = (seat for seat in hand.order if seat in hand.betting.live)
    return tuple(Draw(seat, of=index) for seat in live if to_throw_away(hand, seat, index))


def to_throw_away(hand: Hand, seat: int, index: int) -> int:
    """How many cards a seat throws away for a street without new ones: what it holds beyond those that a hand keeps."""
    game = hand.setup.game
    return max(0, len(hand.cards.piles.at(hand_of(seat))) - game.kept(index)) if game.streets[index].discard else 0


def next_request(hand: Hand) -> tuple[Step, ...]:
    """The next seat to ask; when all have drawn, the cards that waited for that."""
    if hand.draw.drawing:
        return (Draw(hand.draw.drawing[0], of=hand.streets.planned),)
    waiting = sorted(hand.draw.late, key=lambda step: step.ruled)
    hand.draw = replace(hand.draw, late=NO_STEPS)
    return tuple(waiting)


def without(hand: Hand, seat: int) -> None:
    """A hand is out: its player is asked for no draw, and gets none of the cards that were put by."""
    hand.draw = replace(hand.draw, drawing=tuple(other for other in hand.draw.drawing if other != seat))
    late = hand.draw.late
    cards = (step for step in late.every(Deal) if step.seat == seat)
    own = (step for step in late.every(Return) if step.source == hand_of(seat))
    hand.draw = replace(hand.draw, late=late.less(*cards, *own))
    if hand.draw.asked is not None and seat not in hand.betting.live:
        hand.draw = replace(hand.draw, asked=None)


def draw(hand: Hand, event: DrawEvent) -> None:
    """A seat says how many cards it exchanges, or changes what it said.

    Raises `Refused` (`no-draw`, `too-many`, `too-few`, `not-your-turn`, `draw-fixed`).
    """
    request = hand.plan.due(Draw)
    if request is not None and hand.setup.game.streets[request.of].discard:
        _throw_away(hand, event, request)
        return
    if not hand.setup.game.draws:
        raise Refused("no-draw", f"{hand.setup.game.title} has no draw; `draw` has no place in it.")
    if request is None or request.seat != event.seat:
        _change(hand, event)
        request = hand.plan.due(Draw)
        assert request is not None
    held = hand.cards.piles.at(hand_of(event.seat))
    if event.discard > len(held):
        raise Refused("too-many", f"seat {event.seat} holds {len(held)} cards and cannot discard {event.discard}.")
    surplus = len(held) - starting_cards(hand)
    if event.discard < surplus:
        raise Refused("too-few", f"seat {event.seat} holds {len(held)} cards and must discard at least {surplus}.")
    before = hand.copy()
    before.draw = replace(before.draw, asked=None)
    hand.draw = replace(hand.draw, asked=before)
    discards = tuple(lying.serial for lying in held[: event.discard])
    _mixed_up(hand, held, event.discard)
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.moved(frozenset(discards), hand_of(event.seat), MUCK, up=False)
    )
    hand.draw = replace(
        hand.draw,
        draws=(*hand.draw.draws, Drawn(request.of, event.seat, event.discard, hand.cards.piles.left, discards)),
    )
    if event.discard:
        hand.showdown = replace(
            hand.showdown, tabled={seat: cards for seat, cards in hand.showdown.tabled.items() if seat != event.seat}
        )
    hand.draw = replace(hand.draw, drawing=tuple(seat for seat in hand.draw.drawing if seat != event.seat))
    wanted = max(0, starting_cards(hand) - len(held) + event.discard)
    if book_of(hand).requests_first.value:
        _put_by(hand, request.of, event.seat, wanted)
        hand.plan = hand.plan.done()
        return
    hand.plan = hand.plan.done().first(*cards(hand, request.of, event.seat, wanted))


def _mixed_up(hand: Hand, held: tuple[Lying, ...], thrown: int) -> None:
    """So many of these cards go: from now on they cannot be told apart."""
    if 0 < thrown < len(held):
        alike = frozenset(lying.serial for lying in held)
        hand.draw = replace(hand.draw, alike=(*hand.draw.alike, alike))


def _throw_away(hand: Hand, event: DrawEvent, request: Draw) -> None:
    """A seat throws away what it holds beyond the cards that a hand keeps; any seat of the street may come first.

    Raises `Refused` (`not-your-turn`, `count`).
    """
    asked = {step.seat: step for step in hand.plan.every(Draw) if step.of == request.of}
    if event.seat not in asked:
        seats = ", ".join(map(str, asked))
        raise Refused("not-your-turn", f"seat {event.seat} has nothing to throw away now; seats {seats} have.")
    held, surplus = hand.cards.piles.at(hand_of(event.seat)), to_throw_away(hand, event.seat, request.of)
    if event.discard != surplus:
        raise Refused(
            "count", f"seat {event.seat} holds {len(held)} cards and throws {surplus} away, not {event.discard}."
        )
    discards = tuple(lying.serial for lying in held[:surplus])
    piles = hand.cards.piles.moved(frozenset(discards), hand_of(event.seat), MUCK, up=False)
    hand.cards = replace(hand.cards, piles=piles)
    tabled = {seat: cards for seat, cards in hand.showdown.tabled.items() if seat != event.seat}
    _mixed_up(hand, held, surplus)
    hand.showdown = replace(hand.showdown, tabled=tabled)
    hand.plan = hand.plan.less(asked[event.seat])


def _put_by(hand: Hand, index: int, seat: int, wanted: int) -> None:
    """A seat's new cards where all discard first; after the last request comes the burn, also when all stand pat."""
    hand.draw = replace(hand.draw, late=hand.draw.late.then(*[Deal(seat, "down", "draw", of=index)] * wanted))
    if not hand.draw.drawing:
        hand.draw = replace(hand.draw, late=hand.draw.late.first(*_burn(hand, index)))


def starting_cards(hand: Hand) -> int:
    """How many cards make a hand."""
    return len(hand.setup.game.streets[0].deal)


def _change(hand: Hand, event: DrawEvent) -> None:
    """Take the request back that this seat has made, if that is still allowed [R7-11.lowball.12, R7-12.draw.7]."""
    rule, last = book_of(hand).change, hand.draw.draws[-1] if hand.draw.draws else None
    if last is None or last.seat != event.seat or hand.draw.asked is None or last.street != hand.streets.planned:
        request = hand.plan.next(Draw)
        seat = None if request is None else request.seat
        due = "nobody is" if seat is None else "the cards due come" if seat == event.seat else f"seat {seat} is"
        raise Refused("not-your-turn", f"seat {event.seat} is not to draw: {due} next.")
    if (
        not rule.value
        or hand.cards.piles.left != last.left
        or len(hand.betting.acted) != len(hand.draw.asked.betting.acted)
    ):
        why = "a card was dealt for it or a player relied on it" if rule.value else "it holds when discards lie there"
        sentence = f"seat {event.seat} may not change the number: {why} ({rule.source})"
        raise Refused("draw-fixed", f"{sentence}; carry out the draw of {last.count}.")
    hand.become(hand.draw.asked)


def cards(hand: Hand, index: int, seat: int, wanted: int) -> tuple[Step, ...]:
    """The steps that give a seat its new cards; what comes only when all have drawn is put by."""
    if not wanted:
        return ()
    book = book_of(hand)
    at_once = min(wanted, book.consecutive.value) if book.consecutive.value else wanted
    due: list[Step] = [Deal(seat, "down", "draw", of=index)] * at_once
    rest: list[Step] = [Deal(seat, "down", "draw", of=index)] * (wanted - at_once)
    if rest and hand.draw.drawing:
        hand.draw = replace(hand.draw, late=hand.draw.late.then(*rest))
        rest = []
    elif rest:
        due += [Burn(of=index), *rest]
    return _served(hand, seat, (*_burn(hand, index), *due))


def _burn(hand: Hand, index: int) -> tuple[Step, ...]:
    """One burn before the first new card of a draw, unless a card lies there for it already."""
    street = hand.setup.game.streets[index]
    if not street.burn or not book_of(hand).burn.value or index in hand.cards.burned:
        return ()
    hand.cards = replace(hand.cards, burned=hand.cards.burned | {index})
    if hand.cards.burns_made:
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - 1)
        return ()
    return (Burn(of=index),)


def burn_is_to_come(hand: Hand, street: int) -> bool:
    """Whether the draw of a street has still to have its burn."""
    burns = hand.setup.game.streets[street].burn and book_of(hand).burn.value
    return bool(burns) and street not in hand.cards.burned and not hand.cards.burns_made


def _served(hand: Hand, seat: int, due: tuple[Step, ...]) -> tuple[Step, ...]:
    """The cards from a stub that may be too short: after the last one earlier discards come back [AU-11.3(b)]."""
    there, book = hand.cards.piles.stub, book_of(hand)
    if len(due) <= there or not book.run_out.value or book.last_card.value is not LastCard.DEALT:
        return due
    return (*due[:there], *_mixed(hand, seat, len(due) - there), *due[there:])


def refilled(hand: Hand) -> None:
    """A card is due that the stub does not have, a replacement after the last draw, say: discards come back for it.

    Where the book says so the last card is shuffled in with them [WSOP-T-IX.draw#reshuffle, WSOP-L-lowball].
    """
    if hand.cards.piles.stub > 1 or not hand.draw.draws:
        return
    due = hand.plan.due(Deal) or hand.plan.due(Burn)
    if not due or not book_of(hand).run_out.value or (hand.cards.piles.stub and _last_is_dealt(hand)):
        return
    planned = _planned_mix(hand)  # for the end of this draw; a card that went out of play makes it due before
    if planned:
        hand.plan = hand.plan.less(*planned).first(*planned)
        return
    deal = hand.plan.next(Deal)
    seat = hand.betting.live[0] if deal is None else deal.seat
    hand.plan = hand.plan.first(*_mixed(hand, seat, 1))


def _planned_mix(hand: Hand) -> tuple[Step, ...]:
    """The steps with which cards are to be shuffled into the stub, where they are on the plan already."""
    steps = list(hand.plan)
    first = next((i for i, s in enumerate(steps) if isinstance(s, Return) and s.ruled and s.to == STUB), len(steps))
    last = next((i for i, s in enumerate(steps[first:], first) if isinstance(s, Cut)), first - 1)
    return tuple(steps[first : last + 1])


def _last_is_dealt(hand: Hand) -> bool:
    """Whether the one card that the stub has left is dealt rather than shuffled in."""
    rule, streets = book_of(hand).last_card, hand.setup.game.streets
    completes = not hand.draw.drawing and len(hand.plan.every(Deal, Burn)) + len(hand.draw.late.every(Deal)) == 1
    if rule.value is LastCard.HAND:
        return completes and not any(street.draw for street in streets[hand.streets.planned + 1 :])
    return completes or rule.value is LastCard.DEALT


def _mixed(hand: Hand, seat: int, wanted: int) -> tuple[Step, ...]:
    """Discards go back into the stub, shuffled and cut, and the dealer is told whose."""
    burns = tuple(lying.serial for lying in hand.cards.piles.at(BURN)) if book_of(hand).burns_in.value else ()
    back, whose = _earlier_discards(hand, seat, wanted - len(burns))
    if not back and not burns:
        return ()
    this = [serial for drawn in hand.draw.draws if drawn.street == hand.streets.planned for serial in drawn.discards]
    instead = tuple(serial for serial in this if hand.cards.piles.place_of(serial) == MUCK and serial not in back)
    instead = instead[: len(burns)]
    when = "with" if hand.cards.piles.stub else "after"
    whose = f"{whose} and the burns" if burns else whose
    sentence = f"{when} the last card {whose} are shuffled and cut to complete the draw of seat {seat}"
    hand.said = (
        *hand.said,
        ruled("insufficient-cards", Verdict.CORRECT, book_of(hand).run_out, sentence, seat),
    )
    moves = (("hands", MUCK, STUB, back), ("burn", BURN, STUB, burns), ("hands", MUCK, BURN, instead))
    return (
        *(Return(what, at, to, len(those), those, ruled=True, concerns=seat) for what, at, to, those in moves if those),
        Shuffle(ruled=True, concerns=seat),
        Cut(ruled=True, concerns=seat),
    )


def _earlier_discards(hand: Hand, seat: int, wanted: int) -> tuple[tuple[int, ...], str]:
    """What others threw away before this seat drew, and in words whose cards they are.

    Where that is not enough: later discards of others too, then folded hands, and one's own last of all.
    """
    muck = tuple(lying.serial for lying in hand.cards.piles.at(MUCK))
    if book_of(hand).this_draw_out.value:
        this = {
            serial for drawn in hand.draw.draws if drawn.street == hand.streets.planned for serial in drawn.discards
        }
        before_this = tuple(serial for serial in muck if serial not in this)
        if len(before_this) + hand.cards.piles.stub >= wanted:
            return before_this, "folded hands and the discards of earlier draws"
    seats = [drawn.seat for drawn in hand.draw.draws]
    before = len(seats) - 1 - seats[::-1].index(seat) if seat in seats else len(seats)
    own = {serial for drawn in hand.draw.draws if drawn.seat == seat for serial in drawn.discards}
    by_others = [drawn for drawn in hand.draw.draws if drawn.seat != seat]
    earlier = [drawn for drawn in hand.draw.draws[:before] if drawn.seat != seat]
    for drawn in (earlier, by_others):
        thrown = {serial for each in drawn for serial in each.discards}
        chosen = tuple(serial for serial in muck if serial in thrown)
        if len(chosen) >= wanted:
            names = ", ".join(str(each) for each in dict.fromkeys(each.seat for each in drawn if each.discards))
            return chosen, f"the discards of seat {names}"
    others = tuple(serial for serial in muck if serial not in own)
    if len(others) >= wanted:
        return others, "the discards and folded hands of all others"
    return muck, "all discards and folded hands"
