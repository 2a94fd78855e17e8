"""At a live table only the floor decides, and only the floor takes a decision back: also by the panel's keys."""

import pytest

from controller.core.model.plan import Plan
from controller.core.model.table_state import TableState
from controller.core.protocol import events, vocabulary
from controller.core.protocol.steps import QuestionStep
from controller.core.values.value import replace
from controller.runtime.journal.journal import Journal
from controller.runtime.staff import floor_permission
from controller.runtime.staff.entry_signature import Signer
from tests.runtime.loop.test_loop import Table3

MISDEAL = events.FloorDecided(vocabulary.FloorDecision.MISDEAL)
FLOOR: Signer = {"name": "Bo", "role": "floor"}


@pytest.fixture
def three(journal: Journal) -> Table3:
    return Table3(journal)


def mark_floor_decision(state: TableState) -> TableState:
    """The state as it is after a decision of the floor."""
    after = state.copy()
    after.undo = replace(after.undo, is_floor_decision=True)
    return after


@pytest.mark.parametrize("by", [None, {}, {"role": "dealer"}, {"role": "technician"}, {"role": "auditor"}])
def test_nobody_else_decides_or_takes_back(three: Table3, by: dict[str, object] | None) -> None:
    state = three.loop.outcome.state
    for event, at in (
        (MISDEAL, state),
        (events.PenaltyImposed(3, hands=1), state),
        (events.EntryUndone(), mark_floor_decision(state)),
    ):
        refused = floor_permission.find_refusal(event, by, at)
        assert refused is not None
        assert refused.code == "floor-only"
    assert floor_permission.find_refusal(events.EntryUndone(), by, state) is None
    assert floor_permission.find_refusal(events.HandStarted(), by, state) is None


def test_the_floor_decides_and_takes_back(three: Table3) -> None:
    state = mark_floor_decision(three.loop.outcome.state)
    assert floor_permission.find_refusal(MISDEAL, {"role": "floor"}, state) is None
    assert floor_permission.find_refusal(events.EntryUndone(), {"role": "floor"}, state) is None


def test_a_key_of_the_panel_decides_nothing_at_a_live_table(three: Table3) -> None:
    three.enter(events.HandStarted())
    entries = three.lines()
    standing = three.enter(MISDEAL)
    assert standing.refusal is not None
    assert standing.refusal.code == "floor-only"
    assert three.lines() == entries, "it is not even an entry"
    assert three.enter(MISDEAL, FLOOR).refusal is None
    assert three.lines()[-1]["ev"] == "floor"
    assert three.enter(events.EntryUndone()).refusal is not None


def test_what_time_brought_since_hides_no_decision_of_the_floor(three: Table3) -> None:
    """The clock runs out after the floor has decided: an undo would still take the decision back."""
    three.enter(events.HandStarted())
    for card in ("Ad", "9c", "4d", "Kh", "Ks", "2c"):
        three.enter(events.CardDealt(card))
    three.enter(events.ClockCalled(1))
    three.enter(events.FloorDecided(vocabulary.FloorDecision.DEAD_HAND, seat=4), FLOOR)
    three.now += 600
    three.loop.on_tick(three.now)
    assert [ruling["finding"] for ruling in three.standings[-1].rulings] == ["clock-expired"]
    refused = three.enter(events.EntryUndone()).refusal
    assert refused is not None
    assert refused.code == "floor-only"
    assert three.enter(events.PlayerSeated(6, "Ana", 200)).refusal is None
    assert three.enter(events.EntryUndone()).refusal is None, "their own entry everybody takes back"
    assert three.enter(events.EntryUndone()).refusal is not None


@pytest.mark.parametrize("role", ["dealer", "floor", "technician", "auditor"])
def test_no_report_says_who_has_seen_a_card_whoever_signs_it(three: Table3, role: str) -> None:
    three.enter(events.HandStarted())
    for card in ("Ad", "9c", "4d"):
        three.enter(events.CardDealt(card))
    entries = three.lines()
    report = events.Report(vocabulary.ReportKind.EXPOSED, seat=1, is_witnessed=True)
    refused = three.enter(report, {"name": "Bo", "role": role}).refusal
    assert refused is not None
    assert refused.code == "unused-key"
    assert "turned-up" in refused.message, "the way that is open"
    assert three.lines() == entries
    assert three.enter(replace(report, is_witnessed=False), {"name": "Bo", "role": role}).refusal is None


def misread(card: str) -> events.Report:
    return events.Report(vocabulary.ReportKind.MISREAD, card=card)


@pytest.mark.parametrize("role", ["dealer", "technician", "auditor"])
def test_nobody_tries_names_at_a_card_that_lies_face_down(three: Table3, role: str) -> None:
    """A name that is out already is a duplicate: whoever may try all 52 and take each back knows every hole card."""
    three.enter(events.HandStarted())
    for card in ("Ad", "9c"):
        three.enter(events.CardDealt(card))
    entries = three.lines()
    for card in ("Ad", "Kh"):
        refused = three.enter(misread(card), {"name": "Bo", "role": role}).refusal
        assert refused is not None
        assert refused.code == "floor-only"
        assert card not in refused.message
    assert three.lines() == entries, "nothing of it is even an entry"


def test_only_the_floor_says_what_an_unread_card_or_a_double_one_is(three: Table3) -> None:
    three.enter(events.HandStarted())
    for card, twice in ((None, None), ("Ad", "Ad")):
        for each in (card, twice):
            three.enter(events.CardDealt(each))
        refused = three.enter(misread("Kh")).refusal
        assert refused is not None
        assert refused.code == "floor-only"
        assert three.enter(misread("Kh" if card is None else "Qh"), FLOOR).refusal is None
        assert three.lines()[-1]["ev"] == "report"


def test_what_the_table_asks_for_a_dealer_may_say(three: Table3) -> None:
    state = three.loop.outcome.state
    asked = state.copy()
    three.enter(events.HandStarted())
    hand = three.loop.outcome.state.hand_in_play.copy()
    hand.plan = Plan((QuestionStep(("misread",)),))
    asked.hand = hand
    assert floor_permission.find_refusal(misread("Kh"), {"role": "dealer"}, asked) is None
    assert floor_permission.find_refusal(misread("Kh"), None, state) is not None
