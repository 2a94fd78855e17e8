"""The loop: the one place that owns the table.

Theory of operation. Threads put messages on the queue (`readers`, the page); the loop takes them one by one. Bytes go
through the driver, what the driver says through a translator (`shoe`, `panel`, `health`), and what comes out is an
event of the table. For each event, in this order: the journal has it on the disk, the table handles it, every driver
is offered the outcome, the subscribers get the new view. Silence is a message too: `on_tick` is called some fifty
times a second and gives drivers (when they want it) and translators their time-outs, and the table its `time` events
when a clock runs out. A driver goes on asking its reader at once when that has answered, and is woken in between where
it asks for that (`drivers.contract.tick_schedule`).

Drivers are touched by the loop alone, except that pin drivers are sampled by their own thread; both hold `pins_lock`.
Time is handed in: `handle_message` and `on_tick` ask no clock, so tests need no sleep; only `run` does.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty
from time import monotonic
from typing import TYPE_CHECKING, Any

from controller.core.engine.output import available_entries
from controller.core.model.outcome import Outcome
from controller.core.protocol import events, script_lines
from controller.core.protocol.table_display import Sound
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace
from controller.records.public_view import describe_players, list_amendable_entries
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
from controller.runtime.devices.sounds import choose_sound
from controller.runtime.devices.workshop import Workshop, is_out_of_service
from controller.runtime.faults.fault_latches import FaultStatus, describe_faults
from controller.runtime.faults.fault_table import CONTROLLER_SOURCE, FAULTS, list_latched_faults, make_clear_event
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.faults.self_check import SelfCheckResult, SelfCheckRunner
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable
from controller.runtime.journal.sealing.hand_seal import read_card_knowledge
from controller.runtime.life_cycle import UndeclaredMoveError
from controller.runtime.loop.certificate_watch import CertificateCheck, CertificateWatch
from controller.runtime.loop.fault_alarm import FaultAlarm
from controller.runtime.loop.inbox import Inbox
from controller.runtime.loop.loop_messages import (
    AnnouncementReceived,
    BroadcastDelayChanged,
    DeckChanged,
    DeckChosen,
    DeckRegistered,
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
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.snapshot_writer import SnapshotWriter
from controller.runtime.loop.table_view import LIVE, SIMULATION, TEST, RefusedEntry, TableView, describe_betting
from controller.runtime.loop.tournament_timer import CLOCK_SOURCE as CLOCK
from controller.runtime.loop.tournament_timer import TournamentTimer
from controller.runtime.service.crash_log import describe_failure
from controller.runtime.staff import amendment_permission, entry_signature, floor_permission
from controller.runtime.staff.entry_signature import Signer
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.contract.driver_interface import DeviceEvent, DeviceLost, find_regular_tick

if TYPE_CHECKING:  # a table without a broadcast does not load it
    from controller.runtime.broadcast.card_release import CardRelease

MAX_NOTICES = 8

DIFFERENT_STACKS_MESSAGE = (
    "Entry {} comes to other chips with this program than before. Compare the stacks before the next hand."
)

JOURNAL_HELD_MESSAGE = "Another program holds the journal's file; what happens is kept beside it for some hours."

SNAPSHOT_FAILED_MESSAGE = (
    "The table could not be written down after this hand; a start would take longer. Tell the technician."
)

MIN_FLOOR_CALL_INTERVAL_S = 2.0
"""A press of the key that calls the floor counts so long after the last one, at any panel, or word of a page: a nervous
dealer taps twice and means it once. A tap that does not count begins the time anew."""

DROPPED_REPORT_INTERVAL_S = 1.0
"""How often it is said that messages were dropped."""

POWER_LOST_FAULT = FAULTS["power-lost"]
PROGRAM_FAULT = FAULTS["program-fault"]

IDLE_DELAY_S = 0.5
"""After so long without an entry the table rests, and there is time to write it down."""

FREE_SPACE_CHECK_INTERVAL_S = 10.0
"""How often it is looked at how much room the journal has."""

ViewSubscriber = Callable[[TableView], None]
"""Called in the loop's thread; it must only put the standing somewhere."""

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
        reopen: Callable[[str], None] = lambda _device: None,
        check: SelfCheckRunner | None = None,
        timer: TournamentTimer | None = None,
        workshop: Workshop | None = None,
        hands: HandIndex | None = None,
        free: Callable[[], int] | None = None,
        certificate: CertificateCheck | None = None,
        link: Callable[[], Notice | None] | None = None,
        meter: Meter | None = None,
        release: "CardRelease | None" = None,
    ) -> None:
        self._meter = meter
        self._table = recovered.table
        self._history = recovered.table.history
        self._hand_index = hands
        self._find_free_bytes, self._poll_room_link, self._next_space_check_at = free, link, 0.0
        """How many bytes are free for the journal (may raise `OSError`), what is new of the room, when both are due."""
        self._certificate_watch = CertificateWatch(certificate)
        self._card_release = release
        """What lets hole cards go to a broadcast; nothing where there is none."""
        self._halted_at_publish_failure: bool | None = None
        """Whether the table was halted already when a subscriber failed; nothing where none has since the last tick."""
        self._journal = journal
        self._device_map = devices
        self._device_monitor = health
        self._mode = mode
        self._power_lost = power_lost
        self.clock = clock
        self._inbox = Inbox()
        self._reopen_port = reopen
        self._timer = timer or TournamentTimer()
        # And when somebody last said, by key or page, that the floor is called or has come.
        self._floor_called, self._floor_call_touched_at = False, float("-inf")
        # Name -> the key with which that person signed in last, as the journal of this run has it.
        self._signing_key_by_name: dict[str, str] = {}
        self._cancellation_queued, self._cancellation_lock = False, threading.Lock()
        """Whether the last word about the broadcast's delay that waits on the queue takes it back."""
        self._device_bus = DeviceBus(devices, lost=self._on_device_lost, gone=self._on_port_lost)
        self._subscribers: list[ViewSubscriber] = []
        self._notices: deque[Notice] = deque(maxlen=MAX_NOTICES)
        self._fault_alarm = FaultAlarm(
            self._handle_event, self._add_notice, lambda: self._table.outcome, anybody=mode == SIMULATION, check=check
        )
        self._router = DeviceRouter(devices, health, workshop)
        self._own_faults: tuple[FaultStatus, ...] = ()
        self._publication_count = 0
        self._last_shown_entry = journal.last_entry_number
        self._stop_reason: str | None = None
        self._max_queue_delay_s = 0.0
        self._next_dropped_report_at = 0.0
        self._last_table_time_s = recovered.table_time_s
        self._last_entry_at = clock()
        """When something was last entered."""
        self._started_at, self._start_table_time_s = clock(), recovered.table_time_s
        self._refusal: RefusedEntry | None = None
        self._expired_clock: tuple[int, float] | None = None
        """The called clock, seat and second, whose end the table has been told."""
        self._snapshot_writer = SnapshotWriter(journal, recovered)
        self._rulings = recovered.rulings
        self._rulings_hand = recovered.rulings_hand
        self._doubtful_entry = recovered.doubtful_entry
        if recovered.last_result is None:
            raise ValueError("a table without an entry cannot run")
        self._last_result = recovered.last_result
        self._output_line: dict[str, object] = recovered.last_result.to_output_line()

    @property
    def outcome(self) -> Outcome:
        """How the table stands."""
        return self._table.outcome

    def list_amendable_entries(self) -> list[dict[str, Any]]:
        """What was entered since the end of the hand before, as `records.told.entered` tells it; from any thread."""
        return list_amendable_entries(self._history)

    @property
    def pins_lock(self) -> threading.Lock:
        """Held while pins are touched; for the sampler."""
        return self._device_bus.pins_lock

    @property
    def max_queue_delay_s(self) -> float:
        """The longest that a message waited on the queue, in seconds."""
        return self._max_queue_delay_s

    @property
    def waiting_count(self) -> int:
        """How many messages wait on the queue now; from any thread."""
        return self._inbox.waiting_count

    def put(self, message: LoopMessage) -> bool:
        """Take a message from any thread; return whether the queue had room for it."""
        return self._inbox.put(message)

    def submit_entry(self, event: events.Event, source: str, by: Signer | None = None) -> bool:
        """Take an event from a page or terminal, in any thread; its time is set here. Returns as `put`."""
        return self._inbox.put(EntrySubmitted(event, source, self.clock(), by))

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
        self._inbox.put(DeckRegistered(deck.name, len(deck.card_by_tag), deck.compute_checksum(), by, self.clock()))

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
        self._subscribers.append(subscriber)

    def start(self) -> None:
        """Show the table as it stands on all pins, hear which devices are back by the mere start, check the program."""
        power_lost = self._power_lost
        self._device_bus.show_outcome_on_pins(self._table.outcome)
        with self._show_journal_failure():
            now = self.clock()
            self._apply_router_output(self._router.on_start(), now)
            self._apply_router_output(self._router.resume_faults(self._table.outcome.state), now)
            self._fault_alarm.on_start(self.clock(), power_lost=power_lost)
            self._floor_called = _is_floor_called(self._journal)
            if self._card_release is not None:
                aired = self._journal.is_last_hand_aired()
                self._journal.append_note("broadcast", {"delay": None, "by": []})
                self._card_release.resume(self._table.outcome.state, self._table.history, aired=aired)
        if self._doubtful_entry is not None:
            self._add_notice(
                Notice(NoticeCode.RESULT_DIFFERS, "journal", DIFFERENT_STACKS_MESSAGE.format(self._doubtful_entry))
            )
        self._power_lost = power_lost
        self._publish()

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
        self._write_snapshot_if_due(at_leisure=True)
        return self._stop_reason

    def handle_message(self, message: LoopMessage, now: float) -> None:
        """Deal with one message; raises `DatabaseError`, shown before, when the journal cannot be written."""
        shown = self._publication_count
        with self._show_journal_failure():
            self._dispatch(message, now)
        self._inbox.charge(message, self._publication_count - shown, now)

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
            self._own_faults = (FaultStatus.from_fault(FAULTS["journal-trouble"]),)
            self._publish()
            raise

    def _dispatch(self, message: LoopMessage, now: float) -> None:
        self._max_queue_delay_s = max(self._max_queue_delay_s, now - message.at)
        self._report_dropped_messages(now)
        match message:
            case PortBytesReceived(device=device, data=data, at=at, has_more=has_more):
                for event in self._device_bus.receive_data(device, data, at, has_more=has_more):
                    self._on_device_event(event, at)
            case DeviceEventsReported(events=said, at=at):
                for event in said:
                    self._on_device_event(event, at)
            case EntrySubmitted(event=event, source=source, at=at, signer=by, remote_request=asked):
                self._handle_submitted_entry(event, source, at, by, asked)
            case RoomRequestReceived(request_line=line, signer=by):
                self._record_signer_key(by, "room")
                self._journal.append_note("asked", {"line": dict(line), "by": dict(by)})
            case AnnouncementReceived(text=text, author=name):
                self._add_notice(Notice(NoticeCode.ROOM_ANNOUNCEMENT, name, text), publish=True)
            case SelfCheckFinished(results=results, source=source, at=at):
                self._fault_alarm.apply_self_check(results, source, at)
            case PersonSignedIn(name=name, role=role, public_key=key):
                self._write_sign_in(name, role, key)
            case PersonSignedOut(name=name, role=role):
                self._journal.append_note("sign-out", {"name": name, "role": role})
            case FloorCalled(is_called=wanted, called_by=by, at=at):
                self._on_floor_called(wanted, by, at)
            case PortOpened(device=device, port=port, at=at):
                self._router.on_port_opening(device)
                if self._device_bus.on_port_opened(device, port, self._table.outcome):
                    self._apply_router_output(self._router.on_port_opened(device), at)
            case PortLost(device=device, reason=why, at=at):
                self._device_bus.forget_port(device)
                self._apply_router_output(self._router.on_port_lost(device, why), at)
            case DeckRegistered(deck_name=deck, card_count=cards, checksum=checksum, registered_by=by):
                self._journal.append_note("deck", {"deck": deck, "cards": cards, "checksum": checksum, "by": by})
            case DeckChosen(deck=deck, chosen_by=by):
                self._on_deck_chosen(deck, by)
            case DeckChanged(deck_name=name, card_count=cards, checksum=checksum, chosen_by=by):
                chosen = {"by": by} if by else {}
                self._journal.append_note(
                    "deck", {"deck": name, "cards": cards, "checksum": checksum, "in_play": True, **chosen}
                )
            case BroadcastDelayChanged(delay_s=delay, signers=words):
                self._apply_broadcast_delay(delay, words)
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
        self._publish()

    def _on_deck_chosen(self, deck: Deck, by: str) -> None:
        if self._table.outcome.plan:
            text = f"Deck {deck.name!r} was not put in play: a hand began meanwhile. Choose it when the hand is over."
        else:
            self._device_map.change_deck(deck, by)
            text = f"Deck {deck.name!r} is in play from the next hand on."
        self._add_notice(Notice(NoticeCode.DECK_CHANGED, "page", text), publish=True)

    def _report_dropped_messages(self, now: float) -> None:
        """Say what was dropped, at once and then now and then: what never ends must not fill the page."""
        if now < self._next_dropped_report_at:
            return
        for source, count in self._inbox.take_dropped_counts().items():
            self._next_dropped_report_at = now + DROPPED_REPORT_INTERVAL_S
            self._fault_alarm.on_messages_dropped(source, count, now)

    def _check_free_space(self, now: float) -> None:
        if self._find_free_bytes is None or now < self._next_space_check_at:
            return
        self._next_space_check_at = now + FREE_SPACE_CHECK_INTERVAL_S
        try:
            free: int | None = self._find_free_bytes()
        except OSError:
            free = None
        if self._fault_alarm.check_free_space(free, now):
            self._publish()
        if self._journal.is_newly_held():
            self._add_notice(Notice(NoticeCode.JOURNAL_HELD, "journal", JOURNAL_HELD_MESSAGE), publish=True)
        if self._poll_room_link is not None and (news := self._poll_room_link()) is not None:
            self._add_notice(news, publish=True)

    def _handle_publish_failure(self, now: float) -> None:
        """Halt a table that could not be shown; one that cannot be shown halted either must not look alive."""
        if self._halted_at_publish_failure is None:
            return
        halted, self._halted_at_publish_failure = self._halted_at_publish_failure, None
        if halted:
            raise RuntimeError("the table cannot be shown, so it ends")
        self._fault_alarm.latch_faults([PROGRAM_FAULT.code], now)

    def _handle_tick(self, now: float) -> None:
        self._report_dropped_messages(now)
        self._check_free_space(now)
        if self._certificate_watch.check(now, self._notices.appendleft):
            self._publish()
        self._handle_publish_failure(now)
        self._tick_due_drivers(now)
        self._apply_router_output(self._router.on_tick(now), now)
        if self._card_release is not None:
            self._card_release.on_tick(now)
        by_hand = self._router.find_manual_lamps(self._table.outcome.state)
        if by_hand != self._device_bus.manual_lamps:
            self._device_bus.manual_lamps = by_hand
            self._device_bus.show_outcome(self._table.outcome)
        called = self._table.outcome.state.time.clock
        if called is not None and called != self._expired_clock and self._to_table_time(now) >= called[1]:
            self._expired_clock = called
            self._handle_event(events.TimePassed(), CLOCK, now)
        while (due := self._timer.take_due_event(self._table.outcome.state, self._to_entry_time(now))) is not None:
            self._handle_event(due, CLOCK, now)
        if now - self._last_entry_at >= IDLE_DELAY_S:
            self._write_snapshot_if_due(at_leisure=True)

    def _tick_due_drivers(self, now: float) -> None:
        for device in self._device_bus.open_devices:
            for event in self._device_bus.tick_driver(device, now):
                self._on_device_event(event, now)

    def _on_device_event(self, event: DeviceEvent, at: float) -> None:
        if self._meter is not None:
            self._meter.on_device_event(event)
        self._apply_router_output(self._router.on_device_event(event, at, self._table.outcome, self._output_line), at)

    def _apply_router_output(self, routed: Iterable[RouterOutput], at: float) -> None:
        """Do what comes of what devices said, one by one."""
        for item in self._take_router_output(routed, at):
            match item:
                case DeviceEntry(event=event, source=source, is_by_person=True):
                    self._handle_submitted_entry(event, source, at, None)
                case DeviceEntry(event=event, source=source):
                    self._handle_event(event, source, at)
                case ShoeEventsMissed():
                    self._fault_alarm.on_shoe_events_missed(at)
                case DeviceStatusChanged():
                    self._publish()
                case FloorCallKeyPressed(device=panel):
                    is_again = at - self._floor_call_touched_at < MIN_FLOOR_CALL_INTERVAL_S
                    self._on_floor_called(self._floor_called if is_again else not self._floor_called, panel, at)
                case Notice():
                    self._add_notice(item, publish=True)

    def _take_router_output(self, routed: Iterable[RouterOutput], at: float) -> Iterator[RouterOutput]:
        """Take what the router hands back; where a life has no row for what happened, halt the table and go on."""
        try:
            yield from routed
        except UndeclaredMoveError as failure:
            log.error("what a device said fits no row: %s", failure)
            self._fault_alarm.latch_faults([PROGRAM_FAULT.code], at)

    def _on_floor_called(self, wanted: bool, by: str, at: float) -> None:
        """Record and show that the floor is called, or has come; the same once more changes nothing."""
        self._floor_call_touched_at = at
        if wanted == self._floor_called:
            return
        self._journal.append_note("call", {"wanted": wanted, "by": by})
        self._floor_called = wanted
        self._device_bus.set_sound(Sound.FLOOR if wanted else None)
        self._device_bus.show_outcome(self._table.outcome)
        self._publish()

    def _write_sign_in(self, name: str, role: str, key: str, **where: str) -> None:
        self._journal.append_note("sign-in", {"name": name, "role": role, "key": key, **where})
        self._signing_key_by_name[name] = key

    def _record_signer_key(self, by: Signer, source: str) -> None:
        """Record with which key a person signs who is not at the table, before the first thing signed with it."""
        if self._signing_key_by_name.get(str(by["name"])) != by["key"]:
            self._write_sign_in(str(by["name"]), str(by["role"]), str(by["key"]), at=source)

    def _handle_submitted_entry(
        self, event: events.Event, source: str, at: float, by: Signer | None, asked: RemoteRequest | None = None
    ) -> None:
        """Take what a person entered, if no fault is against it.

        After a cut of the power in a hand, the first `done` says that the table is as the display shows it.
        """
        if asked is not None and asked.seen_entry != self._last_shown_entry:
            asked.on_result(None, None)
            return
        told = event
        if isinstance(event, events.StepConfirmed) and POWER_LOST_FAULT in list_latched_faults(
            self._table.outcome.state.faults
        ):
            event = make_clear_event(POWER_LOST_FAULT.code)
        refused = self._fault_alarm.find_refusal(event, by)
        if refused is None and self._mode == LIVE:
            refused = floor_permission.find_refusal(event, by, self._table.outcome.state)
        if refused is None:
            event, refused = self._resolve_event(event)
        if refused is None and asked is not None and event is not told:
            refused = Refused("value", "This means something else at the table now: enter it there.")
        if refused is None and isinstance(event, events.AmendmentMade):
            timed = replace(event, time_s=self._to_entry_time(at))
            as_floor = by if self._mode == LIVE else {"role": "floor"}
            refused = amendment_permission.find_refusal(
                self._table, timed, as_floor, self._journal.last_entry_number + 1
            )
        if refused is None:
            if asked is not None and by is not None:
                self._record_signer_key(by, source)
            if by is not None and event is not told:
                by = {**by, "said": entry_signature.select_signed_keys(script_lines.format_line(told))}
            given = self._handle_event(event, source, at, by)
            if asked is not None:
                asked.on_result(given.entry_number, given.error)
            return
        if asked is not None:
            asked.on_result(None, refused)
        log.warning("not taken from %s: %s", source, refused.code)
        if self._meter is not None:
            self._meter.on_entry_refused(refused.code)
        self._refusal = RefusedEntry(refused.code, refused.message, source)
        self._publish()

    def _resolve_event(self, event: events.Event) -> tuple[events.Event, Refused | None]:
        """What an entry comes to; the refusal where it names what is not there."""
        try:
            return self._table.resolve_event(event), None
        except Refused as refused:
            return event, refused

    def _handle_event(self, event: events.Event, source: str, at: float, by: Signer | None = None) -> EntryResult:
        """Journal, handle, show, publish: the way of every event."""
        self._last_table_time_s = self._to_entry_time(at)
        timed = replace(event, time_s=self._last_table_time_s)
        in_hand, before = self._fault_alarm.hand_in_progress, self._table.outcome
        entry = self._journal.append_entry(script_lines.format_line(timed), source, by)
        self._last_result = given = handle_entry(self._table, timed, entry)
        if self._last_result.error is None:
            self._device_bus.set_sound(choose_sound(timed, before, self._last_result.outcome))
            self._device_bus.show_outcome(self._last_result.outcome)
            if not self._last_result.outcome.gate_open:
                self._drop_gate_notices()
        self._output_line = self._last_result.to_output_line()
        if self._hand_index is not None and self._last_result.error is None:
            outcome = self._last_result.outcome
            ruled = (
                bool(outcome.rulings)
                or outcome.amendment_effect is not None
                or isinstance(event, events.EntryUndone | events.FloorDecided)
            )
            rests = not outcome.plan
            self._hand_index.on_entry(
                entry, outcome.state.hand_count, self._table.history, rests=rests, ruled=ruled, by=by
            )
        error = self._last_result.error
        refused = None if error is None else error.code
        self._journal.record_result(
            entry,
            self._last_result.compute_digest(self._output_line),
            refused,
            read_card_knowledge(self._last_result.outcome),
        )
        self._power_lost = self._power_lost and source in (CLOCK, CONTROLLER_SOURCE)
        self._record_result(self._last_result, source)
        if self._card_release is not None and self._last_result.error is None:
            self._card_release.on_entry(
                at, self._last_table_time_s, self._last_result.outcome.state, self._table.history
            )
        if (
            isinstance(event, events.CardDealt)
            and event.card is None
            and not event.is_foreign
            and source in self._device_map.shoe_by_device
        ):
            self._add_notice(Notice(NoticeCode.CARD_UNREAD, source, "A card left the shoe unread."))
        if not isinstance(event, events.TimePassed) or self._last_result.outcome.rulings:
            self._last_shown_entry = entry
        self._publish()
        if self._meter is not None:
            over = in_hand and not self._fault_alarm.hand_in_progress
            self._meter.on_entry(event, source, self._last_result, self.clock() - at, hand_over=over)
        self._snapshot_writer.on_entry(
            event, self._last_result, self._last_table_time_s
        )  # before the alarm, which may enter something of its own
        self._fault_alarm.on_entry(event, self._last_result, at, in_hand=in_hand)
        self._last_entry_at = at
        self._write_snapshot_if_due()
        if self._device_map.shoe_by_device:
            self._router.refresh_cards_out(self._table.outcome)
        return given

    def _write_snapshot_if_due(self, *, at_leisure: bool = False) -> None:
        if not self._snapshot_writer.write_snapshot_if_due(self._rulings, self._rulings_hand, at_leisure=at_leisure):
            self._add_notice(Notice(NoticeCode.SNAPSHOT_FAILED, "journal", SNAPSHOT_FAILED_MESSAGE), publish=True)

    def _record_result(self, given: EntryResult, source: str) -> None:
        error = given.error
        if source != CONTROLLER_SOURCE:
            self._refusal = None if error is None else RefusedEntry(error.code, error.message, source)
        rulings = self._output_line.get("rulings")
        if isinstance(rulings, list) and rulings and error is None:
            self._rulings = tuple(rulings)
            self._rulings_hand = given.outcome.state.hand_count

    def _to_table_time(self, at: float) -> float:
        return self._start_table_time_s + (at - self._started_at)

    def _to_entry_time(self, at: float) -> float:
        return max(self._last_table_time_s, round(self._to_table_time(at), 3))

    def _on_device_lost(self, event: DeviceLost) -> None:
        self.put(DeviceEventsReported((event,), self.clock()))

    def _on_port_lost(self, device: str, why: str) -> None:
        # In this order: what comes after the loss on the queue is the port that was opened for it.
        self.put(PortLost(device, why, self.clock()))
        self._reopen_port(device)

    def _add_notice(self, notice: Notice, *, publish: bool = False) -> None:
        log.warning("%s: %s", notice.device, notice.text)
        if self._meter is not None:
            self._meter.on_notice(notice)
        self._notices.appendleft(notice)
        if publish:
            self._publish()

    def _drop_gate_notices(self) -> None:
        """Forget that the gate was held shut: no card is due any more, and it is shut by right."""
        if any(notice.code is NoticeCode.GATE_HELD for notice in self._notices):
            kept = [notice for notice in self._notices if notice.code is not NoticeCode.GATE_HELD]
            self._notices.clear()
            self._notices.extend(kept)

    def _publish(self) -> None:
        self._publication_count += 1
        state = self._table.outcome.state
        self._history = self._table.history
        coming = available_entries.find_upcoming_cards(state)
        standing = TableView(
            number=self._publication_count,
            entry=self._last_shown_entry,
            mode=TEST if is_out_of_service(self._table.outcome.state) else self._mode,
            output_line=self._output_line,
            player_by_seat=describe_players(self._table.outcome),
            rulings=self._rulings,
            rulings_hand=self._rulings_hand,
            refusal=self._refusal,
            notices=tuple(self._notices),
            floor_called=self._floor_called,
            faults=(
                *self._own_faults,
                *self._certificate_watch.faults,
                *describe_faults(self._table.outcome.state.faults),
            ),
            devices=self._device_monitor.list_statuses(),
            power_lost=self._power_lost,
            max_queue_delay_s=self._max_queue_delay_s,
            available_entries=tuple(
                script_lines.format_line(event) for event in available_entries.find_available_entries(state)
            ),
            floor_entries=tuple(
                script_lines.format_line(event) for event in available_entries.find_floor_entries(state)
            ),
            hands_left=state.tournament.hands_left,
            betting=describe_betting((state.hand or state).setup.stakes),
            last_sound=self._device_bus.describe_sound(),
            broadcast=None if self._card_release is None else {"delay": self._card_release.delay_s},
            upcoming_cards=None if coming is None else {"burn": coming.burn, "cards": coming.cards},
        )
        for subscriber in self._subscribers:
            try:
                subscriber(standing)
            except Exception as failure:
                log.error("a subscriber failed: %s", describe_failure(failure))
                self._halted_at_publish_failure = PROGRAM_FAULT in list_latched_faults(state.faults) or bool(
                    self._halted_at_publish_failure
                )


def _is_floor_called(journal: Journal) -> bool:
    """Whether the session ends with a call that nobody has answered: it outlasts a restart."""
    last = next(journal.read_newest_records("call", "session"), None)
    return last is not None and last.kind == "call" and last.parse_body().get("wanted") is True
