"""Kill pots: who must kill the next one, and at which stakes it is played [R7-13].

A full kill is twice the big blind and doubles the limits, a half kill is half as much again. Who must kill posts before
the cards and acts in turn; who kills by choice does so on two cards and acts last. `State.leg` has the kill button,
`State.kills` must kill the next pot.
"""

from controller.core.model.hand import Hand
from controller.core.model.setup import Setup, Stakes
from controller.core.model.table_state import TableState
from controller.core.play.betting import betting_round, pots
from controller.core.play.betting.betting_round import UNTRACKED_WAGER
from controller.core.protocol.table_error import Refused
from controller.core.values.piles import hand_place
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace

HALF_BLINDS_BY_KILL = {"full": 4, "half": 3}
"""A kill in halves of the big blind and of the limits."""


def kill_in_half_blinds(setup: Setup) -> int:
    """The kill of this house in halves of the big blind; a full one where it does not say."""
    return HALF_BLINDS_BY_KILL[str(dict(setup.house_options).get("kill", "full"))]


def is_posting_kill(setup: Setup, chair: SeatState) -> bool:
    """Whether a player who posts to come in kills the pot by that, as at lowball [R7-11.lowball.3, R7-11.lowball.7].

    Where the book asks for no post there is no kill: none of its stakes would be left.
    """
    book = setup.rulebook.lowball.get(setup.game.rules_form)
    if book is None or not chair.posts_to_enter or chair.pledges_kill or not posted_kill_in_half_blinds(setup):
        return False
    return (book.newcomer_kills if chair.was_never_dealt_in else book.returning_kills).value


def may_post_into_kill(setup: Setup, chair: SeatState) -> bool:
    """Whether a newcomer who would kill a pot that is killed already posts the big blind [WSOP-L-201, WSOP-L-264]."""
    may_play = chair.was_never_dealt_in and not setup.stakes.has_single_blind
    return may_play and setup.rulebook.kill.newcomers.value


def posted_kill_in_half_blinds(setup: Setup) -> int:
    """The kill of a player who comes in, in halves of the big blind: the post that the book asks for."""
    return 2 * setup.rulebook.procedure[setup.game.rules_form].entry_post.value


def is_killer_last_to_act(setup: Setup) -> bool:
    """Whether the killer acts last on the first round: where pots are killed by choice [R7-13.kill.10]."""
    return bool(dict(setup.house_options).get("voluntary_kill"))


def apply_kill_stakes(setup: Setup, times: int) -> Setup:
    """The table at the stakes of a killed pot; the kill is `times` halves of the big blind."""
    stakes = setup.stakes

    def multiply(amount: int) -> int:
        return amount * times // 2

    dearer: Stakes = replace(
        stakes,
        small_bet=multiply(stakes.small_bet),
        big_bet=multiply(stakes.big_bet),
        min_bet=multiply(stakes.min_bet or stakes.big_blind or (0 if stakes.small_bet else stakes.effective_min_bet)),
        max_bet=multiply(stakes.max_bet),
    )
    return setup.replace_stakes(dearer)


def find_kill_amount(hand: Hand) -> int:
    """The kill of a hand that is played at its stakes; where nobody posts a blind it is the smallest bet there."""
    stakes = hand.setup.stakes
    if stakes.big_blind and hand.setup.game.has_button:
        return stakes.big_blind * hand.kill.half_blinds // 2
    return stakes.small_bet or stakes.effective_min_bet


def post_kill(hand: Hand) -> None:
    """The killer's blind; what it has posted as another blind is part of it."""
    seat = hand.kill.killer
    if seat is None:
        return
    if not hand.setup.tracks_amounts:
        hand.chips = replace(hand.chips, bet_by_seat={**hand.chips.bet_by_seat, seat: UNTRACKED_WAGER})
        return
    missing = find_kill_amount(hand) - hand.chips.bet_by_seat.get(seat, 0)
    if missing > 0:
        pots.wager(hand, seat, missing)


def kill_by_choice(hand: Hand, seat: int) -> None:
    """A player who has seen two cards kills the pot, and acts last on the first round [R7-13.kill.10].

    Raises `Refused` (`kill-not-allowed`).
    """
    setup, round_ = hand.setup, hand.round
    rule = setup.rulebook.kill.voluntary
    if not dict(setup.house_options).get("voluntary_kill"):
        raise Refused("kill-not-allowed", "nobody kills a pot by choice here: `voluntary_kill` of `house` is not set.")
    if seat not in hand.betting.live_seats or round_ is None or not hand.positions.big_blinds:
        raise Refused("kill-not-allowed", f"seat {seat} has no hand, or there is no big blind to double.")
    if hand.kill.killer is not None:
        one = setup.rulebook.kill.one
        raise Refused(
            "kill-not-allowed", f"seat {hand.kill.killer} has killed this pot; one kill a deal ({one.source})."
        )
    held = {other: len(hand.cards.piles.cards_at(hand_place(other))) for other in hand.dealing_order}
    if max(held.values()) > 2 or held[seat] != 2:
        raise Refused("kill-not-allowed", f"a pot is killed on two cards, before anybody has a third ({rule.source}).")
    if hand.chips.straddle_count and not setup.rulebook.kill.straddle.value:
        raise Refused("kill-not-allowed", describe_straddled_pot(hand))
    amount = setup.stakes.big_blind * kill_in_half_blinds(setup) // 2
    whole = hand.chips.stack_by_seat.get(seat, 0) + hand.chips.bet_by_seat.get(seat, 0)
    if setup.tracks_amounts and whole < rule.value * amount:
        least = rule.value * amount
        raise Refused("kill-not-allowed", f"the kill is {amount} and takes {least} chips before it ({rule.source}).")
    hand.kill = replace(hand.kill, killer=seat, half_blinds=kill_in_half_blinds(setup))
    hand.setup = apply_kill_stakes(setup, hand.kill.half_blinds)
    post_kill(hand)
    ring = (*(other for other in round_.acting_order if other != seat), seat)
    forced = find_kill_amount(hand) if setup.tracks_amounts else UNTRACKED_WAGER
    betting_round.begin_round(hand, 0, ring, forced)


def describe_straddled_pot(hand: Hand) -> str:
    """Why a pot that is straddled is not killed."""
    rule = hand.setup.rulebook.kill.straddle
    return f"seat {hand.chips.straddler} has straddled, and no pot is both straddled and killed ({rule.source})."


def update_kill_button(state: TableState, hand: Hand) -> None:
    """The pots are pushed: who has the kill button, and who must kill the next pot."""
    if "kill" not in dict(state.setup.house_options):
        return
    waiting = (
        state.kill.required_killer
        if state.kill.required_killer in state.seating.state_by_seat
        and state.kill.required_killer not in hand.dealing_order
        else None
    )
    _award_kill_button(state, hand)
    state.kill = replace(state.kill, required_killer=state.kill.required_killer if waiting is None else waiting)
    if state.kill.required_killer is None and state.kill.pledged_killer in state.seating.state_by_seat:
        state.kill = replace(state.kill, required_killer=state.kill.pledged_killer)
    state.kill = replace(state.kill, pledged_killer=None)


def _award_kill_button(state: TableState, hand: Hand) -> None:
    """Who has the kill button by what was won, and whether that player must kill the next pot.

    Who missed the hand keeps the leg [R7-13.kill.5]; it is judged with the first hand that its player is dealt in.
    """
    book, winners = state.setup.rulebook.kill, tuple(sorted(hand.showdown.won_chips_by_seat))
    had, killer = state.kill.leg_seat, hand.kill.killer if hand.kill.is_required else None
    leg_counts = _take_up_legs(state, hand)
    state.kill = replace(state.kill, required_killer=None)
    if len(winners) != 1:
        keep = tuple(seat for seat in winners if seat in leg_counts and book.split_keeps.value)
        holder = had if had in keep else next(iter(keep), None)
        state.kill = replace(state.kill, leg_seat=holder, leg_count=0 if holder is None else leg_counts[holder])
        for seat in keep:
            if seat != holder:
                _keep_leg(state, seat, leg_counts[seat])
        if killer is not None and killer in winners and book.split_keeps.value:
            state.kill = replace(state.kill, required_killer=killer, leg_seat=killer)
        return
    winner = winners[0]
    state.kill = replace(state.kill, leg_count=leg_counts.get(winner, 0) + 1, leg_seat=winner)
    if winner == killer and book.again.value:
        state.kill = replace(state.kill, required_killer=winner)
    elif len(hand.setup.game.rankings) > 1:
        large = book.scoop.value * max(hand.setup.stakes.big_bet, hand.setup.stakes.small_bet)
        state.kill = replace(
            state.kill,
            required_killer=winner
            if not hand.setup.tracks_amounts or hand.showdown.won_chips_by_seat[winner] >= large
            else None,
        )
    elif state.kill.leg_count >= book.pots.value and _is_pot_large_enough(hand, winner, book.bets.value):
        state.kill = replace(state.kill, required_killer=winner)


def _take_up_legs(state: TableState, hand: Hand) -> dict[int, int]:
    """Seat -> the leg that this hand decides about; who has missed the hand keeps another one."""
    had, count = state.kill.leg_seat, state.kill.leg_count
    if had is not None and had not in hand.dealing_order:
        _keep_leg(state, had, count)
        had = None
    kept = state.kill.kept_leg_count_by_player
    chairs = state.seating.state_by_seat
    back = {chairs[seat].player: seat for seat in hand.dealing_order if seat in chairs and chairs[seat].player in kept}
    left = {player: legs for player, legs in kept.items() if player not in back}
    state.kill = replace(state.kill, kept_leg_count_by_player=left)
    return {**({} if had is None else {had: count}), **{seat: kept[player] for player, seat in back.items()}}


def _keep_leg(state: TableState, seat: int, count: int) -> None:
    """The leg of a seat is its player's, whoever has the kill button meanwhile."""
    chair = state.seating.state_by_seat.get(seat)
    if chair is not None and count:
        kept = {**state.kill.kept_leg_count_by_player, chair.player: count}
        state.kill = replace(state.kill, kept_leg_count_by_player=kept)


def _is_pot_large_enough(hand: Hand, winner: int, bets: int) -> bool:
    """Whether the pot holds so many full bets of others beyond the blinds [R7-13.kill.3].

    Without a button antes and bring-in are what the blinds are elsewhere; the kill is none of these [WSOP-L-191].
    """
    if not hand.setup.tracks_amounts:
        return True
    stakes = hand.setup.stakes
    own = hand.showdown.contribution_by_seat.get(winner, 0)
    blinds = stakes.small_blind * (hand.positions.small_blind not in (None, winner))
    middle = zip(hand.positions.middle_blinds, stakes.middle_blinds, strict=False)
    blinds += sum(amount for seat, amount in middle if seat not in (None, winner))
    blinds += stakes.big_blind * sum(seat != winner for seat in hand.positions.big_blinds)
    if hand.positions.button is None:
        blinds += sum(ante for seat, ante in hand.openers.ante_by_seat.items() if seat != winner)
        blinds += stakes.bring_in * (hand.stud.forced_bet_seat not in (None, winner))
    return hand.showdown.won_chips_by_seat[winner] - own - blinds >= bets * (
        stakes.small_bet or stakes.effective_min_bet
    )


def release_kill(state: TableState, chair: SeatState) -> None:
    """A player quits: the kill button is nobody's [R7-13.kill.1]; a kill not posted is owed [R7-13.kill.6].

    Who comes back to the game has the leg up again [R7-13.kill.5].
    """
    if state.kill.leg_seat == chair.seat:
        kept = {**state.kill.kept_leg_count_by_player, chair.player: state.kill.leg_count}
        state.kill = replace(state.kill, leg_seat=None, leg_count=0, kept_leg_count_by_player=kept)
    if state.kill.pledged_killer == chair.seat:
        state.kill = replace(state.kill, pledged_killer=None)
    if state.kill.required_killer != chair.seat:
        return
    state.kill = replace(state.kill, required_killer=None)
    posted = state.hand is not None and bool(state.hand.plan) and state.hand.kill.killer == chair.seat
    if not posted and state.setup.rulebook.kill.owed.value:
        state.kill = replace(state.kill, owing_players=state.kill.owing_players | {chair.player})


def settle_owed_kill(state: TableState, chair: SeatState, posts: bool) -> SeatState:
    """A player who owes a kill takes part again only by posting it, with the next hand [R7-13.kill.6].

    Raises `Refused` (`owes-kill`).
    """
    if chair.player not in state.kill.owing_players:
        return chair
    rule = state.setup.rulebook.kill.owed
    if not posts or state.kill.required_killer is not None:
        raise Refused(
            "owes-kill",
            f"{chair.player} left without posting a kill and must post it now: `kill` and `post` "
            f"({rule.source}), in a pot that nobody else has to kill.",
        )
    state.kill = replace(
        state.kill, owing_players=state.kill.owing_players - {chair.player}, required_killer=chair.seat
    )
    return replace(chair, pledges_kill=False)


def resume_owed_kill(state: TableState, chair: SeatState) -> None:
    """Who was played over has the chair again, and must kill the next pot as before [R7-13.kill.6]."""
    if chair.player not in state.kill.owing_players or state.kill.required_killer is not None:
        return
    owing = state.kill.owing_players - {chair.player}
    state.kill = replace(state.kill, owing_players=owing, required_killer=chair.seat)


def move_kill(state: TableState, old: int, new: int) -> None:
    """A player changes seats, with the kill button and what goes with it."""
    state.kill = replace(
        state.kill,
        leg_seat=new if state.kill.leg_seat == old else state.kill.leg_seat,
        required_killer=new if state.kill.required_killer == old else state.kill.required_killer,
        pledged_killer=new if state.kill.pledged_killer == old else state.kill.pledged_killer,
    )
