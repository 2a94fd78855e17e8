"""At a live table only the floor decides, and only the floor takes a decision back: also by the panel's keys."""

import json
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.model.plan import Plan
from controller.core.model.table_state import TableState
from controller.core.protocol import events, vocabulary
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import QuestionStep
from controller.core.values.value import replace
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import recover_table
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.staff import floor_permission
from controller.runtime.staff.entry_signature import Signer
from controller.runtime.staff.permissions import FLOOR_ROLES, ROLES_BY_EVENT, Role
from tests.runtime.conftest import TABLE
from tests.runtime.loop.test_loop import Table3

MISDEAL = events.FloorDecided(vocabulary.FloorDecision.MISDEAL)
FLOOR: Signer = {"name": "Bo", "role": "floor"}


@pytest.fixture
def three(journal: Journal) -> Table3:
    return Table3(journal)


TOURNAMENT = {**TABLE, "rulebook": "wsop-2024", "mode": "tournament"}
DEALT: tuple[dict[str, Any], ...] = (
    {"ev": "start"},
    *({"ev": "card", "card": card} for card in ("Ad", "9c", "4d", "Kh", "Ks", None)),
)
FLOOR_LINES: tuple[dict[str, Any], ...] = (
    {"ev": "floor", "decide": "dead-hand", "seat": 4}, {"ev": "floor", "decide": "misdeal"},
    {"ev": "penalty", "seat": 2, "hands": 2},
    {"ev": "hand-for-hand", "on": True}, {"ev": "last-hands", "hands": 3}, {"ev": "halt"}, {"ev": "tournament-over"},
    {"ev": "collection", "kind": "rake", "percent": 5, "cap": 5, "step": 1},
    {"ev": "report", "what": "misread", "card": "2c"},
)  # fmt: skip
"""What the floor alone enters at a live table; said here and not read off."""

NOT_THE_FLOOR: tuple[Signer | None, ...] = (
    None, {}, *({"name": "Bo", "role": role.value} for role in Role if role is not Role.FLOOR), {"role": "uplink"},
)  # fmt: skip
"""A key of the panel, and whoever has signed in and is not the floor, whatever their name."""


def test_the_words_that_are_tried_here_are_all_that_are_for_the_floor_alone() -> None:
    alone = {word for word, roles in ROLES_BY_EVENT.items() if roles == FLOOR_ROLES}
    assert {line["ev"] for line in FLOOR_LINES} - {"report"} == alone


@pytest.mark.parametrize("line", FLOOR_LINES, ids=lambda line: " ".join(map(str, line.values())))
def test_what_is_the_floors_nobody_else_enters_amends_drops_or_takes_back(
    journal: Journal, line: dict[str, Any]
) -> None:
    """By itself, put in or taken out by an amendment, alone or beside another change, and by an undo."""
    in_a_hand = line["ev"] in ("floor", "report")
    three = Table3(journal, opened=TABLE if in_a_hand or line["ev"] == "collection" else TOURNAMENT)

    def is_refused(said: dict[str, Any]) -> bool:
        entries = three.lines()
        for by in NOT_THE_FLOOR:
            standing = three.enter(parse_line(said), by)
            if standing.refusal is None or standing.refusal.code != "floor-only":
                return False
        return three.lines() == entries

    def list_words(number: int) -> list[dict[str, Any]]:
        """Every way to put the line in before entry `number`."""
        return [
            {"ev": "amend", "before": number, "to": line},
            {
                "ev": "amend",
                "before": number,
                "to": {"ev": "away", "seat": 1},
                "also": [{"before": number, "to": line}],
            },
        ]

    for each in (*(DEALT if in_a_hand else ()), {"ev": "away", "seat": 2}):
        three.enter(parse_line(each), FLOOR)
    own = three.standings[-1].entry
    for said in (line, *list_words(own), *list_words(own + 1), {"ev": "amend", "line": own, "to": line}):
        assert is_refused(said), said
    assert three.enter(parse_line(line), FLOOR).refusal is None
    given = next(number for number in range(own + 1, own + 9) if read_word(three, number) == line["ev"])
    ways = (
        {"ev": "undo"},
        {"ev": "amend", "line": given, "to": None},
        {"ev": "amend", "line": given, "to": {"ev": "away", "seat": 1}},
        {"ev": "amend", "line": own, "to": None, "drop": [given]},
    )
    for said in ways:
        assert is_refused(said), said
    if line["ev"] != "tournament-over":  # nobody is there any more
        three.enter(parse_line({"ev": "away", "seat": 4}))
        assert three.enter(parse_line({"ev": "undo"})).refusal is None, "their own entry everybody takes back"
        assert is_refused({"ev": "undo"})
    again = recover_table(
        journal, three.session, parse_table_line, make_current_key_finder(journal.path.parent)
    ).table.outcome.state
    for by in NOT_THE_FLOOR:
        refused = floor_permission.find_refusal(events.EntryUndone(), by, again)
        assert refused is not None, "and after a restart"
        assert refused.code == "floor-only"
    assert three.enter(parse_line({"ev": "undo"}), FLOOR).refusal is None


def read_word(three: Table3, number: int) -> object:
    """The word of entry `number`."""
    found = [entry for entry in three.journal.read_entries(three.session) if entry.number == number]
    return json.loads(found[0].script_line)["ev"] if found else None


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


def test_what_a_dealer_said_that_the_table_asked_for_the_dealer_takes_back(journal: Journal) -> None:
    three, dealer = (
        Table3(journal, opened={**TABLE, "sensors": ["identity", "board"]}),
        {"name": "Ada", "role": "dealer"},
    )
    calls = ({"ev": "act", "seat": seat, "do": word} for seat, word in ((1, "call"), (2, "call"), (4, "check")))
    for line in (*DEALT[:-1], {"ev": "card", "card": "2c"}, *calls, {"ev": "card", "card": "3h"}):
        three.enter(parse_line(line), dealer)
    for line in ({"ev": "seen", "at": "board", "card": "3h"}, {"ev": "report", "what": "misread", "card": "7d"}):
        assert three.enter(parse_line(line), dealer).refusal is None
    assert three.enter(events.EntryUndone(), dealer).refusal is None
    plan = three.loop.outcome.state.hand_in_play.plan
    assert isinstance(plan.next_step, QuestionStep), "it asks again"
