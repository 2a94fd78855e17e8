"""Chairs: how a newcomer, one who buys in again, one who changes seats or plays over sits down."""

from controller.core.model.setup import Structure
from controller.core.model.state import State
from controller.core.play.betting import carried_pot
from controller.core.play.seating import table_size
from controller.core.play.seating.button import passed
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Sit
from controller.core.rules.questions.house.people import ShortBuyIn
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.chair import Chair, FreeEntry
from controller.core.values.counted import counted
from controller.core.values.seat_order import after
from controller.core.values.value import replace

"""Who dealt off lets the blinds pass once, then comes in behind the button without a post [R7-4.blinds.15]."""


def under_way(state: State) -> bool:
    """Whether a game with a button and blinds is on, so that blinds have had their turn."""
    stakes = state.setup.betting
    return (
        state.button.positions is not None and state.setup.game.button and bool(stakes.big_blind or stakes.small_blind)
    )


def _came_to_a_game_that_is_on(state: State) -> bool:
    """Whether the table line took up a game in its middle: who sits down before its first hand is new to it."""
    setup, stakes = state.setup, state.setup.betting
    drawn_for = setup.new_game or not setup.game.button or not (stakes.big_blind or stakes.small_blind)
    return state.button.positions is None and not drawn_for


def room_for_one_more(state: State) -> None:
    """Refuse a player too many for the game [AU-5.1(a)(iv), FC-10.seating.1]; raises `Refused` (`table-full`)."""
    most, rule = table_size.most_players(state.setup)
    if most is not None and len(state.seating.chairs) >= most:
        raise Refused("table-full", f"at most {most} players here ({rule.source}); somebody leaves first.")
    if len(state.seating.chairs) >= table_size.served(state.setup):
        deck = state.setup.deck
        raise Refused(
            "table-full", f"{deck} cards serve {table_size.served(state.setup)} players; somebody leaves first."
        )


def newcomer(state: State, event: Sit) -> Chair:
    """A new player posts or waits for the big blind [R7-4.blinds.5a, 5b]; in a tournament play begins at once.

    A player from another game enters a cash game as any new player does [R7-2.seating.11].

    Raises `Refused` (`stack-missing`, `value`).
    """
    if state.setup.tracked and not event.stack:
        raise Refused("stack-missing", "amounts are tracked here: `sit` needs a `stack` above 0.")
    stack = event.stack if state.setup.tracked else None
    player = event.player or f"seat {event.seat}"
    if state.setup.mode is Mode.TOURNAMENT:
        return Chair(event.seat, player, stack, moved=under_way(state))
    waits = under_way(state) or _came_to_a_game_that_is_on(state)
    rule = state.setup.rulebook.people.buys_button
    if event.buys_button and not rule.value:
        raise Refused("value", f"nobody buys the button here ({rule.source}); leave `buys_button` out.")
    return Chair(
        event.seat,
        player,
        stack,
        waits=waits,
        posts=event.post and waits,
        fresh=waits,
        pledges=event.kill and waits,
        buys_button=event.buys_button and waits,
        moved=event.must_move and waits and state.setup.rulebook.people.must_move_free.value,
    )


def bought_again(state: State, event: Sit) -> Chair | None:
    """A player who lost the last chip buys in again in the same chair: not new, and owes what was missed meanwhile.

    The player must post it [R7-4.blinds.12, HR-blinds.11, FC-4.blinds.7, FC-10.rebuy.4(d)].

    Raises `Refused` (`rebuy`).
    """
    gone = state.seating.gone.get(event.seat)
    if gone is None or event.player is None or event.player != gone.player or event.moved:
        return None
    if state.setup.mode is Mode.TOURNAMENT:
        _rebuy_allowed(state, gone)
    state.seating = replace(
        state.seating, rebuys={**state.seating.rebuys, gone.player: state.seating.rebuys.get(gone.player, 0) + 1}
    )
    owing = gone.owes_small or gone.owes_big
    return replace(gone, stack=event.stack, away=False, lost=None, waits=owing, posts=owing)


def _rebuy_allowed(state: State, gone: Chair) -> None:
    book, player = state.setup.rulebook.tournament, gone.player
    made = state.seating.rebuys.get(player, 0)
    if book.rebuys.value and made >= book.rebuys.value:
        raise Refused(
            "rebuy", f"{player} has had {counted(made, 'rebuy')}, no more are allowed ({book.rebuys.source})."
        )
    last = book.rebuy_levels.value
    if last and state.tournament.level >= last:
        raise Refused("rebuy", f"no rebuy after level {last} ({book.rebuy_levels.source}).")
    if last and not _in_time(state, gone):
        raise Refused("rebuy", f"{player} could buy in again on the level of the loss ({book.rebuy_levels.source}).")


def _in_time(state: State, gone: Chair) -> bool:
    """On the same level, or within two hands when it was the level's last hand [FC-10.rebuy.4(a)]."""
    if gone.lost is None or gone.lost.level == state.tournament.level:
        return True
    level, number = gone.lost
    level_dealt, since = state.tournament.level_from
    last_hand = state.number == number or (level_dealt == level + 1 and since == number + 1)
    return last_hand and state.tournament.level == level + 1 and state.number - number <= 2


def played_over(state: State, event: Sit, owner: Chair) -> Chair:
    """Somebody plays in an absent player's chair, as a new player [R7-4.blinds.7, HR-blinds.6].

    Raises `Refused` (`play-over`).
    """
    if state.setup.mode is Mode.TOURNAMENT:
        raise Refused("play-over", "nobody plays over in a tournament: an absent player is dealt in.")
    if not owner.away or owner.owner is not None:
        raise Refused("play-over", f"{owner.player} at seat {owner.seat} is not away; only an absent player's chair.")
    return replace(newcomer(state, event), owner=owner)


def changed(state: State, event: Sit, chair: Chair) -> tuple[Chair, tuple[Ruling, ...]]:
    """A player changes seats: dealt in again at the same relative position, or at once for a post [R7-4.blinds.14].

    Raises `Refused` (`seat-change`, `value`).
    """
    book = state.setup.rulebook
    if state.setup.mode is Mode.TOURNAMENT:
        raise Refused("seat-change", "in a tournament seats change only as the director says: `leave`, `sit` `moved`.")
    carried_pot.seats_are_fixed(state)
    if event.player not in (None, chair.player) or event.stack not in (None, chair.stack):
        raise Refused("value", f"{chair.player} keeps name and stack on changing seats; leave them out.")
    hold = _hands_to_wait(state, chair.seat, event.seat) if book.people.seat_change.value else 0
    free = FreeEntry.NONE
    positions = state.button.positions
    if book.people.deal_off.value and positions is not None and chair.seat == positions.button:
        free = FreeEntry.BLINDS_TO_PASS
    near = hold <= book.people.seat_change_past.value and state.setup.game.form not in book.exchange and not free
    if not hold or near or _blind_has_not_passed(state, event.seat):
        hold = 0
    posts = bool(hold) and event.post
    if posts and (chair.owes_big or chair.owes_small):
        raise Refused("seat-change", f"{chair.player} owes blinds and must wait; leave `post` out.")
    moved = replace(
        chair,
        seat=event.seat,
        hold=hold,
        free=free,
        waits=chair.waits or bool(hold),
        posts=posts or (chair.waits and event.post),
        fresh=chair.fresh or posts,
    )
    if not hold:
        return moved, ()
    sentence = f"{chair.player} moved away from the big blind and waits {hold} hand(s) for the same position"
    return moved, (ruled("seat-change", Verdict.PLAY_ON, book.people.seat_change, sentence, event.seat),)


def _hands_to_wait(state: State, old: int, new: int) -> int:
    """How many active positions farther away from the big blind the new chair is; 0 when it is closer."""
    if not under_way(state) or state.button.positions is None:
        return 0
    big = state.button.positions.big
    active = [seat for seat, chair in state.seating.chairs.items() if not chair.away and not chair.waits]
    before = after({*active, old}, big).index(old)
    now = after({*active, new} - {old}, big).index(new)
    return max(0, now - before)


def _blind_has_not_passed(state: State, seat: int) -> bool:
    """In a new game a seat that no blind has passed is taken without penalty [R7-4.blinds.13c, HR-blinds.12.3]."""
    if state.button.began is None or state.button.positions is None:
        return False
    return not passed(state.button.began, state.button.positions.big, seat)


def bought_in(state: State, event: Sit, player: str) -> tuple[Ruling, ...]:
    """Check the size of a buy-in, as far as stacks are known; a mover from a broken game keeps what it has.

    Raises `Refused` (`buy-in`).
    """
    came_along = state.setup.mode is Mode.TOURNAMENT or event.moved or event.must_move
    if came_along or event.stack is None or not state.setup.tracked:
        return ()
    not_too_many(state, event.stack)
    rule, least = _full_buy_in(state)
    if event.stack >= least:
        return ()
    short = state.setup.rulebook.people.short_buy_in
    if short.value is ShortBuyIn.NEVER:
        raise Refused("buy-in", f"the buy-in is at least {least} ({rule.source}).")
    if short.value is ShortBuyIn.ONCE:
        if player in state.seating.short:
            raise Refused("buy-in", f"{player} has bought in short before; now at least {least} ({short.source}).")
        state.seating = replace(state.seating, short=state.seating.short | {player})
        sentence = f"{player} buys in for less than {least}: allowed once"
    else:
        sentence = f"{player} buys in for less than {least}: allowed if no player objects"
    return (ruled("short-buy-in", Verdict.PLAY_ON, short, sentence, event.seat),)


def _full_buy_in(state: State) -> tuple[Rule[int], int]:
    """The least full buy-in, and the rule that says so [R7-3.buyin.1, HR-buyin.1]."""
    stakes, book = state.setup.betting, state.setup.rulebook.people
    if stakes.structure in (Structure.NO_LIMIT, Structure.POT_LIMIT):
        return book.buy_in_big_bet, book.buy_in_big_bet.value * stakes.minimum
    return book.buy_in_limit, book.buy_in_limit.value * max(stakes.big_bet, stakes.max_bet)


def not_too_many(state: State, stack: int) -> None:
    """Refuse a stack above the house's maximum buy-in [HR-buyin.4, R7-14.nl.17]; raises `Refused` (`buy-in`)."""
    rule = state.setup.rulebook.people.buy_in_most
    if rule.value and stack > rule.value and state.setup.mode is Mode.CASH:
        raise Refused("buy-in", f"no more than {rule.value} after buying chips ({rule.source}).")
