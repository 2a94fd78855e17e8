"""Who hears of every entry, and in which order: written down here, with the reason for each place that matters.

Where a listener goes. What only counts or tells (hands in this hour, a message to somebody) is given to the loop as one
of `LoopParts.listeners`, and neither this module nor the loop is touched. What the page shows must be noted before the
publication. What may enter something itself must come where the alarm is: an entry that a listener makes goes through
the whole list before the listeners after it have heard of the first, so nobody who takes entries in their order stands
behind one.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.core.protocol.events import FloorDecided
from controller.runtime.devices.device_bus import DeviceBus
from controller.runtime.devices.device_router import DeviceRouter
from controller.runtime.devices.sounds import choose_sound
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.sealing.hand_seal import read_card_knowledge
from controller.runtime.loop.disclosure_notices import DisclosureNotices
from controller.runtime.loop.fault_alarm import FaultAlarm
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.notice_board import NoticeBoard
from controller.runtime.loop.processed_entry import EntryListener, ProcessedEntry
from controller.runtime.loop.question_alarm import QuestionAlarm
from controller.runtime.loop.shown_entry import ShownEntry
from controller.runtime.loop.snapshot_keeper import SnapshotKeeper, SnapshotListener
from controller.runtime.loop.view_publisher import ViewPublisher

if TYPE_CHECKING:  # a table without a broadcast does not load it
    from controller.runtime.broadcast.card_release import CardRelease


class DeviceListener:
    """Shows the outcome on the devices, and lets its sound be heard."""

    def __init__(self, bus: DeviceBus) -> None:
        self._device_bus = bus

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Show it, unless nothing has changed."""
        if processed.error is not None:
            return
        self._device_bus.set_sound(choose_sound(processed.outcome))
        self._device_bus.show_outcome(processed.outcome)


class HandIndexListener:
    """Tells the list of hands."""

    def __init__(self, hands: HandIndex) -> None:
        self._hand_index = hands

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Tell it what was taken, and whether that may change a hand that is over."""
        outcome = processed.outcome
        if processed.error is not None:
            return
        decided = isinstance(processed.event, FloorDecided)
        self._hand_index.on_entry(
            processed.entry_number, outcome, processed.history, decided=decided, by=processed.signer
        )


class ResultListener:
    """Has the journal keep what came of the entry, and which cards are known by it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Record its digest or refusal; raises `DatabaseError`."""
        self._journal.record_result(
            processed.entry_number,
            processed.result.compute_digest(processed.output_line),
            None if processed.error is None else processed.error.code,
            read_card_knowledge(processed.outcome),
        )


class CardReleaseListener:
    """Tells what lets hole cards go to a broadcast."""

    def __init__(self, release: "CardRelease") -> None:
        self._card_release = release

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Tell it how the table stands now."""
        if processed.error is None:
            self._card_release.on_entry(processed.received_at, processed.time_s, processed.outcome, processed.history)


class MeterListener:
    """Tells the meter, with how long the entry took until now."""

    def __init__(self, meter: Meter, clock: Callable[[], float]) -> None:
        self._meter = meter
        self._clock = clock

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Tell it what came of the entry."""
        self._meter.on_entry(processed, self._clock() - processed.received_at)


class CardsOutListener:
    """Lets the router look up which cards are out of the shoe, so that the next one waits for less."""

    def __init__(self, router: DeviceRouter) -> None:
        self._router = router

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Look at the table as it stands now."""
        self._router.refresh_cards_out(processed.outcome)


def build_entry_listeners(
    parts: LoopParts,
    journal: Journal,
    clock: Callable[[], float],
    *,
    bus: DeviceBus,
    router: DeviceRouter,
    has_shoe: bool,
    shown: ShownEntry,
    notices: NoticeBoard,
    questions: QuestionAlarm,
    disclosures: DisclosureNotices,
    publisher: ViewPublisher,
    snapshots: SnapshotKeeper,
    alarm: FaultAlarm,
) -> tuple[EntryListener, ...]:
    """List who hears of an entry at a table that works with `parts`, the first first.

    It has a parameter for each owner of a listener, because this list is the one place where they meet.
    `tests/app/table/test_entry_listeners.py` goes red for each reason that is given here.
    """
    hands, release, meter = parts.hand_index, parts.card_release, parts.meter
    return (
        DeviceListener(bus),  # at once: gate and lamps wait for no line, digest or page
        shown,  # before the publication, which says it
        notices,  # before the publication: a notice comes with the entry that it is about
        *(() if hands is None else (HandIndexListener(hands),)),  # before the publication: a page looks for the hand
        ResultListener(journal),  # before the publication: nobody is shown what the journal could not keep
        questions,  # after the result, which is of the entry; before the publication, which says the alarm
        disclosures,  # likewise
        *(() if release is None else (CardReleaseListener(release),)),
        publisher,
        *(() if meter is None else (MeterListener(meter, clock),)),  # after the publication, whose time counts
        *parts.listeners,
        *((CardsOutListener(router),) if has_shoe else ()),  # before the alarm: the last look is at the table as it is
        snapshots,  # before the alarm: the writer follows the entries in their order
        alarm,  # may make an entry, which goes through all of this first
        SnapshotListener(snapshots),  # after the alarm: a snapshot has the fault that came of the entry
    )
