"""A hand got too many cards or too few."""

from controller.core.irregularities.common import unexpected_card
from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import gathered
from controller.core.irregularities.common.wrong_card_count import fouled, rule_now
from controller.core.irregularities.conduct import floor_decision
from controller.core.irregularities.draw import exposed_on_draw
from controller.core.irregularities.remedies import plan_edits, redeal, scrapped_cards
from controller.core.irregularities.stud import later_street
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Board, Burn, Deal, Return
from controller.core.protocol.vocabulary import Decide, What
from controller.core.rules.questions.irregularities.counts import Extra
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.counted import counted
from controller.core.values.piles import BOARD, BURN, MUCK, STUB, hand_of
from controller.core.values.seat_order import rotated
from controller.core.values.value import replace


def seat_named(hand: Hand, event: Report) -> int:
    """The seat of a report that needs one, of a player who was dealt in.

    Raises `Refused` (`key-missing`, `no-card`, `not-dealt-in`).
    """
    what = event.what.value
    if event.seat is None:
        raise Refused("key-missing", f"`{what}` needs the `seat` whose hand it speaks of.")
    if not hand.cards.piles.left or gathered(hand):
        raise Refused("no-card", f"`{what}` speaks of cards that were dealt; in this deal none has been.")
    if event.seat not in hand.order:
        dealt = ", ".join(map(str, sorted(hand.order)))
        raise Refused("not-dealt-in", f"seat {event.seat} was not dealt in; seats {dealt} were. Or `not-entitled`?")
    return event.seat


def extra_card(state: State, event: Report) -> tuple[Ruling, ...]:
    """A seat holds cards too many."""
    hand = state.hand_in_play
    seat, count = seat_named(hand, event), event.count or 1
    corrected = later_street.too_many(hand, event, seat, count)
    if corrected:
        return corrected
    serials = _surplus(hand, seat, count)

    def cure() -> Ruling:
        return _cured(state, hand, seat, count, serials, event.what.value)

    after_the_draw = exposed_on_draw.extra_card(state, event, seat, serials, count)
    if after_the_draw:
        return after_the_draw
    if _goes_to_the_first_player(hand, seat, serials):
        return (cure(),)
    return (fouled(state, event.what.value, seat, cure),)


def _goes_to_the_first_player(hand: Hand, seat: int, serials: tuple[int, ...]) -> bool:
    """A card that was not due lies at the first player's, and the book makes it the burn of the flop to come."""
    first = table_of(hand.setup, hand.setup.rulebook.counts).extra_first
    fresh = len(serials) == 1 and serials[0] in _after_the_deal(hand)
    return (
        first.value is Extra.BURN
        and seat == hand.order[0]
        and fresh
        and seat in hand.betting.live
        and hand.streets.planned == 0
    )


def _surplus(hand: Hand, seat: int, count: int) -> tuple[int, ...]:
    """The numbers of the cards too many, as far as they can be told from the others; they lie at the seat from now on.

    They can when they were not due, or when the one card is the last off the deck and should have gone to the next
    seat, been burned, or begun the board with which the deal ends.
    """
    serials = hand.cards.undue[-count:]
    if serials:
        unexpected_card.placed(hand, serials, hand_of(seat) if seat in hand.betting.live else MUCK, up=False)
        return serials if len(serials) == count and seat in hand.betting.live else ()
    if count > 1 or hand.cards.last is None or hand.cards.last.serial != hand.cards.piles.left or closed(hand):
        return ()
    serial, step = hand.cards.last
    place = hand.cards.piles.place_of(serial)
    regular = isinstance(step, Burn) and place == BURN
    if isinstance(step, Board):
        regular = place == BOARD and not hand.streets.planned
    if isinstance(step, Deal):
        regular = place == hand_of(step.seat) and rotated(hand.order, seat)[0] == step.seat
    if not regular or place is None or hand.betting.acted or scrapped_cards.taken_away(hand, serial):
        return ()
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), place, hand_of(seat), up=False))
    return (serial,)


def _cured(state: State, hand: Hand, seat: int, count: int, serials: tuple[int, ...], finding: str) -> Ruling:
    """What the book does with cards too many while a misdeal can be called, with those of other seats before them."""
    rule, in_all = _rule(hand, seat, count, serials), hand.cards.extra + count
    if rule is None or rule.value is Extra.MISDEAL:
        several = table_of(hand.setup, hand.setup.rulebook.counts).extra_several
        ground = several if in_all > 1 and several.value is Extra.MISDEAL else rule_now(hand, seat)
        plan_edits.deal_again(state)
        where = f"at seat {seat}" if in_all == count else "in this deal"
        return ruled(finding, Verdict.MISDEAL, ground, f"{counted(in_all, 'card')} too many {where}: misdeal", seat)
    hand.cards = replace(hand.cards, extra=hand.cards.extra + count)
    _missed_again(hand, serials)
    if rule.value is Extra.BURN:
        redeal.burn_made(hand)
        _back(hand, seat, serials, BURN)
        sentence = f"the extra card of seat {seat} goes back and is the burn"
        return ruled(finding, Verdict.RETURN_AS_BURN, rule, sentence, seat)
    _back(hand, seat, serials, STUB)
    return ruled(
        finding, Verdict.CORRECT, rule, f"{counted(count, 'card')} of seat {seat} too many: back on the stub", seat
    )


def _rule(hand: Hand, seat: int, count: int, serials: tuple[int, ...]) -> Rule[Extra] | None:
    """The question that the book answers; `None` when nobody can tell the cards too many from the others."""
    book = table_of(hand.setup, hand.setup.rulebook.counts)
    if len(serials) != count:
        return None
    if hand.cards.extra + count > 1 and not closed(hand):
        return book.extra_several
    complete = serials[0] in _after_the_deal(hand)
    if complete and seat == hand.order[0]:
        return book.extra_first
    return None if hand.betting.acted and book.extra_one.value is Extra.BURN else book.extra_one


def _after_the_deal(hand: Hand) -> range:
    """Numbers of cards that left when all hands were complete."""
    if hand.cards.last is None:
        return range(0)
    serial, step = hand.cards.last
    return range(serial if isinstance(step, Burn | Board) else serial + 1, hand.cards.piles.left + 1)


def _missed_again(hand: Hand, serials: tuple[int, ...]) -> None:
    """The step that the surplus card should have fulfilled comes again."""
    if hand.cards.last is not None and hand.cards.last.serial in serials:
        hand.plan = hand.plan.once_more(hand.cards.last.step)


def _back(hand: Hand, seat: int, serials: tuple[int, ...], to: str) -> None:
    """The cards go back, the last one dealt first."""
    steps = (
        Return("extra", hand_of(seat), to, 1, (serial,), ruled=True, concerns=seat) for serial in reversed(serials)
    )
    hand.plan = hand.plan.first(*steps)


def stands(hand: Hand, event: Report) -> None:
    """The floor lets a wrong count stand: cards too many lie at the seat, those that it lacks never left the stub.

    Raises `Refused` (`key-missing`, `no-card`, `not-dealt-in`, `count`, `already-ruled`).
    """
    seat, count, finding = seat_named(hand, event), event.count or 1, event.what.value
    if event.what is What.EXTRA_CARD:
        if not later_street.stands(hand, lambda: later_street.too_many(hand, event, seat, count)):
            _holds_more(hand, seat, count)
    elif not later_street.stands(hand, lambda: later_street.missed(hand, seat, finding) if count == 1 else ()):
        _holds_less(hand, seat, count)


def _holds_more(hand: Hand, seat: int, count: int) -> None:
    """Cards that cannot be told from the others were not sensed as they left the shoe."""
    serials = _surplus(hand, seat, count)
    _missed_again(hand, serials)
    if seat in hand.betting.live and len(serials) < count:
        for _ in range(min(count, hand.cards.piles.stub)):
            hand.cards = replace(hand.cards, piles=hand.cards.piles.dealt(hand_of(seat), None, up=False))
    hand.cards = replace(hand.cards, last=None)


def _holds_less(hand: Hand, seat: int, count: int) -> None:
    due = hand.plan.due(Deal)
    if due and due.seat == seat and count == 1:
        return
    held = tuple(lying.serial for lying in hand.cards.piles.at(hand_of(seat)))
    hand.cards = replace(
        hand.cards, piles=hand.cards.piles.moved(frozenset(held[-count:]), hand_of(seat), STUB), last=None
    )


def short_hand(state: State, event: Report) -> tuple[Ruling, ...]:
    """A seat holds cards too few; raises `Refused` (`count`, `already-ruled`)."""
    hand = state.hand_in_play
    seat, count = seat_named(hand, event), event.count or 1
    if count > hand.setup.game.hand_size:
        raise Refused("count", f"a hand has {hand.setup.game.hand_size} cards; it cannot miss {count}.")
    if hand.cards.last is not None and _comes_anew(hand, seat, hand.cards.last.serial):
        raise Refused("already-ruled", f"the card that seat {seat} misses comes with the steps; carry them out.")
    filled = exposed_on_draw.short_hand(state, event, seat, count)
    filled = filled or (later_street.missed(hand, seat, event.what.value) if count == 1 else ())
    if filled:
        return filled
    if count == 1 and _lacks_only_the_last(hand, seat):
        return (_asked_about_the_last(hand, seat, event.what.value),)
    book = table_of(hand.setup, hand.setup.rulebook.counts)
    top, missed = book.top_card, _top_card_missed(hand, seat, count)
    late = book.button_late.value and closed(hand) and seat == hand.positions.button and seat not in hand.betting.acted

    def cure() -> Ruling:
        rule = book.button_late if late else top
        _deal_missing(hand, seat)
        return ruled(event.what.value, Verdict.CORRECT, rule, f"the top card is the one that seat {seat} missed", seat)

    if missed and late:
        return (cure(),)
    return (fouled(state, event.what.value, seat, cure if missed and top.value else None),)


def _comes_anew(hand: Hand, seat: int, serial: int) -> bool:
    """Whether the seat's last card was a scrap of paper and its step comes again."""
    return hand.cards.piles.place_of(serial) == hand_of(seat) and scrapped_cards.taken_away(hand, serial)


def _top_card_missed(hand: Hand, seat: int, count: int) -> bool:
    """Whether the top card is just the one that the seat missed: no card has gone to anybody after it."""
    if count != 1 or hand.cards.last is None or hand.cards.undue:
        return False
    due, serial = hand.plan.due(Deal), hand.cards.last.serial
    if due and due.seat == seat:
        return True
    return serial == hand.cards.piles.left and hand.cards.piles.place_of(serial) == hand_of(seat)


def _deal_missing(hand: Hand, seat: int) -> None:
    """The card that was counted for the seat never left the stub, or it is due now: deal it."""
    due = hand.plan.due(Deal)
    if due and due.seat == seat:
        hand.plan = hand.plan.done().first(Deal(seat, due.face, "missing", ruled=True, concerns=seat, of=due.of))
        return
    assert hand.cards.last is not None
    serial, step = hand.cards.last
    face = step.face if isinstance(step, Deal) else "down"
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset((serial,)), hand_of(seat), STUB))
    hand.plan = hand.plan.first(Deal(seat, face, "missing", ruled=True, concerns=seat))


def _lacks_only_the_last(hand: Hand, seat: int) -> bool:
    """Whether the book leaves it to a person whether such a hand is live: only a stud hand's last card is missing."""
    book = hand.setup.rulebook.upcards.get(hand.setup.game.form)
    if book is None or not book.last_missing.value or hand.award_pushed:
        return False
    here = hand.streets.planned + 1 == len(hand.setup.game.streets) and len(hand.betting.live) > 1
    return here and seat in hand.betting.live and len(hand.cards.piles.at(hand_of(seat))) == hand.setup.game.hand_size


def _asked_about_the_last(hand: Hand, seat: int, finding: str) -> Ruling:
    """The last card was not taken in, and is in the muck: is the hand live? [R7-8.stud.18#b]."""
    last = hand.cards.piles.at(hand_of(seat))[-1].serial
    hand.cards = replace(hand.cards, piles=hand.cards.piles.moved(frozenset((last,)), hand_of(seat), MUCK, up=False))
    rule = hand.setup.rulebook.upcards[hand.setup.game.form].last_missing
    sentence = f"the hand of seat {seat} lacks its last card: it is dead, or may be ruled live"
    return floor_decision.ask(hand, finding, rule, sentence, (Decide.DEAD_HAND, Decide.PLAY_ON), seat)
