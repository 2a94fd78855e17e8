"""Games with a single blind: who takes it where the player due has next to none of it [R7-11.lowball.4, 5, 6]."""

from controller.core.model.setup import Setup
from controller.core.model.table_state import SingleBlind, TableState
from controller.core.rules import ruling_sentences
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace


def has_missed_single_blind(setup: Setup, chair: SeatState) -> bool:
    """Whether a player failed to take the single blind and comes in on it only."""
    book = setup.rulebook.lowball.get(setup.game.rules_form)
    if book is None or not setup.stakes.has_single_blind or not book.single_blind_waits.value:
        return False
    return chair.owes_big_blind and not chair.was_never_dealt_in


def assign_single_blind(
    state: TableState, setup: Setup, due: tuple[int, ...], order: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[Ruling, ...]]:
    """Who posts the blind, `due` by the button, and what is to be said about it; notes who owes the next one.

    Half a blind or more is a full one. A player with less gets a hand for it, and the next one takes the blind. With
    chips again the former takes it on the next deal, in place of the one who took it.
    """
    book = setup.rulebook.lowball.get(setup.game.rules_form)
    if (
        book is None
        or not setup.stakes.has_single_blind
        or not book.single_blind_passes.value
        or not setup.tracks_amounts
    ):
        return due, ()
    rule, said = book.single_blind_passes, []
    owing, had = state.single_blind.due_seat, state.single_blind.substitute_seat
    state.single_blind = SingleBlind()
    if owing in order and (had in due or owing in due):
        due = tuple(sorted({*(seat for seat in due if seat != had), owing}))
        sentence = ruling_sentences.TAKES_BLIND_NOW.format(seat=owing, other=had)
        said.append(build_ruling("short-blind", Verdict.PLAY_ON, rule, sentence, owing))
    elif had in due and len(due) > 1:
        due = tuple(seat for seat in due if seat != had)
    last = max(due, key=order.index)
    if 2 * (state.seating.state_by_seat[last].stack or 0) >= setup.stakes.big_blind:
        return due, tuple(said)
    able = (
        seat
        for seat in seats_after(order, last)
        if 2 * (state.seating.state_by_seat[seat].stack or 0) >= setup.stakes.big_blind
    )
    taker = next((seat for seat in able if seat not in due), None)
    if taker is None:
        return due, tuple(said)
    state.single_blind = replace(state.single_blind, due_seat=last, substitute_seat=taker)
    sentence = ruling_sentences.BLIND_PASSED_ON.format(seat=last, other=taker)
    said.append(build_ruling("short-blind", Verdict.PLAY_ON, rule, sentence, last))
    return tuple(sorted((*due, taker))), tuple(said)
