"""Cards exposed before the draw in lowball, and on the draw."""

from collections import Counter

from controller.core.irregularities.common.dealt_street_cards import count_acted_on_street, require_unexplained_cards
from controller.core.irregularities.common.fouled_hand import kill_fouled_hand, rule_on_fouled_hand
from controller.core.irregularities.common.reported_card import ReportedCard
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.irregularities.remedies import plan_edits, scrapped_cards
from controller.core.irregularities.remedies.street_redeal import build_single_returns, place_cards
from controller.core.model.hand import Hand
from controller.core.model.known_cards import card_to_rule_by
from controller.core.model.setup import BettingStructure
from controller.core.model.table_state import TableState
from controller.core.play.dealing import draws
from controller.core.protocol.events import Report
from controller.core.protocol.steps import BettingStep, DealStep, DrawStep, MoveStep, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import Ranking
from controller.core.rules.policies.exposed_low_cards import ExposedLowCardPolicy
from controller.core.rules.questions.irregularities.premature_rules import PrematureRules
from controller.core.rules.questions.play.draw_rules import DrawRules, ExposedDrawCard
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import BURN, MUCK, STUB, hand_place, seat_of_place
from controller.core.values.value import replace

AstrayCards = tuple[tuple[int, DealStep], ...]
"""Cards of a draw that lie at another seat than they were for: their numbers, and the step that each had."""


def is_draw_card(hand: Hand, found: ReportedCard) -> bool:
    """Whether the card was dealt in a draw."""
    return (
        bool(hand.draw.draws)
        and found.seat is not None
        and found.placed_card.serial > hand.draw.draws[0].last_serial_before
    )


def rule_on_exposed_draw_card(hand: Hand, event: Report, found: ReportedCard) -> Ruling:
    """A new card was exposed: it is used, or replaced when all have drawn."""
    book, seat, finding = draws.draw_rules(hand), found.seat, event.kind.value
    assert seat is not None
    street = next(
        draw.street for draw in reversed(hand.draw.draws) if draw.last_serial_before < found.placed_card.serial
    )
    if count_acted_on_street(hand, street):
        rule = hand.setup.rulebook.misdeal.window
        return build_ruling(finding, Verdict.MUST_KEEP, rule, said.BETTING_WENT_ON, seat)
    if book.exposed.value is ExposedDrawCard.KEPT:
        return build_ruling(finding, Verdict.MUST_KEEP, book.exposed, said.USED_IN_SEQUENCE, seat)
    serial = found.placed_card.serial
    hand.cards = replace(hand.cards, piles=hand.cards.piles.identify_card(serial, found.placed_card.card, up=True))
    is_burn = book.exposed_burn.value and draws.use_as_next_burn(hand, street)
    steps = (
        DealStep(seat, "down", "replacement", is_ruled=True, concerned_seat=seat),
        ReturnStep("exposed", found.place, BURN if is_burn else MUCK, 1, (serial,), is_ruled=True, concerned_seat=seat),
    )
    plan_edits.insert_after_dealing_round(hand, *steps, street=street)
    also = tuple(id_ for id_ in book.exposed_burn.cite if is_burn and id_ not in book.exposed.cite)
    replaced = replace(book.exposed, cite=(*book.exposed.cite, *also))
    sentence = (said.DRAWN_EXPOSED_IS_BURN if is_burn else said.DRAWN_EXPOSED_TO_MUCK).format(seat=seat)
    return build_ruling(finding, Verdict.REPLACE, replaced, sentence, seat)


def decide_by_rank(hand: Hand, event: Report, found: ReportedCard) -> tuple[bool, Rule[ExposedLowCardPolicy]]:
    """Whether the player must take an exposed card, and by which rule; the game's low and its limit decide.

    Raises `Refused` (`card-unread`).
    """
    book = require_rules_for_game(hand.setup, hand.setup.rulebook.lowball)
    big_bet = hand.setup.stakes.structure in (BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT)
    if Ranking.LOW_27 in hand.setup.game.rankings:
        rule = book.take_27_big_bet if big_bet else book.take_27_limit
    else:
        rule = book.take_a5_big_bet if big_bet else book.take_a5_limit
    card = card_to_rule_by(hand, found.placed_card) or event.card
    if card is None:
        raise Refused("card-unread", "nobody knows the exposed card yet, and its rank decides: name it as `card`.")
    if found.placed_card.card is None:
        piles = hand.cards.piles.identify_card(found.placed_card.serial, card, named=True)
        hand.cards = replace(hand.cards, piles=piles)
    return rule.value(card), rule


def rule_on_short_draw_hand(state: TableState, event: Report, seat: int, count: int) -> tuple[Ruling, ...]:
    """A hand has too few cards where there is a draw: filled now or on the draw; empty where the count decides.

    Raises `Refused` (`count`).
    """
    hand = state.hand_in_play
    book = hand.setup.rulebook.exchange.get(hand.setup.game.rules_form)
    if (
        book is None
        or seat not in hand.betting.live_seats
        or hand.is_award_pushed
        or count >= draws.starting_hand_size(hand)
    ):
        return ()
    if any(draw.seat == seat for draw in hand.draw.draws):
        return _rule_on_short_after_draw(state, event, book, seat, count)
    finding = event.kind.value
    button = book.fills_button.value if seat == hand.positions.button else 0
    rule: Rule[object]
    if not hand.betting.acted_seats:
        rule = book.fills_button if button else book.fills_before
    else:
        rule = book.fills_button if count <= button else book.fills_on_draw
    if not rule.value:
        return ()
    _return_uncounted_cards(hand, seat, count)
    if rule is book.fills_on_draw:
        sentence = said.FILLS_ON_DRAW.format(seat=seat)
        return (build_ruling(finding, Verdict.PLAY_ON, rule, sentence, seat),)
    missing = (DealStep(seat, "down", "missing", is_ruled=True, concerned_seat=seat) for _ in range(count))
    plan_edits.insert_before_betting(hand, *missing)
    return (build_ruling(finding, Verdict.CORRECT, rule, said.FILLS_FROM_TOP.format(seat=seat), seat),)


def _rule_on_short_after_draw(
    state: TableState, event: Report, book: DrawRules, seat: int, count: int
) -> tuple[Ruling, ...]:
    """A hand that has drawn is short: completed while the draw is on, fouled after it [R7-11.lowball.11#c]."""
    hand = state.hand_in_play
    finding = event.kind.value
    due = sum(deal.seat == seat for deal in hand.plan.append(*hand.draw.deferred_steps).steps_of_type(DealStep))
    if count <= due:
        sentence = (said.STILL_GETS_CARD if due == 1 else said.STILL_GETS_CARDS).format(seat=seat, count=due)
        return (build_ruling(finding, Verdict.PLAY_ON, book.consecutive, sentence, seat),)
    if not book.fouled_after.value:
        return _complete_at_once(hand, book, seat, count, finding)
    this_draw = any(draw.seat == seat and draw.street == hand.streets.planned_street for draw in hand.draw.draws)
    if not this_draw or not _is_draw_on(hand):
        return (kill_fouled_hand(state, finding, seat, book.fouled_after, is_bet_standing=True),)
    _return_uncounted_cards(hand, seat, count - due)
    hand.plan = hand.plan.prepend(
        *[DealStep(seat, "down", "missing", is_ruled=True, concerned_seat=seat)] * (count - due)
    )
    sentence = said.DRAW_IS_ON.format(seat=seat)
    return (build_ruling(finding, Verdict.CORRECT, book.fills_on_draw, sentence, seat),)


def _complete_at_once(hand: Hand, book: DrawRules, seat: int, count: int, finding: str) -> tuple[Ruling, ...]:
    """Nothing has been dealt or done since the seat's draw: the cards that it was to receive are dealt [AU-11.3(a)]."""
    last = range(hand.cards.piles.dealt_count - count + 1, hand.cards.piles.dealt_count + 1)
    drawn = next(draw for draw in reversed(hand.draw.draws) if draw.seat == seat)
    own = all(hand.cards.piles.find_place(serial) == hand_place(seat) for serial in last)
    if (
        drawn.last_serial_before >= last[0]
        or not own
        or count_acted_on_street(hand, drawn.street)
        or hand.draw.draws[-1].seat != seat
        or hand.cards.unexpected_serials
    ):
        return ()
    _return_uncounted_cards(hand, seat, count)
    hand.plan = hand.plan.prepend(*[DealStep(seat, "down", "missing", is_ruled=True, concerned_seat=seat)] * count)
    sentence = said.NO_CARD_SINCE.format(seat=seat)
    return (build_ruling(finding, Verdict.CORRECT, book.consecutive, sentence, seat),)


def _is_draw_on(hand: Hand) -> bool:
    """Whether players have still to draw, or to get cards of the draw."""
    return bool(hand.draw.drawing_seats or hand.draw.deferred_steps) or any(
        deal.reason == "draw" for deal in hand.plan.steps_of_type(DealStep)
    )


def rule_on_extra_draw_card(
    state: TableState, event: Report, seat: int, serials: tuple[int, ...], count: int
) -> tuple[Ruling, ...]:
    """A hand got cards too many on the draw, or was found to have them after it.

    While the draw is on, cards that can be told from the others go back if nobody has looked at them; who has looked,
    and has yet to draw, keeps them and draws so many fewer [AU-19.6]. Otherwise a hand that has drawn is fouled.
    """
    hand = state.hand_in_play
    book = hand.setup.rulebook.exchange.get(hand.setup.game.rules_form)
    if (
        book is None
        or seat not in hand.betting.live_seats
        or hand.is_award_pushed
        or not (hand.draw.draws or hand.draw.drawing_seats)
    ):
        return ()
    told_apart = _is_draw_on(hand) and len(serials) == count
    if told_apart and seat not in hand.cards.looked_seats:
        hand.plan = hand.plan.prepend(*build_single_returns(hand, serials, "extra"))
        sentence = (said.EXTRA_BACK if count == 1 else said.EXTRAS_BACK).format(seat=seat, count=count)
        return (build_ruling(event.kind.value, Verdict.CORRECT, book.looked_out_of_turn, sentence, seat),)
    if told_apart and seat in hand.draw.drawing_seats:
        sentence = said.DRAWS_FEWER.format(seat=seat)
        return (build_ruling(event.kind.value, Verdict.MUST_KEEP, book.looked_out_of_turn, sentence, seat),)
    if not told_apart:
        _pass_on_draw_cards(hand, seat, count)
    if not book.fouled_after.value or not any(draw.seat == seat for draw in hand.draw.draws):
        return ()
    return (kill_fouled_hand(state, event.kind.value, seat, book.fouled_after, is_bet_standing=True),)


def rule_on_others_draw_cards(state: TableState, event: Report, seat: int, count: int) -> tuple[Ruling, ...]:
    """A seat got the last cards of a draw beyond its own, which were for the next seats: as if they went astray.

    Empty where they cannot be told from its own.

    Raises `Refused` (`already-ruled`).
    """
    hand = state.hand_in_play
    spare, astray = _find_others_cards(hand, seat, count)
    if not astray:
        return ()
    place_cards(hand, spare, hand_place(seat))
    _move_cards_to(hand, seat, astray)
    rulings = _rule_on_astray_cards(state, event, seat, astray, len(spare))
    if rulings[0].verdict is Verdict.CORRECT:
        hand.plan = hand.plan.prepend(*build_single_returns(hand, spare, "extra"))
    return rulings


def let_others_draw_cards_stand(hand: Hand, seat: int, count: int) -> bool:
    """The cards of a draw that a seat got beyond its own stay with it, and those whom they were for get the next ones.

    False where there are none.

    Raises `Refused` (`already-ruled`).
    """
    spare, astray = _find_others_cards(hand, seat, count)
    if astray:
        place_cards(hand, spare, hand_place(seat))
    _move_cards_to(hand, seat, astray)
    hand.plan = hand.plan.prepend(*(step for _, step in astray))
    return bool(astray)


def _find_others_cards(hand: Hand, seat: int, count: int) -> tuple[tuple[int, ...], AstrayCards]:
    """The last so many cards, where this draw sent them to the seats next in turn: they may lie at this one instead.

    Those that were not due at all stand first, by their numbers. Cards cannot be told from the seat's own any more when
    yet another seat has got cards since; then, as when all of them were not due, nothing is found.

    Raises `Refused` (`already-ruled`).
    """
    spare = hand.cards.unexpected_serials
    count -= len(spare)
    if not hand.draw.draws or count <= 0 or count_acted_on_street(hand, hand.streets.planned_street):
        return (), ()
    steps = hand.plan.append(*hand.draw.deferred_steps).steps_of_type(ReturnStep, MoveStep)
    if not spare and any(step.source == hand_place(seat) and step.label in ("extra", "card") for step in steps):
        raise Refused("already-ruled", f"what seat {seat} got too many has been ruled on: carry out the steps.")
    cards = _cards_since_own(hand, seat)
    is_of_one = len({step.seat for _, step in cards}) == 1
    is_next = len(cards) == count or (_is_draw_on(hand) and is_of_one and len(cards) > count)
    return (spare, cards[-count:]) if is_next else ((), ())


def _cards_since_own(hand: Hand, seat: int) -> AstrayCards:
    """The cards of this draw that came after those of a seat, and the step that each had.

    For a seat that has yet to draw, or has no hand any more: those of whoever got the last one.
    """
    street = hand.streets.planned_street
    requests = [drawn for drawn in hand.draw.draws if drawn.street == street]
    first = requests[0].last_serial_before + 1 if requests else hand.cards.piles.dealt_count + 1
    dealt: list[tuple[int, DealStep]] = []
    for serial in range(first, hand.cards.piles.dealt_count + 1):
        at = seat_of_place(hand.cards.piles.find_place(serial) or "")
        if at is not None and not scrapped_cards.is_taken_away(hand, serial):
            step = None if hand.cards.last_dealt is None else hand.cards.last_dealt.step
            is_last = hand.cards.last_dealt is not None and hand.cards.last_dealt.serial == serial
            due = DealStep(at, "down", "draw", street_index=street)
            dealt.append((serial, step if is_last and isinstance(step, DealStep) else due))
    seats = [drawn.seat for drawn in requests]
    if seat in seats:
        others = [step.seat in seats[: seats.index(seat) + 1] for _, step in dealt]
    else:
        others = [step.seat != dealt[-1][1].seat for _, step in dealt]
    since = max((nth for nth, is_other in enumerate(others, 1) if is_other), default=0)
    return tuple(dealt[since:])


def _pass_on_draw_cards(hand: Hand, seat: int, count: int) -> None:
    """A hand got cards of others on this draw and others have got theirs since: each lies a turn before its own.

    The last so many cards of the draw have not come to whom the plan sent them: they come now.
    """
    cards = _cards_since_own(hand, seat)
    if not _is_draw_on(hand) or seat in hand.draw.drawing_seats or len(cards) <= count:
        return
    seats = (*(seat,) * count, *(step.seat for _, step in cards))
    for at, (serial, _) in zip(seats, cards, strict=False):
        hand.cards = replace(hand.cards, piles=hand.cards.piles.gather_cards((serial,), hand_place(at), up=False))
    hand.cards = replace(hand.cards, last_dealt=None)
    hand.plan = hand.plan.prepend(*(step for _, step in cards[len(cards) - count :]))


def rule_on_skipped_draw(hand: Hand, event: Report, seat: int) -> tuple[Ruling, ...]:
    """A seat says on the draw that it was passed over: it has its turn yet; empty outside a draw."""
    if (
        seat not in hand.draw.drawing_seats
        or not hand.draw.draws
        or hand.draw.draws[-1].street != hand.streets.planned_street
    ):
        return ()
    book = draws.draw_rules(hand)
    rule: Rule[object] = book.looked_out_of_turn if book.exposed.value is ExposedDrawCard.KEPT else book.exposed
    sentence = said.YET_TO_DRAW.format(seat=seat)
    return (build_ruling(event.kind.value, Verdict.PLAY_ON, rule, sentence, seat),)


def rule_on_premature_draw(hand: Hand, event: Report, book: PrematureRules) -> tuple[Ruling, ...]:
    """Cards left the shoe before the betting that precedes a draw was over: they do not play [R7-3.irreg.16].

    Raises `Refused` (`no-card`, `not-so`).
    """
    street, finding, streets = hand.streets.planned_street + 1, event.kind.value, hand.setup.game.streets
    if (
        hand.plan.next_step_if(DrawStep)
        and draws.is_burn_due(hand, hand.streets.planned_street)
        and event.count in (None, 1)
        and event.is_first_burned
    ):
        serials = require_unexplained_cards(hand, event, 1)
        place_cards(hand, serials, BURN)
        hand.cards = replace(hand.cards, last_dealt=None, burns_ahead=hand.cards.burns_ahead + 1)
        return (build_ruling(finding, Verdict.PLAY_ON, book.burn_alone, said.BURN_BEFORE_REQUEST),)
    if not hand.plan.next_step_if(BettingStep) or street >= len(streets):
        raise Refused("not-so", "no player is to act before a draw now: say `extra-card` of who got it, or `put-back`.")
    serials = require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials))
    burns = streets[street].has_burn and draws.draw_rules(hand).burn.value and hand.cards.burns_ahead <= 0
    burned, cards = (serials[:1], serials[1:]) if burns and event.is_first_burned else ((), serials)
    place_cards(hand, burned, BURN)
    hand.cards = replace(
        hand.cards.explain_cards(serials),
        last_dealt=None,
        burns_ahead=hand.cards.burns_ahead + (len(burned) if book.burn_alone.value else 0),
    )
    if not cards:
        return (build_ruling(finding, Verdict.PLAY_ON, book.burn_alone, said.EARLY_BURN_OF_DRAW),)
    sentence = said.EARLY_DRAW_ASIDE.format(count=len(cards))
    return (build_ruling(finding, Verdict.SET_ASIDE, book.turn, sentence),)


def _rule_on_kept_extra_card(state: TableState, event: Report, seat: int) -> Ruling:
    """A hand that has drawn keeps one card more: it has too many, and no draw left to throw one away."""
    fouled_after = draws.draw_rules(state.hand_in_play).fouled_after
    if fouled_after.value:
        return kill_fouled_hand(state, event.kind.value, seat, fouled_after, is_bet_standing=True)
    return rule_on_fouled_hand(state, event.kind.value, seat, why=said.CARD_TOO_MANY.format(seat=seat))


def _return_uncounted_cards(hand: Hand, seat: int, count: int) -> None:
    """The last cards counted for the seat never left the stub."""
    serials = scrapped_cards.find_uncounted_cards(hand, seat, count)
    hand.cards = replace(hand.cards, piles=hand.cards.piles.move_cards(serials, hand_place(seat), STUB))


def rule_on_draw_out_of_sequence(state: TableState, event: Report, serial: int, at: int) -> tuple[Ruling, ...]:
    """Cards of one seat's draw, the last `count`, went to another: kept if looked at, else moved [AU-19.6].

    Empty outside a draw.

    Raises `Refused` (`no-card`).
    """
    astray = _find_misdealt_cards(state.hand_in_play, event, serial)
    if not astray:
        return ()
    _move_cards_to(state.hand_in_play, at, astray)
    return _rule_on_astray_cards(state, event, at, astray)


def _rule_on_astray_cards(
    state: TableState, event: Report, at: int, astray: AstrayCards, spare_count: int = 0
) -> tuple[Ruling, ...]:
    """Cards for other seats lie at this one: kept if it has looked at them, else moved [AU-19.6].

    `spare_count`: so many more came after them for nobody, and go back on the stub.
    """
    hand = state.hand_in_play
    rule = draws.draw_rules(hand).looked_out_of_turn
    owners = " and ".join(map(str, dict.fromkeys(step.seat for _, step in astray)))
    if rule.value and at in hand.cards.looked_seats and at in hand.betting.live_seats:
        hand.plan = hand.plan.prepend(*(step for _, step in astray))
        sentence = said.KEEPS_ASTRAY.format(at=at, owners=owners)
        kept = build_ruling(event.kind.value, Verdict.MUST_KEEP, rule, sentence, at)
        return (kept,) if at in hand.draw.drawing_seats else (kept, _rule_on_kept_extra_card(state, event, at))
    moves = (
        MoveStep(hand_place(at), hand_place(step.seat), "card", 1, (serial,), is_ruled=True, concerned_seat=at)
        for serial, step in astray
    )
    hand.plan = hand.plan.prepend(*moves)
    spare = said.EXTRA_TO_STUB if spare_count == 1 else said.EXTRAS_TO_STUB if spare_count else ""
    slides = (
        (said.SLIDE if count == 1 else said.SLIDE_SEVERAL).format(at=at, seat=owner, count=count)
        for owner, count in Counter(step.seat for _, step in astray).items()
    )
    sentence = said.join_sentences(spare.format(seat=at, count=spare_count), *slides, said.DEAL_ON)
    return (build_ruling(event.kind.value, Verdict.CORRECT, rule, sentence, at),)


def let_misdealt_draw_stand(hand: Hand, event: Report, serial: int, at: int) -> bool:
    """Cards of one seat's draw stay with another, and the seat gets the next ones; false outside a draw.

    Raises `Refused` (`no-card`).
    """
    astray = _find_misdealt_cards(hand, event, serial)
    _move_cards_to(hand, at, astray)
    hand.plan = hand.plan.prepend(*(step for _, step in astray))
    return bool(astray)


def _find_misdealt_cards(hand: Hand, event: Report, serial: int) -> AstrayCards:
    """The last cards of a seat's draw, which went elsewhere, and the step that they had; empty outside a draw.

    Raises `Refused` (`no-card`).
    """
    if not hand.draw.draws or serial <= hand.draw.draws[0].last_serial_before or hand.cards.last_dealt is None:
        return ()
    step = hand.cards.last_dealt.step
    if not isinstance(step, DealStep) or hand.cards.piles.find_place(serial) != hand_place(step.seat):
        return ()
    serials = tuple(range(serial - (event.count or 1) + 1, serial + 1))
    drawn = max((draw.last_serial_before for draw in hand.draw.draws if draw.seat == step.seat), default=serial)
    if serials[0] <= drawn or any(hand.cards.piles.find_place(each) != hand_place(step.seat) for each in serials):
        raise Refused("no-card", f"seat {step.seat} was not dealt {len(serials)} cards in a row on this draw.")
    return tuple((each, step) for each in serials)


def _move_cards_to(hand: Hand, at: int, astray: AstrayCards) -> None:
    """These cards lie at this seat."""
    for serial, step in astray:
        piles = hand.cards.piles.move_cards(frozenset((serial,)), hand_place(step.seat), hand_place(at))
        hand.cards = replace(hand.cards, piles=piles, last_dealt=None)
