"""Who may enter what, and what somebody hears who asked from elsewhere."""

import pytest

from controller.core.protocol import events, vocabulary
from controller.core.protocol.table_error import Refused
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.loop_messages import RemoteRequest
from controller.runtime.staff.entry_signature import Signer
from tests.runtime.loop.test_loop import Table3, notes

ADA: Signer = {"name": "Ada", "role": "floor", "key": "QWRh", "signature": "cw=="}
HALT = events.HaltChanged()


@pytest.fixture
def three(journal: Journal) -> Table3:
    return Table3(journal)


class RemotePerson:
    """Somebody of the room, who asks for entries and remembers the answers."""

    def __init__(self, three: Table3) -> None:
        self.three = three
        self.answers: list[tuple[int | None, str | None]] = []

    def enter(self, event: events.Event, by: Signer = ADA, *, seen: int | None = None) -> tuple[int | None, str | None]:
        seen = self.three.standings[-1].entry if seen is None else seen
        self.three.loop.submit_remote_entry(event, "room", by, RemoteRequest(seen, self.on_result))
        self.three.drain()
        return self.answers[-1]

    def on_result(self, entry: int | None, refused: Refused | None) -> None:
        self.answers.append((entry, None if refused is None else refused.code))


def cut_power(three: Table3) -> None:
    cut = events.DeviceChanged(FAULTS["power-lost"].device_id, vocabulary.DeviceChange.LOST, is_needed=True)
    three.loop._handle_event(cut, "controller", three.now)


def test_who_asks_from_elsewhere_hears_which_entry_it_became(three: Table3) -> None:
    person = RemotePerson(three)
    assert person.enter(events.HandStarted()) == (three.journal.last_entry_number, None)
    assert three.standings[-1].output_line["hand"] == 1
    number, code = person.enter(events.HandStarted())
    assert (number, code) == (three.journal.last_entry_number, "not-now"), "the table itself refused it"


def test_a_table_that_has_moved_on_takes_nothing_from_elsewhere(three: Table3) -> None:
    person, seen = RemotePerson(three), three.standings[-1].entry
    three.enter(events.HandStarted())
    lines, shown = three.lines(), len(three.standings)
    assert person.enter(HALT, seen=seen) == (None, None)
    assert (three.lines(), len(three.standings), notes(three, "sign-in")) == (lines, shown, [])


def test_the_key_of_who_is_not_at_the_table_is_on_record_once_and_before_what_it_signs(three: Table3) -> None:
    person = RemotePerson(three)
    for key in ("QWRh", "QWRh", "Qm8=", "QWRh"):
        person.enter(HALT, {**ADA, "key": key})
    assert [note["key"] for note in notes(three, "sign-in")] == ["QWRh", "Qm8=", "QWRh"], "the newest first"
    assert {str(note["at"]) for note in notes(three, "sign-in")} == {"room"}
    kinds = [record.kind for record in three.journal.read_newest_records("sign-in", "entry")]
    assert kinds == ["entry", "sign-in", "entry", "sign-in", "entry", "entry", "sign-in", "entry"]


def test_what_means_something_else_by_now_is_entered_at_the_table(three: Table3) -> None:
    three.enter(events.HandStarted())
    cut_power(three)
    lines = three.lines()
    assert RemotePerson(three).enter(events.StepConfirmed()) == (None, "value")
    assert (three.lines(), notes(three, "sign-in")) == (lines, [])
    assert three.enter(events.StepConfirmed()).faults == (), "at the table it says that all is as shown"


def test_at_a_live_table_what_is_the_floors_is_refused_and_leaves_no_record(three: Table3) -> None:
    lines = three.lines()
    refusal = three.enter(HALT).refusal
    assert refusal is not None
    assert (refusal.code, refusal.source, three.lines()) == ("floor-only", "test", lines)
    assert RemotePerson(three).enter(HALT, {**ADA, "role": "dealer"}) == (None, "floor-only")
    assert notes(three, "sign-in") == []


@pytest.mark.parametrize(("role", "code"), [("dealer", "floor-only"), ("floor", "amend-unknown-line")])
def test_an_amendment_is_refused_before_the_journal_has_it(three: Table3, role: str, code: str) -> None:
    three.enter(events.HandStarted())
    lines = three.lines()
    amendment = events.AmendmentMade(events.CardDealt("As"), line=99)
    assert RemotePerson(three).enter(amendment, {**ADA, "role": role}) == (None, code)
    assert (three.lines(), notes(three, "sign-in")) == (lines, [])
