"""Games with a single blind: who takes it where the player due has next to none of it [R7-11.lowball.4, 5, 6]."""

from controller.core.model.setup import Setup
from controller.core.model.state import SingleBlind, State
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.chair import Chair
from controller.core.values.seat_order import after
from controller.core.values.value import replace


def missed(setup: Setup, chair: Chair) -> bool:
    """Whether a player failed to take the single blind and comes in on it only."""
    book = setup.rulebook.lowball.get(setup.game.form)
    if book is None or not setup.betting.single_blind or not book.single_blind_waits.value:
        return False
    return chair.owes_big and not chair.fresh


def taken(
    state: State, setup: Setup, due: tuple[int, ...], order: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[Ruling, ...]]:
    """Who posts the blind, `due` by the button, and what is to be said about it; notes who owes the next one.

    Half a blind or more is a full one. A player with less gets a hand for it, and the next one takes the blind. With
    chips again the former takes it on the next deal, in place of the one who took it.
    """
    book = setup.rulebook.lowball.get(setup.game.form)
    if book is None or not setup.betting.single_blind or not book.single_blind_passes.value or not setup.tracked:
        return due, ()
    rule, said = book.single_blind_passes, []
    owing, had = state.single_blind.due, state.single_blind.taken
    state.single_blind = SingleBlind()
    if owing in order and (had in due or owing in due):
        due = tuple(sorted({*(seat for seat in due if seat != had), owing}))
        sentence = f"seat {owing} left the blind to seat {had} and takes it now"
        said.append(ruled("short-blind", Verdict.PLAY_ON, rule, sentence, owing))
    elif had in due and len(due) > 1:
        due = tuple(seat for seat in due if seat != had)
    last = max(due, key=order.index)
    if 2 * (state.seating.chairs[last].stack or 0) >= setup.betting.big_blind:
        return due, tuple(said)
    able = (
        seat for seat in after(order, last) if 2 * (state.seating.chairs[seat].stack or 0) >= setup.betting.big_blind
    )
    taker = next((seat for seat in able if seat not in due), None)
    if taker is None:
        return due, tuple(said)
    state.single_blind = replace(state.single_blind, due=last, taken=taker)
    sentence = f"seat {last} has less than half a blind: it gets a hand, and seat {taker} takes the blind"
    said.append(ruled("short-blind", Verdict.PLAY_ON, rule, sentence, last))
    return tuple(sorted((*due, taker))), tuple(said)
