"""Has the table written down in time: follows its entries, and says on the page where a snapshot failed."""

from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.shown_entry import ShownEntry
from controller.runtime.loop.snapshot_writer import SnapshotWriter
from controller.runtime.loop.view_publisher import ViewPublisher

IDLE_DELAY_S = 0.5
"""After so long without an entry the table rests, and there is time to write it down."""

SNAPSHOT_FAILED_MESSAGE = (
    "The table could not be written down after this hand; a start would take longer. Tell the technician."
)


class SnapshotKeeper:
    """Hands the entries of a table, the last of them made at `last_entry_at` of the loop's clock, to its writer."""

    def __init__(
        self, writer: SnapshotWriter, shown: ShownEntry, publisher: ViewPublisher, last_entry_at: float
    ) -> None:
        self._snapshot_writer = writer
        self._shown = shown
        self._publisher = publisher
        self._last_entry_at = last_entry_at

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Follow the table; nothing is written yet."""
        self._snapshot_writer.on_entry(processed.event, processed.result, processed.time_s)
        self._last_entry_at = processed.received_at

    def on_tick(self, now: float) -> None:
        """Write down a table that has come to rest; raises `DatabaseError`."""
        if now - self._last_entry_at >= IDLE_DELAY_S:
            self.write_snapshot_if_due(at_leisure=True)

    def write_snapshot_if_due(self, *, at_leisure: bool = False) -> None:
        """Write down what is due (`SnapshotWriter`); raises `DatabaseError`."""
        shown = self._shown
        if not self._snapshot_writer.write_snapshot_if_due(shown.rulings, shown.rulings_hand, at_leisure=at_leisure):
            self._publisher.publish_notice(Notice(NoticeCode.SNAPSHOT_FAILED, "journal", SNAPSHOT_FAILED_MESSAGE))


class SnapshotListener:
    """Writes the table down after an entry, where the journal has waited long enough for it."""

    def __init__(self, keeper: SnapshotKeeper) -> None:
        self._snapshot_keeper = keeper

    def on_entry(self, processed: ProcessedEntry) -> None:  # noqa: ARG002 - as every listener is called
        """Write down what is due; raises `DatabaseError`."""
        self._snapshot_keeper.write_snapshot_if_due()
