"""Counts what a table does, for Prometheus. Imported only where `[page] metrics` is true.

Theory of operation. The loop and the journal tell a `Meter`; what is a standing (queue, faults, devices) is read when
somebody asks. Every label has a closed vocabulary: words of the table script, findings and codes of the program,
devices of the table's file. No name of a player, no card and no free text is among them, and nothing here says of a
hand that is on more than the spectators' page does. `docs/metrics.md` says what each means.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from time import monotonic

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from controller.core.protocol import events
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import TableView
from controller.runtime.service.watchdog import Watchdog
from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead

LATENCY_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds in seconds: docs/runtime.md promises 50 ms, and a person waits at half a second."""

COMMIT_BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Upper bounds in seconds: from a good solid-state disk to a memory card that is worn out."""

MAX_LABEL_VALUES = 256
"""So many values of a label that the program has no list of; what comes after them counts as `OTHER_VALUE`."""

OTHER_VALUE = "other"

FOREIGN_MISREAD = "foreign"
MISREAD_BY_NOTICE_CODE: Mapping[NoticeCode, str] = {
    NoticeCode.CARD_UNREAD: "unread",
    NoticeCode.TAG_REPEATED: "again",
    NoticeCode.TWO_READS: "two-at-once",
    NoticeCode.LATE_READ: "late",
    NoticeCode.NO_EDGE: "no-edge",
    NoticeCode.JAM_UNREAD: "jam",
    NoticeCode.FOREIGN_TAG: FOREIGN_MISREAD,
}
"""The notices that say that a reader did not do what it is there for."""

_WORD_PATTERN = re.compile(r"[a-z][a-z0-9-]{0,47}")


class _LabelValues:
    """The values of a label that the program gives as it goes: words of its own, at most `MAX_LABEL_VALUES`."""

    def __init__(self) -> None:
        self._known_values: set[str] = set()

    def limit_value(self, word: str) -> str:
        """The word; `OTHER_VALUE` where it is none, or one too many."""
        if word not in self._known_values:
            if len(self._known_values) >= MAX_LABEL_VALUES or not _WORD_PATTERN.fullmatch(word):
                return OTHER_VALUE
            self._known_values.add(word)
        return word


class Metrics:
    """The counts of one run of the program, over all sessions of the table.

    `readers`: device -> the reader for which it speaks, as the table's file has them; `about`: what is constant.
    """

    def __init__(
        self, readers: Mapping[str, str], devices: Collection[str], about: Mapping[str, str], *, process: bool = True
    ) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        registry = self._registry = CollectorRegistry(auto_describe=True)
        self._reader_by_device = dict(readers)
        self._devices = frozenset(devices)
        self._values_by_label = {kind: _LabelValues() for kind in ("finding", "code")}
        self._active_faults: frozenset[str] = frozenset()
        self._view: TableView | None = None
        self._loop: TableLoop | None = None
        self._watchdog: Watchdog | None = None
        self._earlier_feed_count = 0
        Info("table_build", "The program, and what kind of table it runs.", registry=registry).info(dict(about))
        self._hands = Counter("table_hands", "Hands that ended.", registry=registry)
        self._cards = Counter("table_cards", "Cards that left the shoe, read or not.", registry=registry)
        self._entries = Counter("table_entries", "Entries that were taken.", ["word"], registry=registry)
        self._rulings = Counter("table_rulings", "Rulings that were made.", ["finding"], registry=registry)
        self._refusals = Counter("table_refusals", "Entries that were refused.", ["code"], registry=registry)
        self._reads = Counter("table_reads", "Tags or codes that a reader read.", ["reader"], registry=registry)
        self._misreads = Counter(
            "table_misreads", "Cards that a reader missed or read wrongly.", ["reader", "kind"], registry=registry
        )
        self._noise = Counter(
            "table_noise_bytes", "Bytes from a device that made no sense.", ["device"], registry=registry
        )
        self._notices = Counter("table_notices", "Notices that were given.", ["code"], registry=registry)
        self._faults = Counter("table_faults", "Faults that came up.", ["fault"], registry=registry)
        self._latency = Histogram(
            "table_entry_latency_seconds",
            "From when an entry came until it was on the disk, handled, shown and published.",
            buckets=LATENCY_BUCKETS_S,
            registry=registry,
        )
        self._commits = Histogram(
            "table_journal_commit_seconds", "How long the journal took to have records on the disk.",
            buckets=COMMIT_BUCKETS_S, registry=registry,
        )  # fmt: skip
        for reader in set(readers.values()):
            self._reads.labels(reader)
            for kind in MISREAD_BY_NOTICE_CODE.values():
                self._misreads.labels(reader, kind)
        for device in devices:
            self._noise.labels(device)
        for code in FAULTS:
            self._faults.labels(code)
        registry.register(_CurrentCollector(self._collect_current))
        if process:
            ProcessCollector(registry=registry)

    # What the loop and the journal say, in the loop's thread.

    def on_device_event(self, event: DeviceEvent) -> None:
        """Count what a device said."""
        if isinstance(event, TagRead):
            self._reads.labels(self._find_reader(event.device)).inc()
        elif isinstance(event, NoiseDropped):
            self._noise.labels(self._limit_device(event.device)).inc(event.byte_count)

    def on_notice(self, notice: Notice) -> None:
        """Count a notice, and the misread that it may tell."""
        self._notices.labels(notice.code.value).inc()
        kind = MISREAD_BY_NOTICE_CODE.get(notice.code)
        if kind is not None:
            self._misreads.labels(self._find_reader(notice.device), kind).inc()

    def on_entry(self, processed: ProcessedEntry, seconds: float) -> None:
        """Count an entry and what came of it."""
        event, error = processed.event, processed.error
        self._latency.observe(seconds)
        if error is not None:
            self.on_entry_refused(error.code)
            return
        self._entries.labels(events.EVENT_NAME_BY_CLASS[type(event)]).inc()
        if isinstance(event, events.CardDealt):
            self._cards.inc()
            if event.is_foreign:
                self._misreads.labels(self._find_reader(processed.source), FOREIGN_MISREAD).inc()
        if processed.is_hand_over:
            self._hands.inc()
        for ruling in processed.outcome.rulings:
            self._rulings.labels(self._values_by_label["finding"].limit_value(ruling.finding)).inc()

    def on_entry_refused(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(self._values_by_label["code"].limit_value(code)).inc()

    def on_commit(self, seconds: float) -> None:
        """Count a commit of the journal."""
        self._commits.observe(seconds)

    def on_view_published(self, standing: TableView) -> None:
        """Take a publication of the loop, and count the faults that are new in it."""
        self._view = standing
        if standing.faults or self._active_faults:
            up = frozenset(fault.code for fault in standing.faults)
            for code in up - self._active_faults:
                self._faults.labels(code).inc()
            self._active_faults = up

    # What is asked, in another thread.

    def attach_session(self, loop: TableLoop, watchdog: Watchdog) -> None:
        """Tell of this session from now on."""
        if self._watchdog is not None:
            self._earlier_feed_count += self._watchdog.feed_count
        self._loop, self._watchdog = loop, watchdog

    def render_exposition(self, accept: str) -> tuple[bytes, str]:
        """Write everything in the format that the header `Accept` asks for; return it with its content type."""
        encoder, content_type = choose_encoder(accept)
        return encoder(self._registry), content_type

    def _collect_current(self) -> Iterator[Metric]:
        loop, watchdog, standing = self._loop, self._watchdog, self._view
        if loop is not None:
            state = loop.outcome.state
            yield _make_gauge("table_queue_messages", "Messages that wait for the loop.", loop.waiting_count)
            yield _make_gauge("table_hand_in_progress", "Whether a hand is on.", loop.outcome.state.is_hand_on)
            yield _make_gauge("table_seats_taken", "Chairs at which somebody sits.", len(state.seating.state_by_seat))
        if watchdog is not None:
            missed = watchdog.find_missing_workers(monotonic())
            yield _make_gauge("table_workers_missing", "Threads that are dead or silent for too long.", len(missed))
            feeds = self._earlier_feed_count + watchdog.feed_count
            yield CounterMetricFamily("table_watchdog_feeds", "How often the watchdog was fed.", value=feeds)
        if standing is not None:
            yield _make_gauge(
                "table_queue_longest_wait_seconds", "Longest wait for the loop.", standing.max_queue_delay_s
            )
            yield _make_gauge("table_floor_called", "Whether the floor is called to the table.", standing.floor_called)
            up = {fault.code for fault in standing.faults}
            yield _make_gauge(
                "table_fault_up", "Whether a fault is up.", {code: code in up for code in FAULTS}, "fault"
            )
            ready = {device.name: device.state == "ready" for device in standing.devices}
            yield _make_gauge("table_device_up", "Whether a device is there.", ready, "device")

    def _find_reader(self, device: str) -> str:
        return self._reader_by_device.get(device, OTHER_VALUE)

    def _limit_device(self, device: str) -> str:
        return device if device in self._devices else OTHER_VALUE


class _CurrentCollector(Collector):
    """What is read when it is asked for."""

    def __init__(self, read: Callable[[], Iterator[Metric]]) -> None:
        self._read_metrics = read

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        return self._read_metrics()


def _make_gauge(name: str, about: str, value: float | Mapping[str, float], label: str = "") -> GaugeMetricFamily:
    if not isinstance(value, Mapping):
        return GaugeMetricFamily(name, about, value=float(value))
    family = GaugeMetricFamily(name, about, labels=[label])
    for each, amount in value.items():
        family.add_metric([each], float(amount))
    return family
