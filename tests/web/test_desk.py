"""What a page may enter, when, and from where."""

import re
from dataclasses import replace
from typing import Any

import httpx
import pytest

from controller.core.protocol import script_lines
from controller.core.protocol.events import Event
from controller.runtime.loop.loop_messages import EntryBatch
from controller.runtime.loop.table_view import RefusedEntry
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.permissions import ROLES_BY_EVENT
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import Authenticator
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.site import make_app
from tests.web.test_pages import NAMES, ORIGIN, Client, standing


class Table:
    """Remembers what was entered; nothing moves until the test publishes."""

    def __init__(self) -> None:
        self.hub = PageStateHub({})
        self.entered: list[dict[str, Any]] = []
        self.batches: list[EntryBatch | None] = []
        self.desk = EntryEndpoint(
            self.enter,
            lambda: self.hub.shown_entry,
            place=lambda: JournalPosition("", 1),
            refused=lambda: self.hub.refusal_count,
        )
        self.hub.publish(standing(7))

    def enter(self, event: Event, source: str, by: Signer | None, batch: EntryBatch | None) -> None:
        assert (source, by) == ("page", None), "nobody signs at a showroom"
        self.entered.append(script_lines.format_line(event))
        self.batches.append(batch)

    def client(self) -> Client:
        return Client(make_app(self.hub, NAMES, None, self.desk, door=Authenticator(is_demo=True)))

    def post(self, line: object, seen: object = 7) -> httpx.Response:
        return self.client().post("/entry", json={"seen": seen, "line": line}, headers=ORIGIN)


@pytest.fixture
def table() -> Table:
    return Table()


def test_every_word_that_a_page_enters_is_one_that_somebody_may_enter() -> None:
    scripts = [file.read_text("utf-8") for file in STATIC_FOLDER.glob("*.js")]
    entered = {word for text in scripts for word in re.findall(r'\bev: "([a-z-]+)"', text)}
    assert {"start", "closed", "amend"} <= entered
    assert entered <= set(ROLES_BY_EVENT)


@pytest.mark.parametrize(
    "line",
    [
        {"ev": "start"},
        {"ev": "closed"},
        {"ev": "act", "seat": 4, "do": "raise", "to": 600},
        {"ev": "report", "what": "exposed"},
        {"ev": "draw", "seat": 4, "discard": 2},
        {"ev": "undo"},
        {"ev": "card", "card": None},
        {"ev": "sit", "seat": 3, "stack": 200},
    ],
)
def test_a_touch_is_entered_as_a_line_of_the_table_script(table: Table, line: dict[str, Any]) -> None:
    assert table.post(line).status_code == 202
    assert table.entered == [line]


@pytest.mark.parametrize(
    "line",
    [
        {"ev": "card", "card": "As"},
        {"ev": "card", "card": None, "foreign": True},
        {"ev": "seen", "at": "muck", "card": "As"},
        {"ev": "device", "id": "shoe", "status": "back"},
        {"ev": "time", "t": 5},
        {"ev": "table"},
        {"ev": "start", "t": 5.0},
        {"ev": "level", "due": True},
        {"ev": "timer", "do": "pause", "due": True},
        {"ev": "act", "seat": 4},
        {"ev": "report", "what": "magic"},
        {},
        [],
        "start",
        None,
    ],
)
def test_what_only_devices_know_cannot_be_entered(table: Table, line: object) -> None:
    answer = table.post(line)
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert table.entered == []


def test_at_a_showroom_the_floor_decides_too(table: Table) -> None:
    assert table.post({"ev": "floor", "decide": "misdeal"}).status_code == 202


def test_a_second_touch_on_the_same_showing_is_not_taken(table: Table) -> None:
    assert table.post({"ev": "act", "seat": 4, "do": "fold"}).status_code == 202
    second = table.post({"ev": "act", "seat": 4, "do": "fold"})
    assert (second.status_code, second.json()["code"]) == (409, "moved-on")
    assert len(table.entered) == 1


def test_a_touch_that_the_table_refuses_does_not_lock_the_page(table: Table) -> None:
    """What is refused before it is an entry leaves the same entry shown: the next touch answers that one again."""
    fold = {"ev": "act", "seat": 4, "do": "fold"}
    refused = replace(standing(7), refusal=RefusedEntry("halted", "No hand starts while a fault is up.", "page"))
    assert table.post({"ev": "start"}).status_code == 202
    assert table.post(fold).status_code == 409, "as long as nothing is said of the first"
    table.hub.publish(refused)
    assert table.post(fold).status_code == 202
    table.hub.publish(refused)
    assert table.post(fold).status_code == 409, "the same refusal, published again, is no answer to the second"
    table.hub.publish(replace(refused, refusal=RefusedEntry("halted", "No hand starts while a fault is up.", "page")))
    assert table.post(fold).status_code == 202


def test_a_touch_on_an_old_showing_is_not_taken(table: Table) -> None:
    table.hub.publish(standing(8))
    assert table.post({"ev": "undo"}, seen=7).status_code == 409
    assert table.post({"ev": "undo"}, seen=9).status_code == 409
    assert table.post({"ev": "undo"}, seen=8).status_code == 202


@pytest.mark.parametrize("seen", [None, "7", 7.5, True])
def test_a_touch_says_what_it_saw(table: Table, seen: object) -> None:
    assert table.post({"ev": "undo"}, seen=seen).status_code == 400


def test_a_touch_from_elsewhere_is_refused_by_the_guard(table: Table) -> None:
    content = {"seen": 7, "line": {"ev": "undo"}}
    assert table.client().post("/entry", json=content).status_code == 403
    assert table.client().post("/entry", json=content, headers={"Origin": "http://evil.example"}).status_code == 403
    assert table.client().get("/entry").status_code == 405
    assert table.entered == []


def test_a_showroom_is_open_on_its_own_machine_alone(table: Table) -> None:
    far = table.client()
    far._transport = httpx.ASGITransport(far._transport.app, client=("10.0.0.9", 1))
    answer = far.post("/entry", json={"seen": 7, "line": {"ev": "undo"}}, headers=ORIGIN)
    assert (answer.status_code, answer.json()["code"]) == (401, "sign-in-needed")
    assert table.entered == []


def test_without_a_desk_nothing_is_entered(table: Table) -> None:
    app = make_app(table.hub, NAMES, None)
    assert Client(app).post("/entry", json={}, headers=ORIGIN).status_code == 404


FOLDS = [{"ev": "act", "seat": seat, "do": "fold"} for seat in (4, 7)]


def touch(table: Table, lines: object, seen: int = 7) -> httpx.Response:
    return table.client().post("/entry", json={"seen": seen, "lines": lines}, headers=ORIGIN)


def test_one_touch_enters_what_belongs_together_and_one_undo_takes_it_back(table: Table) -> None:
    lines = [*FOLDS, {"ev": "act", "seat": 8, "do": "call"}]
    assert touch(table, lines).status_code == 202
    assert table.entered == lines
    assert table.batches[0] is not None
    assert all(batch is table.batches[0] for batch in table.batches), "what comes after a refused line is left out"
    table.hub.publish(standing(10))
    assert table.post({"ev": "undo"}, seen=10).status_code == 202
    assert table.entered[3:] == [{"ev": "undo"}] * 3
    table.hub.publish(standing(13))
    table.post({"ev": "undo"}, seen=13)
    assert table.entered[6:] == [{"ev": "undo"}]


def test_an_undo_takes_back_one_line_where_a_refusal_cut_the_touch_short_and_a_card_came_since(table: Table) -> None:
    touch(table, FOLDS)
    assert table.batches[0] is not None
    table.batches[0].is_refused = True
    table.hub.publish(standing(9))
    table.post({"ev": "undo"}, seen=9)
    assert table.entered[2:] == [{"ev": "undo"}]


def test_an_undo_takes_back_one_line_where_others_came_since_or_one_was_refused(table: Table) -> None:
    touch(table, FOLDS)
    table.hub.publish(standing(10))
    table.post({"ev": "undo"}, seen=10)
    assert table.entered[2:] == [{"ev": "undo"}]
    table.hub.publish(standing(11))
    touch(table, FOLDS, seen=11)
    table.hub.publish(replace(standing(13), refusal=RefusedEntry("not-now", "no", "page")))
    table.post({"ev": "undo"}, seen=13)
    assert table.entered[5:] == [{"ev": "undo"}]


@pytest.mark.parametrize(
    "lines",
    [
        [], "fold", [7], [*FOLDS, {"ev": "undo"}], [{"ev": "floor", "decide": "play-on"}], FOLDS * 13,
        [FOLDS[0], {"ev": "act", "seat": 7, "do": "fly"}], [FOLDS[0], {"ev": "act", "seat": 7, "do": "fold", "t": 3}],
    ],
)  # fmt: skip
def test_of_lines_that_do_not_go_together_none_is_entered(table: Table, lines: object) -> None:
    assert touch(table, lines).status_code == 400
    assert table.entered == []
