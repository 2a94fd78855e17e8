"""The showdown: who shows when, who wins what, and the odd chips."""

from controller.core.model.hand import Hand, PotPart
from controller.core.model.setup import Structure
from controller.core.play.betting import betting_round
from controller.core.play.betting import pots as money
from controller.core.play.posting import position_poker
from controller.core.play.showdown import evaluation, hands_in_doubt, run_it_twice, sevens_rule
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Muck, Show, Won
from controller.core.protocol.steps import Award, Step
from controller.core.protocol.steps import Show as ShowStep
from controller.core.rules.games import Ranking
from controller.core.rules.policies.odd_chip import OddChip
from controller.core.rules.questions.play.showdown import AllInFirst, HandsUp
from controller.core.rules.rulings import Verdict, ruled
from controller.core.values.cards import CARDS
from controller.core.values.counted import counted
from controller.core.values.piles import MUCK, hand_of
from controller.core.values.seat_order import from_
from controller.core.values.value import replace


def turned_up_early(hand: Hand) -> bool:
    """Whether the book now turns all live hands up, streets being still to come."""
    book = hand.setup.rulebook.showdown
    rule = hand.setup.for_mode(book.hands_up_cash, book.hands_up_tournament)
    able = sum(seat not in hand.betting.all_in for seat in hand.betting.live)
    return rule.value is HandsUp.ALL_IN and able < 2


def show_steps(hand: Hand) -> tuple[Step, ...]:
    """All live hands in the order in which they show: the first by the rulebook, the others clockwise from there.

    Without a wager on the last round that is who acted first on it, and where nobody did, who would have
    [R7-3.showdown.8#a]. Where the book says so, those in a side pot come before those in the main pot only
    [HR-showdown.8#c].
    """
    round_ = hand.round
    waiting = tuple(seat for seat in hand.betting.live if seat not in hand.showdown.tabled)
    if not waiting:
        return ()
    first = position_poker.later(hand, waiting)[0]
    if round_ is not None and round_.street == len(hand.setup.game.streets) - 1:
        acting = next((seat for seat in (*round_.acted, *round_.ring) if seat in waiting), first)
        called = hand.showdown.called if hand.setup.rulebook.showdown.all_in_first.value is AllInFirst.CALLED else None
        if called in waiting and len(hand.betting.acted) == hand.betting.acted_before.get(round_.street):
            acting = called
        first = round_.aggressor if round_.aggressor in waiting else acting
    pushed = _pushed_all_in(hand)
    if pushed in waiting:
        first = pushed
    in_order = from_(waiting, first)
    if hand.setup.rulebook.showdown.side_pot_shows_first.value:
        aside = {seat for pot in money.pots(hand)[1:] for seat in pot.seats}
        in_order = (*(s for s in in_order if s in aside), *(s for s in in_order if s not in aside))
    return tuple(ShowStep(seat) for seat in in_order)


def _pushed_all_in(hand: Hand) -> int | None:
    """Who put the last wager of the betting all-in, which ended before the last round, where the book asks for it."""
    rule, last = hand.setup.rulebook.showdown.all_in_first, len(hand.setup.game.streets) - 1
    if rule.value is not AllInFirst.ALL_IN_AGGRESSOR or hand.setup.betting.structure is not Structure.NO_LIMIT:
        return None
    acted_last = len(hand.betting.acted) > hand.betting.acted_before.get(last, len(hand.betting.acted))
    pushed = hand.showdown.called
    return pushed if pushed in hand.betting.all_in and not acted_last else None


def note_called(hand: Hand) -> None:
    """Note whose wager was called on the round that ends, before its bets are collected [AU-16.5(d)]."""
    bettor = None if hand.round is None else hand.round.aggressor
    if bettor in hand.betting.live and any(
        hand.chips.bets.get(seat, 0) for seat in hand.betting.live if seat != bettor
    ):
        hand.showdown = replace(hand.showdown, called=bettor)


def show(hand: Hand, event: Show) -> None:
    """A seat tables its hand; raises `Refused` (`not-to-show`, `cards-differ`, `no-right`)."""
    seat, pile = event.seat, hand.cards.piles.at(hand_of(event.seat))
    _must_wait_to_show(hand, seat)
    if event.asked is not None:
        _paid_to_see(hand, seat, event.asked)
    cards: tuple[str, ...] | None = tuple(lying.card for lying in pile if lying.card is not None)
    if event.cards:
        _fits(hand, event)
        cards = event.cards
        if hands_in_doubt.mixed(hand, seat):
            hands_in_doubt.named(hand, seat, cards)
    elif len(cards or ()) != len(pile) or not pile:
        cards = None
    elif hands_in_doubt.in_doubt(hand, seat):
        cards, pile = None, ()
    hand.showdown = replace(hand.showdown, tabled={**hand.showdown.tabled, seat: cards})
    for lying in pile:
        now = hand.cards.piles.card(lying.serial)
        hand.cards = replace(hand.cards, piles=hand.cards.piles.known(now.serial, now.card, up=True))
    _no_more_to_show(hand, seat)
    _when_all_have_shown(hand)


def _paid_to_see(hand: Hand, seat: int, asked: int) -> None:
    """Who called the last aggressor of the last round, and has not given up a hand, has a right to see that hand.

    Raises `Refused` (`no-right`) [TDA-18-B].
    """
    rule, round_, last = hand.setup.rulebook.showdown.caller_sees, hand.round, len(hand.setup.game.streets) - 1
    held = asked in hand.betting.live and asked != seat
    if not rule.value or not held or round_ is None or round_.street != last or round_.aggressor != seat:
        sentence = f"seat {asked} has no right to see the hand of seat {seat}: a caller that still has its cards may"
        raise Refused("no-right", f"{sentence} ask for that of the last to bet or raise ({rule.source}).")
    sentence = f"seat {asked} has called seat {seat} and has a right to see its hand"
    hand.said = (*hand.said, ruled("asked-to-show", Verdict.BIND, rule, sentence, seat))


def is_joker_shown(hand: Hand, event: Show) -> bool:
    """Whether a seat that must show now shows a joker, which the deck lacks, for a card that nothing had read.

    Raises `Refused` (`not-to-show`).
    """
    pile = hand.cards.piles.at(hand_of(event.seat))
    unread = any(lying.card is None for lying in pile) and len(event.cards) == len(pile)
    if "joker" not in event.cards or hand.setup.joker or not unread:
        return False
    _must_wait_to_show(hand, event.seat)
    return True


def muck(hand: Hand, event: Muck) -> None:
    """A seat gives its hand up; raises `Refused` (`not-to-show`, `nobody-else`, `hands-up`)."""
    _must_wait_to_show(hand, event.seat)
    if len(hand.betting.live) == 1:
        raise Refused("nobody-else", f"seat {event.seat} holds the last live hand and takes the pot.")
    if hand.showdown.hands_up:
        book = hand.setup.rulebook.showdown
        source = hand.setup.for_mode(book.hands_up_cash, book.hands_up_tournament).source
        raise Refused("hands-up", f"seat {event.seat} is all-in or called one who is: its hand is shown ({source}).")
    betting_round.given_up(hand, event.seat, mucked=True)
    hand.betting = replace(hand.betting, live=tuple(seat for seat in hand.betting.live if seat != event.seat))
    hand.cards = replace(hand.cards, piles=hand.cards.piles.emptied(hand_of(event.seat), MUCK, up=False))
    _no_more_to_show(hand, event.seat)
    if len(hand.betting.live) == 1:
        hand.plan = hand.plan.without(ShowStep)
    _when_all_have_shown(hand)


def won(hand: Hand, event: Won) -> None:
    """The dealer names a winner of a pot whose hands nobody can read.

    Raises `Refused` (`cards-to-come`, `no-such-pot`, `cannot-win`, `no-such-board`, `hands-known`).
    """
    if any(step.of >= 0 for step in hand.plan):
        raise Refused("cards-to-come", "a winner is named when all cards are out; carry out the steps first.")
    pots = _pots(hand)
    if event.pot >= len(pots):
        raise Refused("no-such-pot", f"there is no pot {event.pot}; pots are counted from 0 to {len(pots) - 1}.")
    if event.seat not in pots[event.pot].seats:
        eligible = ", ".join(map(str, pots[event.pot].seats))
        raise Refused("cannot-win", f"seat {event.seat} cannot win pot {event.pot}; seats {eligible} can.")
    count = len(hand.showdown.boards_from)
    if not (1 if count else 0) <= event.board <= count:
        which = f"name one as `board`, from 1 to {count}" if count else "leave `board` out"
        raise Refused("no-such-board", f"this hand has {counted(count or 1, 'board')}: {which}.")
    part = PotPart(event.pot, event.board)
    awards = (award for award in hand.plan.every(Award) if part_of(award) == part)
    if not (hand.plan.has(ShowStep) or any(award.unread or part in hand.showdown.won for award in awards)):
        raise Refused("hands-known", f"the hands in pot {event.pot} are known and decide it; confirm the award.")
    hand.showdown = replace(
        hand.showdown, won={**hand.showdown.won, part: tuple(sorted({*hand.showdown.won.get(part, ()), event.seat}))}
    )
    hand.plan = hand.plan.without(ShowStep, Award).then(*award_steps(hand))


NAMED_WINNERS = ("kill", "position_poker")
"""What a house plays whose next hand depends on who won this one."""


def over_unseen(hand: Hand) -> None:
    """The dealer has seen the showdown, and nobody tells the table of it: the hand goes on to what is left of it.

    Raises `Refused` (`winner-unknown`) where openers must be proved, or the next hand needs to know who won.
    """
    rest = hand.plan.without(ShowStep)
    needs = [key for key, value in hand.setup.house if key in NAMED_WINNERS and value]
    if rest.every(Award):
        raise Refused("winner-unknown", "the opener must prove openers before the pot is pushed: enter `show`.")
    if needs and not rest:
        raise Refused("winner-unknown", f"{needs[0]} is played here: name the winner with `won`.")
    hand.plan = rest


def _no_more_to_show(hand: Hand, seat: int) -> None:
    for step in hand.plan.every(ShowStep):
        if step.seat == seat:
            hand.plan = hand.plan.replaced(step)


def _must_wait_to_show(hand: Hand, seat: int) -> None:
    due = tuple(step.seat for step in hand.plan.every(ShowStep))
    if seat not in due:
        seats = ", ".join(map(str, due)) or "none"
        raise Refused("not-to-show", f"seat {seat} has nothing to show now; seats still to show: {seats}.")


def _fits(hand: Hand, event: Show) -> None:
    """Refuse cards that cannot be this hand; never says which cards lie face down."""
    pile = hand.cards.piles.at(hand_of(event.seat))
    if len(event.cards) != len(pile) or len(set(event.cards)) != len(event.cards) or not set(event.cards) <= CARDS:
        raise Refused(
            "cards-differ", f"seat {event.seat} holds {len(pile)} cards; `cards` must name each of them once."
        )
    elsewhere = {
        card
        for place, cards in hand.cards.piles.out.items()
        if place != hand_of(event.seat)
        for card in (lying.card for lying in cards if lying.up)
    }
    tabled = {card for seat, cards in hand.showdown.tabled.items() if seat != event.seat for card in cards or ()}
    twice = sorted({*event.cards} & {*elsewhere, *tabled})
    if twice:
        raise Refused(
            "cards-differ",
            f"{', '.join(twice)} lies open elsewhere: name the right card, or report `duplicate` if the deck has two.",
        )
    known = {lying.card for lying in pile if lying.card is not None}
    if hands_in_doubt.mixed(hand, event.seat):
        return
    if not known <= set(event.cards):
        raise Refused(
            "cards-differ",
            f"the cards named for seat {event.seat} are not those the shoe read; report `misread` first.",
        )


def _when_all_have_shown(hand: Hand) -> None:
    if not hand.plan:
        sevens_rule.void(hand)
        hand.plan = hand.plan.then(*award_steps(hand))


def _pots(hand: Hand) -> tuple[money.Pot, ...]:
    return money.pots(hand) if hand.setup.tracked else (money.Pot(0, tuple(sorted(hand.betting.live))),)


def completed(hand: Hand) -> None:
    """Hands that were turned up before the last cards came have those, too; whose cards nobody read shows once more."""
    tabled = dict(hand.showdown.tabled)
    for seat, shown in hand.showdown.tabled.items():
        pile = hand.cards.piles.at(hand_of(seat))
        if shown is None or len(pile) == len(shown):
            continue
        whole = tuple(lying.card for lying in pile)
        cards = whole if None not in whole else (*shown, *whole[len(shown) :])
        read = tuple(card for card in cards if card is not None)
        if len(read) == len(pile):
            tabled[seat] = read
        else:
            del tabled[seat]
    hand.showdown = replace(hand.showdown, tabled=tabled)


def awards_again(hand: Hand) -> None:
    """A hand is another than it seemed: what was to be pushed is found anew, but for parts begun to be pushed."""
    given = hand.showdown.given
    begun = tuple(award for award in hand.plan.every(Award) if part_of(award) in given)
    others = tuple(award for award in award_steps(hand) if part_of(award) not in given)
    hand.plan = hand.plan.without(Award).then(*begun, *others)


def award_steps(hand: Hand) -> tuple[Award, ...]:
    """One award a pot share group; side pots first where the book says so.

    A pot whose hands are unknown has an award without amounts, for all seats that may win it, until a winner is named.
    """
    pots = list(enumerate(_pots(hand)))
    if hand.setup.rulebook.showdown.side_pots.value:
        pots.reverse()
    return tuple(
        step for index, pot in pots if index not in hand.showdown.settled for step in _awards(hand, index, pot)
    )


def _awards(hand: Hand, index: int, pot: money.Pot) -> tuple[Award, ...]:
    if len(pot.seats) == 1:
        return (Award(index, pot.seats, (pot.amount,) if hand.setup.tracked else None),)
    parts = run_it_twice.parts(hand, pot.amount)
    numbers = range(1, len(parts) + 1) if hand.showdown.boards_from else (0,)
    return tuple(
        replace(award, board=number)
        for number, amount in zip(numbers, parts, strict=True)
        if PotPart(index, number) not in hand.showdown.pushed
        for award in _awards_of(hand, index, number, money.Pot(amount, pot.seats))
    )


def _awards_of(hand: Hand, index: int, number: int, pot: money.Pot) -> tuple[Award, ...]:
    """The awards of the part of a pot that one board decides."""
    named = hand.showdown.won.get(PotPart(index, number))
    if named is not None:
        return (_share(hand, index, pot.amount, named, _odd_rule(hand, Ranking.HIGH), {}),)
    hands = {seat: hand.showdown.tabled.get(seat) for seat in pot.seats}
    laid = run_it_twice.boards(hand)[max(number - 1, 0)]
    board = tuple(lying.card for lying in laid if lying.card is not None)
    known = {seat: cards for seat, cards in hands.items() if cards is not None}
    if len(known) != len(hands) or len(board) != len(laid):
        return (Award(index, pot.seats, None, unread=True),)
    winners = []
    for kind in hand.setup.game.rankings:
        strengths = {
            seat: found
            for seat, cards in known.items()
            if (found := evaluation.strength(kind, cards, board, hand.setup.game.hole, hand.setup.deck)) is not None
        }
        best = max(strengths.values(), default=None)
        if best is not None:
            seats = tuple(sorted(seat for seat, found in strengths.items() if found == best))
            winners.append((kind, seats, {seat: strengths[seat].used for seat in seats}))
    if not winners:
        return (Award(index, pot.seats, None, unread=True),)
    chip = hand.setup.betting.chip
    low = pot.amount // 2 // chip * chip if len(winners) == 2 else 0
    if len(winners) == 2 and winners[0][1] == winners[1][1] and len(winners[0][1]) > 1:
        return _split_evenly(hand, index, pot.amount, low, winners[0][1], winners[0][2])
    awards: list[Award] = []
    had: frozenset[int] = frozenset()
    for (kind, seats, used), amount in zip(winners, (pot.amount - low, low), strict=False):
        awards.append(_share(hand, index, amount, seats, _odd_rule(hand, kind), used, had))
        had |= _got_odd(awards[-1], low)
    return tuple(awards)


def _got_odd(award: Award, half: int) -> frozenset[int]:
    """Who got an odd chip with this award: of the tied ones whoever has more, a single winner where halves differ."""
    amounts = award.amounts or ()
    least = half if len(amounts) == 1 else min(amounts, default=0)
    return frozenset(seat for seat, amount in zip(award.seats, amounts, strict=False) if amount > least)


def _split_evenly(
    hand: Hand, index: int, amount: int, low: int, seats: tuple[int, ...], used: dict[int, tuple[str, ...]]
) -> tuple[Award, ...]:
    """The same hands tie for high and for low: the pot as a whole is split as evenly as possible [R7-10.stud8.8].

    `used`: the own cards that play in the high hands.
    """
    rule = _odd_rule(hand, Ranking.HIGH)
    whole = _share(hand, index, amount, seats, rule, used)
    high = _share(hand, index, amount - low, seats, rule, used)
    if whole.amounts is None or high.amounts is None:
        return whole, high
    rest = tuple(all_ - half for all_, half in zip(whole.amounts, high.amounts, strict=True))
    return high, Award(index, seats, rest)


def _odd_rule(hand: Hand, kind: Ranking) -> OddChip:
    book, game = hand.setup.rulebook.showdown, hand.setup.game
    if game.button:
        return book.odd_chip_exact.value if game.hole is not None else book.odd_chip_button.value
    return book.odd_chip_stud.value if kind is Ranking.HIGH else book.odd_chip_low.value


def _share(
    hand: Hand,
    index: int,
    amount: int,
    seats: tuple[int, ...],
    odd: OddChip,
    used: dict[int, tuple[str, ...]],
    had: frozenset[int] = frozenset(),
) -> Award:
    """Equal parts of an amount in whole chips; odd chips go by the rule, less than a chip to the first.

    `had`: who has got an odd chip of this pot already and gets another one last [R7-3.ties.4, HR-ties.4].
    """
    if not hand.setup.tracked:
        return Award(index, seats, None)
    chip = hand.setup.betting.chip
    each, rest = divmod(amount, len(seats) * chip)
    clockwise = tuple(seat for seat in hand.order if seat in seats)
    cards = {seat: hand.showdown.tabled.get(seat) or () for seat in seats}
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
    return Award(index, seats, tuple(parts[seat] for seat in seats))


def part_of(award: Award) -> PotPart:
    """The part of a pot that is pushed with an award."""
    return PotPart(award.pot, award.board)


def pay(hand: Hand, step: Award) -> None:
    """An award has been pushed: its chips are the winners'; raises `Refused` (`winner-unknown`)."""
    if step.unread:
        raise Refused("winner-unknown", f"nobody can read the hands in pot {step.pot}: name the winner with `won`.")
    amounts = step.amounts or (0,) * len(step.seats)
    hand.showdown = replace(
        hand.showdown,
        put_in=dict(hand.chips.paid),
        took={
            **hand.showdown.took,
            **{s: hand.showdown.took.get(s, 0) + n for s, n in zip(step.seats, amounts, strict=True)},
        },
    )
    part = part_of(step)
    hand.showdown = replace(
        hand.showdown, given={**hand.showdown.given, part: hand.showdown.given.get(part, 0) + sum(amounts)}
    )
    if step.pot == 0:
        hand.showdown = replace(hand.showdown, main_pot_to=hand.showdown.main_pot_to | frozenset(step.seats))
    if step.amounts is not None:
        stacks = dict(hand.chips.stacks)
        for seat, amount in zip(step.seats, step.amounts, strict=True):
            stacks[seat] += amount
        hand.chips = replace(hand.chips, stacks=stacks)
    later = [part_of(award) for award in hand.plan.done().every(Award)]
    if part not in later:
        hand.showdown = replace(hand.showdown, pushed=hand.showdown.pushed | {part})
    if step.pot not in hand.showdown.settled and step.pot not in (each.pot for each in later):
        hand.showdown = replace(hand.showdown, settled=(*hand.showdown.settled, step.pot))
