"""Looks now and then at what is not the game: dropped messages, room on the disk, certificate, room, publications."""

from collections.abc import Callable

from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.faults.self_check import STAFF_REPLACED_FAULT
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.certificate_watch import CertificateWatch
from controller.runtime.loop.fault_alarm import FaultAlarm
from controller.runtime.loop.inbox import Inbox
from controller.runtime.loop.notice_board import NoticeBoard
from controller.runtime.loop.staff_watch import StaffWatch
from controller.runtime.loop.view_publisher import ViewPublisher
from controller.runtime.storage.file_holders import describe_holders

DROPPED_REPORT_INTERVAL_S = 1.0
"""How often it is said that messages were dropped."""

MACHINE_CHECK_INTERVAL_S = 10.0
"""How often it is looked at how much room the journal has, who holds its file, and whether the room is reached."""

JOURNAL_HELD_MESSAGE = "Another program holds the journal's file; what happens is kept beside it for some hours."


class DroppedMessages:
    """Says what of `inbox` was dropped, at once and then now and then: what never ends must not fill the page."""

    def __init__(self, inbox: Inbox, alarm: FaultAlarm) -> None:
        self._inbox = inbox
        self._fault_alarm = alarm
        self._next_report_at = 0.0

    def report_dropped(self, now: float) -> None:
        """Say it, where it is time again."""
        if now < self._next_report_at:
            return
        for source, count in self._inbox.take_dropped_counts().items():
            self._next_report_at = now + DROPPED_REPORT_INTERVAL_S
            self._fault_alarm.on_messages_dropped(source, count, now)


class Housekeeping:
    """The household of one table, done in every tick of its loop.

    `find_free_bytes`: how many bytes are free for the journal (may raise `OSError`); `poll_room_link`: what is new of
    the room. Where one is missing nothing is looked at every ten seconds, or nothing of the room.
    """

    def __init__(
        self,
        journal: Journal,
        alarm: FaultAlarm,
        notices: NoticeBoard,
        publisher: ViewPublisher,
        certificate: CertificateWatch,
        *,
        find_free_bytes: Callable[[], int] | None,
        poll_room_link: Callable[[], Notice | None] | None,
        staff_watch: StaffWatch | None = None,
    ) -> None:
        self._journal = journal
        self._fault_alarm = alarm
        self._notices = notices
        self._publisher = publisher
        self._certificate_watch = certificate
        self._find_free_bytes = find_free_bytes
        self._poll_room_link = poll_room_link
        self._staff_watch = staff_watch
        self._next_machine_check_at = 0.0

    def on_tick(self, now: float) -> None:
        """Look at what it is time to look at; raises `DatabaseError`, and `RuntimeError` for a table to be ended."""
        self._check_machine(now)
        if self._certificate_watch.check(now, self._notices.keep):
            self._publisher.publish()
        self._handle_publish_failure(now)

    def _check_machine(self, now: float) -> None:
        if self._find_free_bytes is None or now < self._next_machine_check_at:
            return
        self._next_machine_check_at = now + MACHINE_CHECK_INTERVAL_S
        try:
            free: int | None = self._find_free_bytes()
        except OSError:
            free = None
        if self._fault_alarm.check_free_space(free, now):
            self._publisher.publish()
        if self._staff_watch is not None and self._staff_watch.check():
            self._fault_alarm.latch_faults([STAFF_REPLACED_FAULT], now)
            self._publisher.publish()
        if self._journal.is_newly_held():
            text = f"{JOURNAL_HELD_MESSAGE} It is {describe_holders(self._journal.path)}."
            self._publisher.publish_notice(Notice(NoticeCode.JOURNAL_HELD, "journal", text))
        if self._poll_room_link is not None and (news := self._poll_room_link()) is not None:
            self._publisher.publish_notice(news)

    def _handle_publish_failure(self, now: float) -> None:
        """Halt a table that could not be shown; one that cannot be shown halted either must not look alive."""
        was_halted = self._publisher.take_failure()
        if was_halted is None:
            return
        if was_halted:
            raise RuntimeError("the table cannot be shown, so it ends")
        self._fault_alarm.latch_faults([FAULTS["program-fault"].code], now)
