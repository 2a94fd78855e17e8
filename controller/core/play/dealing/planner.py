"""What goes on the plan of a hand: the cards of its streets, a question about an upcard, the last player's award."""

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.play.betting import carried_pot, pot_collection, pots
from controller.core.play.dealing import draws, short_stub
from controller.core.play.opening import first_to_act
from controller.core.protocol.steps import (
    AwardStep,
    BoardStep,
    BurnStep,
    DealStep,
    DiscardStep,
    FloorStep,
    MoveStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
    Step,
)
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Verdict, build_ask_ruling, build_ruling
from controller.core.values.piles import MUCK, hand_place
from controller.core.values.value import replace

UPCARD_QUESTION = NO_STEPS.append(QuestionStep(("misread",)))
"""All there is to do while an open card that nothing read decides who acts."""

UNSEEN_UPCARD_FINDING = "unseen-upcard"
"""What is asked, and all there is to do, while a card decides who acts that is said to lie open and is not known."""


def plan_deal(hand: Hand) -> None:
    """Put the deal on the plan."""
    hand.plan = hand.plan.append(*street_steps(hand, 0))


def street_steps(hand: Hand, index: int) -> tuple[Step, ...]:
    """The steps of one street, as rulings may have changed it."""
    street = hand.setup.game.streets[index]
    change = hand.streets.get_change(index)
    steps: list[Step] = [_update_source(hand, step) for step in change.steps_before]
    steps += draws.discard_requests(hand, index)
    if change.is_complete:
        return tuple(steps)
    if street.has_draw:
        return (*steps, *draws.begin_draw(hand, index))
    burns = (
        street.has_burn and index not in hand.cards.burned_streets if change.needs_burn is None else change.needs_burn
    )
    receiving = dealing_order(hand)
    discarded = _count_cards_to_discard(hand, index, receiving)
    if discarded:
        steps.append(DiscardStep(discarded, is_ruled=True))
    if index in hand.stud.served_seats_by_street:
        steps += _build_early_moves(hand, index, receiving)
        receiving = tuple(seat for seat in receiving if seat not in hand.stud.served_seats_by_street[index])
    if burns and street.deal_faces and short_stub.is_stub_short(hand, street, len(receiving), discarded):
        return (*steps, *short_stub.build_short_street(hand, index, receiving, discarded))
    if burns:
        if hand.cards.burns_ahead > 0:
            hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - 1)
        else:
            steps += [BurnStep(street_index=index)] * (1 - hand.cards.burns_ahead)
            hand.cards = replace(hand.cards, burns_ahead=0)
    steps += (DealStep(seat, face, street_index=index) for face in street.deal_faces for seat in receiving)
    if street.board_count:
        steps.append(BoardStep(street.name, street.board_count - change.dealt_board_count, street_index=index))
    return tuple(steps)


def _update_source(hand: Hand, step: Step) -> Step:
    """Cards that go back before a street may have gone to the muck meanwhile, with the hand that had them."""
    if not isinstance(step, ReturnStep) or not step.serials:
        return step
    place = hand.cards.piles.find_place(step.serials[0])
    return replace(step, source=place) if place == MUCK else step


def _build_early_moves(hand: Hand, index: int, receiving: tuple[int, ...]) -> tuple[Step, ...]:
    """Cards that came too early and are used go to the seats in order: of one who has folded to the next [AU-19.18]."""
    early = dict(zip(hand.stud.early_serials_by_street.get(index, ()), receiving, strict=False))
    moves: list[Step] = []
    for serial, seat in early.items():
        place = hand.cards.piles.find_place(serial)
        if place is None or place == hand_place(seat):
            continue
        up = hand.setup.game.streets[index].deal_faces[0] == "up"
        hand.cards = replace(
            hand.cards, piles=hand.cards.piles.identify_card(serial, hand.cards.piles.get_card(serial).card, up=up)
        )
        moves.append(MoveStep(place, hand_place(seat), "card", 1, (serial,), is_ruled=True, concerned_seat=seat))
    if early:
        hand.stud = replace(
            hand.stud, served_seats_by_street={**hand.stud.served_seats_by_street, index: tuple(early.values())}
        )
    if moves:
        premature = hand.setup.rulebook.premature[hand.setup.game.rules_form]
        rule = premature.river if index + 1 == len(hand.setup.game.streets) else premature.turn
        noted = build_ruling("premature", Verdict.CORRECT, rule, said.FOLDED_EARLY_CARDS)
        hand.play_rulings = (*hand.play_rulings, noted)
    return tuple(moves)


def _count_cards_to_discard(hand: Hand, index: int, receiving: tuple[int, ...]) -> int:
    """Cards of a street were eliminated: so many more go out of play as players had none of them [R7-8.stud.14#a]."""
    if index not in hand.stud.eliminated_seats_by_street:
        return 0
    missing = sum(seat not in hand.stud.eliminated_seats_by_street[index] for seat in receiving)
    return min(missing, hand.cards.piles.stub_count)


def dealing_order(hand: Hand) -> tuple[int, ...]:
    """The seats that receive cards: the live ones, and in stud those that folded without a wager."""
    return tuple(
        seat for seat in hand.dealing_order if seat in hand.betting.live_seats or seat in hand.stud.receiving_seats
    )


def ask_for_upcards(hand: Hand) -> None:
    """An open card that nothing read decides who acts: the dealer must say which it is.

    One that only a sensor knows the floor has turned up.
    """
    unseen = first_to_act.find_hidden_upcard(hand)
    if unseen is not None:
        seat, nth = unseen
        hand.plan = NO_STEPS.append(FloorStep(UNSEEN_UPCARD_FINDING, ("turned-up", "dead-hand", "misdeal"), seat, nth))
        template = said.COMMON_CARD_TO_TURN_UP if seat is None else said.UPCARD_TO_TURN_UP
        sentence = template.format(seat=seat, nth=nth)
        hand.play_rulings = (*hand.play_rulings, build_ask_ruling(UNSEEN_UPCARD_FINDING, sentence))
        return
    hand.plan = UPCARD_QUESTION
    seats = ", ".join(map(str, first_to_act.seats_with_unread_upcards(hand)))
    sentence = said.UPCARDS_UNREAD.format(seats=seats) if seats else said.COMMON_CARD_UNREAD
    hand.play_rulings = (*hand.play_rulings, build_ask_ruling("unread-card", sentence))


def clear_upcard_question(hand: Hand) -> None:
    """A card has been read: the plan goes on where it only waited to be told that card."""
    if hand.plan == UPCARD_QUESTION or is_upcard_unseen(hand):
        hand.plan = NO_STEPS


def is_upcard_unseen(hand: Hand) -> bool:
    """Whether the table waits for the floor to have a card turned up that decides who acts."""
    step = hand.plan.next_step_if(FloorStep)
    return step is not None and step.question == UNSEEN_UPCARD_FINDING


def award_last_player(hand: Hand) -> tuple[Step, ...]:
    """All but one are out: uncalled chips go back, the pots are that seat's in one award; no more cards come.

    Who opened where the game asks for openers proves them first [R7-12.jacks.3].
    """
    hand.streets = replace(
        hand.streets,
        reached_street=next(
            (step.street_index for step in hand.plan if step.street_index >= 0), hand.streets.reached_street
        ),
    )
    pots.collect(hand)
    (seat,) = hand.betting.live_seats
    taken = 0 if hand.setup.collection is None else sum(pot_collection.plan_pot_collection(hand).values())
    amount = sum(pot.amount for pot in pots.build_pots(hand)) - taken
    proof = (ShowStep(seat),) if carried_pot.needs_to_prove_openers(hand, seat) else ()
    return (*proof, AwardStep(0, (seat,), (amount,) if hand.setup.tracks_amounts else None))
