"""Chairs: how a newcomer, one who buys in again, one who changes seats or plays over sits down."""

from controller.core.model.setup import BettingStructure, Setup
from controller.core.model.table_state import CashOut, TableState
from controller.core.play.betting import carried_pot
from controller.core.play.seating import player_limits
from controller.core.play.seating.button import has_passed
from controller.core.protocol.events import PlayerSeated
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.people_rules import ShortBuyIn
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.plurals import pluralize
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import FreeEntry, SeatState
from controller.core.values.value import replace

"""Who dealt off lets the blinds pass once, then comes in behind the button without a post [R7-4.blinds.15]."""


def is_game_under_way(state: TableState) -> bool:
    """Whether a game with a button and blinds is on, so that blinds have had their turn."""
    stakes = state.setup.stakes
    return (
        state.button.positions is not None
        and state.setup.game.has_button
        and bool(stakes.big_blind or stakes.small_blind)
    )


def _is_game_joined_midway(state: TableState) -> bool:
    """Whether the table line took up a game in its middle: who sits down before its first hand is new to it."""
    setup, stakes = state.setup, state.setup.stakes
    drawn_for = setup.is_new_game or not setup.game.has_button or not (stakes.big_blind or stakes.small_blind)
    return state.button.positions is None and not drawn_for


def refuse_if_table_full(state: TableState) -> None:
    """Refuse a player too many for the game [AU-5.1(a)(iv), FC-10.seating.1]; raises `Refused` (`table-full`)."""
    most, rule = player_limits.max_players(state.setup)
    if most is not None and len(state.seating.state_by_seat) >= most:
        raise Refused("table-full", f"at most {most} players here ({rule.source}); somebody leaves first.")
    if len(state.seating.state_by_seat) >= player_limits.max_players_by_deck(state.setup):
        deck = state.setup.deck_size
        raise Refused(
            "table-full",
            f"{deck} cards serve {player_limits.max_players_by_deck(state.setup)} players; somebody leaves first.",
        )


def seat_newcomer(state: TableState, event: PlayerSeated) -> SeatState:
    """A new player posts or waits for the big blind [R7-4.blinds.5a, 5b]; in a tournament play begins at once.

    A player from another game enters a cash game as any new player does [R7-2.seating.11].

    Raises `Refused` (`stack-missing`, `value`).
    """
    if state.setup.tracks_amounts and not event.stack:
        raise Refused("stack-missing", "amounts are tracked here: `sit` needs a `stack` above 0.")
    stack = event.stack if state.setup.tracks_amounts else None
    player = event.player or f"seat {event.seat}"
    if state.setup.mode is GameMode.TOURNAMENT:
        return SeatState(event.seat, player, stack, came_from_table=is_game_under_way(state))
    waits = is_game_under_way(state) or _is_game_joined_midway(state)
    rule = state.setup.rulebook.people.buys_button
    if event.buys_button and not rule.value:
        raise Refused("value", f"nobody buys the button here ({rule.source}); leave `buys_button` out.")
    return SeatState(
        event.seat,
        player,
        stack,
        waits_for_big_blind=waits,
        posts_to_enter=event.posts_blinds and waits,
        was_never_dealt_in=waits,
        pledges_kill=event.pledges_kill and waits,
        buys_button=event.buys_button and waits,
        came_from_table=event.is_must_move and waits and state.setup.rulebook.people.must_move_free.value,
    )


def rebuy_seat(state: TableState, event: PlayerSeated) -> SeatState | None:
    """A player who lost the last chip buys in again in the same chair: not new, and owes what was missed meanwhile.

    The player must post it [R7-4.blinds.12, HR-blinds.11, FC-4.blinds.7, FC-10.rebuy.4(d)].

    Raises `Refused` (`rebuy`).
    """
    gone = state.seating.busted_by_seat.get(event.seat)
    if gone is None or event.player is None or event.player != gone.player or event.came_from_table:
        return None
    if state.setup.mode is GameMode.TOURNAMENT:
        _refuse_rebuy(state, gone)
    state.seating = replace(
        state.seating,
        rebuy_count_by_player={
            **state.seating.rebuy_count_by_player,
            gone.player: state.seating.rebuy_count_by_player.get(gone.player, 0) + 1,
        },
    )
    owing = gone.owes_blinds
    return replace(
        gone, stack=event.stack, is_away=False, busted_on=None, waits_for_big_blind=owing, posts_to_enter=owing
    )


def _refuse_rebuy(state: TableState, gone: SeatState) -> None:
    book, player = state.setup.rulebook.tournament, gone.player
    made = state.seating.rebuy_count_by_player.get(player, 0)
    if book.rebuys.value and made >= book.rebuys.value:
        raise Refused(
            "rebuy", f"{player} has had {pluralize(made, 'rebuy')}, no more are allowed ({book.rebuys.source})."
        )
    last = book.rebuy_levels.value
    if last and state.tournament.level_index >= last:
        raise Refused("rebuy", f"no rebuy after level {last} ({book.rebuy_levels.source}).")
    if last and not _is_rebuy_in_time(state, gone):
        raise Refused("rebuy", f"{player} could buy in again on the level of the loss ({book.rebuy_levels.source}).")


def _is_rebuy_in_time(state: TableState, gone: SeatState) -> bool:
    """On the same level, or within two hands when it was the level's last hand [FC-10.rebuy.4(a)]."""
    if gone.busted_on is None or gone.busted_on.level_index == state.tournament.level_index:
        return True
    level, number = gone.busted_on
    level_dealt, since = state.tournament.level_first_deal
    last_hand = state.hand_count == number or (level_dealt == level + 1 and since == number + 1)
    return last_hand and state.tournament.level_index == level + 1 and state.hand_count - number <= 2


def play_over(state: TableState, event: PlayerSeated, owner: SeatState) -> SeatState:
    """Somebody plays in an absent player's chair, as a new player [R7-4.blinds.7, HR-blinds.6].

    Raises `Refused` (`play-over`).
    """
    if state.setup.mode is GameMode.TOURNAMENT:
        raise Refused("play-over", "nobody plays over in a tournament: an absent player is dealt in.")
    if not owner.is_away or owner.absent_owner is not None:
        raise Refused("play-over", f"{owner.player} at seat {owner.seat} is not away; only an absent player's chair.")
    return replace(seat_newcomer(state, event), absent_owner=owner)


def change_seat(state: TableState, event: PlayerSeated, chair: SeatState) -> tuple[SeatState, tuple[Ruling, ...]]:
    """A player changes seats: dealt in again at the same relative position, or at once for a post [R7-4.blinds.14].

    Raises `Refused` (`seat-change`, `value`).
    """
    book = state.setup.rulebook
    if state.setup.mode is GameMode.TOURNAMENT:
        raise Refused("seat-change", "in a tournament seats change only as the director says: `leave`, `sit` `moved`.")
    carried_pot.refuse_seat_change(state)
    if event.player not in (None, chair.player) or event.stack not in (None, chair.stack):
        raise Refused("value", f"{chair.player} keeps name and stack on changing seats; leave them out.")
    hold = _hands_to_wait(state, chair.seat, event.seat) if book.people.seat_change.value else 0
    free = FreeEntry.NONE
    positions = state.button.positions
    if book.people.deal_off.value and positions is not None and chair.seat == positions.button:
        free = FreeEntry.BLINDS_TO_PASS
    near = hold <= book.people.seat_change_past.value and state.setup.game.rules_form not in book.exchange and not free
    if not hold or near or _is_before_first_blind(state, event.seat):
        hold = 0
    posts = bool(hold) and event.posts_blinds
    if posts and chair.owes_blinds:
        raise Refused("seat-change", f"{chair.player} owes blinds and must wait; leave `post` out.")
    moved = replace(
        chair,
        seat=event.seat,
        hands_to_wait=hold,
        free_entry=free,
        waits_for_big_blind=chair.waits_for_big_blind or bool(hold),
        posts_to_enter=posts or (chair.waits_for_big_blind and event.posts_blinds),
        was_never_dealt_in=chair.was_never_dealt_in or posts,
    )
    if not hold:
        return moved, ()
    template = said.MOVED_FROM_BLIND_ONE_HAND if hold == 1 else said.MOVED_FROM_BLIND
    sentence = template.format(player=chair.player, count=hold)
    return moved, (build_ruling("seat-change", Verdict.PLAY_ON, book.people.seat_change, sentence, event.seat),)


def _hands_to_wait(state: TableState, old: int, new: int) -> int:
    """How many active positions farther away from the big blind the new chair is; 0 when it is closer."""
    if not is_game_under_way(state) or state.button.positions is None:
        return 0
    big = state.button.positions.big_blind
    active = [
        seat
        for seat, chair in state.seating.state_by_seat.items()
        if not chair.is_away and not chair.waits_for_big_blind
    ]
    before = seats_after({*active, old}, big).index(old)
    now = seats_after({*active, new} - {old}, big).index(new)
    return max(0, now - before)


def _is_before_first_blind(state: TableState, seat: int) -> bool:
    """In a new game a seat that no blind has passed is taken without penalty [R7-4.blinds.13c, HR-blinds.12.3]."""
    if state.button.first_button is None or state.button.positions is None:
        return False
    return not has_passed(state.button.first_button, state.button.positions.big_blind, seat)


def check_buy_in(state: TableState, event: PlayerSeated, player: str) -> tuple[Ruling, ...]:
    """Check the size of a buy-in, as far as stacks are known; a mover from a broken game keeps what it has.

    Raises `Refused` (`buy-in`).
    """
    came_along = state.setup.mode is GameMode.TOURNAMENT or event.came_from_table or event.is_must_move
    if came_along or event.stack is None or not state.setup.tracks_amounts:
        return ()
    if event.time_s is not None and (cash_out := _find_cash_out(state, player, event.time_s)) is not None:
        return _settle_return(state, event.stack, player, cash_out)
    refuse_stack_above_max(state, event.stack)
    rule, least = find_min_buy_in(state.setup)
    if event.stack >= least:
        return ()
    short = state.setup.rulebook.people.short_buy_in
    if short.value is ShortBuyIn.NEVER:
        raise Refused("buy-in", f"the buy-in is at least {least} ({rule.source}).")
    if short.value is ShortBuyIn.ONCE:
        if player in state.seating.short_buyers:
            raise Refused("buy-in", f"{player} has bought in short before; now at least {least} ({short.source}).")
        state.seating = replace(state.seating, short_buyers=state.seating.short_buyers | {player})
        sentence = said.SHORT_BUY_IN_ONCE.format(player=player, least=least)
    else:
        sentence = said.SHORT_BUY_IN_UNOBJECTED.format(player=player, least=least)
    return (build_ruling("short-buy-in", Verdict.PLAY_ON, short, sentence, event.seat),)


def remember_cash_out(state: TableState, chair: SeatState, time_s: float | None) -> None:
    """Keep what a named player of a cash game takes away, for as long as the book asks for it [R7-2.proc.5].

    Nothing is kept where nobody says when it was (`time_s`): no hour can be told there.
    """
    hand_stack = None if state.hand is None else state.hand.chips.stack_by_seat.get(chair.seat)
    taken = chair.stack if hand_stack is None else hand_stack
    minutes = state.setup.rulebook.people.return_minutes.value
    is_named = chair.player != f"seat {chair.seat}"
    if time_s is None or not (taken and minutes and is_named) or state.setup.mode is not GameMode.CASH:
        return
    still = (player for player in state.seating.cash_out_by_player if _find_cash_out(state, player, time_s))
    kept = {player: state.seating.cash_out_by_player[player] for player in still}
    kept[chair.player] = CashOut(taken, time_s)
    state.seating = replace(state.seating, cash_out_by_player=kept)


def _find_cash_out(state: TableState, player: str, now_s: float) -> CashOut | None:
    """What a player took away who has not been gone for longer than the book's time."""
    found = state.seating.cash_out_by_player.get(player)
    within_s = 60 * state.setup.rulebook.people.return_minutes.value
    return found if found is not None and now_s - found.time_s <= within_s else None


def _settle_return(state: TableState, stack: int, player: str, cash_out: CashOut) -> tuple[Ruling, ...]:
    """Who comes back so soon has what was taken away, whatever the least and the most buy-in [R7-2.proc.5, WSOP-L-58].

    Raises `Refused` (`buy-in`).
    """
    if stack != cash_out.amount:
        rule = state.setup.rulebook.people.return_minutes
        within = pluralize(rule.value, "minute")
        raise Refused(
            "buy-in",
            f"{player} left with {cash_out.amount} and is back within {within}: the buy-in is {cash_out.amount}"
            f" ({rule.source}).",
        )
    others = {name: one for name, one in state.seating.cash_out_by_player.items() if name != player}
    state.seating = replace(state.seating, cash_out_by_player=others)
    return ()


def find_min_buy_in(setup: Setup) -> tuple[Rule[int], int]:
    """The least full buy-in, and the rule that says so [R7-3.buyin.1, HR-buyin.1, WSOP-L-100]."""
    stakes, book = setup.stakes, setup.rulebook.people
    if stakes.structure in (BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT):
        return book.buy_in_big_bet, book.buy_in_big_bet.value * stakes.effective_min_bet
    if book.buy_in_small_bets.value:
        return book.buy_in_limit, book.buy_in_limit.value * (stakes.small_bet or stakes.min_bet)
    return book.buy_in_limit, book.buy_in_limit.value * max(stakes.big_bet, stakes.max_bet)


def refuse_stack_above_max(state: TableState, stack: int) -> None:
    """Refuse a stack above the house's maximum buy-in [HR-buyin.4, R7-14.nl.17]; raises `Refused` (`buy-in`)."""
    rule = state.setup.rulebook.people.buy_in_most
    if rule.value and stack > rule.value and state.setup.mode is GameMode.CASH:
        raise Refused("buy-in", f"no more than {rule.value} after buying chips ({rule.source}).")
