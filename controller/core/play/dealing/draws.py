"""The draw: who asks, what is dealt, in which order.

A street may also have cards thrown away without new ones, as pineapple does: those requests stand on the plan together.

Each seat's request is followed by its cards before the next seat's request. What the plan cannot hold in that order
(the fifth card of a draw of five, the replacement of a card exposed on the draw) waits in `HandDraw.deferred_steps`.
"""

from typing import NamedTuple

from controller.core.model.hand import Hand, SeatDraw
from controller.core.model.plan import NO_STEPS
from controller.core.play.dealing import short_stub
from controller.core.protocol.events import DrawRequested as DrawEvent
from controller.core.protocol.steps import BurnStep, CutStep, DealStep, DrawStep, ReturnStep, ShuffleStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.play.draw_rules import DrawRules, LastStubCard
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.piles import BURN, MUCK, STUB, PlacedCard, hand_place
from controller.core.values.value import replace


def draw_rules(hand: Hand) -> DrawRules:
    """What the rulebook says about the draw of this form of game."""
    return hand.setup.rulebook.exchange[hand.setup.game.rules_form]


def begin_draw(hand: Hand, index: int) -> tuple[Step, ...]:
    """The draw begins left of the button, with every live hand, all-in or not."""
    hand.draw = replace(hand.draw, drawing_seats=hand.betting.live_seats)
    return (DrawStep(hand.betting.live_seats[0], street_index=index),)


def discard_requests(hand: Hand, index: int) -> tuple[Step, ...]:
    """Who still holds more cards than a hand keeps for this street is asked to throw them away, left of the button on.

    [WSOP-L-pineapple]
    """
    live = (seat for seat in hand.dealing_order if seat in hand.betting.live_seats)
    return tuple(DrawStep(seat, street_index=index) for seat in live if surplus_card_count(hand, seat, index))


def surplus_card_count(hand: Hand, seat: int, index: int) -> int:
    """How many cards a seat throws away for a street without new ones: what it holds beyond those that a hand keeps."""
    game = hand.setup.game
    return (
        max(0, len(hand.cards.piles.cards_at(hand_place(seat))) - game.kept_card_count(index))
        if game.streets[index].discard_count
        else 0
    )


def continue_draw(hand: Hand) -> tuple[Step, ...]:
    """The next seat to ask; when all have drawn, the cards that waited for that."""
    if hand.draw.drawing_seats:
        return (DrawStep(hand.draw.drawing_seats[0], street_index=hand.streets.planned_street),)
    waiting = sorted(hand.draw.deferred_steps, key=lambda step: step.is_ruled)
    hand.draw = replace(hand.draw, deferred_steps=NO_STEPS)
    return tuple(waiting)


def remove_seat_from_draw(hand: Hand, seat: int) -> None:
    """A hand is out: its player is asked for no draw, and gets none of the cards that were put by."""
    hand.draw = replace(hand.draw, drawing_seats=tuple(other for other in hand.draw.drawing_seats if other != seat))
    late = hand.draw.deferred_steps
    cards = (step for step in late.steps_of_type(DealStep) if step.seat == seat)
    own = tuple(step for step in late.steps_of_type(ReturnStep) if step.source == hand_place(seat))
    burns = sum(step.count for step in own if step.destination == BURN)  # they go to the muck with the hand
    hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - burns)
    hand.draw = replace(hand.draw, deferred_steps=late.drop_steps(*cards, *own))
    if hand.draw.hand_before_draw is not None and seat not in hand.betting.live_seats:
        hand.draw = replace(hand.draw, hand_before_draw=None)


def draw(hand: Hand, event: DrawEvent) -> None:
    """A seat says how many cards it exchanges, or changes what it said.

    Raises `Refused` (`no-draw`, `too-many`, `too-few`, `not-your-turn`, `draw-fixed`).
    """
    request = hand.plan.next_step_if(DrawStep)
    if request is not None and hand.setup.game.streets[request.street_index].discard_count:
        _discard_surplus(hand, event, request)
        return
    if not hand.setup.game.draw_count:
        raise Refused("no-draw", f"{hand.setup.game.title} has no draw; `draw` has no place in it.")
    if request is None or request.seat != event.seat:
        _take_back_draw(hand, event)
        request = hand.plan.next_step_if(DrawStep)
        assert request is not None
    held = hand.cards.piles.cards_at(hand_place(event.seat))
    if event.discard_count > len(held):
        raise Refused(
            "too-many", f"seat {event.seat} holds {len(held)} cards and cannot discard {event.discard_count}."
        )
    surplus = len(held) - starting_hand_size(hand)
    if event.discard_count < surplus:
        raise Refused("too-few", f"seat {event.seat} holds {len(held)} cards and must discard at least {surplus}.")
    before = hand.copy()
    before.facts = ()
    before.draw = replace(before.draw, hand_before_draw=None)
    hand.draw = replace(hand.draw, hand_before_draw=before)
    discards = tuple(lying.serial for lying in held[: event.discard_count])
    _mark_indistinguishable(hand, held, event.discard_count)
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.move_cards(frozenset(discards), hand_place(event.seat), MUCK, up=False)
    )
    hand.draw = replace(
        hand.draw,
        draws=(
            *hand.draw.draws,
            SeatDraw(request.street_index, event.seat, event.discard_count, hand.cards.piles.dealt_count, discards),
        ),
    )
    if event.discard_count:
        hand.showdown = replace(
            hand.showdown,
            tabled_cards_by_seat={
                seat: cards for seat, cards in hand.showdown.tabled_cards_by_seat.items() if seat != event.seat
            },
        )
    hand.draw = replace(hand.draw, drawing_seats=tuple(seat for seat in hand.draw.drawing_seats if seat != event.seat))
    wanted = max(0, starting_hand_size(hand) - len(held) + event.discard_count)
    if draw_rules(hand).requests_first.value:
        _defer_cards(hand, request.street_index, event.seat, wanted)
        hand.plan = hand.plan.drop_first()
        return
    hand.plan = hand.plan.drop_first().prepend(*build_draw_steps(hand, request.street_index, event.seat, wanted))


def _mark_indistinguishable(hand: Hand, held: tuple[PlacedCard, ...], thrown: int) -> None:
    """So many of these cards go: from now on they cannot be told apart."""
    if 0 < thrown < len(held):
        alike = frozenset(lying.serial for lying in held)
        hand.draw = replace(hand.draw, indistinguishable_groups=(*hand.draw.indistinguishable_groups, alike))


def _discard_surplus(hand: Hand, event: DrawEvent, request: DrawStep) -> None:
    """A seat throws away what it holds beyond the cards that a hand keeps; any seat of the street may come first.

    Raises `Refused` (`not-your-turn`, `count`).
    """
    asked = {step.seat: step for step in hand.plan.steps_of_type(DrawStep) if step.street_index == request.street_index}
    if event.seat not in asked:
        seats = ", ".join(map(str, asked))
        raise Refused("not-your-turn", f"seat {event.seat} has nothing to throw away now; seats {seats} have.")
    held, surplus = (
        hand.cards.piles.cards_at(hand_place(event.seat)),
        surplus_card_count(hand, event.seat, request.street_index),
    )
    if event.discard_count != surplus:
        raise Refused(
            "count", f"seat {event.seat} holds {len(held)} cards and throws {surplus} away, not {event.discard_count}."
        )
    discards = tuple(lying.serial for lying in held[:surplus])
    piles = hand.cards.piles.move_cards(frozenset(discards), hand_place(event.seat), MUCK, up=False)
    hand.cards = replace(hand.cards, piles=piles)
    tabled = {seat: cards for seat, cards in hand.showdown.tabled_cards_by_seat.items() if seat != event.seat}
    _mark_indistinguishable(hand, held, surplus)
    hand.showdown = replace(hand.showdown, tabled_cards_by_seat=tabled)
    hand.plan = hand.plan.drop_steps(asked[event.seat])


def _defer_cards(hand: Hand, index: int, seat: int, wanted: int) -> None:
    """A seat's new cards where all discard first; after the last request comes the burn, also when all stand pat."""
    hand.draw = replace(
        hand.draw,
        deferred_steps=hand.draw.deferred_steps.append(*[DealStep(seat, "down", "draw", street_index=index)] * wanted),
    )
    if not hand.draw.drawing_seats:
        hand.draw = replace(hand.draw, deferred_steps=hand.draw.deferred_steps.prepend(*_build_burn_steps(hand, index)))


def starting_hand_size(hand: Hand) -> int:
    """How many cards make a hand."""
    return len(hand.setup.game.streets[0].deal_faces)


def _take_back_draw(hand: Hand, event: DrawEvent) -> None:
    """Take the request back that this seat has made, if that is still allowed [R7-11.lowball.12, R7-12.draw.7]."""
    rule, last = draw_rules(hand).change, hand.draw.draws[-1] if hand.draw.draws else None
    if (
        last is None
        or last.seat != event.seat
        or hand.draw.hand_before_draw is None
        or last.street != hand.streets.planned_street
    ):
        request = hand.plan.find_step(DrawStep)
        seat = None if request is None else request.seat
        due = "nobody is" if seat is None else "the cards due come" if seat == event.seat else f"seat {seat} is"
        raise Refused("not-your-turn", f"seat {event.seat} is not to draw: {due} next.")
    if (
        not rule.value
        or hand.cards.piles.dealt_count != last.last_serial_before
        or len(hand.betting.acted_seats) != len(hand.draw.hand_before_draw.betting.acted_seats)
    ):
        why = "a card was dealt for it or a player relied on it" if rule.value else "it holds when discards lie there"
        sentence = f"seat {event.seat} may not change the number: {why} ({rule.source})"
        raise Refused("draw-fixed", f"{sentence}; carry out the draw of {last.exchanged_count}.")
    hand.assign_from(hand.draw.hand_before_draw)


def build_draw_steps(hand: Hand, index: int, seat: int, wanted: int) -> tuple[Step, ...]:
    """The steps that give a seat its new cards; what comes only when all have drawn is put by."""
    if not wanted:
        return ()
    book = draw_rules(hand)
    at_once = min(wanted, book.consecutive.value) if book.consecutive.value else wanted
    due: list[Step] = [DealStep(seat, "down", "draw", street_index=index)] * at_once
    rest: list[Step] = [DealStep(seat, "down", "draw", street_index=index)] * (wanted - at_once)
    if rest and hand.draw.drawing_seats:
        hand.draw = replace(hand.draw, deferred_steps=hand.draw.deferred_steps.append(*rest))
        rest = []
    elif rest:
        due += [BurnStep(street_index=index), *rest]
    return _insert_refill(hand, seat, (*_build_burn_steps(hand, index), *due))


def _build_burn_steps(hand: Hand, index: int) -> tuple[Step, ...]:
    """One burn before the first new card of a draw, unless a card lies there for it already."""
    street = hand.setup.game.streets[index]
    if not street.has_burn or not draw_rules(hand).burn.value or index in hand.cards.burned_streets:
        return ()
    hand.cards = replace(hand.cards, burned_streets=hand.cards.burned_streets | {index})
    if hand.cards.burns_ahead > 0:
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - 1)
        return ()
    steps = (BurnStep(street_index=index),) * (1 - hand.cards.burns_ahead)
    hand.cards = replace(hand.cards, burns_ahead=0)
    return steps


def is_burn_due(hand: Hand, street: int) -> bool:
    """Whether the draw of a street has still to have its burn."""
    burns = hand.setup.game.streets[street].has_burn and draw_rules(hand).burn.value
    return bool(burns) and street not in hand.cards.burned_streets and hand.cards.burns_ahead <= 0


def has_burn_to_come(hand: Hand, street: int) -> bool:
    """Whether a draw after that of `street` has still to have its burn."""
    return any(is_burn_due(hand, later) for later in range(street + 1, len(hand.setup.game.streets)))


def use_as_next_burn(hand: Hand, street: int) -> bool:
    """A card of the draw of `street` is the burn of the next one; says whether that has still to have one."""
    is_due = has_burn_to_come(hand, street)
    if is_due:
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead + 1)
    return is_due


def _insert_refill(hand: Hand, seat: int, due: tuple[Step, ...]) -> tuple[Step, ...]:
    """The cards from a stub that may be too short: after the last one earlier discards come back [AU-11.3(b)]."""
    there, book = hand.cards.piles.stub_count, draw_rules(hand)
    if len(due) <= there or not book.run_out.value or book.last_card.value is not LastStubCard.DEALT:
        return due
    return (*due[:there], *_build_discard_shuffle(hand, seat, len(due) - there, there), *due[there:])


def refill_from_discards(hand: Hand) -> None:
    """A card is due that the stub does not have, a replacement after the last draw, say: discards come back for it.

    Where the book says so the last card is shuffled in with them [WSOP-T-IX.draw#reshuffle, WSOP-L-lowball].
    """
    if hand.cards.piles.stub_count > 1 or not hand.draw.draws:
        return
    due = hand.plan.next_step_if(DealStep) or hand.plan.next_step_if(BurnStep)
    if not due or not draw_rules(hand).run_out.value or (hand.cards.piles.stub_count and _is_last_card_dealt(hand)):
        return
    planned = _planned_shuffle_steps(hand)  # for the end of this draw; a card that went out of play makes it due before
    if planned:
        hand.plan = hand.plan.drop_steps(*planned).prepend(*planned)
        return
    deal = hand.plan.find_step(DealStep)
    seat = hand.betting.live_seats[0] if deal is None else deal.seat
    hand.plan = hand.plan.prepend(*_build_discard_shuffle(hand, seat, 1))


def _planned_shuffle_steps(hand: Hand) -> tuple[Step, ...]:
    """The steps with which cards are to be shuffled into the stub, where they are on the plan already."""
    steps = list(hand.plan)
    first = next(
        (i for i, s in enumerate(steps) if isinstance(s, ReturnStep) and s.is_ruled and s.destination == STUB),
        len(steps),
    )
    last = next((i for i, s in enumerate(steps[first:], first) if isinstance(s, CutStep)), first - 1)
    return tuple(steps[first : last + 1])


def _is_last_card_dealt(hand: Hand) -> bool:
    """Whether the one card that the stub has left is dealt rather than shuffled in."""
    rule, streets = draw_rules(hand).last_card, hand.setup.game.streets
    completes = (
        not hand.draw.drawing_seats
        and len(hand.plan.steps_of_type(DealStep, BurnStep)) + len(hand.draw.deferred_steps.steps_of_type(DealStep))
        == 1
    )
    if rule.value is LastStubCard.HAND:
        return completes and not any(street.has_draw for street in streets[hand.streets.planned_street + 1 :])
    return completes or rule.value is LastStubCard.DEALT


def _build_discard_shuffle(hand: Hand, seat: int, wanted: int, dealt_first: int = 0) -> tuple[Step, ...]:
    """Discards go back into the stub, shuffled and cut, and the dealer is told whose.

    `dealt_first`: so many cards leave the stub before that.
    """
    burns = hand.cards.piles.deck_serials_at(BURN) if draw_rules(hand).burns_in.value else ()
    back, whose = _earlier_discards(hand, seat, wanted - len(burns))
    if not back and not burns:
        return ()
    this = [
        serial
        for drawn in hand.draw.draws
        if drawn.street == hand.streets.planned_street
        for serial in drawn.discarded_serials
    ]
    instead = tuple(
        serial for serial in hand.cards.piles.deck_serials_at(MUCK) if serial in this and serial not in back
    )
    instead = instead[: len(burns)]
    left = hand.cards.piles.stub_count
    is_card_left = bool(left) and not dealt_first
    first = said.DEAL_THE_LAST if dealt_first == 1 else said.DEAL_THE_LEFT.format(count=dealt_first)
    if not dealt_first:
        first = said.LAST_CARD if left else said.STUB_IS_OUT
    sentence = said.join_sentences(
        first,
        (whose.with_last_card if is_card_left else whose.alone).format(seats=whose.seats, count=len(back)),
        (said.BURNS_GO_IN if burns else said.BURNS_STAY_OUT).format(seat=seat, count=len(burns)),
    )
    hand.play_rulings = (
        *hand.play_rulings,
        build_ruling("insufficient-cards", Verdict.CORRECT, draw_rules(hand).run_out, sentence, seat),
    )
    moves = (("hands", MUCK, STUB, back), ("burn", BURN, STUB, burns), ("hands", MUCK, BURN, instead))
    return (
        *short_stub.put_strange_cards_aside(hand),
        *(
            ReturnStep(what, at, to, len(those), those, is_ruled=True, concerned_seat=seat)
            for what, at, to, those in moves
            if those
        ),
        ShuffleStep(is_ruled=True, concerned_seat=seat),
        CutStep(is_ruled=True, concerned_seat=seat),
    )


class _Discards(NamedTuple):
    """How to say whose cards are shuffled: with the last card of the stub, or alone; `seats` where they are named."""

    with_last_card: str
    alone: str
    seats: str = ""


def _earlier_discards(hand: Hand, seat: int, wanted: int) -> tuple[tuple[int, ...], _Discards]:
    """What others threw away before this seat drew, and how it is said whose cards they are.

    Where that is not enough: later discards of others too, then folded hands, and one's own last of all.
    """
    muck = hand.cards.piles.deck_serials_at(MUCK)
    if draw_rules(hand).this_draw_out.value:
        this = {
            serial
            for drawn in hand.draw.draws
            if drawn.street == hand.streets.planned_street
            for serial in drawn.discarded_serials
        }
        before_this = tuple(serial for serial in muck if serial not in this)
        if len(before_this) + hand.cards.piles.stub_count >= wanted:
            return before_this, _Discards(said.SHUFFLE_IT_WITH_EARLIER, said.SHUFFLE_EARLIER)
    seats = [drawn.seat for drawn in hand.draw.draws]
    before = len(seats) - 1 - seats[::-1].index(seat) if seat in seats else len(seats)
    own = {serial for drawn in hand.draw.draws if drawn.seat == seat for serial in drawn.discarded_serials}
    by_others = [drawn for drawn in hand.draw.draws if drawn.seat != seat]
    earlier = [drawn for drawn in hand.draw.draws[:before] if drawn.seat != seat]
    for drawn in (earlier, by_others):
        thrown = {serial for each in drawn for serial in each.discarded_serials}
        chosen = tuple(serial for serial in muck if serial in thrown)
        if len(chosen) >= wanted:
            seats_of = tuple(dict.fromkeys(each.seat for each in drawn if each.discarded_serials))
            names = ", ".join(map(str, seats_of))
            if len(seats_of) == 1:
                return chosen, _Discards(said.SHUFFLE_IT_WITH_SEAT, said.SHUFFLE_SEAT, names)
            return chosen, _Discards(said.SHUFFLE_IT_WITH_SEATS, said.SHUFFLE_SEATS, names)
    others = tuple(serial for serial in muck if serial not in own)
    if len(others) >= wanted:
        return others, _Discards(said.SHUFFLE_IT_WITH_OTHERS, said.SHUFFLE_OTHERS)
    return muck, _Discards(said.SHUFFLE_IT_WITH_ALL, said.SHUFFLE_ALL)
