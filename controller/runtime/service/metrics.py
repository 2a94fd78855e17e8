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
from controller.runtime.faults.faults import FAULTS
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.notices import Code, Notice
from controller.runtime.loop.ruling import Answer
from controller.runtime.loop.standing import Standing
from controller.runtime.service.watchdog import Watchdog
from drivers.contract.base import DeviceEvent, Noise, TagRead

LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds in seconds: docs/runtime.md promises 50 ms, and a person waits at half a second."""

COMMITS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
"""Upper bounds in seconds: from a good solid-state disk to a memory card that is worn out."""

MOST_VALUES = 256
"""So many values of a label that the program has no list of; what comes after them counts as `OTHER`."""

OTHER = "other"

FOREIGN = "foreign"
MISREADS: Mapping[Code, str] = {
    Code.UNREAD: "unread",
    Code.TAG_AGAIN: "again",
    Code.TWO_READS: "two-at-once",
    Code.LATE_READ: "late",
    Code.NO_EDGE: "no-edge",
    Code.JAM_UNREAD: "jam",
    Code.FOREIGN_TAG: FOREIGN,
}
"""The notices that say that a reader did not do what it is there for."""

_WORD = re.compile(r"[a-z][a-z0-9-]{0,47}")


class _Words:
    """The values of a label that the program gives as it goes: words of its own, and never more than `MOST_VALUES`."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def bounded(self, word: str) -> str:
        """The word; `OTHER` where it is none, or one too many."""
        if word not in self._known:
            if len(self._known) >= MOST_VALUES or not _WORD.fullmatch(word):
                return OTHER
            self._known.add(word)
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
        self._readers = dict(readers)
        self._devices = frozenset(devices)
        self._words = {kind: _Words() for kind in ("finding", "code")}
        self._up: frozenset[str] = frozenset()
        self._standing: Standing | None = None
        self._loop: Loop | None = None
        self._watchdog: Watchdog | None = None
        self._fed_before = 0
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
            buckets=LATENCIES,
            registry=registry,
        )
        self._commits = Histogram(
            "table_journal_commit_seconds", "How long the journal took to have records on the disk.",
            buckets=COMMITS, registry=registry,
        )  # fmt: skip
        for reader in set(readers.values()):
            self._reads.labels(reader)
            for kind in MISREADS.values():
                self._misreads.labels(reader, kind)
        for device in devices:
            self._noise.labels(device)
        for code in FAULTS:
            self._faults.labels(code)
        registry.register(_Now(self._now))
        if process:
            ProcessCollector(registry=registry)

    # What the loop and the journal say, in the loop's thread.

    def heard(self, event: DeviceEvent) -> None:
        """Count what a device said."""
        if isinstance(event, TagRead):
            self._reads.labels(self._reader(event.device)).inc()
        elif isinstance(event, Noise):
            self._noise.labels(self._device(event.device)).inc(event.dropped)

    def noticed(self, notice: Notice) -> None:
        """Count a notice, and the misread that it may tell."""
        self._notices.labels(notice.code.value).inc()
        kind = MISREADS.get(notice.code)
        if kind is not None:
            self._misreads.labels(self._reader(notice.device), kind).inc()

    def entered(self, event: events.Event, source: str, given: Answer, seconds: float, *, hand_over: bool) -> None:
        """Count an entry and what came of it."""
        self._latency.observe(seconds)
        if given.error is not None:
            self.turned_away(given.error.code)
            return
        self._entries.labels(events.NAMES[type(event)]).inc()
        if isinstance(event, events.Card):
            self._cards.inc()
            if event.foreign:
                self._misreads.labels(self._reader(source), FOREIGN).inc()
        if hand_over:
            self._hands.inc()
        for ruling in given.outcome.rulings:
            self._rulings.labels(self._words["finding"].bounded(ruling.finding)).inc()

    def turned_away(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(self._words["code"].bounded(code)).inc()

    def committed(self, seconds: float) -> None:
        """Count a commit of the journal."""
        self._commits.observe(seconds)

    def see(self, standing: Standing) -> None:
        """Take a publication of the loop, and count the faults that are new in it."""
        self._standing = standing
        if standing.faults or self._up:
            up = frozenset(fault.code for fault in standing.faults)
            for code in up - self._up:
                self._faults.labels(code).inc()
            self._up = up

    # What is asked, in another thread.

    def follow(self, loop: Loop, watchdog: Watchdog) -> None:
        """Tell of this session from now on."""
        if self._watchdog is not None:
            self._fed_before += self._watchdog.fed
        self._loop, self._watchdog = loop, watchdog

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """Write everything in the format that the header `Accept` asks for; return it with its content type."""
        encoder, content_type = choose_encoder(accept)
        return encoder(self._registry), content_type

    def _now(self) -> Iterator[Metric]:
        loop, watchdog, standing = self._loop, self._watchdog, self._standing
        if loop is not None:
            state = loop.outcome.state
            yield _gauge("table_queue_messages", "Messages that wait for the loop.", loop.waiting)
            yield _gauge("table_hand_in_progress", "Whether a hand is on.", bool(loop.outcome.plan))
            yield _gauge("table_seats_taken", "Chairs at which somebody sits.", len(state.seating.chairs))
        if watchdog is not None:
            missed = watchdog.missed(monotonic())
            yield _gauge("table_workers_missing", "Threads that are dead or silent for too long.", len(missed))
            feeds = self._fed_before + watchdog.fed
            yield CounterMetricFamily("table_watchdog_feeds", "How often the watchdog was fed.", value=feeds)
        if standing is not None:
            yield _gauge("table_queue_longest_wait_seconds", "Longest wait for the loop.", standing.longest_delay)
            yield _gauge("table_floor_called", "Whether the floor is called to the table.", standing.floor_called)
            up = {fault.code for fault in standing.faults}
            yield _gauge("table_fault_up", "Whether a fault is up.", {code: code in up for code in FAULTS}, "fault")
            ready = {device.name: device.state == "ready" for device in standing.devices}
            yield _gauge("table_device_up", "Whether a device is there.", ready, "device")

    def _reader(self, device: str) -> str:
        return self._readers.get(device, OTHER)

    def _device(self, device: str) -> str:
        return device if device in self._devices else OTHER


class _Now(Collector):
    """What is read when it is asked for."""

    def __init__(self, read: Callable[[], Iterator[Metric]]) -> None:
        self._read = read

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        return self._read()


def _gauge(name: str, about: str, value: float | Mapping[str, float], label: str = "") -> GaugeMetricFamily:
    if not isinstance(value, Mapping):
        return GaugeMetricFamily(name, about, value=float(value))
    family = GaugeMetricFamily(name, about, labels=[label])
    for each, amount in value.items():
        family.add_metric([each], float(amount))
    return family
