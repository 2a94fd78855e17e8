"""The showdown: who shows when, what is shown, and who gives a hand up."""

from controller.core.model.hand import Hand
from controller.core.model.known_cards import card_to_rule_by, mark_known
from controller.core.model.setup import BettingStructure
from controller.core.play.betting import betting_round
from controller.core.play.betting import pots as money
from controller.core.play.posting import position_poker
from controller.core.play.showdown import sevens_rule, unknown_discards
from controller.core.play.showdown.pot_awards import award_steps
from controller.core.protocol.events import HandMucked, HandTabled
from controller.core.protocol.facts import HandShown
from controller.core.protocol.steps import AwardStep, ShowStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.play.showdown_rules import AllInFirstToShow, HandsUpTiming
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.cards import ALL_CARDS
from controller.core.values.piles import MUCK, hand_place
from controller.core.values.seat_order import seats_from
from controller.core.values.value import replace


def should_turn_hands_up(hand: Hand) -> bool:
    """Whether the book now turns all live hands up, streets being still to come."""
    book = hand.setup.rulebook.showdown
    rule = hand.setup.select_by_mode(book.hands_up_cash, book.hands_up_tournament)
    able = sum(seat not in hand.betting.all_in_seats for seat in hand.betting.live_seats)
    return rule.value is HandsUpTiming.ALL_IN and able < 2


def show_steps(hand: Hand) -> tuple[Step, ...]:
    """All live hands in the order in which they show: the first by the rulebook, the others clockwise from there.

    Without a wager on the last round that is who acted first on it, and where nobody did, who would have
    [R7-3.showdown.8#a]. Where the book says so, those in a side pot come before those in the main pot only
    [HR-showdown.8#c], and in stud those not at risk before those who are all-in [TDA-RP-10-B#allin].
    """
    round_ = hand.round
    waiting = tuple(seat for seat in hand.betting.live_seats if seat not in hand.showdown.tabled_cards_by_seat)
    if not waiting:
        return ()
    first = position_poker.postflop_order(hand, waiting)[0]
    if round_ is not None and round_.street == len(hand.setup.game.streets) - 1:
        acting = next((seat for seat in (*round_.last_action_by_seat, *round_.acting_order) if seat in waiting), first)
        called = (
            hand.showdown.called_seat
            if hand.setup.rulebook.showdown.all_in_first.value is AllInFirstToShow.CALLED
            else None
        )
        if called in waiting and len(hand.betting.acted_seats) == hand.betting.acted_count_by_street.get(round_.street):
            acting = called
        first = round_.aggressor if round_.aggressor in waiting else acting
    pushed = _last_all_in_aggressor(hand)
    if pushed in waiting:
        first = pushed
    in_order = seats_from(waiting, first)
    if hand.setup.rulebook.showdown.side_pot_shows_first.value:
        aside = {seat for pot in money.build_pots(hand)[1:] for seat in pot.seats}
        in_order = (*(s for s in in_order if s in aside), *(s for s in in_order if s not in aside))
    stud = hand.setup.rulebook.upcards.get(hand.setup.game.rules_form)
    if stud is not None and stud.at_risk_shows_last.value:
        in_order = tuple(sorted(in_order, key=lambda seat: seat in hand.betting.all_in_seats))
    return tuple(ShowStep(seat) for seat in in_order)


def _last_all_in_aggressor(hand: Hand) -> int | None:
    """Who put the last wager of the betting all-in, which ended before the last round, where the book asks for it."""
    rule, last = hand.setup.rulebook.showdown.all_in_first, len(hand.setup.game.streets) - 1
    if (
        rule.value is not AllInFirstToShow.ALL_IN_AGGRESSOR
        or hand.setup.stakes.structure is not BettingStructure.NO_LIMIT
    ):
        return None
    acted_last = len(hand.betting.acted_seats) > hand.betting.acted_count_by_street.get(
        last, len(hand.betting.acted_seats)
    )
    pushed = hand.showdown.called_seat
    return pushed if pushed in hand.betting.all_in_seats and not acted_last else None


def record_called_bettor(hand: Hand) -> None:
    """Note whose wager was called on the round that ends, before its bets are collected [AU-16.5(d)]."""
    bettor = None if hand.round is None else hand.round.aggressor
    if bettor in hand.betting.live_seats and any(
        hand.chips.bet_by_seat.get(seat, 0) for seat in hand.betting.live_seats if seat != bettor
    ):
        hand.showdown = replace(hand.showdown, called_seat=bettor)


def show(hand: Hand, event: HandTabled) -> None:
    """A seat tables its hand; raises `Refused` (`not-to-show`, `cards-differ`, `no-right`)."""
    seat, pile = event.seat, hand.cards.piles.cards_at(hand_place(event.seat))
    _require_show_step(hand, seat)
    if event.asking_seat is not None:
        _require_right_to_see(hand, seat, event.asking_seat)
    cards: tuple[str, ...] | None = tuple(lying.card for lying in pile if lying.card is not None)
    if event.cards:
        _refuse_impossible_cards(hand, event)
        cards = event.cards
        if unknown_discards.has_mixed_cards(hand, seat):
            unknown_discards.assign_named_cards(hand, seat, cards)
    elif len(cards or ()) != len(pile) or not pile:
        cards = None
    elif unknown_discards.is_in_doubt(hand, seat):
        cards, pile = None, ()
    hand.showdown = replace(hand.showdown, tabled_cards_by_seat={**hand.showdown.tabled_cards_by_seat, seat: cards})
    for lying in pile:
        now = hand.cards.piles.get_card(lying.serial)
        hand.cards = replace(hand.cards, piles=hand.cards.piles.identify_card(now.serial, now.card, up=True))
    mark_known(hand, frozenset(lying.serial for lying in pile))
    hand.tell(HandShown(seat))
    _drop_show_steps(hand, seat)
    _add_awards_when_shown(hand)


def _require_right_to_see(hand: Hand, seat: int, asked: int) -> None:
    """Who called the last aggressor of the last round, and has not given up a hand, has a right to see that hand.

    Raises `Refused` (`no-right`) [TDA-18-B].
    """
    rule, round_, last = hand.setup.rulebook.showdown.caller_sees, hand.round, len(hand.setup.game.streets) - 1
    held = asked in hand.betting.live_seats and asked != seat
    if not rule.value or not held or round_ is None or round_.street != last or round_.aggressor != seat:
        why = f"seat {asked} has no right to see the hand of seat {seat}: a caller that still has its cards may"
        raise Refused("no-right", f"{why} ask for that of the last to bet or raise ({rule.source}).")
    sentence = said.HAS_RIGHT_TO_SEE.format(asked=asked, seat=seat)
    hand.play_rulings = (*hand.play_rulings, build_ruling("asked-to-show", Verdict.BIND, rule, sentence, seat))


def is_joker_shown(hand: Hand, event: HandTabled) -> bool:
    """Whether a seat that must show now shows a joker, which the deck lacks, for a card that nothing had read.

    Raises `Refused` (`not-to-show`).
    """
    pile = hand.cards.piles.cards_at(hand_place(event.seat))
    unread = any(lying.card is None for lying in pile) and len(event.cards) == len(pile)
    if "joker" not in event.cards or hand.setup.has_joker or not unread:
        return False
    _require_show_step(hand, event.seat)
    return True


def muck(hand: Hand, event: HandMucked) -> None:
    """A seat gives its hand up; raises `Refused` (`not-to-show`, `nobody-else`, `hands-up`)."""
    _require_show_step(hand, event.seat)
    if len(hand.betting.live_seats) == 1:
        raise Refused("nobody-else", f"seat {event.seat} holds the last live hand and takes the pot.")
    if hand.showdown.are_hands_up:
        book = hand.setup.rulebook.showdown
        source = hand.setup.select_by_mode(book.hands_up_cash, book.hands_up_tournament).source
        raise Refused("hands-up", f"seat {event.seat} is all-in or called one who is: its hand is shown ({source}).")
    betting_round.record_folded_hand(hand, event.seat, mucked=True)
    hand.betting = replace(
        hand.betting, live_seats=tuple(seat for seat in hand.betting.live_seats if seat != event.seat)
    )
    hand.cards = replace(hand.cards, piles=hand.cards.piles.move_all_cards(hand_place(event.seat), MUCK, up=False))
    _drop_show_steps(hand, event.seat)
    if len(hand.betting.live_seats) == 1:
        hand.plan = hand.plan.drop_types(ShowStep)
    _add_awards_when_shown(hand)


GAMES_NEEDING_WINNER = ("kill", "position_poker")
"""What a house plays whose next hand depends on who won this one."""


def finish_unseen_showdown(hand: Hand) -> None:
    """The dealer has seen the showdown, and nobody tells the table of it: the hand goes on to what is left of it.

    Raises `Refused` (`winner-unknown`) where openers must be proved, or the next hand needs to know who won.
    """
    rest = hand.plan.drop_types(ShowStep)
    needs = [key for key, value in hand.setup.house_options if key in GAMES_NEEDING_WINNER and value]
    if rest.steps_of_type(AwardStep):
        raise Refused("winner-unknown", "the opener must prove openers before the pot is pushed: enter `show`.")
    if needs and not rest:
        raise Refused("winner-unknown", f"{needs[0]} is played here: name the winner with `won`.")
    hand.plan = rest


def _drop_show_steps(hand: Hand, seat: int) -> None:
    for step in hand.plan.steps_of_type(ShowStep):
        if step.seat == seat:
            hand.plan = hand.plan.replace_step(step)


def _require_show_step(hand: Hand, seat: int) -> None:
    due = tuple(step.seat for step in hand.plan.steps_of_type(ShowStep))
    if seat not in due:
        seats = ", ".join(map(str, due)) or "none"
        raise Refused("not-to-show", f"seat {seat} has nothing to show now; seats still to show: {seats}.")


def _refuse_impossible_cards(hand: Hand, event: HandTabled) -> None:
    """Refuse cards that cannot be this hand; never says which cards lie face down."""
    pile = hand.cards.piles.cards_at(hand_place(event.seat))
    if len(event.cards) != len(pile) or len(set(event.cards)) != len(event.cards) or not set(event.cards) <= ALL_CARDS:
        raise Refused(
            "cards-differ", f"seat {event.seat} holds {len(pile)} cards; `cards` must name each of them once."
        )
    elsewhere = {
        card
        for place, cards in hand.cards.piles.cards_by_place.items()
        if place != hand_place(event.seat)
        for card in (card_to_rule_by(hand, lying) for lying in cards if lying.is_face_up)
        if card is not None
    }
    tabled = {
        card for seat, cards in hand.showdown.tabled_cards_by_seat.items() if seat != event.seat for card in cards or ()
    }
    twice = sorted({*event.cards} & {*elsewhere, *tabled})
    if twice:
        raise Refused(
            "cards-differ",
            f"{', '.join(twice)} lies open elsewhere: name the right card, or report `duplicate` if the deck has two.",
        )
    known = {lying.card for lying in pile if lying.card is not None}
    if unknown_discards.has_mixed_cards(hand, event.seat):
        return
    if not known <= set(event.cards):
        raise Refused(
            "cards-differ",
            f"the cards named for seat {event.seat} are not those the shoe read; report `misread` first.",
        )


def _add_awards_when_shown(hand: Hand) -> None:
    if not hand.plan:
        sevens_rule.apply_sevens_rule(hand)
        hand.plan = hand.plan.append(*award_steps(hand))


def complete_tabled_hands(hand: Hand) -> None:
    """Hands that were turned up before the last cards came have those, too; whose cards nobody read shows once more."""
    tabled = dict(hand.showdown.tabled_cards_by_seat)
    for seat, shown in hand.showdown.tabled_cards_by_seat.items():
        pile = hand.cards.piles.cards_at(hand_place(seat))
        if shown is None or len(pile) == len(shown):
            continue
        whole = tuple(lying.card for lying in pile)
        cards = whole if None not in whole else (*shown, *whole[len(shown) :])
        read = tuple(card for card in cards if card is not None)
        if len(read) == len(pile):
            tabled[seat] = read
            mark_known(hand, frozenset(lying.serial for lying in pile))  # what comes to an open hand lies open
        else:
            del tabled[seat]
    hand.showdown = replace(hand.showdown, tabled_cards_by_seat=tabled)
