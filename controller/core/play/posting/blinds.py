"""Forced bets: antes, blinds, posts and straddles, and the first betting round that they open."""

from collections.abc import Mapping

from controller.core.model.hand import Hand
from controller.core.model.plan import NO_STEPS
from controller.core.model.setup import AnteBy, Setup, Structure
from controller.core.play.betting import betting_round, pots
from controller.core.play.posting import kill_pots, position_poker
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import Post
from controller.core.rules.games import Opener
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.questions.rule import Rule
from controller.core.values.chair import Chair
from controller.core.values.counted import counted
from controller.core.values.seat_order import after
from controller.core.values.value import replace


def post(hand: Hand, posting: tuple[Chair, ...], missed: Mapping[int, int]) -> None:
    """Antes with those `missed`, blinds, then the posts of those who make up blinds or enter."""
    stakes = hand.setup.betting
    if hand.setup.tracked:
        _antes(hand, missed)
        if hand.positions.small is not None and stakes.small_blind:
            pots.wager(hand, hand.positions.small, stakes.small_blind)
        for seat in hand.positions.big:
            if stakes.big_blind:
                pots.wager(hand, seat, stakes.big_blind)
        for chair in posting:
            live, dead = to_post(hand.setup, chair, hand.chips.bets.get(chair.seat, 0))
            pots.wager(hand, chair.seat, live)
            if dead:
                pots.dead_post(hand, chair.seat, dead)
        if stakes.button_ante:
            for seat in hand.order:
                pots.wager(hand, seat, stakes.ante * (2 if seat == hand.positions.button else 1))
        if stakes.ante and stakes.ante_by is AnteBy.BIG_BLIND and hand.positions.big:
            payer = last_blind(hand)
            assert payer is not None
            pots.dead_post(hand, payer, stakes.ante)
    elif stakes.button_ante:
        hand.chips = replace(
            hand.chips,
            bets={seat: betting_round.UNTRACKED_WAGER if seat == hand.positions.button else 1 for seat in hand.order},
        )
    elif hand.positions.big:
        whole = [chair.seat for chair in posting if chair.fresh or chair.owes_big]
        hand.chips = replace(
            hand.chips, bets=dict.fromkeys((*hand.positions.big, *whole), betting_round.UNTRACKED_WAGER)
        )
        hand.chips = replace(
            hand.chips, bets=hand.chips.bets | ({chair.seat: 1 for chair in posting if chair.seat not in whole})
        )
        if hand.positions.small is not None and hand.positions.small not in whole:
            hand.chips = replace(hand.chips, bets={**hand.chips.bets, hand.positions.small: 1})


def to_post(setup: Setup, chair: Chair, blind: int) -> tuple[int, int]:
    """What a chair posts to come in, beside a regular `blind` that it has posted: (live, dead).

    A newcomer posts the big blind [R7-4.blinds.5b], or kills the pot, and then the kill is all of it. A player who
    missed blinds posts all of them; up to the opening bet is live, the rest goes dead to the pot [R7-4.blinds.10,
    HR-blinds.9].
    """
    stakes, people = setup.betting, setup.rulebook.people
    if kill_pots.comes_in_by(setup, chair) or (chair.pledges and setup.game.form in setup.rulebook.lowball):
        return 0, 0
    if chair.fresh:
        book = setup.rulebook.procedure[setup.game.form]
        big_bet = stakes.structure in (Structure.NO_LIMIT, Structure.POT_LIMIT)
        return 0 if big_bet and not book.entry_post_big_bet.value else book.entry_post.value * stakes.big_blind, 0
    owed = stakes.big_blind * chair.owes_big + stakes.small_blind * chair.owes_small
    live = min(owed, max(0, stakes.big_blind - blind)) if people.missed_dead.value else owed
    return live, owed - live


def _antes(hand: Hand, missed: Mapping[int, int]) -> None:
    """The antes; a player without chips has none to pay and is all-in."""
    stakes = hand.setup.betting
    each = stakes.ante if stakes.ante_by is AnteBy.EACH else 0
    for seat in hand.order:
        due = each + missed.get(seat, 0)
        if due or not hand.chips.stacks[seat]:
            pots.ante(hand, seat, due)
    hand.openers = replace(hand.openers, anted=dict(hand.chips.paid))


def open_first_round(hand: Hand) -> None:
    """Begin the betting before the flop: left of the blinds, or left of the button where there are none."""
    opener = hand.setup.game.streets[0].opener
    if opener not in (Opener.LEFT_OF_BLINDS, Opener.LEFT_OF_BUTTON):
        return
    stakes = hand.setup.betting
    blind = (
        kill_pots.blind(hand, stakes.big_blind)
        if hand.positions.big
        else stakes.small_blind
        if hand.positions.small is not None
        else stakes.button_ante
    )
    forced = (betting_round.UNTRACKED_WAGER if blind else 0) if not hand.setup.tracked else blind
    last = last_blind(hand)
    ring = position_poker.first(hand, hand.order if last is None else after(hand.order, last))
    if hand.kill.seat is not None and kill_pots.acts_last(hand.setup):
        ring = (*(seat for seat in ring if seat != hand.kill.seat), hand.kill.seat)
    betting_round.opened(hand, 0, ring, forced, blind=bool(forced))


def last_blind(hand: Hand) -> int | None:
    """The blind farthest clockwise from the button, one posted on the button itself aside; an over-blind is one."""
    if hand.chips.straddler is not None:
        return hand.chips.straddler
    if not hand.setup.betting.big_blind or not hand.positions.big:
        return hand.positions.small
    others = [seat for seat in hand.positions.big if seat != hand.positions.button] or hand.positions.big
    return max(others, key=lambda seat: hand.order.index(seat) if seat in hand.order else -1)


def put_up(hand: Hand, step: Post) -> None:
    """A post that the dealer had to see to lies there: a dead one in the pot, any other before the seat."""
    if not hand.setup.tracked:
        return
    if step.kind == "dead":
        pots.dead_post(hand, step.seat, step.amount)
    else:
        pots.wager(hand, step.seat, step.amount)
    if hand.round is not None and step.seat in hand.betting.all_in:
        hand.round = replace(hand.round, queue=tuple(seat for seat in hand.round.queue if seat != step.seat))
        betting_round.pruned(hand)


def chop(hand: Hand) -> None:
    """Everybody else has folded: the blinds take their bets back and the hand ends [R7-2.proc.15#b].

    Raises `Refused` (`chop`).
    """
    rule, round_ = hand.setup.rulebook.people.chop, hand.round
    blinds = {*hand.positions.big, *(() if hand.positions.small is None else (hand.positions.small,))}
    if not rule.value:
        raise Refused("chop", f"the blinds may not take their bets back ({rule.source}); play the hand.")
    if round_ is None or round_.street or not set(hand.betting.live) <= blinds or len(hand.betting.live) != len(blinds):
        raise Refused("chop", "blinds are taken back before the flop, when everybody but the blinds has folded.")
    others = any(bet and seat not in blinds for seat, bet in hand.chips.bets.items())
    if round_.aggressor is not None or hand.chips.straddles or others or hand.chips.paid or hand.chips.dead:
        raise Refused("chop", "there are other chips in the pot than the blinds; play the hand.")
    if hand.setup.tracked:
        hand.chips = replace(
            hand.chips, stacks={seat: stack + hand.chips.bets.get(seat, 0) for seat, stack in hand.chips.stacks.items()}
        )
    hand.chips = replace(hand.chips, bets={})
    hand.betting = replace(hand.betting, all_in=frozenset())
    hand.plan = NO_STEPS


def straddles_allowed(setup: Setup) -> Rule[int]:
    """How many live straddles a hand may have at these stakes."""
    book = setup.rulebook.betting
    return book.straddle_limit if _is_limit(setup) else book.straddle_big_bet


def _is_limit(setup: Setup) -> bool:
    return setup.betting.structure in (Structure.FIXED_LIMIT, Structure.SPREAD_LIMIT)


def straddle(hand: Hand, seat: int, to: int | None = None) -> None:
    """Post a live straddle: twice the last blind or straddle, last to act before the flop [R7-14.nl.15, HR-nl.11].

    It sets the minimum bet of every round [R7-14.nl.2, R7-14.nl.3, HR-nl.2#b]. `to`: its size, where it is named.

    Raises `Refused` (`straddle-late`, `straddle-not-allowed`, `amount`).
    """
    round_ = hand.round
    book = hand.setup.rulebook.betting
    limit, rule = _is_limit(hand.setup), straddles_allowed(hand.setup)
    draw = hand.setup.rulebook.exchange.get(hand.setup.game.form)
    if draw is not None and not rule.value:
        rule = draw.over_blind
    allowed = 0 if hand.setup.mode is Mode.TOURNAMENT else rule.value
    if hand.cards.piles.left:
        raise Refused("straddle-late", "a straddle is posted before the first card; a card has left the shoe.")
    if not allowed or round_ is None or not hand.positions.big:
        raise Refused("straddle-not-allowed", f"no straddle here ({rule.source}); deal the first card.")
    if hand.chips.straddles >= allowed:
        raise Refused("straddle-not-allowed", f"this hand has its {counted(allowed, 'straddle')} ({rule.source}).")
    last = round_.ring[-1] if hand.chips.straddles else last_blind(hand)
    due = after(hand.order, last)[0] if last is not None else round_.ring[0]
    button = hand.positions.button if book.straddle_button.value and not limit else None
    if seat not in (due, button):
        raise Refused("straddle-not-allowed", f"only seat {due}, left of the last blind, may straddle.")
    amount = 2 * round_.high if hand.setup.tracked else round_.high + betting_round.UNTRACKED_WAGER
    if to not in (None, amount if hand.setup.tracked else None):
        size = f"a straddle of seat {seat} is {amount}, not {to}" if hand.setup.tracked else "amounts are untracked"
        raise Refused("amount", f"{size}; leave `to` out.")
    if hand.setup.tracked:
        hand.chips = replace(hand.chips, straddled=amount if book.straddle_doubles.value else 0)
        if hand.chips.stacks[seat] < amount - hand.chips.bets.get(seat, 0):
            raise Refused("straddle-not-allowed", f"a straddle is {amount}; seat {seat} has {hand.chips.stacks[seat]}.")
        pots.wager(hand, seat, amount - hand.chips.bets.get(seat, 0))
    else:
        hand.chips = replace(hand.chips, bets={**hand.chips.bets, seat: amount})
    hand.chips = replace(hand.chips, straddles=hand.chips.straddles + 1, straddler=seat)
    ring = after(hand.order, seat) if seat != due else (*(other for other in round_.ring if other != seat), seat)
    betting_round.opened(hand, 0, ring, amount, blind=True)
    assert hand.round is not None
    full = hand.round.full if book.straddle_doubles.value else round_.full
    hand.round = replace(hand.round, wagers=round_.wagers, full=full)
