"""Publishes how the table stands: makes the `TableView` and hands it to every subscriber."""

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.engine.output import available_entries, showdown_view, table_notice
from controller.core.engine.table import Table
from controller.core.model.hand import Hand
from controller.core.model.table_state import TableState
from controller.core.protocol import script_lines
from controller.records.public_view import describe_players
from controller.runtime.devices.device_bus import DeviceBus
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.workshop import is_out_of_service
from controller.runtime.faults.fault_latches import FaultStatus, describe_faults
from controller.runtime.faults.fault_table import FAULTS, Fault, list_latched_faults
from controller.runtime.faults.notices import Notice
from controller.runtime.loop.certificate_watch import CertificateWatch
from controller.runtime.loop.notice_board import NoticeBoard
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.question_alarm import QuestionAlarm
from controller.runtime.loop.shown_entry import ShownEntry
from controller.runtime.loop.table_view import TEST, TableView, describe_betting
from controller.runtime.service.crash_log import describe_failure

if TYPE_CHECKING:  # a table without a broadcast does not load it
    from controller.runtime.broadcast.card_release import CardRelease

PROGRAM_FAULT = FAULTS["program-fault"]

ViewSubscriber = Callable[[TableView], None]
"""Called in the loop's thread; it must only put the standing somewhere."""

log = logging.getLogger(__name__)


class ViewPublisher:
    """Publishes one table; used by the loop's thread alone, but for `history`."""

    def __init__(
        self,
        table: Table,
        shown: ShownEntry,
        notices: NoticeBoard,
        bus: DeviceBus,
        monitor: DeviceMonitor,
        certificate: CertificateWatch,
        questions: QuestionAlarm,
        release: "CardRelease | None",
        mode: str,
    ) -> None:
        self._table = table
        self._shown = shown
        self._notices = notices
        self._device_bus = bus
        self._device_monitor = monitor
        self._certificate_watch = certificate
        self._question_alarm = questions
        self._card_release = release
        self._mode = mode
        self._subscribers: list[ViewSubscriber] = []
        self._ranked_hand: Hand | None = None
        self._showdown: Mapping[str, object] | None = None
        """The showdown of the hand that was looked at last: hands are ranked once, however often it is published."""
        self._own_faults: tuple[FaultStatus, ...] = ()
        self._halted_at_failure: bool | None = None
        """Whether the table was halted already when a subscriber failed; nothing where none has (`take_failure`)."""
        self.publication_count = 0
        """How often it has published in this run."""
        self.history: HandHistory = table.history
        """What an amendment could reach when it last published; for any thread."""
        self.max_queue_delay_s = 0.0
        """The longest that a message waited on the queue, in seconds."""
        self.floor_called = False

    def subscribe(self, subscriber: ViewSubscriber) -> None:
        """Send every standing to `subscriber`, from now on; before the loop runs."""
        self._subscribers.append(subscriber)

    def on_entry(self, processed: ProcessedEntry) -> None:  # noqa: ARG002 - as every listener is called
        """Publish how the table stands after an entry."""
        self.publish()

    def publish_notice(self, notice: Notice) -> None:
        """Publish a notice at once."""
        self._notices.post(notice)
        self.publish()

    def publish_own_fault(self, fault: Fault) -> None:
        """Publish a fault that the table itself cannot know any more."""
        self._own_faults = (FaultStatus.from_fault(fault),)
        self.publish()

    def set_floor_called(self, *, called: bool) -> None:
        """Take it that the floor is called, or has come, to be shown with the next publication."""
        self.floor_called = called

    def record_queue_delay(self, delay_s: float) -> None:
        """Take how long a message waited on the queue, to be shown with the next publication."""
        self.max_queue_delay_s = max(self.max_queue_delay_s, delay_s)

    def take_failure(self) -> bool | None:
        """Whether the table was halted already when a subscriber failed, asked once; nothing where none has."""
        halted, self._halted_at_failure = self._halted_at_failure, None
        return halted

    def publish(self) -> None:
        """Publish how the table stands now."""
        self.publication_count += 1
        self.history = self._table.history
        view = self._make_view()
        for subscriber in self._subscribers:
            try:
                subscriber(view)
            except Exception as failure:
                log.error("a subscriber failed: %s", describe_failure(failure))
                halted = PROGRAM_FAULT in list_latched_faults(self._table.outcome.state.faults)
                self._halted_at_failure = halted or bool(self._halted_at_failure)

    def _find_showdown(self, state: TableState) -> Mapping[str, object] | None:
        if state.hand is not self._ranked_hand:
            self._ranked_hand, self._showdown = state.hand, showdown_view.render_showdown(state)
        return self._showdown

    def _make_view(self) -> TableView:
        outcome, shown = self._table.outcome, self._shown
        state = outcome.state
        coming = available_entries.find_upcoming_cards(state)
        return TableView(
            number=self.publication_count,
            entry=shown.entry_number,
            mode=TEST if is_out_of_service(state) else self._mode,
            output_line=shown.output_line,
            player_by_seat=describe_players(outcome),
            rulings=shown.rulings,
            rulings_hand=shown.rulings_hand,
            is_ruling_taken_back=shown.is_ruling_taken_back,
            refusal=shown.refusal,
            notices=self._notices.notices,
            floor_called=self.floor_called,
            faults=(
                *self._own_faults,
                *self._certificate_watch.faults,
                *describe_faults(state.faults),
                *self._question_alarm.faults,  # last: it stops nothing
            ),
            devices=self._device_monitor.list_statuses(),
            power_lost=shown.power_lost,
            max_queue_delay_s=self.max_queue_delay_s,
            available_entries=tuple(
                script_lines.format_line(event) for event in available_entries.find_available_entries(state)
            ),
            floor_entries=tuple(
                script_lines.format_line(event) for event in available_entries.find_floor_entries(state)
            ),
            hands_left=state.tournament.hands_left,
            betting=describe_betting((state.hand or state).setup.stakes),
            notice=table_notice.render_notice(state),
            showdown=self._find_showdown(state),
            last_sound=self._device_bus.describe_sound(),
            broadcast=None if self._card_release is None else {"delay": self._card_release.delay_s},
            upcoming_cards=None if coming is None else {"burn": coming.burn, "cards": coming.cards},
        )
