"""Burn errors and premature cards on streets that deal a card to each seat, as in stud.

A street's cards are known by their numbers: all that left the shoe after its burn. Cards that lie wrong go back on the
stub, the last one dealt first, and the plan deals them anew.
"""

from controller.core.irregularities.common.dealt_street_cards import acted_on, asked_about
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.remedies import scrapped_cards
from controller.core.model.hand import Hand, StreetChange
from controller.core.model.state import State
from controller.core.play.deal import planner
from controller.core.play.opening import first_to_act
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Burn, Cut, Deal, Move, Return, Shuffle, Step, Turn
from controller.core.rules.questions.irregularities.burns import BurnRules
from controller.core.rules.questions.irregularities.premature import Early, PrematureRules
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.piles import ASIDE, BURN, MUCK, STUB, hand_of, seat_of
from controller.core.values.value import replace


def misburned(state: State, event: Report, burned: int) -> tuple[Ruling, ...]:
    """The street was dealt after `burned` burns instead of one: its cards are brought to their proper places.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    hand = state.hand_in_play
    book, finding = table_of(hand.setup, hand.setup.rulebook.burns), event.what.value
    earlier = _acted_on_since(hand, event)
    if earlier:
        sentence = f"{counted(earlier, 'player')} acted on the street: its cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.stands_after, sentence),)
    street, serials = _street(hand, event)
    receiving = planner.dealing_order(hand)
    if finding == "double-burn" and len(serials) < burned:
        raise Refused("no-card", f"cards since the burn was due: {len(serials)}, fewer than {burned} burns.")
    if len(serials) > burned + len(receiving):
        raise Refused("no-card", f"{burned} burns and {len(receiving)} cards make less than what has left the shoe.")
    if acted_on(hand, street) >= book.stands_after.value:
        sentence = f"{counted(acted_on(hand, street), 'player')} acted on the street: its cards stand"
        return (ruled(finding, Verdict.PLAY_ON, book.stands_after, sentence),)
    lying = dict(zip(serials[burned:], receiving, strict=False))
    _laid_out(hand, street, serials, burned, lying)
    kept = _accepted(hand, street, lying)
    _put_right(hand, street, serials, kept, burned)
    first_to_act.reconsider(hand)
    planner.extend(hand)
    return _ruled_on(finding, book, kept)


def stands(hand: Hand, event: Report, burned: int) -> None:
    """The street's cards lie after so many burns and stand there; the others of its seats come.

    Raises `Refused` (`no-card`, `already-ruled`).
    """
    street, serials = _street(hand, event)
    lying = dict(zip(serials[burned:], planner.dealing_order(hand), strict=False))
    _laid_out(hand, street, serials, burned, lying)
    face = hand.setup.game.streets[street].deal[0]
    missing = (Deal(s, face, of=street) for s in planner.dealing_order(hand) if s not in lying.values())
    own = (step for step in hand.plan.every(Deal, Burn) if step.of == street)
    hand.plan = hand.plan.less(*own).first(*missing)
    first_to_act.reconsider(hand)
    planner.extend(hand)


def _ruled_on(finding: str, book: BurnRules, kept: dict[int, int]) -> tuple[Ruling, ...]:
    sentence = "the burn was wrong: put the cards back on the stub, the last one first, and deal them to their places"
    rulings = [ruled(finding, Verdict.CORRECT, book.put_right, sentence)]
    for seat in sorted(kept.values()):
        sentence = f"seat {seat} has looked at its last card and must accept it"
        rulings.append(ruled(finding, Verdict.MUST_KEEP, book.put_right, sentence, seat))
    return tuple(rulings)


def _acted_on_since(hand: Hand, event: Report) -> int:
    """How many have acted on the street that the report names, where the hand has gone on to a later one; else 0.

    Raises `Refused` (`no-card`) where that street, on which nobody acted, was followed by others.
    """
    names = [street.name for street in hand.setup.game.streets]
    named = names.index(event.street) if event.street in names else hand.streets.planned
    if named >= hand.streets.planned:
        return 0
    acted = acted_on(hand, named)
    if not acted:
        raise Refused("no-card", f"cards of later streets than the {event.street} lie there: report each error.")
    return acted


def _street(hand: Hand, event: Report) -> tuple[int, tuple[int, ...]]:
    """The street dealt last, and the numbers of its cards from the burn on, those not yet explained included."""
    last = next((card for card in reversed(hand.cards.laid) if card.burned), None)
    if last is None or last.of != hand.streets.planned or hand.cards.piles.place_of(last.serial) != BURN:
        raise Refused("no-card", f"`{event.what.value}` speaks of the burn of this street; none has been made.")
    strange = (lying.serial for lying in hand.cards.piles.at(ASIDE) if lying.strange)
    scraps = {serial for serial in (*strange, *hand.cards.boxed) if not scrapped_cards.taken_away(hand, serial)}
    serials = tuple(serial for serial in range(last.serial, hand.cards.piles.left + 1) if serial not in scraps)
    moving = {serial for step in hand.plan.every(Move) for serial in step.cards}
    for serial in serials:
        place = hand.cards.piles.place_of(serial)
        wrong = place != BURN and place is not None and seat_of(place) is None and serial not in hand.cards.undue
        if place is None or wrong or serial in moving or scrapped_cards.taken_away(hand, serial):
            raise Refused("already-ruled", "cards of this street have been dealt with already; carry out the steps.")
    return last.of, serials


def _laid_out(hand: Hand, street: int, serials: tuple[int, ...], burned: int, lying: dict[int, int]) -> None:
    """Put the cards where the dealer says they are."""
    face = hand.setup.game.streets[street].deal[0]
    for place, serial in enumerate(serials):
        source = hand.cards.piles.place_of(serial)
        assert source is not None
        to = BURN if place < burned else hand_of(lying[serial])
        if seat_of(source) is not None or source != to:
            hand.cards = replace(
                hand.cards,
                piles=hand.cards.piles.moved(frozenset((serial,)), source, to, up=to != BURN and face == "up"),
            )
    hand.cards = replace(
        hand.cards, undue=tuple(serial for serial in hand.cards.undue if serial not in serials), last=None
    )


def _accepted(hand: Hand, street: int, lying: dict[int, int]) -> dict[int, int]:
    """Last downcards at which their players have looked: they stand [R7-8.stud.13, HR-stud.12]."""
    if street + 1 < len(hand.setup.game.streets) or hand.setup.game.streets[street].deal[0] == "up":
        return {}
    return {serial: seat for serial, seat in lying.items() if seat in hand.cards.looked}


def _put_right(hand: Hand, street: int, serials: tuple[int, ...], kept: dict[int, int], burned: int) -> None:
    """Return what lies wrong, then deal the street's missing cards anew."""
    face = hand.setup.game.streets[street].deal[0]
    right = serials[0] if burned > 1 else None
    going = [serial for serial in serials if serial not in kept and serial != right]
    steps: list[Step] = []
    for serial in reversed(going):
        place = hand.cards.piles.place_of(serial)
        assert place is not None
        seat = seat_of(place)
        what = "burn" if place == BURN else "exposed" if face == "up" else "extra"
        steps.append(Return(what, place, STUB, 1, (serial,), ruled=True, concerns=seat))
    if right is None:
        steps.append(Burn(of=street))
        hand.cards = replace(hand.cards, laid=tuple(card for card in hand.cards.laid if card.of != street))
    served = set(kept.values())
    steps += (Deal(seat, face, of=street) for seat in planner.dealing_order(hand) if seat not in served)
    due = (step for step in hand.plan.every(Deal, Burn) if step.of == street)
    hand.plan = hand.plan.less(*due).first(*steps)


def premature(state: State, event: Report) -> tuple[Ruling, ...]:
    """Cards of the next street left the shoe before the betting was over: the first is its burn, if it was burned.

    Raises `Refused` (`no-card`, `not-so`).
    """
    hand = state.hand_in_play
    book = table_of(hand.setup, hand.setup.rulebook.premature)
    if not hand.cards.undue:
        raise Refused("no-card", "by the plan the betting was over when the last card left the shoe.")
    street = hand.streets.planned + 1
    if not hand.plan.without(Return).due(Turn) or street >= len(hand.setup.game.streets):
        raise Refused("not-so", "no player is to act now, or no street is to come: what left was not premature.")
    serials = asked_about(hand, event, event.count or len(hand.cards.undue))
    burn, cards = serials[:1], serials[1:]
    if hand.cards.burns_made or street in hand.cards.burned or not event.burned:
        burn, cards = (), serials
    receiving = tuple(seat for seat in planner.dealing_order(hand) if seat not in hand.stud.served.get(street, ()))
    if len(cards) > len(receiving):
        raise Refused("no-card", f"{len(cards)} cards are more than the {len(receiving)} that the street still deals.")
    if not cards and book.burn_alone.value:
        _to(hand, burn, BURN, up=False)
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made + 1)
        sentence = "only the burn was made too early: it is the burn of the next street"
        return (ruled("premature", Verdict.PLAY_ON, book.burn_alone, sentence),)
    rule = book.river if street + 1 == len(hand.setup.game.streets) else book.turn
    if rule.value is Early.STANDS:
        burned = burn or not event.burned
        hand.cards = replace(hand.cards, burned=hand.cards.burned | ({street} if burned else frozenset()))
        return (_stands(hand, rule, street, burn, dict(zip(cards, receiving, strict=False))),)
    lying = dict(zip(cards, receiving, strict=False))
    rulings = _eliminated(hand, rule, street, burn, lying, book if rule.value is Early.RESHUFFLED else None)
    if rule.value is Early.RESHUFFLED and not event.burned and book.burn_missing.value:
        change = replace(hand.streets.changes[street], burn=None)
        hand.streets = replace(hand.streets, changes={**hand.streets.changes, street: change})
    return rulings


def _stands(hand: Hand, rule: Rule[Early], street: int, burn: tuple[int, ...], lying: dict[int, int]) -> Ruling:
    """The cards are used in their turn; nobody may wager more than was wagered [AU-19.11, AU-19.18]."""
    _to(hand, burn, BURN, up=False)
    up = hand.setup.game.streets[street].deal[0] == "up"
    for serial, seat in lying.items():
        _to(hand, (serial,), hand_of(seat) if seat in hand.betting.live else MUCK, up=up)
    hand.stud = replace(
        hand.stud,
        served={**hand.stud.served, street: (*hand.stud.served.get(street, ()), *lying.values())},
        early={**hand.stud.early, street: (*hand.stud.early.get(street, ()), *lying)},
    )
    assert hand.round is not None
    hand.round = replace(hand.round, ceiling=max(hand.round.high, hand.round.due))
    sentence = (
        "the cards stand and are used in their turn; nobody may wager more on this round than was wagered already"
    )
    return ruled("premature", Verdict.RESTRICT_BET, rule, sentence)


def _eliminated(
    hand: Hand,
    rule: Rule[Early],
    street: int,
    burn: tuple[int, ...],
    lying: dict[int, int],
    again: PrematureRules | None,
) -> tuple[Ruling, ...]:
    """The cards stay out of play, and after the betting so many more as complete the street [R7-8.stud.14#a].

    `again`: they go back and are shuffled in instead; the burn stays, and the street is dealt without another one.

    A last downcard at which its player has looked is kept; that player may not bet or raise meanwhile [R7-8.stud.14#b].
    """
    last = street + 1 == len(hand.setup.game.streets)
    if hand.cards.burns_made and not burn:
        hand.cards = replace(hand.cards, burns_made=hand.cards.burns_made - 1)
    up = hand.setup.game.streets[street].deal[0] == "up"
    _to(hand, burn, BURN, up=False)
    rulings, away = [], []
    for serial, seat in lying.items():
        if last and seat in hand.cards.looked and seat in hand.betting.live:
            _to(hand, (serial,), hand_of(seat), up=False)
            hand.stud = replace(
                hand.stud, served={**hand.stud.served, street: (*hand.stud.served.get(street, ()), seat)}
            )
            assert hand.round is not None
            hand.round = replace(hand.round, no_raise=hand.round.no_raise | {seat})
            sentence = f"seat {seat} has looked at its last card: it keeps it and may not bet or raise on this round"
            rulings.append(ruled("premature", Verdict.RESTRICT_BET, rule, sentence, seat))
            continue
        _to(hand, (serial,), hand_of(seat), up=up)
        to = STUB if again else ASIDE
        away.append(Return("premature", hand_of(seat), to, 1, (serial,), ruled=True, concerns=seat))
    if again is not None:
        return (_shuffled_in(hand, rule, street, away[::-1], again), *rulings)
    hand.plan = hand.plan.first(*reversed(away))
    hand.stud = replace(
        hand.stud, eliminated={**hand.stud.eliminated, street: (*hand.stud.eliminated.get(street, ()), *lying.values())}
    )
    sentence = "the cards are out of play: finish the betting, then take one more out for each player who got none"
    return (ruled("premature", Verdict.SET_ASIDE, rule, sentence), *rulings)


def _shuffled_in(hand: Hand, rule: Rule[Early], street: int, back: list[Return], book: PrematureRules) -> Ruling:
    """The cards go back on the stub, which is shuffled and cut, when the betting is over or at once."""
    change = hand.streets.changes.get(street, StreetChange())
    mixed = (Shuffle(ruled=True), Cut(ruled=True)) if back else ()
    when = "finish the betting, then put the cards back, shuffle and cut"
    if book.at_once.value:
        hand.plan = hand.plan.first(*back, *mixed)
        when = "put the cards back, shuffle and cut, then finish the betting"
    else:
        change = replace(change, before=change.before.without(Shuffle, Cut).then(*back, *mixed))
    hand.streets = replace(hand.streets, changes={**hand.streets.changes, street: replace(change, burn=False)})
    return ruled("premature", Verdict.REDEAL_STREET, rule, f"{when}; the street comes without another burn")


def _to(hand: Hand, serials: tuple[int, ...], place: str, up: bool) -> None:
    hand.cards = replace(
        hand.cards,
        piles=hand.cards.piles.sent(serials, place, up),
        undue=tuple(serial for serial in hand.cards.undue if serial not in serials),
        last=None,
    )
