"""Who wins what of each pot, and the odd chips."""

from collections.abc import Mapping

from controller.core.model.hand import Hand, PotPart
from controller.core.model.known_cards import card_to_rule_by
from controller.core.play.betting import pot_collection
from controller.core.play.betting import pots as money
from controller.core.play.showdown import evaluation, run_it_twice
from controller.core.play.showdown.evaluation import HandStrength
from controller.core.protocol.events import WinnerNamed
from controller.core.protocol.facts import PotPushed
from controller.core.protocol.steps import AwardStep, CollectStep, ShowStep
from controller.core.protocol.table_error import Refused
from controller.core.rules.games import Ranking
from controller.core.rules.policies.odd_chip import OddChipPolicy
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.questions.play.showdown_rules import OddLowChip
from controller.core.values.plurals import pluralize
from controller.core.values.value import replace


def name_winner(hand: Hand, event: WinnerNamed) -> None:
    """The dealer names a winner of a pot whose hands nobody can read.

    Raises `Refused` (`cards-to-come`, `no-such-pot`, `cannot-win`, `no-such-board`, `hands-known`).
    """
    if any(step.street_index >= 0 for step in hand.plan):
        raise Refused("cards-to-come", "a winner is named when all cards are out; carry out the steps first.")
    pots = list_pots_to_award(hand)
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
    hand.plan = hand.plan.drop_types(ShowStep, AwardStep, CollectStep).append(*award_steps(hand))


def list_pots_to_award(hand: Hand) -> tuple[money.Pot, ...]:
    """The pots of a hand that is on, the main pot first; where amounts are untracked there is one, without chips."""
    return (
        money.build_pots(hand) if hand.setup.tracks_amounts else (money.Pot(0, tuple(sorted(hand.betting.live_seats))),)
    )


def replan_awards(hand: Hand) -> None:
    """A hand is another than it seemed: what was to be pushed is found anew, but for parts begun to be pushed."""
    given = hand.showdown.pushed_chips_by_part
    begun = tuple(award for award in hand.plan.steps_of_type(AwardStep) if pot_part(award) in given)
    others = tuple(award for award in award_steps(hand) if pot_part(award) not in given)
    hand.plan = hand.plan.drop_types(AwardStep, CollectStep).append(*begun, *others)


def award_steps(hand: Hand) -> tuple[AwardStep, ...]:
    """One award a pot share group; side pots first where the book says so.

    A pot whose hands are unknown has an award without amounts, for all seats that may win it, until a winner is named.
    """
    awards = _build_awards(hand, {})
    if hand.setup.collection is None:
        return awards
    taken = pot_collection.plan_pot_collection(hand, _find_shared_pots(hand, awards))
    return _build_awards(hand, taken) if taken else awards


def _find_shared_pots(hand: Hand, awards: tuple[AwardStep, ...]) -> frozenset[int]:
    """Pots that all who have put a chip in share with equal hands, where the book lets the house take none [AU-8.8]."""
    if not hand.setup.rulebook.collection.equal_hands_free.value:
        return frozenset()
    paid, floor, shared = hand.chips.paid_earlier_by_seat, 0, set()
    for index, pot in enumerate(money.build_pots(hand)):
        winners = {award.seats for award in awards if award.pot == index and not award.is_unread}
        others = {seat for seat, chips in paid.items() if chips > floor and seat not in pot.seats}
        strange = index == 0 and hand.chips.dead_chips > sum(hand.chips.dead_post_by_seat.get(s, 0) for s in pot.seats)
        if len(pot.seats) > 1 and winners == {pot.seats} and not others and not strange:
            shared.add(index)
        floor = min((paid.get(seat, 0) for seat in pot.seats), default=floor)
    return frozenset(shared)


def _build_awards(hand: Hand, taken: Mapping[int, int]) -> tuple[AwardStep, ...]:
    """The awards of what is left of each pot once the house has taken its part."""
    pots = [
        (index, money.Pot(pot.amount - taken.get(index, 0), pot.seats))
        for index, pot in enumerate(list_pots_to_award(hand))
    ]
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
        for award in _leave_out_pushed(
            hand, number, _build_board_awards(hand, index, number, money.Pot(amount, pot.seats))
        )
    )


def _leave_out_pushed(hand: Hand, number: int, awards: tuple[AwardStep, ...]) -> tuple[AwardStep, ...]:
    """The awards of a board's part; of what is left of it where its high half was pushed before awards are found anew.

    A `won` of another pot finds them anew.
    """
    last = awards[-1]
    pushed = hand.showdown.pushed_chips_by_part.get(PotPart(last.pot, number))
    if pushed is None:
        return awards
    if last.amounts is None:
        return (last,)
    left = sum(sum(award.amounts or ()) for award in awards) - pushed
    if left == sum(last.amounts):
        return (last,)
    return (_share(hand, last.pot, left, last.seats, hand.setup.game.rankings[-1], {}),)


def _build_board_awards(hand: Hand, index: int, number: int, pot: money.Pot) -> tuple[AwardStep, ...]:
    """The awards of the part of a pot that one board decides."""
    named = hand.showdown.winners_by_part.get(PotPart(index, number))
    if named is not None:
        return (_share(hand, index, pot.amount, named, hand.setup.game.rankings[0], {}),)
    ranked = rank_tabled_hands(hand, pot.seats, number)
    if ranked is None:
        return (AwardStep(index, pot.seats, None, is_unread=True),)
    winners = []
    for kind, strengths in ranked:
        seats = find_best_seats(strengths)
        if seats:
            winners.append((kind, seats, {seat: strengths[seat].used_cards for seat in seats}))
    if not winners:
        return (AwardStep(index, pot.seats, None, is_unread=True),)
    chip = hand.setup.stakes.smallest_chip
    low = pot.amount // 2 // chip * chip if len(winners) == 2 else 0
    if len(winners) == 2 and winners[0][1] == winners[1][1] and len(winners[0][1]) > 1:
        return _split_evenly(hand, index, pot.amount, low, winners[0][1], winners[0][2])
    awards: list[AwardStep] = []
    had: frozenset[int] = frozenset()
    parts = (pot.amount - low, low)
    if len(winners) == 2 and _is_odd_chip_second(hand, winners[0][1], winners[1][1]):
        parts = parts[::-1]
    for (kind, seats, used), amount in zip(winners, parts, strict=False):
        awards.append(_share(hand, index, amount, seats, kind, used, had))
        had |= _odd_chip_winners(awards[-1], low)
    return tuple(awards)


def rank_tabled_hands(
    hand: Hand, seats: tuple[int, ...], number: int
) -> tuple[tuple[Ranking, dict[int, HandStrength]], ...] | None:
    """How good the tabled hands of some seats are on board `number` (0: the only one), by each ranking of the game.

    A seat whose cards make no hand of a ranking is not in it. `None` where a hand or a card of the board is not known.
    """
    laid = run_it_twice.boards(hand)[max(number - 1, 0)]
    board = tuple(card for card in (card_to_rule_by(hand, lying) for lying in laid) if card is not None)
    hands = {seat: hand.showdown.tabled_cards_by_seat.get(seat) for seat in seats}
    known = {seat: cards for seat, cards in hands.items() if cards is not None}
    if len(known) != len(hands) or len(board) != len(laid):
        return None
    game, size = hand.setup.game, hand.setup.deck_size
    found = []
    for kind in game.rankings:
        strengths = {
            seat: evaluation.evaluate_hand(kind, cards, board, game.hole_cards_to_play, size)
            for seat, cards in known.items()
        }
        found.append((kind, {seat: strength for seat, strength in strengths.items() if strength is not None}))
    return tuple(found)


def find_best_seats(strengths: Mapping[int, HandStrength]) -> tuple[int, ...]:
    """The seats with the best hand, ascending; none where nobody has a hand."""
    best = max(strengths.values(), default=None)
    return tuple(sorted(seat for seat, found in strengths.items() if found == best))


def _is_odd_chip_second(hand: Hand, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Whether the odd chip between the halves goes to the second: the high hand has it, of two lows by the book."""
    book, game = hand.setup.rulebook.showdown, hand.setup.game
    if Ranking.HIGH in game.rankings:
        return False
    is_badugi = not game.has_button and any(kind in evaluation.RANK_ORDER_BY_BADUGI for kind in game.rankings)
    rule = book.odd_chip_badugi if is_badugi else book.odd_chip_low_low
    if rule.value is OddLowChip.FIVE_CARDS:
        return False
    return next(seat for seat in hand.dealing_order if seat in (*first, *second)) not in first


def _odd_chip_winners(award: AwardStep, half: int) -> frozenset[int]:
    """Who got an odd chip with this award: of the tied ones whoever has more, a single winner where halves differ."""
    amounts = award.amounts or ()
    least = half if len(amounts) == 1 else min(amounts, default=0)
    return frozenset(seat for seat, amount in zip(award.seats, amounts, strict=False) if amount > least)


def _split_evenly(
    hand: Hand, index: int, amount: int, low: int, seats: tuple[int, ...], used: dict[int, tuple[str, ...]]
) -> tuple[AwardStep, ...]:
    """The same hands tie for both halves: the pot as a whole is split as evenly as possible [R7-10.stud8.8].

    `used`: the own cards that play in the hands of the first half, the high one where there is one.
    """
    kind = hand.setup.game.rankings[0]
    whole = _share(hand, index, amount, seats, kind, used)
    high = _share(hand, index, amount - low, seats, kind, used)
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
    kind: Ranking,
    used: dict[int, tuple[str, ...]],
    had: frozenset[int] = frozenset(),
) -> AwardStep:
    """Equal parts of an amount in whole chips; odd chips go by the rule for that kind, less than a chip to the first.

    `had`: who has got an odd chip of this pot already and gets another one last [R7-3.ties.4, HR-ties.4].
    """
    if not hand.setup.tracks_amounts:
        return AwardStep(index, seats, None)
    chip = hand.setup.stakes.smallest_chip
    each, rest = divmod(amount, len(seats) * chip)
    clockwise = tuple(seat for seat in hand.dealing_order if seat in seats)
    cards = {seat: hand.showdown.tabled_cards_by_seat.get(seat) or () for seat in seats}
    is_shared = (
        len(seats) > 1 and hand.setup.mode is GameMode.TOURNAMENT
    )  # a bounty is shared where no chip is odd, too
    order = clockwise
    if (rest or is_shared) and all(cards.values()):
        order = tuple(_odd_chip_rule(hand, kind)(clockwise, cards, used or cards, kind.is_ace_low))
    clockwise = order if rest else clockwise
    parts = dict.fromkeys(clockwise, each * chip)
    to_one = hand.setup.rulebook.showdown.odd_chips_to_one.value
    most = rest if to_one else chip
    if not to_one:
        clockwise = (*(seat for seat in clockwise if seat not in had), *(seat for seat in clockwise if seat in had))
    for seat in clockwise:
        extra = min(most, rest)
        parts[seat] += extra
        rest -= extra
    return AwardStep(index, seats, tuple(parts[seat] for seat in seats), odd_order=order if is_shared else ())


def pot_part(award: AwardStep) -> PotPart:
    """The part of a pot that is pushed with an award."""
    return PotPart(award.pot, award.board)


def pay_empty_awards(hand: Hand) -> None:
    """The house took all of a pot: nothing is left to be pushed, and the dealer is asked for nothing."""
    while (award := hand.plan.next_step_if(AwardStep)) is not None and award.amounts is not None:
        if any(award.amounts) or award.is_unread:
            return
        pay(hand, award)
        hand.plan = hand.plan.drop_first()


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
        pushed_awards=(*hand.showdown.pushed_awards, step),
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
