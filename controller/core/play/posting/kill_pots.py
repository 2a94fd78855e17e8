"""Kill pots: who must kill the next one, and at which stakes it is played [R7-13].

A full kill is twice the big blind and doubles the limits, a half kill is half as much again. Who must kill posts before
the cards and acts in turn; who kills by choice does so on two cards and acts last. `State.leg` has the kill button,
`State.kills` must kill the next pot.
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import Betting, Setup
from controller.core.model.state import State
from controller.core.play.betting import betting_round, pots
from controller.core.play.betting.betting_round import UNTRACKED_WAGER
from controller.core.protocol.errors import Refused
from controller.core.values.chair import Chair
from controller.core.values.piles import hand_of
from controller.core.values.value import replace

HALVES = {"full": 4, "half": 3}
"""A kill in halves of the big blind and of the limits."""


def halves(setup: Setup) -> int:
    """The kill of this house in halves of the big blind; a full one where it does not say."""
    return HALVES[str(dict(setup.house).get("kill", "full"))]


def comes_in_by(setup: Setup, chair: Chair) -> bool:
    """Whether a player who posts to come in kills the pot by that, as at lowball [R7-11.lowball.3, R7-11.lowball.7]."""
    book = setup.rulebook.lowball.get(setup.game.form)
    if book is None or not chair.posts or chair.pledges:
        return False
    return (book.newcomer_kills if chair.fresh else book.returning_kills).value


def of_entry(setup: Setup) -> int:
    """The kill of a player who comes in, in halves of the big blind: the post that the book asks for."""
    return 2 * setup.rulebook.procedure[setup.game.form].entry_post.value


def acts_last(setup: Setup) -> bool:
    """Whether the killer acts last on the first round: where pots are killed by choice [R7-13.kill.10]."""
    return bool(dict(setup.house).get("voluntary_kill"))


def killed(setup: Setup, times: int) -> Setup:
    """The table at the stakes of a killed pot; the kill is `times` halves of the big blind."""
    stakes = setup.betting
    least = stakes.min_bet or stakes.big_blind

    def raised(amount: int) -> int:
        return amount * times // 2

    dearer: Betting = replace(
        stakes,
        small_bet=raised(stakes.small_bet),
        big_bet=raised(stakes.big_bet),
        min_bet=raised(least),
        max_bet=raised(stakes.max_bet),
    )
    return setup.at_stakes(dearer)


def post(hand: Hand) -> None:
    """The killer's blind; what it has posted as another blind is part of it."""
    seat, times = hand.kill.seat, hand.kill.halves
    if seat is None:
        return
    if not hand.setup.tracked:
        hand.chips = replace(hand.chips, bets={**hand.chips.bets, seat: UNTRACKED_WAGER})
        return
    amount = hand.setup.betting.big_blind * times // 2
    missing = amount - hand.chips.bets.get(seat, 0)
    if missing > 0:
        pots.wager(hand, seat, missing)


def blind(hand: Hand, big: int) -> int:
    """What the blinds come to for those who act: the kill where the pot is killed."""
    return big if hand.kill.seat is None else big * hand.kill.halves // 2


def volunteer(hand: Hand, seat: int) -> None:
    """A player who has seen two cards kills the pot, and acts last on the first round [R7-13.kill.10].

    Raises `Refused` (`kill-not-allowed`).
    """
    setup, round_ = hand.setup, hand.round
    rule = setup.rulebook.kill.voluntary
    if not dict(setup.house).get("voluntary_kill"):
        raise Refused("kill-not-allowed", "nobody kills a pot by choice here: `voluntary_kill` of `house` is not set.")
    if seat not in hand.betting.live or round_ is None or not hand.positions.big:
        raise Refused("kill-not-allowed", f"seat {seat} has no hand, or there is no big blind to double.")
    if hand.kill.seat is not None:
        raise Refused(
            "kill-not-allowed", f"seat {hand.kill.seat} has killed this pot; one kill a deal [R7-13.kill.11]."
        )
    held = {other: len(hand.cards.piles.at(hand_of(other))) for other in hand.order}
    if max(held.values()) > 2 or held[seat] != 2:
        raise Refused("kill-not-allowed", f"a pot is killed on two cards, before anybody has a third ({rule.source}).")
    amount = setup.betting.big_blind * halves(setup) // 2
    whole = hand.chips.stacks.get(seat, 0) + hand.chips.bets.get(seat, 0)
    if setup.tracked and whole < rule.value * amount:
        least = rule.value * amount
        raise Refused("kill-not-allowed", f"the kill is {amount} and takes {least} chips before it ({rule.source}).")
    hand.kill = replace(hand.kill, seat=seat, halves=halves(setup))
    post(hand)
    hand.setup = killed(setup, hand.kill.halves)
    ring = (*(other for other in round_.ring if other != seat), seat)
    forced = blind(hand, setup.betting.big_blind) if setup.tracked else UNTRACKED_WAGER
    betting_round.opened(hand, 0, ring, forced, blind=True)


def settle(state: State, hand: Hand) -> None:
    """The pots are pushed: who has the kill button, and who must kill the next pot."""
    if "kill" not in dict(state.setup.house):
        return
    waiting = state.kill.due if state.kill.due in state.seating.chairs and state.kill.due not in hand.order else None
    _earned(state, hand)
    state.kill = replace(state.kill, due=state.kill.due if waiting is None else waiting)
    if state.kill.due is None and state.kill.pledged in state.seating.chairs:
        state.kill = replace(state.kill, due=state.kill.pledged)
    state.kill = replace(state.kill, pledged=None)


def _earned(state: State, hand: Hand) -> None:
    """Who has the kill button by what was won, and whether that player must kill the next pot."""
    book, winners = state.setup.rulebook.kill, tuple(sorted(hand.showdown.took))
    had, killer = state.kill.leg, hand.kill.seat if hand.kill.required else None
    state.kill = replace(state.kill, due=None)
    if len(winners) != 1:
        keeps = had if had in winners and book.split_keeps.value else None
        state.kill = replace(state.kill, leg=keeps, legs=state.kill.legs if keeps is not None else 0)
        if killer is not None and killer in winners and book.split_keeps.value:
            state.kill = replace(state.kill, due=killer, leg=killer)
        return
    winner = winners[0]
    state.kill = replace(state.kill, legs=state.kill.legs + 1 if winner == had else 1, leg=winner)
    if winner == killer and book.again.value:
        state.kill = replace(state.kill, due=winner)
    elif len(hand.setup.game.rankings) > 1:
        large = book.scoop.value * max(hand.setup.betting.big_bet, hand.setup.betting.small_bet)
        state.kill = replace(
            state.kill, due=winner if not hand.setup.tracked or hand.showdown.took[winner] >= large else None
        )
    elif state.kill.legs >= book.pots.value and _qualifies(hand, winner, book.bets.value):
        state.kill = replace(state.kill, due=winner)


def _qualifies(hand: Hand, winner: int, bets: int) -> bool:
    """Whether the pot holds so many full bets of others beyond the blinds [R7-13.kill.3]."""
    if not hand.setup.tracked:
        return True
    stakes = hand.setup.betting
    own = hand.showdown.put_in.get(winner, 0)
    blinds = stakes.small_blind * (hand.positions.small not in (None, winner))
    blinds += stakes.big_blind * sum(seat != winner for seat in hand.positions.big)
    return hand.showdown.took[winner] - own - blinds >= bets * (stakes.small_bet or stakes.minimum)


def left(state: State, chair: Chair) -> None:
    """A player quits: the kill button is nobody's [R7-13.kill.1]; a kill not posted is owed [R7-13.kill.6]."""
    if state.kill.leg == chair.seat:
        state.kill = replace(state.kill, leg=None, legs=0)
    if state.kill.pledged == chair.seat:
        state.kill = replace(state.kill, pledged=None)
    if state.kill.due != chair.seat:
        return
    state.kill = replace(state.kill, due=None)
    posted = state.hand is not None and bool(state.hand.plan) and state.hand.kill.seat == chair.seat
    if not posted and state.setup.rulebook.kill.owed.value:
        state.kill = replace(state.kill, owing=state.kill.owing | {chair.player})


def made_good(state: State, chair: Chair, posts: bool) -> Chair:
    """A player who owes a kill takes part again only by posting it, with the next hand [R7-13.kill.6].

    Raises `Refused` (`owes-kill`).
    """
    if chair.player not in state.kill.owing:
        return chair
    rule = state.setup.rulebook.kill.owed
    if not posts or state.kill.due is not None:
        raise Refused(
            "owes-kill",
            f"{chair.player} left without posting a kill and must post it now: `kill` and `post` "
            f"({rule.source}), in a pot that nobody else has to kill.",
        )
    state.kill = replace(state.kill, owing=state.kill.owing - {chair.player}, due=chair.seat)
    return replace(chair, pledges=False)


def moved(state: State, old: int, new: int) -> None:
    """A player changes seats, with the kill button and what goes with it."""
    state.kill = replace(
        state.kill,
        leg=new if state.kill.leg == old else state.kill.leg,
        due=new if state.kill.due == old else state.kill.due,
        pledged=new if state.kill.pledged == old else state.kill.pledged,
    )
