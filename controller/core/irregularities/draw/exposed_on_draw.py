"""Cards exposed before the draw in lowball, and on the draw."""

from controller.core.irregularities.common.dealt_street_cards import acted_on, asked_about
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import Subject
from controller.core.irregularities.common.wrong_card_count import fouled, killed
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.setup import Structure
from controller.core.model.state import State
from controller.core.play.deal import draws
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Deal, Draw, Move, Return, Turn
from controller.core.rules.games import Ranking
from controller.core.rules.policies.must_take import MustTake
from controller.core.rules.questions.play.draw import DrawRules, OnTheDraw
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import BURN, MUCK, STUB, hand_of
from controller.core.values.value import replace


def on_the_draw(hand: Hand, found: Subject) -> bool:
    """Whether the card was dealt in a draw."""
    return bool(hand.draw.draws) and found.seat is not None and found.lying.serial > hand.draw.draws[0].left


def exposed_on_draw(hand: Hand, event: Report, found: Subject) -> Ruling:
    """A new card was exposed: it is used, or replaced when all have drawn."""
    book, seat, finding = draws.book_of(hand), found.seat, event.what.value
    assert seat is not None
    street = next(draw.street for draw in reversed(hand.draw.draws) if draw.left < found.lying.serial)
    if acted_on(hand, street):
        rule = hand.setup.rulebook.misdeal.window
        return ruled(finding, Verdict.MUST_KEEP, rule, "the betting has gone on: the hand is played as it is", seat)
    if book.exposed.value is OnTheDraw.KEPT:
        return ruled(finding, Verdict.MUST_KEEP, book.exposed, "on the draw the card is used in sequence", seat)
    serial = found.lying.serial
    hand.cards = replace(hand.cards, piles=hand.cards.piles.known(serial, found.lying.card, up=True))
    steps = (
        Deal(seat, "down", "replacement", ruled=True, concerns=seat),
        Return("exposed", found.place, MUCK, 1, (serial,), ruled=True, concerns=seat),
    )
    plan_edits.after_the_round(hand, *steps, street=street)
    sentence = f"seat {seat} may not take the card: when all have drawn, the top card replaces it"
    return ruled(finding, Verdict.REPLACE, book.exposed, sentence, seat)


def taken_by_rank(hand: Hand, event: Report, found: Subject) -> tuple[bool, Rule[MustTake]]:
    """Whether the player must take an exposed card, and by which rule; the game's low and its limit decide.

    Raises `Refused` (`card-unread`).
    """
    book = table_of(hand.setup, hand.setup.rulebook.lowball)
    big_bet = hand.setup.betting.structure in (Structure.NO_LIMIT, Structure.POT_LIMIT)
    if Ranking.LOW_27 in hand.setup.game.rankings:
        rule = book.take_27_big_bet if big_bet else book.take_27_limit
    else:
        rule = book.take_a5_big_bet if big_bet else book.take_a5_limit
    card = found.lying.card or event.card
    if card is None:
        raise Refused("card-unread", "nothing read the exposed card, and its rank decides: name it as `card`.")
    if found.lying.card is None:
        hand.cards = replace(hand.cards, piles=hand.cards.piles.known(found.lying.serial, card))
    return rule.value(card), rule


def short_hand(state: State, event: Report, seat: int, count: int) -> tuple[Ruling, ...]:
    """A hand has too few cards where there is a draw: filled now or on the draw; empty where the count decides.

    Raises `Refused` (`count`).
    """
    hand = state.hand_in_play
    book = hand.setup.rulebook.exchange.get(hand.setup.game.form)
    if book is None or seat not in hand.betting.live or hand.award_pushed or count >= draws.starting_cards(hand):
        return ()
    if any(draw.seat == seat for draw in hand.draw.draws):
        return _short_after_its_draw(state, event, book, seat, count)
    finding = event.what.value
    button = book.fills_button.value if seat == hand.positions.button else 0
    rule: Rule[object]
    if not hand.betting.acted:
        rule = book.fills_button if button else book.fills_before
    else:
        rule = book.fills_button if count <= button else book.fills_on_draw
    if not rule.value:
        return ()
    _lacks(hand, seat, count)
    if rule is book.fills_on_draw:
        sentence = f"there was action: seat {seat} gets what is missing on the draw"
        return (ruled(finding, Verdict.PLAY_ON, rule, sentence, seat),)
    missing = (Deal(seat, "down", "missing", ruled=True, concerns=seat) for _ in range(count))
    plan_edits.before_the_bet(hand, *missing)
    return (ruled(finding, Verdict.CORRECT, rule, f"seat {seat} gets what is missing from the top", seat),)


def _short_after_its_draw(state: State, event: Report, book: DrawRules, seat: int, count: int) -> tuple[Ruling, ...]:
    """A hand that has drawn is short: completed while the draw is on, fouled after it [R7-11.lowball.11#c]."""
    hand = state.hand_in_play
    finding = event.what.value
    due = sum(deal.seat == seat for deal in hand.plan.then(*hand.draw.late).every(Deal))
    if count <= due:
        sentence = f"seat {seat} still gets {due} {'card' if due == 1 else 'cards'}: deal on"
        return (ruled(finding, Verdict.PLAY_ON, book.consecutive, sentence, seat),)
    if not book.fouled_after.value:
        return _completed_at_once(hand, book, seat, count, finding)
    this_draw = any(draw.seat == seat and draw.street == hand.streets.planned for draw in hand.draw.draws)
    if not this_draw or not _is_on(hand):
        return (killed(state, finding, seat, book.fouled_after),)
    _lacks(hand, seat, count - due)
    hand.plan = hand.plan.first(*[Deal(seat, "down", "missing", ruled=True, concerns=seat)] * (count - due))
    sentence = f"the draw is on: seat {seat} gets what is missing from the top"
    return (ruled(finding, Verdict.CORRECT, book.fills_on_draw, sentence, seat),)


def _completed_at_once(hand: Hand, book: DrawRules, seat: int, count: int, finding: str) -> tuple[Ruling, ...]:
    """Nothing has been dealt or done since the seat's draw: the cards that it was to receive are dealt [AU-11.3(a)]."""
    last = range(hand.cards.piles.left - count + 1, hand.cards.piles.left + 1)
    drawn = next(draw for draw in reversed(hand.draw.draws) if draw.seat == seat)
    own = all(hand.cards.piles.place_of(serial) == hand_of(seat) for serial in last)
    if (
        drawn.left >= last[0]
        or not own
        or acted_on(hand, drawn.street)
        or hand.draw.draws[-1].seat != seat
        or hand.cards.undue
    ):
        return ()
    _lacks(hand, seat, count)
    hand.plan = hand.plan.first(*[Deal(seat, "down", "missing", ruled=True, concerns=seat)] * count)
    sentence = f"no card has left since: seat {seat} gets what is missing from the top"
    return (ruled(finding, Verdict.CORRECT, book.consecutive, sentence, seat),)


def _is_on(hand: Hand) -> bool:
    """Whether players have still to draw, or to get cards of the draw."""
    return bool(hand.draw.drawing or hand.draw.late) or any(deal.why == "draw" for deal in hand.plan.every(Deal))


def extra_card(state: State, event: Report, seat: int, serials: tuple[int, ...], count: int) -> tuple[Ruling, ...]:
    """A hand got cards too many on the draw, or was found to have them after it.

    While the draw is on, cards that can be told from the others go back if nobody has looked at them; who has looked,
    and has yet to draw, keeps them and draws so many fewer [AU-19.6]. Otherwise a hand that has drawn is fouled.
    """
    hand = state.hand_in_play
    book = hand.setup.rulebook.exchange.get(hand.setup.game.form)
    if book is None or seat not in hand.betting.live or hand.award_pushed or not (hand.draw.draws or hand.draw.drawing):
        return ()
    told_apart = _is_on(hand) and len(serials) == count
    if told_apart and seat not in hand.cards.looked:
        back = (
            Return("extra", hand_of(seat), STUB, 1, (serial,), ruled=True, concerns=seat)
            for serial in reversed(serials)
        )
        hand.plan = hand.plan.first(*back)
        sentence = (
            f"nobody has looked: back on the stub with what seat {seat} got too many ({count}), for whom they are due"
        )
        return (ruled(event.what.value, Verdict.CORRECT, book.looked_out_of_turn, sentence, seat),)
    if told_apart and seat in hand.draw.drawing:
        sentence = f"seat {seat} has looked and keeps what it got: it draws so many fewer"
        return (ruled(event.what.value, Verdict.MUST_KEEP, book.looked_out_of_turn, sentence, seat),)
    if not book.fouled_after.value or not any(draw.seat == seat for draw in hand.draw.draws):
        return ()
    return (killed(state, event.what.value, seat, book.fouled_after),)


def skipped(hand: Hand, event: Report, seat: int) -> tuple[Ruling, ...]:
    """A seat says on the draw that it was passed over: it has its turn yet; empty outside a draw."""
    if seat not in hand.draw.drawing or not hand.draw.draws or hand.draw.draws[-1].street != hand.streets.planned:
        return ()
    book = draws.book_of(hand)
    rule: Rule[object] = book.looked_out_of_turn if book.exposed.value is OnTheDraw.KEPT else book.exposed
    sentence = f"seat {seat} has yet to draw: the draw is completed to each player in order"
    return (ruled(event.what.value, Verdict.PLAY_ON, rule, sentence, seat),)


def premature(hand: Hand, event: Report) -> tuple[Ruling, ...]:
    """Cards left the shoe before the betting that precedes a draw was over: they do not play [R7-3.irreg.16].

    Raises `Refused` (`no-card`, `not-so`).
    """
    book, street, finding = (
        table_of(hand.setup, hand.setup.rulebook.premature),
        hand.streets.planned + 1,
        event.what.value,
    )
    if not hand.cards.undue:
        raise Refused("no-card", "by the plan the betting was over when the last card left the shoe.")
    streets = hand.setup.game.streets
    if (
        hand.plan.due(Draw)
        and draws.burn_is_to_come(hand, hand.streets.planned)
        and event.count in (None, 1)
        and event.burned
    ):
        serials = asked_about(hand, event, 1)
        hand.cards = replace(
            hand.cards,
            piles=hand.cards.piles.sent(serials, BURN, up=False),
            undue=tuple(serial for serial in hand.cards.undue if serial not in serials),
            last=None,
            burns_made=hand.cards.burns_made + 1,
        )
        sentence = "the burn was made before the request: it is the burn of the draw"
        return (ruled(finding, Verdict.PLAY_ON, book.burn_alone, sentence),)
    if not hand.plan.due(Turn) or street >= len(streets):
        raise Refused("not-so", "no player is to act before a draw now: say `extra-card` of who got it, or `put-back`.")
    serials = asked_about(hand, event, event.count or len(hand.cards.undue))
    burns = streets[street].burn and draws.book_of(hand).burn.value and not hand.cards.burns_made
    burned, cards = (serials[:1], serials[1:]) if burns and event.burned else ((), serials)
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.sent(burned, BURN, up=False),
        undue=tuple(serial for serial in hand.cards.undue if serial not in serials),
        last=None,
        burns_made=hand.cards.burns_made + (len(burned) if book.burn_alone.value else 0),
    )
    if not cards:
        sentence = "only the burn was made too early: it is the burn of the draw"
        return (ruled(finding, Verdict.PLAY_ON, book.burn_alone, sentence),)
    sentence = f"cards that came before the betting was over ({len(cards)}) do not play and stay aside"
    return (ruled(finding, Verdict.SET_ASIDE, book.turn, sentence),)


def _fouled_by_it(state: State, event: Report, seat: int) -> Ruling:
    """A hand that has drawn keeps one card more: it has too many, and no draw left to throw one away."""
    fouled_after = draws.book_of(state.hand_in_play).fouled_after
    if fouled_after.value:
        return killed(state, event.what.value, seat, fouled_after)
    return fouled(state, event.what.value, seat)


def _lacks(hand: Hand, seat: int, count: int) -> None:
    """The last cards counted for the seat never left the stub."""
    held = hand.cards.piles.at(hand_of(seat))
    if count > len(held):
        raise Refused("count", f"cards of seat {seat} by the count: {len(held)}; it cannot miss {count}.")
    serials = frozenset(lying.serial for lying in held[len(held) - count :])
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(serials, hand_of(seat), STUB))


def out_of_sequence(state: State, event: Report, serial: int, at: int) -> tuple[Ruling, ...]:
    """Cards of one seat's draw, the last `count`, went to another: kept if looked at, else moved [AU-19.6].

    Empty outside a draw.

    Raises `Refused` (`no-card`).
    """
    hand = state.hand_in_play
    went = _went_to(hand, event, serial, at)
    if went is None:
        return ()
    step, serials = went
    rule = draws.book_of(hand).looked_out_of_turn
    if rule.value and at in hand.cards.looked and at in hand.betting.live:
        hand.plan = hand.plan.first(*[step] * len(serials))
        sentence = f"seat {at} has looked and keeps what it got; seat {step.seat} gets what comes next"
        kept = ruled(event.what.value, Verdict.MUST_KEEP, rule, sentence, at)
        return (kept,) if at in hand.draw.drawing else (kept, _fouled_by_it(state, event, at))
    source, to = hand_of(at), hand_of(step.seat)
    hand.plan = hand.plan.first(*(Move(source, to, "card", 1, (each,), ruled=True, concerns=at) for each in serials))
    sentence = f"what lies at seat {at} belongs to seat {step.seat}, which gets it: nobody has looked"
    return (ruled(event.what.value, Verdict.CORRECT, rule, sentence, at),)


def went_stands(hand: Hand, event: Report, serial: int, at: int) -> bool:
    """Cards of one seat's draw stay with another, and the seat gets the next ones; false outside a draw.

    Raises `Refused` (`no-card`).
    """
    went = _went_to(hand, event, serial, at)
    if went is not None:
        step, serials = went
        hand.plan = hand.plan.first(*[step] * len(serials))
    return went is not None


def _went_to(hand: Hand, event: Report, serial: int, at: int) -> tuple[Deal, tuple[int, ...]] | None:
    """The last cards of a seat's draw lie at another one: the step that they had, and their numbers."""
    if not hand.draw.draws or serial <= hand.draw.draws[0].left or hand.cards.last is None:
        return None
    step = hand.cards.last.step
    if not isinstance(step, Deal) or hand.cards.piles.place_of(serial) != hand_of(step.seat):
        return None
    serials = tuple(range(serial - (event.count or 1) + 1, serial + 1))
    drawn = max((draw.left for draw in hand.draw.draws if draw.seat == step.seat), default=serial)
    if serials[0] <= drawn or any(hand.cards.piles.place_of(each) != hand_of(step.seat) for each in serials):
        raise Refused("no-card", f"seat {step.seat} was not dealt {len(serials)} cards in a row on this draw.")
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.moved(frozenset(serials), hand_of(step.seat), hand_of(at)), last=None
    )
    return step, serials
