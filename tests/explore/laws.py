"""What holds at every state and with every entry; each law by its name, so that a failure can be made smaller."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from controller.core.engine.amendments.hand_history import AcceptedEntry
from controller.core.engine.table import Table
from controller.core.model.hand import Hand
from controller.core.model.known_cards import is_hidden
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from controller.core.protocol.events import CardDealt, CardDetected, EntryUndone
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import DealStep, DiscardStep, MoveStep, ReturnStep
from controller.core.protocol.table_error import Refused
from controller.core.values.piles import ALL, ASIDE, STUB, STUB_BOTTOM, PlacedCard
from controller.runtime.journal.recovery.snapshot import Snapshot, parse_snapshot, render_snapshot
from tests.core.arbitrary import check_no_hidden_card, chips, sound
from tests.core.test_amend_any_story import amend_to_itself, render_without_rulings
from tests.explore.canonical import CanonicalForm
from tests.explore.entries import Line, iter_answers, list_offers
from tests.laws.clauses import hold_the_law_of_clauses

CHIPS_COME_AND_GO = frozenset({
    "sit", "leave", "stack", "buy", "colour-up", "tournament-over", "undo", "amend", "floor",
})  # fmt: skip
"""Lines with which a house brings chips to the table, takes them off it, or begins the hand again without them."""
MOVES_THE_BUTTON = frozenset({"undo", "amend", "sit", "leave", "away", "back", "floor"})
"""Lines after which other people are dealt in, or the hand begins otherwise."""
CARDS_AND_CHIPS = "cards lie in one place, chips stay, steps name what is there"
OTHER_TABLES = "an entry changes no other table"
UNDO_OF_EVERYTHING = "undo of everything is the beginning"
MAX_WAY = 600
ENTRIES_AFTER_SNAPSHOT = 12


class LawBrokenError(AssertionError):
    """A law did not hold: its name, and what was found."""

    def __init__(self, law: str, found: str) -> None:
        super().__init__(f"{law}: {found}")
        self.law, self.found = law, found

    @property
    def signature(self) -> str:
        """The law and the kind of thing that was found, without numbers, cards and seats."""
        return f"{self.law}: {re.sub(r'[0-9]+|[2-9TJQKA][cdhs]', 'N', self.found)[:120]}"


@contextmanager
def name_law(law: str) -> Iterator[None]:
    """Let what is raised inside break this law."""
    try:
        yield
    except LawBrokenError:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {error}" if not isinstance(error, AssertionError) else str(error)
        raise LawBrokenError(law, told.split("\n")[0][:400]) from error


def take(table: Table, line: Line) -> Outcome | None:
    """Enter a line; `None` where it was refused. Raises `LawBrokenError` for any other exception."""
    try:
        event = parse_line(line)
        return table.handle(event)
    except Refused as error:
        with name_law("no refusal names a hidden card"):
            check_no_hidden_card(table.outcome, (error.message,))
        return None
    except Exception as error:
        raise LawBrokenError("nothing is raised but a refusal", f"{type(error).__name__}: {error}") from error


def hold_laws_of_entry(book: str, stood: Table, table: Table, line: Line) -> None:
    """What is true of every entry that was taken, which led from `stood` to `table`."""
    before, amendment_count = stood.outcome, len(stood.history.amendments)
    outcome = table.outcome
    with name_law(CARDS_AND_CHIPS):
        sound(before.state, outcome)
        check_no_hidden_card(outcome, [ruling.text for ruling in outcome.rulings])
    with name_law("no pile of chips is below zero"):
        assert all((chair.stack or 0) >= 0 for chair in outcome.state.seating.state_by_seat.values())
    with name_law("chips stay at the table"):
        _hold_chips(before.state, outcome.state, line)
    with name_law("every ruling names its clause"):
        hold_the_law_of_clauses(book, outcome.rulings)
    with name_law("a step that is confirmed happens"):
        if line["ev"] == "done":
            _hold_confirmation(before.state, outcome.state)
    with name_law("cards go to live hands"):
        _hold_deals(outcome.state)
    with name_law("the button stays while a hand lasts"):
        _hold_button(before.state, outcome, line)
    with name_law("each live hand may draw"):
        _hold_draws(before.state, outcome.state, line)
    with name_law("what was known stays known"):
        _hold_known_cards(before.state, outcome.state)
    with name_law("each amendment is on record"):
        assert line["ev"] != "amend" or len(table.history.amendments) == 1 + amendment_count, "one is gone"


def _hold_chips(before: TableState, after: TableState, line: Line) -> None:
    """What the table has in stacks, bets, pots and the house's account is as much as before."""
    if not after.setup.tracks_amounts or line["ev"] in CHIPS_COME_AND_GO:
        return
    dealt = () if before.hand is None else before.hand.dealing_order
    if any(seat not in before.seating.state_by_seat for seat in dealt):
        return  # they leave the table with the hand: tests/laws/test_chips_of_leavers.py
    assert chips(before) == chips(after), f"{chips(before)} chips, then {chips(after)}"


def _hold_confirmation(before: TableState, after: TableState) -> None:
    step = before.plan.next_step
    if before.hand is None or after.hand is None or after.plan is before.plan:
        return
    assert after.plan.next_step is not step, f"{step} is still first"
    was, now = before.hand.cards.piles, after.hand.cards.piles
    if isinstance(step, ReturnStep | MoveStep) and step.count and step.source != step.destination:
        if isinstance(step, MoveStep) and step.label == "button":
            return
        assert was != now, f"{step} moved nothing"
        if step.source != ALL and step.source not in (STUB, STUB_BOTTOM) and after.is_hand_on:
            there = len(was.cards_at(step.source)) - len(now.cards_at(step.source))
            assert there >= step.count or step.destination == ASIDE, f"{step} took {there} cards"
    elif isinstance(step, DiscardStep):
        assert was.stub_count - now.stub_count in (step.count, 0), f"{step} took others"


def _hold_deals(state: TableState) -> None:
    hand = state.hand
    if hand is None:
        return
    served = {*hand.betting.live_seats, *hand.stud.receiving_seats}
    for step in hand.plan:
        if isinstance(step, DealStep):
            assert step.seat in served, f"{step} of a hand that is not live: {sorted(served)}"


def _hold_button(before: TableState, outcome: Outcome, line: Line) -> None:
    """A hand that is dealt again is dealt from the same button, to the same blinds, where the same people sit.

    If the button was found wrong too late for a misdeal, another reason to deal again puts it right.
    """
    after = outcome.state
    is_same_hand = bool(before.plan and after.plan) and before.hand_count == after.hand_count
    if (
        not is_same_hand
        or before.button.corrected_button is not None
        or line["ev"] in MOVES_THE_BUTTON
        or any(ruling.finding == "button-wrong" for ruling in outcome.rulings)
    ):
        return
    if _list_dealt_seats(before) == _list_dealt_seats(after):
        assert before.button.positions == after.button.positions, f"{before.button.positions}, {after.button.positions}"


def _list_dealt_seats(state: TableState) -> list[int]:
    return [] if state.hand is None else sorted(state.hand.dealing_order)


def _hold_draws(before: TableState, after: TableState, line: Line) -> None:
    """As a draw begins all hands that are not folded take part, all-in or not; one given back later draws alone."""
    hand, was = after.hand, before.hand
    if hand is None or was is None or not hand.draw.drawing_seats or was.draw.drawing_seats:
        return
    if line["ev"] not in ("undo", "amend") and not was.draw.deferred_steps:
        asked = {line["seat"]} if line.get("decide") == "revive" else {*hand.betting.live_seats}
        missing = asked - {*hand.draw.drawing_seats}
        assert not missing, f"seats {sorted(missing)} are not asked"


def _hold_known_cards(before: TableState, after: TableState) -> None:
    """At a live table nothing makes a card hidden again that everybody knows; and a hand that is over is forgotten."""
    hand, was = after.hand, before.hand
    if hand is None or was is None or before.hand_count != after.hand_count or not after.setup.is_live:
        return
    known = {each.serial for each in _list_cards(was) if each.is_known and each.card}
    hidden = {each.serial for each in _list_cards(hand) if is_hidden(hand, each)}
    assert not known & hidden, f"{len(known & hidden)} cards are hidden again"


def _list_cards(hand: Hand) -> Iterator[PlacedCard]:
    yield from (each for pile in hand.cards.piles.cards_by_place.values() for each in pile)


def hold_offers(table: Table, salt: int) -> None:
    """Raises `LawBrokenError` where the table refuses what it says that it takes."""
    for group in list_offers(table, salt):
        if group and not any(take(table.copy(), line) is not None for line in group):
            raise LawBrokenError("what is offered is taken", f"{group[0]}")


def hold_undo(before: Table, table: Table) -> None:
    """Taken back, the entry that led from `before` to `table` never was."""
    if len(table.histories) <= len(before.histories):
        return  # a card has left the shoe, or it is no entry
    stood = before.outcome
    was = stood.state
    is_over = bool(was.plan) and not table.outcome.state.plan
    again = table.copy()
    if is_over and take(again, {"ev": "undo"}) is not None and (hand := again.outcome.state.hand) is not None:
        with name_law("a hand that was over has no hidden names"):
            named = [each.serial for each in _list_cards(hand) if each.card and is_hidden(hand, each)]
            assert not named, f"{len(named)} have their names"
    with name_law("undo leads to the table before"):
        shown = render_without_rulings(stood)
        again = table.copy()
        back = again.handle(EntryUndone()).state
        told = render_without_rulings(again.outcome)
        assert is_over or told == shown, f"{_find_differences(told, shown)}"
        assert back.plan == was.plan, f"plan {back.plan[:1]}, was {was.plan[:1]}"
        assert back.seating == was.seating, "others sit there"
        assert back.tournament == was.tournament, "the tournament"
        assert is_over or was.setup.is_live or back.hand == was.hand, "the hand"


def hold_undo_of_everything(table: Table, befores: Sequence[Table], form: CanonicalForm) -> None:
    """As far as entries can be taken back, the table stands each time as it stood before: `befores`, newest first."""
    table = table.copy()
    for before in befores:
        if len(table.histories) == 1 or (before.outcome.state.plan and not table.outcome.state.plan):
            return  # no more can be taken back; or the hand was over by then, and its hidden cards are forgotten
        if take(table, {"ev": "undo"}) is None:
            raise LawBrokenError(UNDO_OF_EVERYTHING, "nothing can be undone, but something was entered")
        if table.outcome.state.setup.is_live:
            continue  # what was known stays known
        if form.make_digest(table) != form.make_digest(before):
            told, shown = (render_without_rulings(each.outcome) for each in (table, before))
            raise LawBrokenError(UNDO_OF_EVERYTHING, f"another state than before: {_find_differences(told, shown)}")


def list_undone(befores: tuple[Table, ...], before: Table, table: Table, line: Line) -> tuple[Table, ...]:
    """Where `undo` leads after a line, again and again: nowhere behind a card; what is no entry is not looked at.

    Neither is a hand that was over and is on again: what was hidden in it is forgotten.
    """
    if before.outcome.state.hand_count and not before.outcome.state.plan and table.outcome.state.plan:
        return (before,) if line["ev"] == "start" else ()
    match line["ev"]:
        case "card" | "time" | "device":
            return ()
        case "undo":
            return befores[1:]
        case _:
            return (before, *befores)


def _find_differences(one: dict[str, Any], other: dict[str, Any]) -> str:
    return ", ".join(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


def hold_amendment_by_itself(table: Table, nth: int) -> None:
    """An entry that is amended to what it was changes nothing."""
    entries = table.history.entries
    if not entries or table.history.corrective_moves:
        return
    again = table.copy()
    each: AcceptedEntry = entries[nth % len(entries)]
    if table.outcome.state.setup.is_live and isinstance(each.event, CardDealt | CardDetected):
        return  # what the shoe or an antenna read there, nobody may name: docs/known-cards.md
    with name_law("an amendment by itself changes nothing"):
        amend_to_itself(again, each, render_without_rulings(table.outcome))


def hold_snapshot(table: Table, salt: int) -> None:
    """A table that is made of what is written down stands as this one, and answers the next hand as this one does."""
    state = table.outcome.state
    if state.is_hand_on:
        return
    with name_law("a snapshot is the table"):
        kept = Snapshot(1, table.to_memory(), 0.0, (), 0, frozenset())
        again = Table.from_memory(parse_snapshot(render_snapshot(kept), state.opening_setup).memory, 1)
        assert again.outcome.state == state, "another state"
        one, other = table.copy(), again
        line: Line = {"ev": "start"}
        for _ in range(ENTRIES_AFTER_SNAPSHOT):
            answers = [take(each, line) for each in (one, other)]
            if answers[0] is None or answers[1] is None:
                assert answers[0] is answers[1], f"{line} is taken by one of them"
                return
            shown = [render_without_rulings(answer) for answer in answers if answer is not None]
            assert shown[0] == shown[1], f"{line}: {_find_differences(*shown)}"
            if not one.outcome.state.plan:
                return
            line = next(each for each in iter_answers(one, salt) if take(one.copy(), each) is not None)


def is_at_rest(state: TableState) -> bool:
    """Whether the hand is over, and nothing is in the way of the next."""
    return not state.plan and not state.faults
