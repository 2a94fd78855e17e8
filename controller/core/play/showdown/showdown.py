"""The showdown: who shows when, who wins what, and the odd chips."""

from controller.core.model.hand import Hand, PotPart
from controller.core.model.setup import BettingStructure
from controller.core.play.betting import betting_round
from controller.core.play.betting import pots as money
from controller.core.play.posting import position_poker
from controller.core.play.showdown import evaluation, hands_in_doubt, run_it_twice, sevens_rule
from controller.core.protocol.events import HandMucked, HandTabled, WinnerNamed
from controller.core.protocol.facts import HandShown, PotPushed
from controller.core.protocol.steps import AwardStep, ShowStep, Step
from controller.core.protocol.table_error import Refused
from controller.core.rules.games import Ranking
from controller.core.rules.policies.odd_chip import OddChipPolicy
from controller.core.rules.questions.play.showdown_rules import AllInFirstToShow, HandsUpTiming
from controller.core.rules.rulings import Verdict, build_ruling
from controller.core.values.cards import ALL_CARDS
from controller.core.values.piles import MUCK, hand_place
from controller.core.values.plurals import pluralize
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
    [HR-showdown.8#c].
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
        if hands_in_doubt.has_mixed_cards(hand, seat):
            hands_in_doubt.assign_named_cards(hand, seat, cards)
    elif len(cards or ()) != len(pile) or not pile:
        cards = None
    elif hands_in_doubt.is_in_doubt(hand, seat):
        cards, pile = None, ()
    hand.showdown = replace(hand.showdown, tabled_cards_by_seat={**hand.showdown.tabled_cards_by_seat, seat: cards})
    for lying in pile:
        now = hand.cards.piles.get_card(lying.serial)
        hand.cards = replace(hand.cards, piles=hand.cards.piles.identify_card(now.serial, now.card, up=True))
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
        sentence = f"seat {asked} has no right to see the hand of seat {seat}: a caller that still has its cards may"
        raise Refused("no-right", f"{sentence} ask for that of the last to bet or raise ({rule.source}).")
    sentence = f"seat {asked} has called seat {seat} and has a right to see its hand"
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


def name_winner(hand: Hand, event: WinnerNamed) -> None:
    """The dealer names a winner of a pot whose hands nobody can read.

    Raises `Refused` (`cards-to-come`, `no-such-pot`, `cannot-win`, `no-such-board`, `hands-known`).
    """
    if any(step.street_index >= 0 for step in hand.plan):
        raise Refused("cards-to-come", "a winner is named when all cards are out; carry out the steps first.")
    pots = _pots_to_award(hand)
    if event.pot >= len(pots):
        raise Refused("no-such-pot", f"there is no pot {event.pot}; pots are counted from 0 to {len(pots) - 1}.")
    if event.seat not in pots[event.pot].seats:
        eligible = ", ".join(map(str, pots[event.pot].seats))
        raise Refused("cannot-win", f"seat {event.seat} cannot win pot {event.pot}; seats {eligible} can.")
    count = len(hand.showdown.board_start_streets)
    if not (1 if count else 0) <= event.board <= count:
        which = f"name one as `board`, from 1 to {count}" if count else "leave `board` out"
        raise Refused("no-such-board", f"this hand has {pluralize(count or 1, 'board')}: {which}.")
    part = PotPart(event.pot, event.board)
    awards = (award for award in hand.plan.steps_of_type(AwardStep) if pot_part(award) == part)
    if not (
        hand.plan.has_step(ShowStep)
        or any(award.is_unread or part in hand.showdown.winners_by_part for award in awards)
    ):
        raise Refused("hands-known", f"the hands in pot {event.pot} are known and decide it; confirm the award.")
    hand.showdown = replace(
        hand.showdown,
        winners_by_part={
            **hand.showdown.winners_by_part,
            part: tuple(sorted({*hand.showdown.winners_by_part.get(part, ()), event.seat})),
        },
    )
    hand.plan = hand.plan.drop_types(ShowStep, AwardStep).append(*award_steps(hand))


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
        for card in (lying.card for lying in cards if lying.is_face_up)
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
    if hands_in_doubt.has_mixed_cards(hand, event.seat):
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


def _pots_to_award(hand: Hand) -> tuple[money.Pot, ...]:
    return (
        money.build_pots(hand) if hand.setup.tracks_amounts else (money.Pot(0, tuple(sorted(hand.betting.live_seats))),)
    )


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
        else:
            del tabled[seat]
    hand.showdown = replace(hand.showdown, tabled_cards_by_seat=tabled)


def replan_awards(hand: Hand) -> None:
    """A hand is another than it seemed: what was to be pushed is found anew, but for parts begun to be pushed."""
    given = hand.showdown.pushed_chips_by_part
    begun = tuple(award for award in hand.plan.steps_of_type(AwardStep) if pot_part(award) in given)
    others = tuple(award for award in award_steps(hand) if pot_part(award) not in given)
    hand.plan = hand.plan.drop_types(AwardStep).append(*begun, *others)


def award_steps(hand: Hand) -> tuple[AwardStep, ...]:
    """One award a pot share group; side pots first where the book says so.

    A pot whose hands are unknown has an award without amounts, for all seats that may win it, until a winner is named.
    """
    pots = list(enumerate(_pots_to_award(hand)))
    if hand.setup.rulebook.showdown.side_pots.value:
        pots.reverse()
    return tuple(
        step
        for index, pot in pots
        if index not in hand.showdown.settled_pots
        for step in _build_pot_awards(hand, index, pot)
    )


def _build_pot_awards(hand: Hand, index: int, pot: money.Pot) -> tuple[AwardStep, ...]:
    if len(pot.seats) == 1:
        return (AwardStep(index, pot.seats, (pot.amount,) if hand.setup.tracks_amounts else None),)
    parts = run_it_twice.split_among_boards(hand, pot.amount)
    numbers = range(1, len(parts) + 1) if hand.showdown.board_start_streets else (0,)
    return tuple(
        replace(award, board=number)
        for number, amount in zip(numbers, parts, strict=True)
        if PotPart(index, number) not in hand.showdown.pushed_parts
        for award in _build_board_awards(hand, index, number, money.Pot(amount, pot.seats))
    )


def _build_board_awards(hand: Hand, index: int, number: int, pot: money.Pot) -> tuple[AwardStep, ...]:
    """The awards of the part of a pot that one board decides."""
    named = hand.showdown.winners_by_part.get(PotPart(index, number))
    if named is not None:
        return (_share(hand, index, pot.amount, named, _odd_chip_rule(hand, Ranking.HIGH), {}),)
    hands = {seat: hand.showdown.tabled_cards_by_seat.get(seat) for seat in pot.seats}
    laid = run_it_twice.boards(hand)[max(number - 1, 0)]
    board = tuple(lying.card for lying in laid if lying.card is not None)
    known = {seat: cards for seat, cards in hands.items() if cards is not None}
    if len(known) != len(hands) or len(board) != len(laid):
        return (AwardStep(index, pot.seats, None, is_unread=True),)
    winners = []
    for kind in hand.setup.game.rankings:
        strengths = {
            seat: found
            for seat, cards in known.items()
            if (
                found := evaluation.evaluate_hand(
                    kind, cards, board, hand.setup.game.hole_cards_to_play, hand.setup.deck_size
                )
            )
            is not None
        }
        best = max(strengths.values(), default=None)
        if best is not None:
            seats = tuple(sorted(seat for seat, found in strengths.items() if found == best))
            winners.append((kind, seats, {seat: strengths[seat].used_cards for seat in seats}))
    if not winners:
        return (AwardStep(index, pot.seats, None, is_unread=True),)
    chip = hand.setup.stakes.smallest_chip
    low = pot.amount // 2 // chip * chip if len(winners) == 2 else 0
    if len(winners) == 2 and winners[0][1] == winners[1][1] and len(winners[0][1]) > 1:
        return _split_evenly(hand, index, pot.amount, low, winners[0][1], winners[0][2])
    awards: list[AwardStep] = []
    had: frozenset[int] = frozenset()
    for (kind, seats, used), amount in zip(winners, (pot.amount - low, low), strict=False):
        awards.append(_share(hand, index, amount, seats, _odd_chip_rule(hand, kind), used, had))
        had |= _odd_chip_winners(awards[-1], low)
    return tuple(awards)


def _odd_chip_winners(award: AwardStep, half: int) -> frozenset[int]:
    """Who got an odd chip with this award: of the tied ones whoever has more, a single winner where halves differ."""
    amounts = award.amounts or ()
    least = half if len(amounts) == 1 else min(amounts, default=0)
    return frozenset(seat for seat, amount in zip(award.seats, amounts, strict=False) if amount > least)


def _split_evenly(
    hand: Hand, index: int, amount: int, low: int, seats: tuple[int, ...], used: dict[int, tuple[str, ...]]
) -> tuple[AwardStep, ...]:
    """The same hands tie for high and for low: the pot as a whole is split as evenly as possible [R7-10.stud8.8].

    `used`: the own cards that play in the high hands.
    """
    rule = _odd_chip_rule(hand, Ranking.HIGH)
    whole = _share(hand, index, amount, seats, rule, used)
    high = _share(hand, index, amount - low, seats, rule, used)
    if whole.amounts is None or high.amounts is None:
        return whole, high
    rest = tuple(all_ - half for all_, half in zip(whole.amounts, high.amounts, strict=True))
    return high, AwardStep(index, seats, rest)


def _odd_chip_rule(hand: Hand, kind: Ranking) -> OddChipPolicy:
    book, game = hand.setup.rulebook.showdown, hand.setup.game
    if game.has_button:
        return book.odd_chip_exact.value if game.hole_cards_to_play is not None else book.odd_chip_button.value
    return book.odd_chip_stud.value if kind is Ranking.HIGH else book.odd_chip_low.value


def _share(
    hand: Hand,
    index: int,
    amount: int,
    seats: tuple[int, ...],
    odd: OddChipPolicy,
    used: dict[int, tuple[str, ...]],
    had: frozenset[int] = frozenset(),
) -> AwardStep:
    """Equal parts of an amount in whole chips; odd chips go by the rule, less than a chip to the first.

    `had`: who has got an odd chip of this pot already and gets another one last [R7-3.ties.4, HR-ties.4].
    """
    if not hand.setup.tracks_amounts:
        return AwardStep(index, seats, None)
    chip = hand.setup.stakes.smallest_chip
    each, rest = divmod(amount, len(seats) * chip)
    clockwise = tuple(seat for seat in hand.dealing_order if seat in seats)
    cards = {seat: hand.showdown.tabled_cards_by_seat.get(seat) or () for seat in seats}
    if rest and all(cards.values()):
        clockwise = tuple(odd(clockwise, cards, used or cards))
    parts = dict.fromkeys(clockwise, each * chip)
    to_one = hand.setup.rulebook.showdown.odd_chips_to_one.value
    most = rest if to_one else chip
    if not to_one:
        clockwise = (*(seat for seat in clockwise if seat not in had), *(seat for seat in clockwise if seat in had))
    for seat in clockwise:
        extra = min(most, rest)
        parts[seat] += extra
        rest -= extra
    return AwardStep(index, seats, tuple(parts[seat] for seat in seats))


def pot_part(award: AwardStep) -> PotPart:
    """The part of a pot that is pushed with an award."""
    return PotPart(award.pot, award.board)


def pay(hand: Hand, step: AwardStep) -> None:
    """An award has been pushed: its chips are the winners'; raises `Refused` (`winner-unknown`)."""
    if step.is_unread:
        raise Refused("winner-unknown", f"nobody can read the hands in pot {step.pot}: name the winner with `won`.")
    amounts = step.amounts or (0,) * len(step.seats)
    paid = dict(zip(step.seats, amounts, strict=True))
    won = hand.showdown.won_chips_by_seat
    won = {**won, **{seat: won.get(seat, 0) + amount for seat, amount in paid.items()}}
    hand.tell(PotPushed(step.pot, {seat: paid[seat] for seat in won if paid.get(seat)}))
    hand.showdown = replace(
        hand.showdown,
        contribution_by_seat=dict(hand.chips.paid_earlier_by_seat),
        won_chips_by_seat=won,
    )
    part = pot_part(step)
    hand.showdown = replace(
        hand.showdown,
        pushed_chips_by_part={
            **hand.showdown.pushed_chips_by_part,
            part: hand.showdown.pushed_chips_by_part.get(part, 0) + sum(amounts),
        },
    )
    if step.pot == 0:
        hand.showdown = replace(hand.showdown, main_pot_winners=hand.showdown.main_pot_winners | frozenset(step.seats))
    if step.amounts is not None:
        stacks = dict(hand.chips.stack_by_seat)
        for seat, amount in zip(step.seats, step.amounts, strict=True):
            stacks[seat] += amount
        hand.chips = replace(hand.chips, stack_by_seat=stacks)
    later = [pot_part(award) for award in hand.plan.drop_first().steps_of_type(AwardStep)]
    if part not in later:
        hand.showdown = replace(hand.showdown, pushed_parts=hand.showdown.pushed_parts | {part})
    if step.pot not in hand.showdown.settled_pots and step.pot not in (each.pot for each in later):
        hand.showdown = replace(hand.showdown, settled_pots=(*hand.showdown.settled_pots, step.pot))
