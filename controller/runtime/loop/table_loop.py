"""The loop: the one place that owns the table.

Theory of operation. Threads put messages on the queue (`readers`, the page); the loop takes them one by one. Bytes go
through the driver, what the driver says through a translator (`shoe`, `panel`, `health`), and what comes out is an
event of the table. The way of every event is `_handle_event`: the journal has it on the disk, the table handles it, and
every listener hears what it came to, in the order that `entry_listeners` gives. Silence is a message too: `on_tick` is
called some fifty times a second and gives drivers (when they want it) and translators their time-outs, and the table
its `time` events when a clock runs out. A driver goes on asking its reader at once when that has answered, and is woken
in between where it asks for that (`drivers.contract.tick_schedule`).

Drivers are touched by the loop alone, except that pin drivers are sampled by their own thread; both hold `pins_lock`.
Time is handed in: `handle_message` and `on_tick` ask no clock, so tests need no sleep; only `run` does.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty
from time import monotonic
from typing import Any

from controller.core.engine import report_offers
from controller.core.model.outcome import Outcome
from controller.core.protocol import events, script_lines
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace
from controller.records.public_view import list_amendable_entries
from controller.runtime.devices.deck_list_formats import render_json
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_bus import DeviceBus, DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_router import (
    DeviceEntry,
    DeviceRouter,
    DeviceStatusChanged,
    RouterOutput,
    ShoeEventsMissed,
)
from controller.runtime.devices.panel_translator import FloorCallKeyPressed
from controller.runtime.devices.port_messages import DeviceEventsReported, PortBytesReceived, PortLost, PortOpened
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.faults.self_check import SelfCheckResult
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable
from controller.runtime.life_cycle import UndeclaredMoveError
from controller.runtime.loop.box_counts import BoxCounts
from controller.runtime.loop.certificate_watch import CertificateWatch
from controller.runtime.loop.disclosure_notices import DisclosureNotices
from controller.runtime.loop.entry_admission import EntryAdmission
from controller.runtime.loop.entry_listeners import build_entry_listeners
from controller.runtime.loop.fault_alarm import FaultAlarm
from controller.runtime.loop.floor_call_control import FloorCallControl
from controller.runtime.loop.housekeeping import DroppedMessages, Housekeeping
from controller.runtime.loop.loop_messages import (
    AnnouncementReceived,
    BoxCounted,
    BroadcastDelayChanged,
    DeckChanged,
    DeckChosen,
    DeckRegistered,
    EntryBatch,
    EntrySubmitted,
    FloorCalled,
    LoopMessage,
    PersonSignedIn,
    PersonSignedOut,
    RemoteRequest,
    RoomRequestReceived,
    SelfCheckFinished,
    StopRequested,
)
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.notice_board import NoticeBoard
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.question_alarm import QuestionAlarm
from controller.runtime.loop.shown_entry import ShownEntry
from controller.runtime.loop.signer_keys import SignerKeys
from controller.runtime.loop.snapshot_keeper import SnapshotKeeper
from controller.runtime.loop.snapshot_writer import SnapshotWriter
from controller.runtime.loop.table_timekeeper import TableTimekeeper
from controller.runtime.loop.table_view import SIMULATION
from controller.runtime.loop.tournament_timer import CLOCK_SOURCE as CLOCK
from controller.runtime.loop.view_publisher import ViewPublisher, ViewSubscriber
from controller.runtime.staff.entry_signature import Signer
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, find_regular_tick

DIFFERENT_STACKS_MESSAGE = (
    "Entry {} comes to other chips with this program than before. Compare the stacks before the next hand."
)

log = logging.getLogger(__name__)


class TableLoop:
    """Runs one table. Make it with the table as its journal leaves it (`recovery`), then `start`, then `run`."""

    def __init__(
        self,
        recovered: RecoveredTable,
        journal: Journal,
        devices: DeviceMap,
        health: DeviceMonitor,
        *,
        mode: str,
        power_lost: bool = False,
        clock: Callable[[], float] = monotonic,
        parts: LoopParts | None = None,
    ) -> None:
        """Take a table over; `power_lost`: the run before was cut short. `parts`: what it has besides."""
        parts = parts or LoopParts()
        self.clock = clock
        self._table = recovered.table
        self._journal = journal
        self._device_map = devices
        self._inbox = parts.inbox
        self._reopen_port = parts.reopen_port
        self._timer = parts.timer
        self._meter = parts.meter
        self._card_release = parts.card_release
        self._time = TableTimekeeper(clock(), recovered.table_time_s)
        self._device_bus = DeviceBus(devices, lost=self._on_device_lost, gone=self._on_port_lost)
        self._router = DeviceRouter(devices, health, parts.workshop)
        self._notices = NoticeBoard(devices.shoe_by_device, parts.meter)
        self._shown = ShownEntry(recovered, journal.last_entry_number, power_lost=power_lost)
        certificate = CertificateWatch(parts.check_certificate)
        self._question_alarm = QuestionAlarm(self._table, journal, parts.question_limit, anybody=mode == SIMULATION)
        self._disclosures = DisclosureNotices(self._table, journal, self._notices)
        self._publisher = ViewPublisher(
            self._table, self._shown, self._notices, self._device_bus, health, certificate, self._question_alarm,
            self._card_release, mode,
        )  # fmt: skip
        self._fault_alarm = FaultAlarm(
            self._handle_event, self._notices.post, lambda: self._table.outcome,
            anybody=mode == SIMULATION, check=parts.self_check,
        )  # fmt: skip
        self._signer_keys = SignerKeys(journal)
        self._admission = EntryAdmission(
            self._table, journal, self._fault_alarm, self._question_alarm, self._signer_keys, mode
        )
        self._floor_call = FloorCallControl(self._table, journal, self._device_bus, self._publisher)
        self._box_counts = BoxCounts(self._table, journal, self._signer_keys)
        self._dropped_messages = DroppedMessages(self._inbox, self._fault_alarm)
        self._housekeeping = Housekeeping(
            journal, self._fault_alarm, self._notices, self._publisher, certificate,
            find_free_bytes=parts.find_free_bytes, poll_room_link=parts.poll_room_link,
            staff_watch=parts.staff_watch,
        )  # fmt: skip
        self._snapshots = SnapshotKeeper(SnapshotWriter(journal, recovered), self._shown, self._publisher, clock())
        self._listeners = build_entry_listeners(
            parts, journal, clock,
            bus=self._device_bus, router=self._router, has_shoe=bool(devices.shoe_by_device), shown=self._shown,
            notices=self._notices, questions=self._question_alarm, disclosures=self._disclosures,
            publisher=self._publisher, snapshots=self._snapshots, alarm=self._fault_alarm,
        )  # fmt: skip
        self._cancellation_queued, self._cancellation_lock = False, threading.Lock()
        """Whether the last word about the broadcast's delay that waits on the queue takes it back."""
        self._expired_clock: tuple[int, float] | None = None
        """The called clock, seat and second, whose end the table has been told."""
        self._power_lost = power_lost
        self._doubtful_entry = recovered.doubtful_entry
        self._stop_reason: str | None = None

    @property
    def outcome(self) -> Outcome:
        """How the table stands."""
        return self._table.outcome

    def list_amendable_entries(self) -> list[dict[str, Any]]:
        """What was entered since the end of the hand before, as `records.told.entered` tells it; from any thread."""
        return list_amendable_entries(self._publisher.history)

    def describe_offers(self, seat: int | None) -> dict[str, Any]:
        """What may be said now of a seat, or of the table, as `report_offers` has it; from any thread.

        It is asked for when somebody is about to say something: at each entry it would cost more than the entry.
        """
        state = self._table.outcome.state
        if seat is None:
            return report_offers.describe_table_offers(state)
        return report_offers.describe_seat_offers(state, seat)

    @property
    def pins_lock(self) -> threading.Lock:
        """Held while pins are touched; for the sampler."""
        return self._device_bus.pins_lock

    @property
    def max_queue_delay_s(self) -> float:
        """The longest that a message waited on the queue, in seconds."""
        return self._publisher.max_queue_delay_s

    @property
    def waiting_count(self) -> int:
        """How many messages wait on the queue now; from any thread."""
        return self._inbox.waiting_count

    def put(self, message: LoopMessage) -> bool:
        """Take a message from any thread; return whether the queue had room for it."""
        return self._inbox.put(message)

    def submit_entry(
        self, event: events.Event, source: str, by: Signer | None = None, batch: EntryBatch | None = None
    ) -> bool:
        """Take an event from a page or terminal, in any thread; its time is set here. Returns as `put`.

        An event of a `batch` is left out where the table has refused one before it.
        """
        return self._inbox.put(EntrySubmitted(event, source, self.clock(), by, batch=batch))

    def submit_remote_entry(self, event: events.Event, source: str, by: Signer, asked: RemoteRequest) -> bool:
        """Take an event of somebody who is not at the table, as `submit_entry` does.

        `asked.on_result` is told what came of it.
        """
        return self._inbox.put(EntrySubmitted(event, source, self.clock(), by, asked))

    def record_room_request(self, line: Mapping[str, object], by: Signer) -> bool:
        """Record what somebody of the room asked that is no entry, from any thread. Returns as `put`."""
        return self._inbox.put(RoomRequestReceived(line, by, self.clock()))

    def show_announcement(self, text: str, by: str) -> None:
        """Show a word of the room, from any thread."""
        self._inbox.put(AnnouncementReceived(text, by, self.clock()))

    def record_sign_in(self, name: str, role: str, key: str) -> None:
        """Record a sign-in, from any thread; `key` as `PersonSignedIn` has it."""
        self._inbox.put(PersonSignedIn(name, role, key, self.clock()))

    def record_sign_out(self, name: str, role: str) -> None:
        """Record that somebody signed out, from any thread."""
        self._inbox.put(PersonSignedOut(name, role, self.clock()))

    def set_floor_called(self, wanted: bool, by: str) -> bool:
        """Record that the floor is called, or has come, from any thread, and show it. Returns as `put`."""
        return self._inbox.put(FloorCalled(wanted, by, self.clock()))

    def record_deck_registration(self, deck: Deck, by: str) -> None:
        """Record that a deck was registered at the table, from any thread: the receipt of a check of its cards."""
        count, checksum = len(deck.card_by_tag), deck.compute_checksum()
        self._inbox.put(DeckRegistered(deck.name, count, checksum, render_json(deck), by, self.clock()))

    def choose_deck(self, deck: Deck, by: str) -> None:
        """Put a registered deck in play, if no hand is on when it is this message's turn; from any thread."""
        self._inbox.put(DeckChosen(deck, by, self.clock()))

    def record_deck_change(self, deck: Deck, by: str = "") -> None:
        """Record which deck is in play from now on, and who chose it, from any thread."""
        self._inbox.put(DeckChanged(deck.name, len(deck.card_by_tag), deck.compute_checksum(), by, self.clock()))

    def change_broadcast_delay(self, delay: int | None, by: tuple[Signer, ...]) -> bool:
        """Record who agreed to show hole cards `delay` seconds later, or took that back, and do so; from any thread.

        Returns as `put`. A withdrawal is always taken; one that would wait behind another is the same as that.
        """
        with self._cancellation_lock:
            if delay is None and self._cancellation_queued:
                return True
            taken = self._inbox.put(BroadcastDelayChanged(delay, by, self.clock()))
            if taken:
                self._cancellation_queued = delay is None
            return taken

    def submit_self_check_results(self, results: Sequence[SelfCheckResult], source: str) -> None:
        """Take the results of a self-check that somebody at `source` asked for, from any thread."""
        self._inbox.put(SelfCheckFinished(tuple(results), source, self.clock()))

    def stop(self, why: str) -> None:
        """End `run` after the message in hand; from any thread or signal handler."""
        self._inbox.put(StopRequested(why, self.clock()))

    def subscribe(self, subscriber: ViewSubscriber) -> None:
        """Send every standing to `subscriber`, from now on; call it before `run`."""
        self._publisher.subscribe(subscriber)

    def start(self) -> None:
        """Show the table as it stands on all pins, hear which devices are back by the mere start, check the program."""
        self._device_bus.show_outcome_on_pins(self._table.outcome)
        with self._show_journal_failure():
            now = self.clock()
            self._apply_router_output(self._router.on_start(), now)
            self._apply_router_output(self._router.resume_faults(self._table.outcome.state), now)
            self._fault_alarm.on_start(self.clock(), power_lost=self._power_lost)
            self._floor_call.resume()
            self._disclosures.resume()
            if self._card_release is not None:
                aired = self._journal.is_last_hand_aired()
                self._journal.append_note("broadcast", {"delay": None, "by": []})
                self._card_release.resume(self._table.outcome.state, self._table.history, aired=aired)
        if self._doubtful_entry is not None:
            self._notices.post(
                Notice(NoticeCode.RESULT_DIFFERS, "journal", DIFFERENT_STACKS_MESSAGE.format(self._doubtful_entry))
            )
        self._shown.on_started()
        self._publisher.publish()

    def run(self, turned: Callable[[float], None] = lambda _now: None) -> str:
        """Turn until `stop`, after `start`; return why it ended. `turned` is called in every round.

        Raises `DatabaseError` when the journal cannot be written: the table stops rather than act unrecorded.
        """
        next_tick = self.clock()
        while self._stop_reason is None:
            try:
                wake_at = min(next_tick, self._device_bus.next_tick_at)
                message = self._inbox.get(timeout=max(0.0, wake_at - self.clock()))
            except Empty:
                heard_until = self.clock()
            else:
                self.handle_message(message, self.clock())
                heard_until = message.at
            # While messages wait, time has passed for the devices only as far as they were heard: a slow disk must
            # not look like the silence of a line.
            if heard_until >= next_tick:
                self.on_tick(heard_until)
                next_tick = find_regular_tick(heard_until)
            elif heard_until >= self._device_bus.next_tick_at:
                self.tick_drivers(heard_until)
            turned(self.clock())
        self._snapshots.write_snapshot_if_due(at_leisure=True)
        return self._stop_reason

    def handle_message(self, message: LoopMessage, now: float) -> None:
        """Deal with one message; raises `DatabaseError`, shown before, when the journal cannot be written."""
        shown = self._publisher.publication_count
        with self._show_journal_failure():
            self._dispatch(message, now)
        self._inbox.charge(message, self._publisher.publication_count - shown, now)

    def on_tick(self, now: float) -> None:
        """Let time pass for drivers, translators and the table; raises as `handle_message`."""
        with self._show_journal_failure():
            self._handle_tick(now)

    def tick_drivers(self, now: float) -> None:
        """Let time pass for the drivers that want it now; raises as `handle_message`."""
        with self._show_journal_failure():
            self._tick_due_drivers(now)

    @contextmanager
    def _show_journal_failure(self) -> Iterator[None]:
        """The journal cannot be written: whoever looks at the table must see why it stops."""
        try:
            yield
        except DatabaseError:
            self._publisher.publish_own_fault(FAULTS["journal-trouble"])
            raise

    def _dispatch(self, message: LoopMessage, now: float) -> None:
        self._publisher.record_queue_delay(now - message.at)
        self._dropped_messages.report_dropped(now)
        match message:
            case PortBytesReceived(device=device, data=data, at=at, has_more=has_more):
                for event in self._device_bus.receive_data(device, data, at, has_more=has_more):
                    self._on_device_event(event, at)
            case DeviceEventsReported(events=said, at=at):
                for event in said:
                    self._on_device_event(event, at)
            case EntrySubmitted():
                self._handle_submitted_entry(message)
            case RoomRequestReceived(request_line=line, signer=by):
                self._signer_keys.ensure_recorded(by, "room")
                self._journal.append_note("asked", {"line": dict(line), "by": dict(by)})
            case AnnouncementReceived(text=text, author=name):
                self._publisher.publish_notice(Notice(NoticeCode.ROOM_ANNOUNCEMENT, name, text))
            case SelfCheckFinished(results=results, source=source, at=at):
                self._fault_alarm.apply_self_check(results, source, at)
            case PersonSignedIn(name=name, role=role, public_key=key):
                self._signer_keys.record_sign_in(name, role, key)
            case PersonSignedOut(name=name, role=role):
                self._journal.append_note("sign-out", {"name": name, "role": role})
            case FloorCalled(is_called=wanted, called_by=by, at=at):
                self._floor_call.set_called(wanted, by, at)
            case PortOpened(device=device, port=port, at=at):
                self._router.on_port_opening(device)
                if self._device_bus.on_port_opened(device, port, self._table.outcome):
                    self._apply_router_output(self._router.on_port_opened(device), at)
            case PortLost(device=device, reason=why, at=at):
                self._device_bus.forget_port(device)
                self._apply_router_output(self._router.on_port_lost(device, why), at)
            case DeckRegistered(deck_name=deck, card_count=cards, checksum=checksum, registered_by=by, deck_list=text):
                body = {"deck": deck, "cards": cards, "checksum": checksum, "by": by}
                self._journal.append_note("deck", body | {"list": self._journal.seal_text(text)})
            case DeckChosen(deck=deck, chosen_by=by):
                self._on_deck_chosen(deck, by)
            case DeckChanged(deck_name=name, card_count=cards, checksum=checksum, chosen_by=by):
                chosen = {"by": by} if by else {}
                self._journal.append_note(
                    "deck", {"deck": name, "cards": cards, "checksum": checksum, "in_play": True, **chosen}
                )
            case BroadcastDelayChanged(delay_s=delay, signers=words):
                self._apply_broadcast_delay(delay, words)
            case BoxCounted():
                self._box_counts.take(message)
            case StopRequested(reason=why):
                self._stop_reason = why

    def _apply_broadcast_delay(self, delay: int | None, by: tuple[Signer, ...]) -> None:
        if delay is None:
            with self._cancellation_lock:
                self._cancellation_queued = False
        if self._card_release is None or (delay is None and self._card_release.delay_s is None):
            return
        self._journal.append_note("broadcast", {"delay": delay, "by": list(by)})  # on the disk before a card goes by it
        self._card_release.set_delay(delay)
        self._publisher.publish()

    def _on_deck_chosen(self, deck: Deck, by: str) -> None:
        if self._table.outcome.state.is_hand_on:
            text = f"Deck {deck.name!r} was not put in play: a hand began meanwhile. Choose it when the hand is over."
        else:
            self._device_map.change_deck(deck, by)
            text = f"Deck {deck.name!r} is in play from the next hand on."
        self._publisher.publish_notice(Notice(NoticeCode.DECK_CHANGED, "page", text))

    def _handle_tick(self, now: float) -> None:
        self._dropped_messages.report_dropped(now)
        self._housekeeping.on_tick(now)
        self._tick_due_drivers(now)
        self._apply_router_output(self._router.on_tick(now), now)
        if self._card_release is not None:
            self._card_release.on_tick(now)
        outcome = self._table.outcome
        self._device_bus.show_manual_lamps(self._router.find_manual_lamps(outcome.state), outcome)
        called = self._table.outcome.state.time.clock
        if called is not None and called != self._expired_clock and self._time.to_table_time(now) >= called[1]:
            self._expired_clock = called
            self._handle_event(events.TimePassed(), CLOCK, now)
        while (due := self._timer.take_due_event(self._table.outcome.state, self._time.to_entry_time(now))) is not None:
            self._handle_event(due, CLOCK, now)
        self._snapshots.on_tick(now)

    def _tick_due_drivers(self, now: float) -> None:
        for device in self._device_bus.open_devices:
            for event in self._device_bus.tick_driver(device, now):
                self._on_device_event(event, now)

    def _on_device_event(self, event: DeviceEvent, at: float) -> None:
        if self._meter is not None:
            self._meter.on_device_event(event)
        routed = self._router.on_device_event(event, at, self._table.outcome, self._shown.output_line)
        self._apply_router_output(routed, at)

    def _apply_router_output(self, routed: Iterable[RouterOutput], at: float) -> None:
        """Do what comes of what devices said, one by one."""
        for item in self._take_router_output(routed, at):
            match item:
                case DeviceEntry(event=event, source=source, is_by_person=True):
                    self._handle_submitted_entry(EntrySubmitted(event, source, at))
                case DeviceEntry(event=event, source=source):
                    self._handle_event(event, source, at)
                case ShoeEventsMissed():
                    self._fault_alarm.on_shoe_events_missed(at)
                case DeviceStatusChanged():
                    self._publisher.publish()
                case FloorCallKeyPressed(device=panel):
                    self._floor_call.press_key(panel, at)
                case Notice():
                    self._publisher.publish_notice(item)

    def _take_router_output(self, routed: Iterable[RouterOutput], at: float) -> Iterator[RouterOutput]:
        """Take what the router hands back; where a life has no row for what happened, halt the table and go on."""
        try:
            yield from routed
        except UndeclaredMoveError as failure:
            log.error("what a device said fits no row: %s", failure)
            self._fault_alarm.latch_faults(["program-fault"], at)

    def _handle_submitted_entry(self, entry: EntrySubmitted) -> None:
        """Take what a person entered, if it is admitted, and say to who asked from elsewhere what came of it."""
        asked = entry.remote_request
        if asked is not None and asked.seen_entry != self._shown.entry_number:
            asked.on_result(None, None)
            return
        if entry.batch is not None and entry.batch.is_refused:
            return
        try:
            admitted = self._admission.admit(entry, self._time.to_entry_time(entry.at))
        except Refused as refused:
            self._on_entry_refused(entry, refused)
            return
        given = self._handle_event(admitted.event, entry.source, entry.at, admitted.signer, told=entry.event)
        if entry.batch is not None:
            entry.batch.is_refused = given.error is not None
        if asked is not None:
            asked.on_result(given.entry_number, given.error)

    def _on_entry_refused(self, entry: EntrySubmitted, refused: Refused) -> None:
        if entry.batch is not None:
            entry.batch.is_refused = True
        if entry.remote_request is not None:
            entry.remote_request.on_result(None, refused)
        log.warning("not taken from %s: %s", entry.source, refused.code)
        if self._meter is not None:
            self._meter.on_entry_refused(refused.code)
        self._shown.on_entry_refused(refused, entry.source)
        self._question_alarm.on_entry_refused(entry.event, entry.signer, refused, self._table.outcome.state)
        self._publisher.publish()

    def _handle_event(
        self,
        event: events.Event,
        source: str,
        at: float,
        by: Signer | None = None,
        *,
        told: events.Event | None = None,
    ) -> EntryResult:
        """Journal it, let the table handle it, tell every listener: the way of every event.

        `told`: what was entered, where that meant `event`.
        """
        time_s = self._time.take_entry_time(at)
        timed = replace(event, time_s=time_s)
        entry = self._journal.append_entry(script_lines.format_line(timed), source, by)
        result = handle_entry(self._table, timed, entry)
        processed = ProcessedEntry(
            event if told is None else told, timed, source, by, at, time_s, result, self._table.history
        )
        for listener in self._listeners:
            listener.on_entry(processed)
        return result

    def _on_device_lost(self, event: DeviceLost) -> None:
        self.put(DeviceEventsReported((event,), self.clock()))

    def _on_port_lost(self, device: str, why: str) -> None:
        # In this order: what comes after the loss on the queue is the port that was opened for it.
        self.put(PortLost(device, why, self.clock()))
        self._reopen_port(device)
