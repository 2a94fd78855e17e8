"""The start of a hand: who is dealt in, where the button goes, forced money, the deal on the plan."""

from controller.core.model.hand import Hand, HandBetting, HandCards, HandChips, HandHold, HandKill, HandPositions
from controller.core.model.positions import Positions
from controller.core.model.setup import Setup
from controller.core.model.table_state import TableState
from controller.core.play.betting import carried_pot, pots
from controller.core.play.dealing import hand_machine, planner
from controller.core.play.game_flow import (
    bomb_pot,
    house_account,
    house_collection,
    lone_player,
    mixed_games,
    tournament_holds,
    tournament_levels,
)
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.play.posting import forced_bets, kill_pots
from controller.core.play.seating import button, single_blind
from controller.core.play.seating.lineup import Lineup, build_lineup
from controller.core.protocol.facts import ChipsCollected, ChipsReturned, HandBegan
from controller.core.protocol.steps import BettingStep, CollectStep
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.questions.house.table_rules import ButtonRule
from controller.core.rules.questions.house.tournament_rules import MovedPlayerEntry
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.cards import build_deck
from controller.core.values.piles import Piles
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import FreeEntry, SeatState, TournamentDeal
from controller.core.values.value import replace


def start_hand(state: TableState, bomb: int = 0, *, alone: bool = False) -> tuple[Ruling, ...]:
    """Begin the next hand: the button moves, blinds and antes post themselves, the plan reaches the first act.

    `bomb`: what everybody antes for a bomb pot; 0: it is none. `alone`: there is one player only, and no deal.
    Raises `Refused` (`too-few-players`).
    """
    one = lone_player.find_lone_player(state) if alone else None
    tournament_levels.refuse_in_break(state)
    tournament_holds.refuse_held_hand(state)
    before = state.copy()
    TABLE_MACHINE.move(state, "begin_hand")
    before.state_before_hand = before.state_before_last_hand = before.hand = None
    before.undo = replace(before.undo, previous=None)
    before.last_dealt_seats = state.hand.dealing_order if state.hand else ()
    state.last_dealt_seats = before.last_dealt_seats
    state.state_before_hand, state.state_before_last_hand = before, None
    state.hand_count += 1
    changed = mixed_games.advance_rotation(state)
    if state.tournament.level_index != state.tournament.level_first_deal.level_index:
        state.tournament = replace(
            state.tournament, level_first_deal=TournamentDeal(state.tournament.level_index, state.hand_count)
        )
    if state.tournament.level_index:
        stacks = [chair.stack for chair in state.seating.state_by_seat.values() if chair.stack is not None]
        level = state.setup.levels[state.tournament.level_index]
        state.setup = state.setup.replace_stakes(state.setup.stakes.apply_level(level, stacks))
    state.button = replace(state.button, bomb_pot_ante=0)
    said = (bomb_pot.announce_bomb_pot(state, bomb),) if bomb else ()
    house_collection.keep_unpaid_out(state)
    found = _find_who_plays(state)
    mixed_games.count_dealt_hand(state, found.seats)
    deal_hand(state, found)
    if one is not None:
        said = (*said, lone_player.award_posted_chips(state.hand_in_play, one))
    tournament_levels.resume_timer(state)
    house_collection.ask_for_time_charges(state)
    return (*changed, *said, *_explain_button(state, found), *_explain_waiting_seats(state, found))


def _find_who_plays(state: TableState) -> Lineup:
    """Who is dealt in and where, without those who declined the time charge and whom the big blind reaches."""
    found = _build_lineup(state)
    while house_collection.deal_out_unpaid_blind(state, found):
        found = _build_lineup(state)
    return found


def _build_lineup(state: TableState) -> Lineup:
    """Who can play; where too few can, the refusal names those who may not because they have not paid their time."""
    try:
        return bomb_pot.build_bomb_pot_lineup(state) if state.button.bomb_pot_ante else build_lineup(state)
    except Refused as why:
        unpaid = house_collection.list_unpaid_out(state)
        if why.code != "too-few-players" or not unpaid:
            raise
        told = ", ".join(map(str, unpaid))
        message = f"{why.message} Dealt out until the time is paid (`collect`): seat {told}."
        raise Refused("too-few-players", message) from None


def reopen_last_hand(state: TableState) -> None:
    """The last award is void with its hand: the table stands as before it, but for who came or went since.

    Raises `Refused` (`not-now`) where another game was named since.
    """
    before = state.state_before_last_hand
    assert before is not None
    last = state.hand_in_play.setup.game
    if last != state.setup.game:
        raise Refused("not-now", f"the last hand was {last.title}: name that game again (`game`) to deal it again.")
    now, gone = state.seating.state_by_seat, state.seating.busted_by_seat
    new = find_new_seats(state)
    back = {
        seat: chair
        for seat, chair in before.seating.state_by_seat.items()
        if (seat in now or seat in gone) and seat not in new
    }
    chairs = {**now, **{seat: replace(c, is_away=now[seat].is_away) if seat in now else c for seat, c in back.items()}}
    state.seating = replace(state.seating, state_by_seat=dict(sorted(chairs.items())))
    state.kill, state.carried_pot = before.kill, before.carried_pot
    house_account.reopen_account(state, before)
    state.state_before_hand, state.state_before_last_hand = before, None
    TABLE_MACHINE.move(state, "reopen_hand")


def redeal(state: TableState, at: int | None) -> None:
    """Deal the hand again as if it had not begun, from the same button or from the seat `at`; it keeps its number.

    Who left or went away meanwhile has done so; who sat down meanwhile was no part of the hand and waits for the next.
    Time charges that nobody has answered are asked for again. Who left with chips in the pot gets them back, too: they
    go along. Raises `Refused` (`too-few-players`).
    """
    before = state.state_before_hand
    assert before is not None
    returned = _find_chips_of_leavers(state, before)
    charges = tuple(step for step in state.hand_in_play.plan.steps_of_type(CollectStep) if step.seat is not None)
    new = find_new_seats(state)
    late = {seat: chair for seat, chair in state.seating.state_by_seat.items() if seat in new}
    state.seating = replace(
        state.seating,
        state_by_seat={
            seat: replace(
                chair,
                is_away=state.seating.state_by_seat[seat].is_away,
                penalty_hands=max(chair.penalty_hands, state.seating.state_by_seat[seat].penalty_hands),
            )
            for seat, chair in before.seating.state_by_seat.items()
            if seat in state.seating.state_by_seat and seat not in new
        },
    )
    state.button = replace(state.button, positions=before.button.positions, first_button=before.button.first_button)
    state.seating = replace(state.seating, busted_by_seat=before.seating.busted_by_seat)
    state.button = replace(
        state.button, corrected_button=before.button.corrected_button, passed_over_seat=before.button.passed_over_seat
    )
    state.single_blind = replace(
        state.single_blind, due_seat=before.single_blind.due_seat, substitute_seat=before.single_blind.substitute_seat
    )
    if at is not None:  # and another misdeal deals from there again: that is the button of this hand now
        state.button = replace(state.button, corrected_button=at)
        state.state_before_hand = replace(before, button=replace(before.button, corrected_button=at))
    absent = state.hand_in_play.betting.absent_before_misdeal_seats
    absent |= {seat for seat, chair in before.seating.state_by_seat.items() if chair.is_away}
    deal_hand(state, _find_who_plays(state))
    hand = state.hand_in_play
    hand.play_rulings = (*hand.play_rulings, *(_announce_chips_of_leaver(state, leaver) for leaver in returned))
    for leaver in returned:
        hand.tell(leaver)
    hand.plan = hand.plan.prepend(*charges)
    hand.betting = replace(hand.betting, absent_before_misdeal_seats=absent & set(hand.dealing_order))
    state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, **late})


def _find_chips_of_leavers(state: TableState, before: TableState) -> tuple[ChipsReturned, ...]:
    """What those get back who have left since the hand began, or owe where it was over and had brought them chips."""
    chairs, taken = before.seating.state_by_seat, state.hand_in_play.chips.stack_at_leaving_by_seat
    due = ((seat, (chairs[seat].stack or 0) - chips) for seat, chips in sorted(taken.items()))
    return tuple(ChipsReturned(seat, chairs[seat].player, amount) for seat, amount in due if amount)


def _announce_chips_of_leaver(state: TableState, leaver: ChipsReturned) -> Ruling:
    rule = state.setup.rulebook.deck.duplicate  # the clause by which chips go back to those who wagered them
    is_named, is_due = leaver.player != f"seat {leaver.seat}", leaver.amount > 0
    if is_due:
        template = said.NAMED_LEAVER_GETS_BACK if is_named else said.LEAVER_GETS_BACK
    else:
        template = said.NAMED_LEAVER_OWES if is_named else said.LEAVER_OWES
    sentence = template.format(player=leaver.player, seat=leaver.seat, amount=abs(leaver.amount))
    return build_ruling("left-chips", Verdict.CORRECT if is_due else Verdict.PLAY_ON, rule, sentence, leaver.seat)


def find_new_seats(state: TableState) -> frozenset[int]:
    """Seats whose players have sat down since the last hand began, in a free chair or in that of one who left."""
    return frozenset(
        seat for seat, chair in state.seating.state_by_seat.items() if chair.seated_after_hands >= state.hand_count
    )


def deal_hand(state: TableState, found: Lineup) -> None:
    """Lay out a hand as it was found who plays it and where."""
    found, fee = house_collection.pay_button_fee(state, found)
    _lay_out_hand(state, found)
    if fee:
        hand = state.hand_in_play
        hand.collection = replace(hand.collection, button_fee=fee, button_payer=found.positions.button)
        hand.tell(ChipsCollected(fee, seat=found.positions.button, is_button_fee=True))


def _lay_out_hand(state: TableState, found: Lineup) -> None:
    setup, positions, seats = state.setup, found.positions, found.seats
    if state.button.bomb_pot_ante:
        _post_and_plan(state, found, bomb_pot.build_bomb_pot_setup(setup, state.button.bomb_pot_ante))
        return
    if state.button.corrected_button is None:
        _record_missed_blinds(state, positions, seats)
    if setup.game.has_button:
        _track_first_round(state, positions)
    if (
        state.button.passed_over_seat is not None
        and state.button.corrected_button is None
        and state.button.positions is not None
    ):
        had = button.has_passed(state.button.positions.button, positions.button, state.button.passed_over_seat)
        state.button = replace(state.button, passed_over_seat=None if had else state.button.passed_over_seat)
    state.button = replace(state.button, corrected_button=None)
    if setup.game.has_button:
        state.button = replace(state.button, positions=positions, frozen_button=None)
    _post_and_plan(state, found, setup)
    state.seating = replace(
        state.seating,
        state_by_seat={
            seat: _settle_seat(chair, seat in seats, has_blinds=setup.has_blinds)
            for seat, chair in state.seating.state_by_seat.items()
        },
    )
    hand = state.hand_in_play
    bigs_had = {
        seat: replace(state.seating.state_by_seat[seat], last_big_blind_hand=state.hand_count)
        for seat in hand.positions.big_blinds
    }
    state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, **bigs_had})


def _post_and_plan(state: TableState, found: Lineup, setup: Setup) -> None:
    """Post what is due and put the deal on the plan, at the game and stakes of the hand."""
    positions, seats, last_hand = found.positions, found.seats, state.hand
    order = seats_after(seats, positions.button) if setup.game.has_button else tuple(sorted(seats))
    blinded = bool(setup.stakes.big_blind or setup.stakes.small_blind) and setup.game.has_button
    owed = setup.stakes
    if blinded:
        setup = setup.replace_stakes(setup.stakes.keep_last_blinds(len(order)))
    setup = carried_pot.apply_ante_limit(state, setup)
    if state.tournament.are_antes_waived:
        setup = setup.replace_stakes(replace(setup.stakes, ante=0))
    required = state.kill.required_killer if state.kill.required_killer in order else None
    entering = next((chair.seat for chair in found.posters if kill_pots.is_posting_kill(setup, chair)), None)
    killer = entering if required is None else required
    times = (
        kill_pots.posted_kill_in_half_blinds(setup)
        if required is None and entering is not None
        else kill_pots.kill_in_half_blinds(setup)
    )
    pledging = (seat for seat in order if state.seating.state_by_seat[seat].pledges_kill)
    state.kill = replace(state.kill, pledged_killer=next(pledging, None) if required is not None else None)
    due = positions.big_blind_seats if found.button_buyer is None else (found.button_buyer,)
    bigs, said = single_blind.assign_single_blind(state, setup, due, order)
    last = state.kill.last_winner
    hand = Hand(
        number=state.hand_count,
        setup=setup if killer is None else kill_pots.apply_kill_stakes(setup, times),
        dealing_order=order,
        positions=HandPositions(
            button=positions.button if setup.game.has_button else None,
            small_blind=positions.small_blind
            if blinded and positions.is_small_blind_posted and setup.stakes.small_blind
            else None,
            big_blinds=bigs if blinded and setup.stakes.big_blind else (),
            middle_blinds=_list_middle_blinds(found, bigs) if blinded else (),
            winner_button=last if dict(setup.house_options).get("position_poker") and last in order else None,
        ),
        cards=HandCards(Piles(len(build_deck(setup.deck_size, setup.has_joker)))),
        chips=HandChips(
            stack_by_seat={seat: state.seating.state_by_seat[seat].stack or 0 for seat in order}
            if setup.tracks_amounts
            else {},
            paid_earlier_by_seat=dict(state.carried_pot.ante_by_seat),
            dead_chips=state.carried_pot.chips - sum(state.carried_pot.ante_by_seat.values()),
        ),
        betting=HandBetting(live_seats=order),
        kill=HandKill(killer, times, required is not None),
        hold=HandHold(state.tournament.is_hand_for_hand),
        facts=() if last_hand is None else last_hand.facts,
    )
    if last_hand is None or last_hand.number != hand.number:
        hand.tell(HandBegan(hand.number))
    forced_bets.post_forced_bets(hand, found.posters, carried_pot.missed_antes(state, order), owed)
    if found.button_buyer is not None and setup.tracks_amounts:
        pots.post_dead_money(hand, found.button_buyer, sum(setup.stakes.blinds[:-1]))
        hand.chips = replace(hand.chips, dead_small_blind_count=1)
    kill_pots.post_kill(hand)
    hand.play_rulings = (*hand.play_rulings, *said)
    state.hand = hand
    state.time = replace(state.time, clock=None)
    planner.plan_deal(hand)
    if found.straddler is not None:
        hand_machine.extend(hand)
        forced_bets.straddle(hand, found.straddler, comes_in=True)
        hand.plan = hand.plan.drop_types(BettingStep)


def _list_middle_blinds(found: Lineup, bigs: tuple[int, ...]) -> tuple[int | None, ...]:
    """Who posts each blind between the small and the big one; nobody who is not dealt in or posts a big one."""
    able = () if found.button_buyer is not None else found.seats
    return tuple(seat if seat in able and seat not in bigs else None for seat in found.positions.middle_blinds)


def _settle_seat(chair: SeatState, dealt: bool, *, has_blinds: bool) -> SeatState:
    """The chair once this hand is dealt: debts are posted, or waited out till the big blind [R7-4.blinds.10].

    In a rotation a game without blinds settles none: who missed some owes them still when one with blinds comes.
    """
    if dealt and not has_blinds and chair.owes_blinds:
        return chair
    if dealt:
        return chair.clear_entry_duties()
    if chair.hands_to_wait > 1:
        return replace(chair, hands_to_wait=chair.hands_to_wait - 1)
    if chair.hands_to_wait == 1:
        return replace(
            chair, hands_to_wait=0, waits_for_big_blind=False, posts_to_enter=False, was_never_dealt_in=False
        )
    return chair


def _record_missed_blinds(state: TableState, positions: Positions, seats: tuple[int, ...]) -> None:
    """Note whom the blinds pass with this hand: who is away, who has come back and waits, who went broke.

    A newcomer who waits misses nothing [R7-4.blinds.6]. Who dealt off lets the blinds pass once [R7-4.blinds.15].
    With the first hand the blinds come from the button: who drew for it is in the game [R7-4.blinds.13a].
    """
    stakes = state.setup.stakes
    if not state.setup.game.has_button or not (stakes.big_blind or stakes.small_blind):
        return
    last = state.button.positions or _positions_before_first(positions)

    def add_missed_blinds(chair: SeatState) -> SeatState:
        seat = chair.seat
        big = button.has_passed(last.big_blind, positions.big_blind, seat)
        small = button.has_passed(last.small_blind, positions.small_blind, seat)
        middle: frozenset[int] = frozenset()
        if stakes.middle_blinds:
            small, middle = _find_missed_lesser_blinds(last, positions, seat, len(stakes.middle_blinds))
        if chair.was_never_dealt_in or chair.hands_to_wait or not (big or small or middle):
            return chair
        if chair.free_entry is FreeEntry.BLINDS_TO_PASS:
            return replace(chair, free_entry=FreeEntry.BUTTON_TO_PASS) if small else chair
        if chair.free_entry and not big:
            return chair
        return replace(
            chair,
            owes_big_blind=chair.owes_big_blind or big,
            owes_small_blind=chair.owes_small_blind or small,
            owed_middle_blinds=chair.owed_middle_blinds | middle,
            free_entry=FreeEntry.NONE,
        )

    state.seating = replace(
        state.seating,
        state_by_seat={
            seat: add_missed_blinds(chair)
            if seat not in seats and (chair.is_away or chair.waits_for_big_blind)
            else chair
            for seat, chair in state.seating.state_by_seat.items()
        },
    )
    state.seating = replace(
        state.seating,
        busted_by_seat={
            seat: add_missed_blinds(chair)
            for seat, chair in state.seating.busted_by_seat.items()
            if seat not in state.seating.state_by_seat
        },
    )


def _find_missed_lesser_blinds(
    last: Positions, positions: Positions, seat: int, middle_count: int
) -> tuple[bool, frozenset[int]]:
    """Whether the small blind passed the seat, and which of those after it, counted back from the big one.

    A blind that falls away, as fewer play than there are blinds, passes nobody.
    """
    moves = zip(reversed(last.blind_chairs[:-1]), reversed(positions.blind_chairs[:-1]), strict=False)
    missed = {
        middle_count - 1 - back for back, (old, new) in enumerate(moves) if button.has_passed(old, new, seat)
    }  # -1: the small blind
    return -1 in missed, frozenset(missed - {-1})


def _positions_before_first(first: Positions) -> Positions:
    """Where the blinds of the first hand come from: each from the place before it, the first from the button."""
    *lesser, big = (
        (first.button, *first.blind_chairs[:-1]) if first.middle_blinds else (first.button, first.small_blind)
    )
    return Positions(first.button, lesser[0], big, False, (), tuple(lesser[1:]))


def _track_first_round(state: TableState, positions: Positions) -> None:
    """In a new game, remember where the button began until it has been round once [R7-4.blinds.13b]."""
    if state.button.positions is None:
        state.button = replace(state.button, first_button=positions.button if state.setup.is_new_game else None)
    elif state.button.first_button is not None and button.has_passed(
        state.button.positions.button, positions.button, state.button.first_button
    ):
        state.button = replace(state.button, first_button=None)


def _explain_button(state: TableState, found: Lineup) -> tuple[Ruling, ...]:
    """Say why the button stands before nobody, why nobody has the small blind, why there are two big blinds."""
    hand, positions = state.hand_in_play, found.positions
    setup = state.setup
    table = setup.rulebook.table
    if found.button_buyer is not None:
        template = said.BUYS_BUTTON_FOR_ALL if positions.middle_blinds else said.BUYS_BUTTON
        sentence = template.format(seat=found.button_buyer)
        return (
            build_ruling(
                "buys-button", Verdict.PLAY_ON, setup.rulebook.people.buys_button, sentence, found.button_buyer
            ),
        )
    rule = setup.select_by_mode(table.button_cash, table.button_tournament)
    if hand.positions.button is None or not hand.positions.big_blinds:
        return ()
    if setup.button_rule is ButtonRule.MOVING:
        if len(positions.big_blind_seats) < 2:
            return ()
        sentence = said.SEVERAL_BIG_BLINDS.format(seats=", ".join(map(str, positions.big_blind_seats)))
        return (build_ruling("moving-button", Verdict.PLAY_ON, rule, sentence),)
    dead = []
    if hand.positions.button not in hand.dealing_order:
        dead.append(said.BUTTON_DEAD.format(seat=hand.positions.button))
    has_small = setup.stakes.has_usual_blinds or len(positions.blind_chairs) > 1
    if has_small and not positions.is_small_blind_posted:
        dead.append(said.SMALL_BLIND_UNDUE.format(seat=positions.small_blind))
    middle = zip(hand.positions.middle_blinds, positions.middle_blinds, hand.setup.stakes.middle_blinds, strict=False)
    dead += [
        said.MIDDLE_BLIND_UNDUE.format(amount=amount, seat=chair) for poster, chair, amount in middle if poster is None
    ]
    if not dead:
        return ()
    sentence = said.join_sentences(said.BIG_BLIND_DUE.format(seat=positions.big_blind), *dead)
    return (build_ruling("dead-button", Verdict.PLAY_ON, rule, sentence),)


def _explain_waiting_seats(state: TableState, found: Lineup) -> tuple[Ruling, ...]:
    """Say to those who would come in between the big blind and the button why they wait."""
    book = state.setup.rulebook
    behind: Rule[object] = state.setup.select_by_mode(book.people.enter_behind_blind, book.tournament.moved)

    def waits(seat: int) -> Ruling:
        came = state.seating.state_by_seat[seat].came_from_table
        rule = state.setup.select_by_mode(book.people.must_move_free, behind) if came else behind
        cash = said.MOVED_IN_WAITS if came else said.BEHIND_BLIND_WAITS
        template = state.setup.select_by_mode(cash, said.MOVED_IN_WAITS)
        if behind.value is MovedPlayerEntry.NOT_BEHIND_THE_BUTTON:
            template = said.BEHIND_BUTTON_WAITS
        return build_ruling("entry", Verdict.PLAY_ON, rule, template.format(seat=seat), seat)

    barred = tuple(waits(seat) for seat in found.barred_seats)
    one, template = book.kill.one, said.SECOND_KILLER_WAITS
    return (
        *barred,
        *(
            build_ruling("entry", Verdict.PLAY_ON, one, template.format(seat=seat), seat)
            for seat in found.second_killers
        ),
    )
