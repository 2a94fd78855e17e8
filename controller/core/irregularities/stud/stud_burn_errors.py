"""Burn errors and premature cards on streets that deal a card to each seat, as in stud.

A street's cards are known by their numbers: all that left the shoe after its burn. Cards that lie wrong go back on the
stub, the last one dealt first, and the plan deals them anew.
"""

from collections.abc import Iterable, Mapping

from controller.core.irregularities.common.dealt_street_cards import (
    build_acted_on_ruling,
    count_acted_on_street,
    require_unexplained_cards,
)
from controller.core.irregularities.remedies import plan_edits, scrapped_cards, street_redeal
from controller.core.irregularities.remedies.street_redeal import build_single_returns, place_cards
from controller.core.model.hand import Hand
from controller.core.model.setup import PlayTracking
from controller.core.play.dealing import planner
from controller.core.play.opening import first_to_act
from controller.core.protocol.events import Report
from controller.core.protocol.steps import (
    BettingStep,
    BurnStep,
    CutStep,
    DealStep,
    MoveStep,
    ReturnStep,
    ShuffleStep,
)
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.irregularities.burn_rules import BurnRules, UncorrectedBurn
from controller.core.rules.questions.irregularities.premature_rules import PrematureCardRemedy, PrematureRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.piles import ASIDE, BURN, MUCK, STUB, hand_place, seat_of_place
from controller.core.values.value import replace


def rule_on_stud_burn_error(hand: Hand, event: Report, book: BurnRules) -> tuple[Ruling, ...]:
    """The street was dealt after no burn or several instead of one: its cards are brought to their proper places.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    finding, named = event.kind.value, _find_named_street(hand, event)
    if named < hand.streets.planned_street:
        acted = max(count_acted_on_street(hand, of) for of in range(named, hand.streets.planned_street + 1))
        if acted:
            return (build_acted_on_ruling(event, book, acted),)
        return _redeal_since_street(hand, book, finding, named, _count_burned(event, 1))
    street, serials = _find_last_street(hand, event)
    due = len(_find_burns(hand, street))
    burned = _count_burned(event, due)
    receiving = planner.dealing_order(hand)
    if finding == "double-burn" and len(serials) < burned:
        raise Refused("no-card", f"cards since the burn was due: {len(serials)}, fewer than {burned} burns.")
    if len(serials) > burned + len(receiving):
        raise Refused("no-card", f"{burned} burns and {len(receiving)} cards make less than what has left the shoe.")
    acted = max(count_acted_on_street(hand, street), event.acted_count or int(event.has_chips_in or False))
    if acted >= book.stands_after.value:
        is_card_due = any(step.street_index == street for step in hand.plan.steps_of_type(DealStep))
        if hand.cards.unexpected_serials or is_card_due:
            _forget_told_acts(hand, street)
            let_stud_burn_stand(hand, event)
            return (build_acted_on_ruling(event, book, acted), *_correct_next_burn(hand, book, serials, due, burned))
        return (build_acted_on_ruling(event, book, acted),)
    lying = dict(zip(serials[burned:], receiving, strict=False))
    _place_street_cards(hand, street, serials, burned, lying)
    kept = _accepted_downcards(hand, street, lying)
    _replan_street(hand, street, serials, kept, due, burned)
    first_to_act.reconsider_opener(hand)
    why = said.NO_BURN if finding == ReportKind.NO_BURN.value else said.TOO_MANY_WERE_BURNED
    again = said.STREET_AGAIN_WITH_BURN if due == 1 else said.STREET_AGAIN_WITH_BURNS.format(burns=due)
    again = said.STREET_AGAIN if burned > due else again
    return _burn_error_rulings(finding, book, said.join_sentences(why, again), kept)


def _correct_next_burn(
    hand: Hand, book: BurnRules, serials: tuple[int, ...], due: int, burned: int
) -> tuple[Ruling, ...]:
    """The street stands: where later cards are to be the right ones, the next street burns one more, or again.

    A surplus burn goes back on the stub when the street is dealt, and is burned again [R7-3.irreg.15].
    """
    streets = range(hand.streets.planned_street + 1, len(hand.setup.game.streets))
    later = next((of for of in streets if street_redeal.needs_burn(hand, of)), None)
    is_known = hand.cards.fouled_serial < serials[0]  # what would have come without the error
    if book.afterwards.value is UncorrectedBurn.WRONG_NUMBER or later is None or not is_known:
        return ()
    name, finding = hand.setup.game.streets[later].name, ReportKind.DOUBLE_BURN.value
    if burned < due:
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - (due - burned))
        sentence = said.BURN_MORE_ON_STREET.format(street=name, burns=1 - hand.cards.burns_ahead)
        return (build_ruling(ReportKind.NO_BURN.value, Verdict.CORRECT, book.afterwards, sentence),)
    back = serials[due:burned]
    plan_edits.insert_before_betting(hand, ReturnStep("burn", BURN, STUB, len(back), back, is_ruled=True))
    template = said.SURPLUS_BURN_BACK if len(back) == 1 else said.SURPLUS_BURNS_BACK
    sentence = template.format(street=name, count=len(back))
    return (build_ruling(finding, Verdict.CORRECT, book.afterwards, sentence),)


def _forget_told_acts(hand: Hand, street: int) -> None:
    """Acts of which only the number was told are entered yet: by the cards as they lie another seat may have opened."""
    round_ = hand.round
    if round_ is None or hand.setup.play_tracking is not PlayTracking.ACTIONS or round_.last_action_by_seat:
        return
    before = hand.betting.acted_count_by_street.get(street, len(hand.betting.acted_seats))
    hand.betting = replace(
        hand.betting, acted_seats=hand.betting.acted_seats[:before], action_types=hand.betting.action_types[:before]
    )


def _count_burned(event: Report, due: int) -> int:
    """How many cards the dealer has burned, of so many that were due."""
    return 0 if event.kind is ReportKind.NO_BURN else event.count or due + 1


def let_stud_burn_stand(hand: Hand, event: Report) -> None:
    """The cards of the street, and of those since, lie after so many burns and stand there; what is missing comes.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    named = _find_named_street(hand, event)
    burned, missing = _count_burned(event, len(_find_burns(hand, named))), list[DealStep]()
    for street, lying in _lay_streets(hand, event.kind.value, named, burned).items():
        face = hand.setup.game.streets[street].deal_faces[0]
        without = (seat for seat in planner.dealing_order(hand) if seat not in lying.values())
        missing += [DealStep(seat, face, street_index=street) for seat in without]
    streets = range(named, hand.streets.planned_street + 1)
    own = (step for step in hand.plan.steps_of_type(DealStep, BurnStep) if step.street_index in streets)
    hand.plan = hand.plan.drop_steps(*own).prepend(*missing)
    first_to_act.reconsider_opener(hand)


def _burn_error_rulings(finding: str, book: BurnRules, sentence: str, kept: dict[int, int]) -> tuple[Ruling, ...]:
    rulings = [build_ruling(finding, Verdict.CORRECT, book.put_right, sentence)]
    for seat in sorted(kept.values()):
        sentence = said.LOOKED_AT_LAST_CARD.format(seat=seat)
        rulings.append(build_ruling(finding, Verdict.MUST_KEEP, book.put_right, sentence, seat))
    return tuple(rulings)


def _find_named_street(hand: Hand, event: Report) -> int:
    """The street that the report names, or the one dealt last.

    Where streets follow one another without betting it is the last one that has so many cards: the plan may have taken
    the last card of one street for the burn of the next.
    """
    names, planned = [street.name for street in hand.setup.game.streets], hand.streets.planned_street
    if event.street in names:
        return names.index(event.street)
    able = [seat for seat in hand.betting.live_seats if seat not in hand.betting.all_in_seats]
    for street in range(planned, 0 if len(able) < 2 else planned, -1):
        burns = _find_burns(hand, street)
        if count_acted_on_street(hand, street):
            break
        if burns and hand.cards.piles.dealt_count - burns[0] + 1 >= _count_burned(event, len(burns)):
            return street
    return planned


def _redeal_since_street(hand: Hand, book: BurnRules, finding: str, named: int, burned: int) -> tuple[Ruling, ...]:
    """Nobody has bet since a wrong burn: what came after it goes back, later streets too, and comes anew.

    Raises `Refused` (`no-card`, `already-ruled`, `award-pushed`).
    """
    if hand.is_award_pushed:
        raise Refused("award-pushed", "a pot of this hand has been pushed; what is left is settled by hand.")
    serials, receiving = _find_cards_since_burn(hand, finding, named), planner.dealing_order(hand)
    kept = dict[int, int]()
    for street, lying in _lay_streets(hand, finding, named, burned).items():
        kept |= _accepted_downcards(hand, street, lying)
    street_redeal.drop_planned_awards(hand)
    right = serials[:1] if burned > 1 else ()
    going = tuple(serial for serial in serials if serial not in kept and serial not in right)
    _take_off_tabled_hands(hand, going)
    hand.cards = replace(
        hand.cards,
        street_cards=tuple(
            card for card in hand.cards.street_cards if card.street_index < named or card.serial in right
        ),
    )
    steps = [*build_single_returns(hand, going, "exposed")]
    for street in range(named, hand.streets.planned_street + 1):
        face, last = hand.setup.game.streets[street].deal_faces[0], street == hand.streets.planned_street
        if street > named or not right:
            steps.append(BurnStep(street_index=street))
        served = kept.values() if last else ()
        steps += (DealStep(seat, face, street_index=street) for seat in receiving if seat not in served)
    own = (step for step in hand.plan.steps_of_type(DealStep, BurnStep) if step.street_index >= named)
    hand.plan = hand.plan.drop_steps(*own).prepend(*steps)
    name = hand.setup.game.streets[named].name
    template = said.NO_BURN_ON_STREET if finding == ReportKind.NO_BURN.value else said.TOO_MANY_BURNS_ON_STREET
    return _burn_error_rulings(
        finding, book, said.join_sentences(template.format(street=name), said.ALL_SINCE_BACK), kept
    )


def _lay_streets(hand: Hand, finding: str, named: int, burned: int) -> dict[int, dict[int, int]]:
    """Street -> card -> seat, as they lie after so many burns of the street named and the right ones of later streets.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    serials, receiving = _find_cards_since_burn(hand, finding, named), planner.dealing_order(hand)
    left, lying_by_street = serials, dict[int, dict[int, int]]()
    for street in range(named, hand.streets.planned_street + 1):
        burns = burned if street == named else int(hand.setup.game.streets[street].has_burn)
        cards, left = left[: burns + len(receiving)], left[burns + len(receiving) :]
        lying_by_street[street] = dict(zip(cards[burns:], receiving, strict=False))
        _place_street_cards(hand, street, cards, burns, lying_by_street[street])
    if left:
        raise Refused("no-card", f"{len(serials)} cards are more than the streets since then have: report each error.")
    return lying_by_street


def _take_off_tabled_hands(hand: Hand, going: tuple[int, ...]) -> None:
    """Hands that lie open lose the cards that go back; they are complete again when the new ones have come."""
    names = {hand.cards.piles.get_card(serial).card for serial in going}
    tabled = hand.showdown.tabled_cards_by_seat
    less = {s: None if cards is None else tuple(c for c in cards if c not in names) for s, cards in tabled.items()}
    hand.showdown = replace(hand.showdown, tabled_cards_by_seat=less)


def _find_last_street(hand: Hand, event: Report) -> tuple[int, tuple[int, ...]]:
    """The street dealt last, and the numbers of its cards from the burn on, those not yet explained included."""
    street = hand.streets.planned_street
    return street, _find_cards_since_burn(hand, event.kind.value, street)


def _find_cards_since_burn(hand: Hand, finding: str, street: int) -> tuple[int, ...]:
    """The numbers of all cards from a street's burn on; raises `Refused` (`no-card`, `already-ruled`)."""
    burns = _find_burns(hand, street)
    if not burns:
        raise Refused("no-card", f"`{finding}` speaks of the burn of this street; none has been made.")
    strange = (lying.serial for lying in hand.cards.piles.cards_at(ASIDE) if lying.is_foreign)
    scraps = {
        serial for serial in (*strange, *hand.cards.boxed_serials) if not scrapped_cards.is_taken_away(hand, serial)
    }
    serials = tuple(serial for serial in range(burns[0], hand.cards.piles.dealt_count + 1) if serial not in scraps)
    moving = {serial for step in hand.plan.steps_of_type(MoveStep) for serial in step.serials}
    for serial in serials:
        place = hand.cards.piles.find_place(serial)
        wrong = (
            place != BURN
            and place is not None
            and seat_of_place(place) is None
            and serial not in hand.cards.unexpected_serials
        )
        if place is None or wrong or serial in moving or scrapped_cards.is_taken_away(hand, serial):
            raise Refused("already-ruled", "cards of this street have been dealt with already; carry out the steps.")
    return serials


def _find_burns(hand: Hand, street: int) -> tuple[int, ...]:
    """The numbers of the cards that the plan took for the burns of a street as it was dealt last, one after another."""
    made = [card.serial for card in hand.cards.street_cards if card.is_burn and card.street_index == street]
    if not made or hand.cards.piles.find_place(made[-1]) != BURN:
        return ()
    run = [serial for nth, serial in enumerate(made) if serial == made[-1] - (len(made) - 1 - nth)]
    return tuple(serial for serial in run if hand.cards.piles.find_place(serial) == BURN)


def _place_street_cards(hand: Hand, street: int, serials: tuple[int, ...], burned: int, lying: dict[int, int]) -> None:
    """Put the cards where the dealer says they are."""
    face = hand.setup.game.streets[street].deal_faces[0]
    for place, serial in enumerate(serials):
        source = hand.cards.piles.find_place(serial)
        assert source is not None
        to = BURN if place < burned else hand_place(lying[serial])
        if seat_of_place(source) is not None or source != to:
            hand.cards = replace(
                hand.cards,
                piles=hand.cards.piles.move_cards(frozenset((serial,)), source, to, up=to != BURN and face == "up"),
            )
    hand.cards = replace(hand.cards.explain_cards(serials), last_dealt=None)


def _accepted_downcards(hand: Hand, street: int, lying: dict[int, int]) -> dict[int, int]:
    """Last downcards at which their players have looked: they stand [R7-8.stud.13, HR-stud.12]."""
    if street + 1 < len(hand.setup.game.streets) or hand.setup.game.streets[street].deal_faces[0] == "up":
        return {}
    return {serial: seat for serial, seat in lying.items() if seat in hand.cards.looked_seats}


def _replan_street(
    hand: Hand, street: int, serials: tuple[int, ...], kept: dict[int, int], due: int, burned: int
) -> None:
    """Return what lies wrong, then deal the street's missing cards anew."""
    face = hand.setup.game.streets[street].deal_faces[0]
    right = serials[:due] if burned > due else ()
    going = [serial for serial in serials if serial not in kept and serial not in right]
    steps = [*build_single_returns(hand, going, "exposed" if face == "up" else "extra")]
    if not right:
        steps += [BurnStep(street_index=street)] * due
        hand.cards = replace(
            hand.cards, street_cards=tuple(card for card in hand.cards.street_cards if card.street_index != street)
        )
    served = set(kept.values())
    steps += (DealStep(seat, face, street_index=street) for seat in planner.dealing_order(hand) if seat not in served)
    own = (step for step in hand.plan.steps_of_type(DealStep, BurnStep) if step.street_index == street)
    hand.plan = hand.plan.drop_steps(*own).prepend(*steps)


def rule_on_premature_stud_cards(hand: Hand, event: Report, book: PrematureRules) -> tuple[Ruling, ...]:
    """Cards of the next street left the shoe before the betting was over: the first is its burn, if it was burned.

    Raises `Refused` (`no-card`, `not-so`).
    """
    street = hand.streets.planned_street + 1
    if not hand.plan.drop_types(ReturnStep).next_step_if(BettingStep) or street >= len(hand.setup.game.streets):
        raise Refused("not-so", "no player is to act now, or no street is to come: what left was not premature.")
    serials = require_unexplained_cards(hand, event, event.count or len(hand.cards.unexpected_serials))
    burn, cards = serials[:1], serials[1:]
    if hand.cards.burns_ahead > 0 or street in hand.cards.burned_streets or not event.is_first_burned:
        burn, cards = (), serials
    receiving = tuple(
        seat for seat in planner.dealing_order(hand) if seat not in hand.stud.served_seats_by_street.get(street, ())
    )
    if len(cards) > len(receiving):
        raise Refused("no-card", f"{len(cards)} cards are more than the {len(receiving)} that the street still deals.")
    if not cards and book.burn_alone.value:
        _place_cards(hand, burn, BURN, up=False)
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead + 1)
        return (build_ruling("premature", Verdict.PLAY_ON, book.burn_alone, said.EARLY_NEXT_BURN),)
    rule = book.river if street + 1 == len(hand.setup.game.streets) else book.turn
    if rule.value is PrematureCardRemedy.STANDS:
        burned = burn or not event.is_first_burned
        hand.cards = replace(
            hand.cards, burned_streets=hand.cards.burned_streets | ({street} if burned else frozenset())
        )
        return (_let_premature_cards_stand(hand, rule, street, burn, dict(zip(cards, receiving, strict=False))),)
    lying = dict(zip(cards, receiving, strict=False))
    again = book if rule.value is PrematureCardRemedy.RESHUFFLED else None
    is_burn_due = not event.is_first_burned and book.burn_missing.value
    return _eliminate_cards(hand, rule, street, burn, lying, again, is_burn_due=is_burn_due)


def _let_premature_cards_stand(
    hand: Hand, rule: Rule[PrematureCardRemedy], street: int, burn: tuple[int, ...], lying: dict[int, int]
) -> Ruling:
    """The cards are used in their turn; nobody may wager more than was wagered [AU-19.11, AU-19.18]."""
    _place_cards(hand, burn, BURN, up=False)
    up = hand.setup.game.streets[street].deal_faces[0] == "up"
    for serial, seat in lying.items():
        _place_cards(hand, (serial,), hand_place(seat) if seat in hand.betting.live_seats else MUCK, up=up)
    hand.stud = replace(
        hand.stud,
        served_seats_by_street=_add_to_street(hand.stud.served_seats_by_street, street, lying.values()),
        early_serials_by_street=_add_to_street(hand.stud.early_serials_by_street, street, lying),
    )
    round_ = hand.round_in_play
    hand.round = replace(round_, max_wager=max(round_.current_bet, round_.forced_bet))
    return build_ruling("premature", Verdict.RESTRICT_BET, rule, said.EARLY_CARDS_STAND)


def _eliminate_cards(
    hand: Hand,
    rule: Rule[PrematureCardRemedy],
    street: int,
    burn: tuple[int, ...],
    lying: dict[int, int],
    again: PrematureRules | None,
    *,
    is_burn_due: bool,
) -> tuple[Ruling, ...]:
    """The cards stay out of play, and after the betting so many more as complete the street [R7-8.stud.14#a].

    `again`: they go back and are shuffled in instead; the burn stays, and the street is dealt without another one,
    where none `is_burn_due` because there was none.

    A last downcard at which its player has looked is kept; that player may not bet or raise meanwhile [R7-8.stud.14#b].
    """
    last = street + 1 == len(hand.setup.game.streets)
    if hand.cards.burns_ahead > 0 and not burn:
        hand.cards = replace(hand.cards, burns_ahead=hand.cards.burns_ahead - 1)
    up = hand.setup.game.streets[street].deal_faces[0] == "up"
    _place_cards(hand, burn, BURN, up=False)
    rulings, away = [], []
    for serial, seat in lying.items():
        if last and seat in hand.cards.looked_seats and seat in hand.betting.live_seats:
            _place_cards(hand, (serial,), hand_place(seat), up=False)
            served = _add_to_street(hand.stud.served_seats_by_street, street, (seat,))
            hand.stud = replace(hand.stud, served_seats_by_street=served)
            hand.round = replace(hand.round_in_play, no_raise_seats=hand.round_in_play.no_raise_seats | {seat})
            sentence = said.EARLY_LAST_CARD_KEPT.format(seat=seat)
            rulings.append(build_ruling("premature", Verdict.RESTRICT_BET, rule, sentence, seat))
            continue
        _place_cards(hand, (serial,), hand_place(seat), up=up)
        to = STUB if again else ASIDE
        away.append(ReturnStep("premature", hand_place(seat), to, 1, (serial,), is_ruled=True, concerned_seat=seat))
    if again is not None:
        return (_shuffle_in(hand, rule, street, away[::-1], again, is_burn_due=is_burn_due), *rulings)
    hand.plan = hand.plan.prepend(*reversed(away))
    eliminated = _add_to_street(hand.stud.eliminated_seats_by_street, street, lying.values())
    hand.stud = replace(hand.stud, eliminated_seats_by_street=eliminated)
    return (build_ruling("premature", Verdict.SET_ASIDE, rule, said.EARLY_CARDS_ASIDE), *rulings)


def _shuffle_in(
    hand: Hand,
    rule: Rule[PrematureCardRemedy],
    street: int,
    back: list[ReturnStep],
    book: PrematureRules,
    *,
    is_burn_due: bool,
) -> Ruling:
    """The cards go back on the stub, which is shuffled and cut, when the betting is over or at once."""
    change = hand.streets.get_change(street)
    mixed = (ShuffleStep(is_ruled=True), CutStep(is_ruled=True)) if back else ()
    sentence = said.EARLY_CARDS_BACK_AND_BURN if is_burn_due else said.EARLY_CARDS_BACK
    if book.at_once.value:
        hand.plan = hand.plan.prepend(*back, *mixed)
        sentence = said.EARLY_CARDS_BACK_AT_ONCE_AND_BURN if is_burn_due else said.EARLY_CARDS_BACK_AT_ONCE
    else:
        change = replace(
            change, steps_before=change.steps_before.drop_types(ShuffleStep, CutStep).append(*back, *mixed)
        )
    if not back:
        sentence = said.REST_AFTER_BURN if is_burn_due else said.REST_WITHOUT_BURN
    hand.streets = hand.streets.replace_change(street, replace(change, needs_burn=None if is_burn_due else False))
    return build_ruling("premature", Verdict.REDEAL_STREET, rule, sentence)


def _place_cards(hand: Hand, serials: tuple[int, ...], place: str, up: bool) -> None:
    place_cards(hand, serials, place, up=up)
    hand.cards = replace(hand.cards, last_dealt=None)


def _add_to_street(
    listed: Mapping[int, tuple[int, ...]], street: int, more: Iterable[int]
) -> dict[int, tuple[int, ...]]:
    """What is listed by streets, with more on one of them."""
    return {**listed, street: (*listed.get(street, ()), *more)}
