"""Stud: downcards dealt up, the last card face up, the wrong seat made to open."""

from controller.core.irregularities.common.dealt_street_cards import acted_on
from controller.core.irregularities.common.misdeal_window import closed
from controller.core.irregularities.common.rules_for_game import table_of
from controller.core.irregularities.common.subject import Subject, subject
from controller.core.irregularities.remedies import plan_edits
from controller.core.model.hand import Hand
from controller.core.model.state import State
from controller.core.play.betting import betting_round, declared_all_in
from controller.core.play.betting.legal_actions import all_in_is_legal, bounds, must_open
from controller.core.play.deal import planner
from controller.core.play.opening import first_to_act
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act as ActEvent
from controller.core.protocol.events import Report
from controller.core.protocol.steps import Deal, Turn
from controller.core.protocol.vocabulary import Do, What
from controller.core.rules.games import Game
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.questions.play.stud import LastUpFirst, LastUpOpener, OthersLast, StudRules, TwoUp
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.piles import hand_of
from controller.core.values.seat_order import after, from_
from controller.core.values.value import replace


def downcard_up(state: State, event: Report, found: Subject, rule: Rule[object]) -> tuple[Ruling, ...]:
    """The dealer dealt or turned a downcard up. `rule`: what the book says to a single one in the first deal."""
    hand, seat, serial = state.hand_in_play, _seat(found), found.lying.serial
    game, book, finding = hand.setup.game, table_of(hand.setup, hand.setup.rulebook.upcards), event.what.value
    if found.nth > _before_the_last(game) and game.streets[-1].deal == ("down",):
        return last_up(hand, book, seat, serial, finding)
    tournament = hand.setup.mode is Mode.TOURNAMENT and book.exposed_tournament.value
    if closed(hand):
        window = hand.setup.rulebook.misdeal.window
        return (ruled(finding, Verdict.MUST_KEEP, window, "too late: the hand is played as it is", seat),)
    if tournament:
        plan_edits.deal_again(state)
        sentence = "a downcard was dealt face up in a tournament: misdeal"
        return (ruled(finding, Verdict.MISDEAL, book.exposed_tournament, sentence, seat),)
    hand.cards = replace(
        hand.cards,
        exposed=(*hand.cards.exposed, serial),
        piles=hand.cards.piles.known(serial, found.lying.card, up=True),
    )
    _note_open_cards(hand, book, seat)
    if len(hand.stud.dealt_up[seat]) == 1:
        return (_one_up(hand, seat, serial, finding, rule),)
    return _more_up(state, book, seat, finding)


def _before_the_last(game: Game) -> int:
    """How many cards a hand has before its last street."""
    return sum(len(street.deal) for street in game.streets[:-1])


def _one_up(hand: Hand, seat: int, serial: int, finding: str, rule: Rule[object]) -> Ruling:
    """The seat's card that was to come up comes down instead; when it lies there already, this one does."""
    for step in hand.plan.every(Deal):
        if step.seat == seat and step.face == "up" and step.of == 0:
            hand.plan = hand.plan.replaced(step, replace(step, face="down"))
            hand.stud = replace(hand.stud, faceup=(*hand.stud.faceup, seat))
            sentence = f"seat {seat} keeps the card face up; the card that was to come up is dealt face down"
            return ruled(finding, Verdict.MUST_KEEP, rule, sentence, seat)
    hand.cards = replace(hand.cards, piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=False))
    sentence = f"the upcard of seat {seat} lies there already: the exposed card is kept face down"
    return ruled(finding, Verdict.MUST_KEEP, rule, sentence, seat)


def _more_up(state: State, book: StudRules, seat: int, finding: str) -> tuple[Ruling, ...]:
    """Two or more cards of one hand are up where one should be."""
    hand = state.hand_in_play
    count = len(hand.stud.dealt_up[seat]) + (book.exposed_two.value is TwoUp.KEPT and _regular_up(hand, seat))
    several = sum(len(cards) > 1 for cards in hand.stud.dealt_up.values())
    for rule, number, what in (
        (book.exposed_three, count, f"seat {seat} was dealt {count} cards up"),
        (book.exposed_hands, several, f"{several} hands were dealt two cards up"),
    ):
        if rule.value and number >= rule.value:
            plan_edits.deal_again(state)
            return (ruled(finding, Verdict.MISDEAL, rule, f"{what}: misdeal", seat),)
    if book.exposed_two.value is TwoUp.REPLACED:
        return (_replaced(hand, book, seat, finding),)
    if book.exposed_two.value is TwoUp.KEPT:
        sentence = f"seat {seat} keeps both cards face up; the third one is dealt face down"
        return (ruled(finding, Verdict.MUST_KEEP, book.exposed_two, sentence, seat),)
    if book.exposed_two.value is TwoUp.MISDEAL:
        plan_edits.deal_again(state)
        sentence = f"both downcards of seat {seat} were dealt up: misdeal"
        return (ruled(finding, Verdict.MISDEAL, book.exposed_two, sentence, seat),)
    plan_edits.dead_hand(hand, seat, money_back=True)
    sentence = f"both downcards of seat {seat} were dealt up: its hand is dead, its ante goes back"
    return (ruled(finding, Verdict.DEAD_HAND, book.exposed_two, sentence, seat),)


def _regular_up(hand: Hand, seat: int) -> bool:
    """Whether the seat's card that was to come up has been dealt, and lies so."""
    return any(lying.up and lying.serial not in hand.cards.exposed for lying in hand.cards.piles.at(hand_of(seat)))


def _replaced(hand: Hand, book: StudRules, seat: int, finding: str) -> Ruling:
    """The second of the two goes, which may be the one that was to come up [AU-19.8, AU-19.15]."""
    second = hand.stud.dealt_up[seat][1]
    if second not in hand.cards.exposed:
        hand.stud = replace(hand.stud, faceup=(*hand.stud.faceup, seat))
    plan_edits.replaced_as_burn(hand, seat, second)
    sentence = f"finish the deal; the top card, face down, replaces the second open card of seat {seat}: the next burn"
    return ruled(finding, Verdict.REPLACE, book.exposed_two, sentence, seat)


def _note_open_cards(hand: Hand, book: StudRules, seat: int) -> None:
    """Note the seat's exposed cards of the first deal; its regular upcard too where the second open one is replaced."""
    regular = book.exposed_two.value is TwoUp.REPLACED
    cards = (
        lying.serial
        for lying in hand.cards.piles.at(hand_of(seat))
        if lying.serial in hand.cards.exposed or (regular and lying.up and lying.serial not in hand.cards.boxed)
    )
    hand.stud = replace(
        hand.stud, dealt_up={**hand.stud.dealt_up, seat: tuple(sorted({*hand.stud.dealt_up.get(seat, ()), *cards}))}
    )


def last_faceup(state: State, event: Report) -> tuple[Ruling, ...]:
    """The last downcard came face up; raises `Refused` (`no-last-card`, `no-live-hand`, `already-ruled`)."""
    hand = state.hand_in_play
    book = table_of(hand.setup, hand.setup.rulebook.upcards)
    found = subject(hand, event)
    game = hand.setup.game
    initial = _before_the_last(game)
    if found.seat is None or game.streets[-1].deal != ("down",) or found.nth <= initial:
        raise Refused("no-last-card", f"`last-faceup` speaks of the last card of a hand, which is its {initial + 1}th.")
    if found.seat not in hand.betting.live:
        raise Refused("no-live-hand", f"seat {found.seat} has no live hand; nobody plays that card.")
    if found.lying.up:
        raise Refused("already-ruled", f"the last card of seat {found.seat} lies face up already.")
    return last_up(hand, book, found.seat, found.lying.serial, event.what.value)


def last_up(hand: Hand, book: StudRules, seat: int, serial: int, finding: str) -> tuple[Ruling, ...]:
    """The last card of a hand came up: who else's does, and who opens."""
    last = len(hand.setup.game.streets) - 1
    hand.cards = replace(hand.cards, piles=hand.cards.piles.known(serial, hand.cards.piles.card(serial).card, up=True))
    if seat in hand.betting.all_in and book.last_up_all_in.value:
        sentence = f"seat {seat} is all-in and keeps the card; all others get theirs as usual"
        return (ruled(finding, Verdict.MUST_KEEP, book.last_up_all_in, sentence, seat),)
    if book.last_up_replaced.value and not acted_on(hand, last) and len(hand.contenders) > 1:
        plan_edits.replaced_as_burn(hand, seat, serial)
        sentence = f"betting remains: another last card, face down, takes the place of the one of seat {seat}"
        return (ruled(finding, Verdict.REPLACE, book.last_up_replaced, sentence, seat),)
    if acted_on(hand, last):
        return (_noticed_late(hand, book, seat, finding, acted_on(hand, last)),)
    if _first(hand, book, seat) and _others_to_come(hand, book, last):
        return (_first_up(hand, book, seat, finding, last),)
    first_to_act.reconsider(hand)
    planner.extend(hand)
    hand.stud = replace(hand.stud, may_declare=hand.stud.may_declare | {seat})
    soon = f"before {declared_all_in.SUBSTANTIAL} act" if book.last_up_late.value else "before the betting starts"
    sentence = f"seat {seat} keeps the card and may be treated as all-in, if it says so {soon}"
    return (ruled(finding, Verdict.MUST_KEEP, book.last_up_option, sentence, seat),)


def _first_up(hand: Hand, book: StudRules, seat: int, finding: str, last: int) -> Ruling:
    """The first of the last cards is up."""
    rule = _last_of_others(hand, book)
    others = "face down"
    if rule.value is OthersLast.UP:
        others = "face up"
        for step in _due_on(hand, last):
            hand.plan = hand.plan.replaced(step, replace(step, face="up"))
    elif book.last_up_option.value:
        hand.stud = replace(hand.stud, may_declare=hand.stud.may_declare | {seat})
    if book.last_up_opener.value is LastUpOpener.PREVIOUS_OPENER:
        hand.stud = replace(hand.stud, led_by_rule={**hand.stud.led_by_rule, last: last - 1})
    first_to_act.reconsider(hand)
    planner.extend(hand)
    return ruled(finding, Verdict.MUST_KEEP, rule, f"seat {seat} keeps the card; all others get theirs {others}", seat)


def _noticed_late(hand: Hand, book: StudRules, seat: int, finding: str, acted: int) -> Ruling:
    """The betting of the last round has begun: so many have acted in it."""
    if book.last_up_late.value and acted < declared_all_in.SUBSTANTIAL:
        hand.stud = replace(hand.stud, may_declare=hand.stud.may_declare | {seat})
        soon = f"before {declared_all_in.SUBSTANTIAL} act"
        sentence = f"seat {seat} keeps the card and may be treated as all-in, if it says so {soon}"
        return ruled(finding, Verdict.MUST_KEEP, book.last_up_option, sentence, seat)
    if not book.last_up_late.value:
        sentence = f"the betting has begun: seat {seat} keeps the card and plays on"
        return ruled(finding, Verdict.MUST_KEEP, book.last_up_option, sentence, seat)
    treated_as_all_in(hand, seat)
    sentence = f"the betting has begun: seat {seat} is treated as all-in for what it has put in"
    return ruled(finding, Verdict.MUST_KEEP, book.last_up_late, sentence, seat)


def declares_all_in(hand: Hand, event: ActEvent) -> bool:
    """Whether the act says that a seat whose last card is up plays for what it has put in: all-in, `to` its bet.

    Without `to` it says so where the seat could not wager all its chips.
    """
    round_, seat = hand.round, event.seat
    if round_ is None or not declared_all_in.open_to(hand, seat):
        return False
    if event.to is None and hand.setup.tracked:
        return not all_in_is_legal(hand, round_, seat, bounds(hand, round_, seat))
    return event.to == hand.chips.bets.get(seat, 0)


def declared(hand: Hand, event: ActEvent) -> tuple[Ruling, ...]:
    """Such a seat takes its option."""
    rule = table_of(hand.setup, hand.setup.rulebook.upcards).last_up_option
    treated_as_all_in(hand, event.seat)
    hand.stud = replace(hand.stud, may_declare=hand.stud.may_declare - {event.seat})
    sentence = f"seat {event.seat} plays for what it has put in and takes no part in the betting"
    return (ruled("last-faceup", Verdict.PLAY_ON, rule, sentence, event.seat),)


def treated_as_all_in(hand: Hand, seat: int) -> None:
    """The seat takes no further part in the betting."""
    hand.betting = replace(hand.betting, all_in=hand.betting.all_in | {seat})
    if hand.round is None:
        return
    hand.round = replace(hand.round, queue=tuple(other for other in hand.round.queue if other != seat))
    betting_round.pruned(hand)
    if hand.plan and isinstance(hand.plan[-1], Turn):
        hand.plan = hand.plan.without_last()
        planner.extend(hand)


def wrong_opener(state: State, event: Report) -> tuple[Ruling, ...]:
    """The wrong seat was made to open; `seat` is the right one, or the wrong one if open cards name the other.

    Raises `Refused` (`no-round`, `opener-right`).
    """
    hand = state.hand_in_play
    book = table_of(hand.setup, hand.setup.rulebook.upcards)
    round_, index = hand.round, hand.streets.planned
    if round_ is None or round_.street != index or not round_.ring:
        raise Refused("no-round", "nobody has been made to open: the cards of this street are still to come.")
    here = hand.betting.acted[hand.betting.acted_before.get(index, 0) :]
    opened = here[0] if here else round_.ring[0]
    right = event.seat
    if right is None or right == opened:
        right = first_to_act.leader(hand, index, hand.setup.game.streets[index].opener)
    if right == opened and not here and hand.stud.led_by_rule.get(index) == index:
        sentence = f"seat {right} opens, as was ruled already"
        return (ruled("wrong-opener", Verdict.CORRECT, book.wrong_opener, sentence, right),)
    if right is None or right == opened or right not in hand.betting.live or right in hand.betting.all_in:
        raise Refused("opener-right", f"by the open cards seat {opened} is the one to open; name the right `seat`.")
    if len(here) > 1 or not book.wrong_opener.value:
        sentence = f"the next player has acted: the wager stands and seat {right} owes nothing"
        return (ruled("wrong-opener", Verdict.PLAY_ON, book.wrong_opener, sentence, right),)
    wagered = hand.chips.bets.get(opened, 0)
    _taken_back(hand, opened, index)
    due = round_.due
    betting_round.opened(hand, index, from_(hand.order, right))
    if round_.due:
        assert hand.round is not None
        hand.round = replace(hand.round, due=due)
        hand.stud = replace(hand.stud, forced=right)
    hand.stud = replace(
        hand.stud, led={**hand.stud.led, index: right}, led_by_rule={**hand.stud.led_by_rule, index: index}
    )
    hand.plan = hand.plan.without(Turn)
    planner.extend(hand)
    back = f"seat {opened} takes its wager back" if wagered else f"seat {opened} does not open"
    sentence = f"{back}; seat {right} opens"
    return (ruled("wrong-opener", Verdict.CORRECT, book.wrong_opener, sentence, right),)


def opener_misread(state: State) -> tuple[Ruling, ...]:
    """An open card is another than was read: whether the forced bet was made by the wrong seat because of it."""
    hand = state.hand
    if hand is None or hand.round is None or not hand.round.due or hand.round.street != hand.streets.planned:
        return ()
    here = hand.betting.acted[hand.betting.acted_before.get(hand.streets.planned, 0) :]
    if not here or not hand.round.queue or not table_of(hand.setup, hand.setup.rulebook.upcards).wrong_opener.value:
        return ()
    right = first_to_act.leader(hand, hand.streets.planned, hand.setup.game.streets[hand.streets.planned].opener)
    if right in (None, here[0]) or right not in hand.contenders or right in hand.stud.faceup:
        return ()
    return wrong_opener(state, Report(What.WRONG_OPENER, seat=right))


def brings_in_wrongly(hand: Hand, event: ActEvent) -> bool:
    """Whether a seat makes the forced bet that another one owes; without a bring-in that is a bet."""
    round_ = hand.round
    if round_ is None or not must_open(round_) or not round_.queue:
        return False
    if event.do is not (Do.BRING_IN if hand.setup.betting.bring_in else Do.BET):
        return False
    return event.seat != round_.queue[0] and event.seat in round_.queue


def brought_in_wrongly(hand: Hand, event: ActEvent) -> tuple[Ruling, ...]:
    """The wrong seat was taken for the low card and bet: it takes the wager back at once."""
    assert hand.round is not None
    rule, right = table_of(hand.setup, hand.setup.rulebook.upcards).wrong_opener, hand.round.queue[0]
    sentence = f"seat {right} has the forced bet: seat {event.seat} takes its wager back"
    return (ruled("wrong-opener", Verdict.CORRECT, rule, sentence, right),)


def follows_wrong_opener(state: State, event: ActEvent) -> int | None:
    """The seat that brought it in for another just before, where the next player has acted on that wager since."""
    previous, round_ = state.undo.previous, state.hand_in_play.round
    if previous is None or previous.state.hand is None or not isinstance(previous.event, ActEvent) or round_ is None:
        return None
    wrong = previous.event.seat
    if not brings_in_wrongly(previous.state.hand, previous.event) or not brings_in_wrongly(
        state.hand_in_play, previous.event
    ):
        return None
    following = next((seat for seat in after(round_.ring, wrong) if seat in round_.queue), None)
    opens = event.do in (Do.BRING_IN, Do.BET) or (event.do is Do.COMPLETE and event.seat == round_.queue[0])
    return wrong if event.seat == following and not opens else None


def wrong_opener_stands(state: State, wrong: int) -> tuple[Ruling, ...]:
    """The next player has acted: the wager stands, and who should have opened owes nothing [R7-8.stud.5, HR-stud.8]."""
    hand, index = state.hand_in_play, state.hand_in_play.streets.planned
    assert hand.round is not None
    right, due, street = hand.round.queue[0], hand.round.due, hand.round.street
    betting_round.opened(hand, street, from_(hand.order, wrong))
    hand.round = replace(hand.round, due=due)
    hand.stud = replace(hand.stud, forced=wrong, led={**hand.stud.led, index: wrong})
    hand.plan = hand.plan.without(Turn)
    planner.extend(hand)
    word = Do.BRING_IN if hand.setup.betting.bring_in else Do.BET
    betting_round.act(hand, ActEvent(wrong, word))
    hand.plan = hand.plan.without(Turn)
    planner.extend(hand)
    rule = table_of(hand.setup, hand.setup.rulebook.upcards).wrong_opener
    sentence = f"the next player has acted: the wager of seat {wrong} stands and seat {right} owes nothing"
    return (ruled("wrong-opener", Verdict.PLAY_ON, rule, sentence, right),)


def _taken_back(hand: Hand, seat: int, index: int) -> None:
    """What a seat wagered on this round goes back to it, and it has not acted."""
    bet = hand.chips.bets.get(seat, 0)
    if hand.setup.tracked:
        hand.chips = replace(hand.chips, stacks={**hand.chips.stacks, seat: hand.chips.stacks[seat] + bet})
    hand.chips = replace(hand.chips, bets={other: amount for other, amount in hand.chips.bets.items() if other != seat})
    hand.betting = replace(hand.betting, all_in=hand.betting.all_in - {seat})
    before = hand.betting.acted_before.get(index, 0)
    hand.betting = replace(hand.betting, acted=hand.betting.acted[:before], acts=hand.betting.acts[:before])


def _first(hand: Hand, book: StudRules, seat: int) -> bool:
    """Whether the seat is the first to get a last card, in some books of those that can still win."""
    order = hand.betting.live if book.last_up_first.value is LastUpFirst.PLAYER else planner.dealing_order(hand)
    return order[0] == seat


def _others_to_come(hand: Hand, book: StudRules, last: int) -> bool:
    """Whether a card is still to be dealt that comes as the first one did; who alone is up has the option instead."""
    if _last_of_others(hand, book).value is OthersLast.DOWN:
        return True
    return bool(_due_on(hand, last))


def _due_on(hand: Hand, street: int) -> tuple[Deal, ...]:
    """The cards of the street that have not been dealt."""
    return tuple(deal for deal in hand.plan.every(Deal) if deal.of == street)


def _last_of_others(hand: Hand, book: StudRules) -> Rule[OthersLast]:
    return book.last_up_heads_up if len(hand.betting.live) == 2 else book.last_up_multiway


def _seat(found: Subject) -> int:
    assert found.seat is not None
    return found.seat
