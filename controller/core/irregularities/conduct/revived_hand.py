"""A folded or mucked hand is given back (R7-3.dead.2): its cards leave the muck, and it matches what was wagered."""

from controller.core.irregularities.remedies import redeal
from controller.core.model.hand import Folded, Hand
from controller.core.model.state import State
from controller.core.play.betting import betting_round, revived_round
from controller.core.play.deal import planner
from controller.core.play.opening import first_to_act
from controller.core.play.seating import players
from controller.core.play.showdown import showdown
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Floor
from controller.core.protocol.steps import Act, Award, Deal, Draw, Move, Say, Show, Step, Turn
from controller.core.protocol.steps import Floor as FloorStep
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import MUCK, hand_of
from controller.core.values.value import replace

FINDING = "revive"


def given_back(state: State, event: Floor) -> tuple[Ruling, ...]:
    """The floor gives a seat its hand back; raises `Refused` where it has one, or the betting went on without it."""
    hand, seat, rule = state.hand_in_play, event.seat, state.setup.rulebook.floor.revived
    if seat is None:
        raise Refused("key-missing", "`revive` needs the `seat` whose hand is given back.")
    players.chair_of(state, seat)
    folded = hand.given_up.folded.get(seat)
    if seat in hand.betting.live or folded is None:
        raise Refused("not-folded", f"seat {seat} has not folded or mucked a hand that could be given back.")
    if not rule.value:
        raise Refused("not-overruled", f"under this book no hand comes back from the muck, see {rule.clause}.")
    _in_time(hand, folded)
    if hand.plan.due(Say) or hand.plan.due(FloorStep):
        raise Refused("not-an-option", "answer the question that is asked first, then give the hand back.")
    _cards_back(hand, folded)
    live = tuple(each for each in hand.order if each in hand.betting.live or each == seat)
    hand.betting = replace(hand.betting, live=live)
    hand.stud = replace(hand.stud, receiving=tuple(each for each in hand.stud.receiving if each != seat))
    others = {each: how for each, how in hand.given_up.folded.items() if each != seat}
    hand.given_up = replace(hand.given_up, folded=others)
    lead = _from_the_muck(hand, seat, folded)
    state.time = replace(state.time, clock=None)
    if folded.mucked:
        hand.plan = hand.plan.without(Show, Award).first(*lead).then(*showdown.show_steps(hand))
    elif hand.plan.has(Award) and len(hand.betting.live) == 2:
        _round_reopened(hand, seat, lead)
    else:
        _matches_first(hand, seat, folded, lead)
    planner.extend(hand)
    return (ruled(FINDING, Verdict.CORRECT, rule, f"the floor: seat {seat} gets its hand back and plays", seat),)


def _in_time(hand: Hand, folded: Folded) -> None:
    later = any(street > folded.street and high for street, high in hand.given_up.highs.items())
    on = hand.round is not None and hand.round.street > folded.street and hand.round.high
    if hand.award_pushed or later or on:
        why = "a pot has been pushed" if hand.award_pushed else "somebody has bet on a later street"
        raise Refused("too-late-to-revive", f"{why}: the hand stays folded.")


def _cards_back(hand: Hand, folded: Folded) -> None:
    """Its upcards lie open again."""
    for serial in folded.up:
        if hand.cards.piles.place_of(serial) is not None:
            hand.cards = replace(
                hand.cards, piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=True)
            )


def _from_the_muck(hand: Hand, seat: int, folded: Folded) -> tuple[Step, ...]:
    serials = tuple(serial for serial in folded.cards if hand.cards.piles.place_of(serial) == MUCK)
    if not serials:
        return ()
    return (Move(MUCK, hand_of(seat), "hand", len(serials), serials, ruled=True, concerns=seat),)


def _round_reopened(hand: Hand, seat: int, lead: tuple[Step, ...]) -> None:
    """Its fold had ended the hand: the round is as it was before, and the seat acts."""
    redeal.uncollected(hand)
    round_ = hand.round
    assert round_ is not None
    place = round_.ring.index(seat)
    behind = round_.ring[place + 1 :] + round_.ring[:place]
    open_ = tuple(
        each
        for each in behind
        if each in hand.betting.live
        and each not in hand.betting.all_in
        and (each not in round_.acted or hand.chips.bets.get(each, 0) < round_.high)
    )
    owes = hand.chips.bets.get(seat, 0) < round_.high and seat not in hand.betting.all_in
    first = (seat,) if owes or open_ else ()
    barred = round_.no_raise if open_ else round_.no_raise | {seat}
    hand.round = replace(round_, queue=(*first, *open_), no_raise=barred)
    hand.plan = hand.plan.instead(*lead)


def _matches_first(hand: Hand, seat: int, folded: Folded, lead: tuple[Step, ...]) -> None:
    """It acts first where it has not matched the wager of the round in which it folded."""
    round_ = hand.round
    _without_its_end(hand, seat, folded)
    if round_ is not None and round_.street == folded.street and round_.queue:
        if hand.chips.bets.get(seat, 0) < round_.high and seat not in hand.betting.all_in:
            hand.round = replace(round_, queue=(seat, *(each for each in round_.queue if each != seat)))
        hand.plan = hand.plan.first(*lead)
        return
    owed = 0 if seat in hand.betting.all_in else _owed(hand, seat, folded)
    if owed:
        revived_round.begin(hand, seat, folded.street, owed)
        hand.plan = hand.plan.first(*lead, Act(seat))
        return
    revived_round.rejoined(hand)
    hand.plan = hand.plan.first(*lead)
    first_to_act.reconsider(hand)


def _without_its_end(hand: Hand, seat: int, folded: Folded) -> None:
    """Take off what is found anew with this hand in it: who acts, who shows, what is pushed.

    Where hands are turned up before the last cards come, this one is, too.
    """
    hand.plan = hand.plan.without(Turn, Award)
    if hand.showdown.hands_up:
        behind = next((step for step in hand.plan if not isinstance(step, Show)), None)
        hand.plan = hand.plan.before(behind, Show(seat))
    else:
        hand.plan = hand.plan.without(Show)
    if hand.setup.game.deals_singly:
        _gets_its_cards(hand, seat, folded)
    elif hand.setup.game.streets[hand.streets.planned].draw:
        _draws(hand, seat)


def _gets_its_cards(hand: Hand, seat: int, folded: Folded) -> None:
    """In its turn this hand gets a card of each street that it has no card of."""
    held = len({*folded.cards, *(lying.serial for lying in hand.cards.piles.at(hand_of(seat)))})
    streets, behind = hand.setup.game.streets, hand.order[hand.order.index(seat) :]
    for of in range(1, hand.streets.planned + 1):
        before = sum(len(street.deal) for street in streets[:of])
        for face in streets[of].deal[max(held - before, 0) :]:
            later = (
                step
                for step in hand.plan
                if step.of > of or (step.of == of and isinstance(step, Deal) and step.seat in behind)
            )
            hand.plan = hand.plan.before(next(later, None), Deal(seat, face, of=of))


def _draws(hand: Hand, seat: int) -> None:
    """A hand that has not drawn on this draw does so, in its turn if that is still to come."""
    planned = hand.streets.planned
    if any(drawn.seat == seat and drawn.street == planned for drawn in hand.draw.draws):
        return
    waiting = (*hand.draw.drawing, seat)
    hand.draw = replace(hand.draw, drawing=tuple(each for each in hand.order if each in waiting))
    hand.plan = hand.plan.without(Draw).then(Draw(hand.draw.drawing[0], of=planned))


def _owed(hand: Hand, seat: int, folded: Folded) -> int:
    if not hand.setup.tracked:
        return betting_round.UNTRACKED_WAGER if folded.bet < hand.given_up.highs.get(folded.street, 0) else 0
    return max(max(hand.chips.paid.get(each, 0) for each in hand.betting.live) - hand.chips.paid.get(seat, 0), 0)
