"""The stretches of a hand: what goes on the plan, and what comes when it is used up.

A stretch is the ordered list of physical steps up to the next decision of a person: the deal and the first to act; when
a betting round closes the burn, the next street's cards and its first to act; when nobody can act any more, all streets
that remain and the showdown. `extend` is the one place that makes the plan longer by regular steps.
"""

from controller.core.model.hand import Hand, StreetChange
from controller.core.model.plan import NO_STEPS
from controller.core.play.betting import carried_pot, pots, revived_round, whole_round
from controller.core.play.deal import draws, short_stub
from controller.core.play.opening import declared_open, first_to_act
from controller.core.play.showdown import showdown
from controller.core.protocol.steps import Act, Award, Board, Burn, Deal, Discard, Hold, Move, Return, Say, Show, Step
from controller.core.rules.rulings import Verdict, asked, ruled
from controller.core.values.piles import MUCK, hand_of
from controller.core.values.value import replace

NO_CHANGE = StreetChange()
LONGEST_STRETCH = 100
"""More streets and draws than any stretch has: a mistake of ours must not stop the table without a word."""
UPCARD_ASKED = NO_STEPS.then(Say(("misread",)))
"""All there is to do while an open card that nothing read decides who acts."""


def begin(hand: Hand) -> None:
    """Put the deal on the plan, up to the first act."""
    hand.plan = hand.plan.then(*street_steps(hand, 0))
    extend(hand)


def street_steps(hand: Hand, index: int) -> tuple[Step, ...]:
    """The steps of one street, as rulings may have changed it."""
    street = hand.setup.game.streets[index]
    change = hand.streets.changes.get(index, NO_CHANGE)
    steps: list[Step] = [_where_it_lies(hand, step) for step in change.before]
    steps += draws.thrown_away(hand, index)
    if change.whole:
        return tuple(steps)
    if street.draw:
        return (*steps, *draws.first_request(hand, index))
    burns = street.burn and index not in hand.cards.burned if change.burn is None else change.burn
    receiving = dealing_order(hand)
    discarded = _completing(hand, index, receiving)
    if discarded:
        steps.append(Discard(discarded, ruled=True))
    if index in hand.stud.served:
        steps += _in_sequence(hand, index, receiving)
        receiving = tuple(seat for seat in receiving if seat not in hand.stud.served[index])
    if burns and street.deal and short_stub.is_short(hand, street, len(receiving), discarded):
        return (*steps, *short_stub.steps(hand, index, receiving, discarded))
    if burns:
        if hand.cards.burns_made > 0:
            hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - 1)
        else:
            steps += [Burn(of=index)] * (1 - hand.cards.burns_made)
            hand.cards = replace(hand.cards, burns_made=0)
    steps += (Deal(seat, face, of=index) for face in street.deal for seat in receiving)
    if street.board:
        steps.append(Board(street.name, street.board - change.there, of=index))
    return tuple(steps)


def _where_it_lies(hand: Hand, step: Step) -> Step:
    """Cards that go back before a street may have gone to the muck meanwhile, with the hand that had them."""
    if not isinstance(step, Return) or not step.cards:
        return step
    place = hand.cards.piles.place_of(step.cards[0])
    return replace(step, source=place) if place == MUCK else step


def _in_sequence(hand: Hand, index: int, receiving: tuple[int, ...]) -> tuple[Step, ...]:
    """Cards that came too early and are used go to the seats in order: of one who has folded to the next [AU-19.18]."""
    early = dict(zip(hand.stud.early.get(index, ()), receiving, strict=False))
    moves: list[Step] = []
    for serial, seat in early.items():
        place = hand.cards.piles.place_of(serial)
        if place is None or place == hand_of(seat):
            continue
        up = hand.setup.game.streets[index].deal[0] == "up"
        hand.cards = replace(
            hand.cards, piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=up)
        )
        moves.append(Move(place, hand_of(seat), "card", 1, (serial,), ruled=True, concerns=seat))
    if early:
        hand.stud = replace(hand.stud, served={**hand.stud.served, index: tuple(early.values())})
    if moves:
        premature = hand.setup.rulebook.premature[hand.setup.game.form]
        rule = premature.river if index + 1 == len(hand.setup.game.streets) else premature.turn
        sentence = "a player whose card came too early has folded: the cards are used in sequence, move them on"
        hand.said = (*hand.said, ruled("premature", Verdict.CORRECT, rule, sentence))
    return tuple(moves)


def _completing(hand: Hand, index: int, receiving: tuple[int, ...]) -> int:
    """Cards of a street were eliminated: so many more go out of play as players had none of them [R7-8.stud.14#a]."""
    if index not in hand.stud.eliminated:
        return 0
    missing = sum(seat not in hand.stud.eliminated[index] for seat in receiving)
    return min(missing, hand.cards.piles.stub)


def dealing_order(hand: Hand) -> tuple[int, ...]:
    """The seats that receive cards: the live ones, and in stud those that folded without a wager."""
    return tuple(seat for seat in hand.order if seat in hand.betting.live or seat in hand.stud.receiving)


def extend(hand: Hand) -> None:
    """Make the plan reach as far as the next decision of a person, and serve it from the cards that there are."""
    _extend(hand)
    short_stub.mend(hand)
    draws.refilled(hand)
    short_stub.refill(hand)


def _extend(hand: Hand) -> None:
    revived_round.goes_on(hand)
    for _ in range(LONGEST_STRETCH):
        if hand.openers.passed_out or (hand.plan and hand.plan[-1].decided):
            return
        if hand.given_up.answers is not None:
            return
        if len(hand.betting.live) == 1:
            hand.plan = hand.plan.instead(*last_one_left(hand))
            return
        round_ = hand.round
        if round_ is None or round_.street < hand.streets.planned:
            if hand.draw.drawing or hand.draw.late:
                hand.plan = hand.plan.then(*draws.next_request(hand))
                continue
            if not first_to_act.open_round(hand, hand.streets.planned):
                if not hand.plan:
                    _ask_for_upcards(hand)
                return
            round_ = hand.round
            assert round_ is not None
        if round_.queue:
            hand.plan = hand.plan.then(whole_round.turn(hand, round_))
        elif not _next_street(hand):
            return
    raise RuntimeError("the plan of the hand comes to no decision")


def _ask_for_upcards(hand: Hand) -> None:
    """An open card that nothing read decides who acts: the dealer must say which it is."""
    hand.plan = UPCARD_ASKED
    seats = ", ".join(map(str, first_to_act.unread(hand)))
    which, how = f"An upcard of seat {seats}", "`seat` and `card`"
    if not seats:
        which, how = "The common card", "`card`"
    sentence = f"{which} was not read and decides who acts: report `misread` with {how}"
    hand.said = (*hand.said, asked("unread-card", sentence))


def read_now(hand: Hand) -> None:
    """A card has been read: the plan goes on where it only waited to be told that card."""
    if hand.plan == UPCARD_ASKED:
        hand.plan = NO_STEPS
    if hand.plan or hand.cards.piles.left:
        extend(hand)


def _next_street(hand: Hand) -> bool:
    """The betting of a street is over: collect, and plan what follows. False when there is nothing more to plan yet."""
    if carried_pot.is_unopened(hand):
        asked = declared_open.still_to_ask(hand)
        hand.plan = hand.plan.then(*(Act(seat) for seat in asked[:1]))
        hand.openers = replace(hand.openers, passed_out=not asked)
        return bool(asked)
    showdown.note_called(hand)
    if hand.chips.bets:
        hand.betting = replace(hand.betting, last_round=hand.round)
    pots.collect(hand)
    if all_in_waits(hand):
        return True
    last = hand.streets.planned + 1 == len(hand.setup.game.streets)
    if last and hand.showdown.hands_up:
        if hand.plan:
            return False
        showdown.completed(hand)
        hand.plan = hand.plan.then(*(showdown.show_steps(hand) or showdown.award_steps(hand)))
        return True
    if last:
        hand.plan = hand.plan.then(*(showdown.show_steps(hand) or showdown.award_steps(hand)))
        return bool(hand.plan)
    if not hand.showdown.hands_up and showdown.turned_up_early(hand):
        hand.showdown = replace(hand.showdown, hands_up=True)
        hand.plan = hand.plan.then(*showdown.show_steps(hand))
    hand.streets = replace(hand.streets, planned=hand.streets.planned + 1)
    hand.plan = hand.plan.then(*street_steps(hand, hand.streets.planned))
    return True


def all_in_waits(hand: Hand) -> bool:
    """Hand for hand, somebody all-in was called: hands stay down, nothing is dealt until the floor says so."""
    all_in = hand.betting.all_in.intersection(hand.betting.live)
    if not hand.hold.on or all_in <= hand.hold.told:
        return False
    hand.hold = replace(hand.hold, told=hand.hold.told | all_in)
    hand.plan = hand.plan.then(Hold())
    rule = hand.setup.rulebook.tournament.hand_for_hand_waits
    sentence = "hand for hand: all-in and called; hands stay face down and no card comes until the floor says so"
    hand.said = (*hand.said, ruled("hand-for-hand", Verdict.PLAY_ON, rule, sentence))
    return True


def last_one_left(hand: Hand) -> tuple[Step, ...]:
    """All but one are out: uncalled chips go back, the pots are that seat's in one award; no more cards come.

    Who opened where the game asks for openers proves them first [R7-12.jacks.3].
    """
    hand.streets = replace(
        hand.streets, reached=next((step.of for step in hand.plan if step.of >= 0), hand.streets.reached)
    )
    pots.collect(hand)
    amount, (seat,) = sum(pot.amount for pot in pots.pots(hand)), hand.betting.live
    proof = (Show(seat),) if carried_pot.must_prove_openers(hand, seat) else ()
    return (*proof, Award(0, (seat,), (amount,) if hand.setup.tracked else None))
