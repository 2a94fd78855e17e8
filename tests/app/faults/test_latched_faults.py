"""A fault that latches stops what it must, outlasts a restart, and ends by whom the one table names."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.core.protocol import events, vocabulary
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.port_messages import DeviceEventsReported, PortBytesReceived
from controller.runtime.faults.fault_table import (
    FAULTS,
    ClearanceProof,
    HaltScope,
    find_fault_by_device,
    make_clear_event,
    make_raise_event,
)
from controller.runtime.faults.self_check import (
    DISK_LOW_FAULT,
    LOW_FREE_BYTES,
    MIN_FREE_BYTES,
    SELF_CHECK_FAULT,
    SelfCheckResult,
)
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.loop.housekeeping import MACHINE_CHECK_INTERVAL_S
from controller.runtime.loop.inbox import MAX_WAITING_MESSAGES
from controller.runtime.loop.loop_messages import EntryBatch
from controller.runtime.loop.table_view import LIVE
from drivers.contract.driver_interface import EventsMissed
from tests.app.rig import Rig, demo

STRANGER = "5D00000001"
MISSING_CARD: dict[str, object] = {"ev": "report", "what": "missing-card", "where": "stub"}

LATCHING = (
    "deck-count", "deck-defective", "deck-duplicate", "deck-foreign", "deck-unregistered", "disk-low",
    "events-missed", "in-service", "power-lost", "program-fault", "queue-full", "reader-failing", "self-check",
    "staff-replaced",
)  # fmt: skip
"""A table that was switched off in one of these is in it when it is switched on (R18); said here and not read off."""


def list_fault_codes(rig: Rig) -> list[str]:
    return [fault.code for fault in rig.standing.faults if fault.id]


def latch(rig: Rig, code: str) -> None:
    rig.loop._fault_alarm.latch_faults([code], rig.clock())


def staff(role: str) -> Mapping[str, object]:
    return {"name": "Ada", "role": role, "signature": ""}


def clear(rig: Rig, code: str, role: str | None = None) -> str | None:
    rig.loop.submit_entry(make_clear_event(code), "page", None if role is None else staff(role))
    rig.drain()
    return None if rig.standing.refusal is None else rig.standing.refusal.code


COUNTED = "repeated-questions"
"""It latches by records of its own, and halts nothing (`question_alarm`)."""


def test_what_must_latch_does() -> None:
    assert tuple(sorted(code for code, fault in FAULTS.items() if fault.latches and code != COUNTED)) == LATCHING


@pytest.mark.parametrize("code", LATCHING)
def test_a_latched_fault_halts_shuts_the_gate_and_outlasts_a_cut_and_a_clean_end(tmp_path: Path, code: str) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        steps = rig.output["next"]
        latch(rig, code)
    with Rig(tmp_path, confirmed=False) as rig:
        assert code in list_fault_codes(rig)
        rig.clear("power-lost")
        rig.journal.end_run("SIGTERM")
    if code == "power-lost":
        return
    with Rig(tmp_path) as rig:
        assert list_fault_codes(rig) == [code]
        assert (rig.output["phase"], rig.output["gate"]) == ("halted", "locked")
        assert not rig.bench.gate("gate").is_open()
        assert rig.output["next"] == steps
        assert clear(rig, code) is None
        assert (rig.output["phase"], rig.bench.gate("gate").is_open()) == ("deal", True)


def test_a_changed_set_up_keeps_a_fault_and_reads_no_evening_for_it(tmp_path: Path, mocker: MockerFixture) -> None:
    """A start takes a second at most, however long the session before it was."""
    with Rig(tmp_path, lossless=True) as rig:
        for stack in range(200, 230):
            rig.enter({"ev": "stack", "seat": 1, "stack": stack})
        latch(rig, "self-check")
        rig.journal.end_run("SIGTERM")
    looked = mocker.spy(JournalReader, "search_entries")
    changed = demo(betting={"structure": "no-limit", "small_blind": 5, "big_blind": 10})
    with Rig(tmp_path, file=changed, confirmed=False) as rig:
        assert len(rig.journal.list_sessions()) == 2
        assert list_fault_codes(rig) == ["self-check"]
    assert looked.call_count == 0


def test_of_one_touch_nothing_is_entered_after_what_a_fault_refuses(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.loop._fault_alarm._latches._anybody_can_clear = False
        rig.press("start")
        latch(rig, "self-check")
        for batch, is_taken in [(EntryBatch(), False), (None, True)]:
            before = rig.journal.last_entry_number
            rig.loop.submit_entry(make_clear_event("self-check"), "page", staff("dealer"), batch)
            rig.loop.submit_entry(events.EntryUndone(), "page", staff("dealer"), batch)
            rig.drain()
            assert rig.journal.last_entry_number == before + is_taken


@pytest.mark.parametrize("code", LATCHING)
def test_a_new_session_clears_nothing(tmp_path: Path, code: str) -> None:
    with Rig(tmp_path) as rig:
        latch(rig, code)
        rig.journal.end_run("SIGTERM")
    with Rig(tmp_path, fresh=True, confirmed=False) as rig:
        assert list_fault_codes(rig) == [code]
        assert clear(rig, code) is None
        rig.journal.end_run("SIGTERM")
    with Rig(tmp_path, fresh=True) as rig:
        assert list_fault_codes(rig) == []


def test_no_hand_starts_while_a_fault_is_up(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        latch(rig, "disk-low")
        before = rig.standing.entry
        rig.press("start")
        assert rig.standing.refusal is not None
        assert rig.standing.refusal.code == "halted"
        assert (rig.output["hand"], rig.standing.entry) == (0, before)
        clear(rig, "disk-low")
        rig.lose_port("unplugged")
        rig.press("start")
        assert rig.standing.refusal.code == "halted"
        rig.open_port()
        rig.press("start")
        assert rig.output["hand"] == 1


def test_a_foreign_card_that_voids_the_hand_halts_before_another_is_dealt(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.tag(STRANGER)
        assert rig.standing.rulings[0]["verdict"] in ("void-hand", "misdeal")
        assert list_fault_codes(rig) == ["deck-foreign"]
        assert rig.output["next"][0]["step"] == "return"
        for _ in range(3):
            rig.press("done")
        assert rig.output["next"][0]["step"] == "deal"
        assert (rig.output["phase"], rig.bench.gate("gate").is_open()) == ("halted", False)
        assert clear(rig, "deck-foreign") is None
        assert rig.bench.gate("gate").is_open()


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"what": "duplicate"}, "deck-duplicate"),
        ({"what": "deck-defective"}, "deck-defective"),
        ({"what": "foreign-back"}, "deck-foreign"),
    ],
)
def test_what_the_book_finds_against_a_deck_is_a_fault_of_the_deck(
    tmp_path: Path, what: dict[str, str], code: str
) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.deal(list(rig.tags)[:3])
        rig.enter({"ev": "report", **what})
        assert list_fault_codes(rig) == [code]


def take_back_an_entry(rig: Rig) -> None:
    """Somebody is away, and is not."""
    for line in ({"ev": "away", "seat": int(next(iter(rig.output["stacks"])))}, {"ev": "undo"}):
        rig.enter(line)


def test_a_deck_that_proves_short_between_hands_must_leave(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.deal(list(rig.tags)[:12])
        rig.play_out()
        rig.enter(MISSING_CARD)
        assert list_fault_codes(rig) == ["deck-count"]
        rig.press("start")
        assert rig.output["hand"] == 1
        clear(rig, "deck-count")
        rig.press("start")
        assert rig.output["hand"] == 2
        assert list_fault_codes(rig) == [], "that the book asks for a count at the start is no second fault"
        take_back_an_entry(rig)
        rig.deal(list(rig.tags)[:12])
        rig.play_out()
        assert list_fault_codes(rig) == [], "nor when something in the hand was taken back"


def test_a_hand_of_a_wrong_count_halts_the_table_when_it_is_over(tmp_path: Path) -> None:
    """Its ruling spoke of a hand and not of the deck; the deck is counted before it is dealt again."""
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.deal(list(rig.tags)[:12])
        for _ in range(2):
            rig.press("fold")
        seat = rig.output["next"][0]["seat"]
        rig.enter({"ev": "report", "what": "short-hand", "seat": seat})
        assert list_fault_codes(rig) == []
        rig.play_out()
        assert list_fault_codes(rig) == ["deck-count"]
        clear(rig, "deck-count")
        take_back_an_entry(rig)
        assert list_fault_codes(rig) == [], "what was seen to is not found again"


def test_three_unread_cards_in_a_hand_are_a_reader_that_fails_when_the_hand_is_over(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.deal(list(rig.tags)[:9])
        for _ in range(3):
            rig.enter(events.CardDealt(None))
        assert list_fault_codes(rig) == [], "the hand is played to its end"
        rig.play_out()
        assert list_fault_codes(rig) == ["reader-failing"]


@pytest.mark.parametrize("in_hand", [True, False])
def test_a_sensor_that_missed_something_in_a_hand_halts_until_the_dealer_has_looked(
    tmp_path: Path, in_hand: bool
) -> None:
    with Rig(tmp_path) as rig:
        if in_hand:
            rig.press("start")
        rig.loop.put(DeviceEventsReported((EventsMissed("shoe", "it restarted"),), rig.clock()))
        rig.drain()
        assert list_fault_codes(rig) == (["events-missed"] if in_hand else [])


def test_what_finds_the_queue_full_is_counted_and_halts_the_table(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        taken = [rig.loop.put(PortBytesReceived("shoe", b"", rig.clock())) for _ in range(MAX_WAITING_MESSAGES + 7)]
        assert taken.count(False) == 7
        rig.loop.stop("a stop is always heard")
        rig.drain()
        assert list_fault_codes(rig) == ["queue-full"]
        assert "7 messages" in rig.standing.notices[0].text
        assert not rig.bench.gate("gate").is_open()
        assert rig.loop._stop_reason == "a stop is always heard"


@pytest.mark.parametrize("code", LATCHING)
@pytest.mark.parametrize("role", [None, "dealer", "floor", "technician", "auditor"])
def test_only_the_roles_of_the_table_clear_a_fault(tmp_path: Path, code: str, role: str | None) -> None:
    with Rig(tmp_path) as rig:
        rig.loop._fault_alarm._latches._anybody_can_clear = False
        latch(rig, code)
        may = (role or "dealer") in FAULTS[code].clearing_roles
        assert clear(rig, code, role) == (None if may else "fault-role")
        assert list_fault_codes(rig) == ([] if may else [code])


def test_a_live_table_is_not_for_anybody(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        live = type(rig.loop)(rig.recovered, rig.journal, rig.loop._device_map, DeviceMonitor({}, {}), mode=LIVE)
        assert not live._fault_alarm._latches._anybody_can_clear


def test_a_halted_table_shows_attention_at_every_chair_and_that_nobody_is_due(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        before = rig.lit_seats()
        assert before["deal"]
        latch(rig, "events-missed")
        lit = rig.lit_seats()
        assert lit["attention"] == tuple(sorted(rig.loop.outcome.state.seating.state_by_seat))
        assert (lit["deal"], lit["act"], lit["button"]) == ((), (), before["button"])
        clear(rig, "events-missed")
        assert rig.lit_seats() == before


def test_who_cleared_a_fault_is_in_the_journal(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        latch(rig, "deck-count")
        assert clear(rig, "deck-count", "floor") is None
        last = list(rig.journal.read_entries(rig.journal.list_sessions()[-1]))[-1]
        assert json.loads(last.script_line)["id"] == "fault:deck-count"
        assert last.signer == staff("floor")


def test_a_fault_that_is_not_up_cannot_be_cleared_nor_can_anybody_make_one_up(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        assert clear(rig, "deck-count") == "no-fault"
        rig.enter(make_raise_event("deck-count"))
        assert list_fault_codes(rig) == []
        rig.enter(events.DeviceChanged("fault:unheard-of", vocabulary.DeviceChange.BACK))
        assert rig.standing.refusal is not None
        assert rig.standing.refusal.code == "no-fault"


def test_a_fault_that_a_check_can_prove_stays_until_the_check_passes(tmp_path: Path) -> None:
    found: list[SelfCheckResult] = [SelfCheckResult("program", "hand.py is not as installed", SELF_CHECK_FAULT)]
    with Rig(tmp_path, check=lambda: tuple(found)) as rig:
        assert list_fault_codes(rig) == ["self-check"]
        assert "hand.py" in rig.standing.notices[0].text
        assert clear(rig, "self-check") == "fault-remains"
        found.clear()
        assert clear(rig, "self-check") is None
        found.append(SelfCheckResult("disk", "12 MB free", DISK_LOW_FAULT))
        rig.loop.submit_self_check_results(found, "page")
        rig.drain()
        assert list_fault_codes(rig) == ["disk-low"]
    found.clear()
    with Rig(tmp_path, check=lambda: tuple(found)) as rig:
        assert list_fault_codes(rig) == [], "a start proves it gone"
    with Rig(tmp_path) as rig:
        assert [line["status"] for line in rig.read_lines() if line.get("id") == "fault:disk-low"] == ["lost", "back"]


def test_the_room_at_a_simulated_table_sees_to_a_fault_and_plays_on(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(5)
        rig.live(room, 6)
        latch(rig, "deck-duplicate")
        rig.live(room, 30)
        assert list_fault_codes(rig) == []
        assert rig.output["phase"] != "halted"


def test_the_table_of_faults_is_sound() -> None:
    for code, fault in FAULTS.items():
        assert fault.code == code
        assert bool(fault.clearing_roles) is fault.latches, "who may clear it, if and only if somebody must"
        assert (fault.latches and fault.halt_scope is HaltScope.NOTHING) is (code == COUNTED), (
            "what latches, halts: nothing else is in the state, but for what is counted by records"
        )
        assert (fault.proof in (ClearanceProof.PERSON, ClearanceProof.SELF_CHECK)) or not fault.latches
        assert (find_fault_by_device(fault.device_id) is fault) is fault.latches
        assert {"dealer", "floor", "technician"} >= set(fault.clearing_roles)


def test_a_disk_that_fills_in_play_is_said_in_time_and_stops_the_next_deal(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        free: list[int | None] = [LOW_FREE_BYTES]

        def look() -> int:
            if free[0] is None:
                raise OSError
            return free[0]

        rig.loop._housekeeping._find_free_bytes = look

        def run_with_free_space(room: int | None) -> list[str]:
            free[0] = room
            rig.run(MACHINE_CHECK_INTERVAL_S + 0.1)
            return [notice.code.value for notice in rig.standing.notices].count("disk-fills") * [
                "warned"
            ] + list_fault_codes(rig)

        rig.press("start")
        assert run_with_free_space(LOW_FREE_BYTES) == []
        assert run_with_free_space(LOW_FREE_BYTES - 1) == ["warned"]
        assert run_with_free_space(LOW_FREE_BYTES - 2) == ["warned"], "it is said once"
        assert rig.output["phase"] != "halted", "the hand is played to its end"
        assert run_with_free_space(MIN_FREE_BYTES - 1) == ["warned", "disk-low"]
        assert run_with_free_space(None) == ["warned", "disk-low", "self-check"]


@pytest.mark.parametrize(("lines", "found"), [([{"ev": "undo"}], []), ([], ["deck-count"])])
def test_a_finding_halts_the_table_once_and_not_where_it_was_taken_back(
    tmp_path: Path, lines: list[dict[str, object]], found: list[str]
) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.deal(list(rig.tags)[:12])
        for line in (MISSING_CARD, *lines):
            rig.enter(line)
        rig.play_out()
        assert list_fault_codes(rig) == found
        for code in found:
            clear(rig, code)
        take_back_an_entry(rig)
        assert list_fault_codes(rig) == [], "what was seen to is not found again"
