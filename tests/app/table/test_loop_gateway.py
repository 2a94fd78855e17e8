"""What pages ask goes to the loop that runs now: to none before the first session, and to no earlier one."""

import threading
from pathlib import Path

from nacl.signing import SigningKey

from controller.app.table.loop_gateway import LoopGateway, RunningSession
from controller.core.protocol.events import EntryUndone, HandStarted
from controller.runtime.devices.deck_store import Deck
from controller.runtime.faults.self_check import DECK_UNREGISTERED_FAULT, SelfCheckResult
from controller.runtime.loop.loop_messages import RemoteRequest
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import AuthenticatedPerson
from tests.app.rig import Rig

ADA: Signer = {"name": "Ada", "role": "floor", "key": "a2V5", "signature": "s"}
DECK = Deck("blue", {})


def run_session(rig: Rig, number: int = 1, found: tuple[SelfCheckResult, ...] = ()) -> RunningSession:
    return RunningSession(rig.loop, JournalPosition("journal", number), rig.device_map, lambda: found, rig.hands)


def ask_everything(gateway: LoopGateway) -> tuple[object, ...]:
    return (
        gateway.submit_entry(HandStarted(), "page", None),
        gateway.submit_remote_entry(HandStarted(), "room", ADA, RemoteRequest(0, lambda _entry, _why: None)),
        gateway.record_room_request({"ask": "file"}, ADA),
        gateway.set_floor_called(True, "Ada"),
        gateway.change_broadcast_delay(300, (ADA,)),
    )


def test_before_the_first_session_nothing_is_taken_and_nothing_fails() -> None:
    gateway = LoopGateway()
    assert ask_everything(gateway) == (False,) * 5
    person = AuthenticatedPerson("Ada", Role.FLOOR, SigningKey.generate())
    gateway.record_sign_in(person)
    gateway.record_sign_out(person)
    gateway.show_announcement("Break in five minutes.", "Ada")
    gateway.choose_deck(DECK, "Ada")
    gateway.set_deck(DECK)
    gateway.record_deck_change(DECK, "Ada")
    gateway.record_deck_registration(DECK, "Ada")
    assert (gateway.check_itself(), gateway.list_amendable_entries(), gateway.deck_name) == ((), [], "")
    assert (gateway.is_between_hands(), gateway.is_out_of_service(), gateway.is_last_entry_a_decision()) == (False,) * 3
    assert (gateway.hand_index, gateway.journal_position) == (None, JournalPosition("", 0))


def test_what_is_entered_goes_to_the_session_that_runs_now(tmp_path: Path) -> None:
    gateway = LoopGateway()
    with Rig(tmp_path) as first:
        gateway.attach(run_session(first, 1))
    with Rig(tmp_path, fresh=True) as second:
        gateway.attach(run_session(second, 2))
        assert ask_everything(gateway) == (True,) * 5
        assert (first.loop.waiting_count, second.loop.waiting_count) == (0, 5)
        second.drain()
        assert second.output["hand"] == 1
        assert not gateway.is_between_hands()
        gateway.submit_entry(EntryUndone(), "page", None)
        second.drain()
        assert gateway.is_between_hands()
        assert gateway.journal_position == JournalPosition("journal", 2)
        assert gateway.hand_index is second.hands
        assert gateway.deck_name == second.deck.name


def test_a_signal_is_heard_by_the_session_that_is_only_about_to_run(tmp_path: Path) -> None:
    gateway = LoopGateway()
    gateway.stop("SIGTERM")
    assert gateway.stop_reason == "SIGTERM"
    with Rig(tmp_path) as rig:
        gateway.attach(run_session(rig))
        assert rig.loop.run() == "SIGTERM"


def test_a_table_that_waits_for_a_deck_checks_itself_when_one_is_registered(tmp_path: Path) -> None:
    gateway = LoopGateway()
    with Rig(tmp_path) as rig:
        gateway.attach(run_session(rig))
        rig.loop._fault_alarm.latch_faults([DECK_UNREGISTERED_FAULT], rig.clock())
        assert [fault.code for fault in rig.standing.faults] == [DECK_UNREGISTERED_FAULT]
        gateway.record_deck_registration(DECK, "Ada")
        for thread in threading.enumerate():
            if thread.name == "self-check":
                thread.join()
        rig.drain()
        assert rig.standing.faults == ()
