"""How long a tag must lie over each reader to be read: its dwell.

Measured by `benchmarks/reader_dwell.py` through the loop of a live table, on simulated time; a test holds the figures
against a new measurement. A reader is as quick here as its simulator, whose time for an answer has the source that is
named beside it. What a tag takes to wake in the field comes on top: 5 ms at most for ISO 14443, 1 ms for ISO 15693.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

DWELLS_MS = (20, 40, 60, 80, 100, 150, 200)

DEALT_DWELL_MS = 40
"""How long a tag lies over an antenna of 4 cm when cards are drawn past it, two to three a second."""


@dataclass(frozen=True, slots=True)
class ReaderDwell:
    """How many of a hundred tags a reader reads that lie there for each of `DWELLS_MS`.

    `keys` are those of the device by which it differs from others of its `driver`; `query` sets the simulator up.
    `answer_ms` is how long the simulated reader takes for an answer (or, where it speaks unasked, between two), by
    `source`, whose first word its simulator names as well.
    """

    driver: str
    label: str
    percents: tuple[int, ...]
    answer_ms: float
    source: str
    keys: Mapping[str, object] = field(default_factory=dict)
    query: str = ""
    remedy: str = ""
    """What to do about a shoe whose reader may be such a one, where it reads too few."""

    def find_whole_dwell_ms(self) -> int | None:
        """The shortest of `DWELLS_MS` from which on every tag is read; `None` where the longest does not do."""
        for number, dwell_ms in enumerate(DWELLS_MS):
            if set(self.percents[number:]) == {100}:
                return dwell_ms
        return None

    def find_missed_dwell_ms(self) -> int:
        """The longest of `DWELLS_MS` for which no tag is read; 0 where there is none."""
        missed = [dwell_ms for dwell_ms, percent in zip(DWELLS_MS, self.percents, strict=True) if not percent]
        return max(missed, default=0)


UNTIMED = "16 slots of ISO/IEC 15693-3, 16 to 74 ms; nobody timed the reader"
LIBELIUM = "Libelium's guide to its PN532 module, 9: 25 to 30 ms, here without the bytes on the line"
ASSUMED = "not documented: an assumption; nobody timed the reader"
MFRC522 = "MFRC522 Rev. 3.9, 8.1.2, at 1 MHz: a look into an empty field; nobody timed the board"
EM4100 = "EM4100 data sheet: two words of 32.8 ms"

READER_DWELLS = (
    ReaderDwell(
        "cr95hf",
        "ISO 15693",
        (100, 100, 100, 100, 100, 100, 100),
        10,
        "ISO/IEC 15693-3: 5.9 ms in the air",
        {"protocol": "iso15693"},
    ),
    ReaderDwell(
        "cr95hf",
        "ISO 14443A",
        (0, 0, 0, 0, 0, 100, 100),
        10,
        "as ISO/IEC 15693, which is slower",
        {"protocol": "iso14443a"},
    ),
    ReaderDwell("feig", "", (48, 84, 100, 100, 100, 100, 100), 40, UNTIMED),
    ReaderDwell(
        "lines",
        "a sketch that repeats",
        (0, 0, 0, 0, 0, 100, 100),
        100,
        "MFRC522 library: every second request, 25 ms each",
    ),
    ReaderDwell("pepper_c1", "one antenna", (28, 44, 88, 100, 100, 100, 100), 70, ASSUMED, {"antennas": (1,)}),
    ReaderDwell(
        "pepper_c1", "eight antennas", (8, 4, 4, 20, 20, 16, 40), 70, ASSUMED, {"antennas": (1, 2, 3, 4, 5, 6, 7, 8)}
    ),
    ReaderDwell("pn532", "`tags = 1`", (56, 100, 100, 100, 100, 100, 100), 25, LIBELIUM, {"tags": 1}),
    ReaderDwell(
        "pn532",
        "`tags = 1`, a slower chip",
        (48, 100, 100, 100, 100, 100, 100),
        30,
        LIBELIUM,
        {"tags": 1},
        "inventory_seconds=0.03",
    ),
    ReaderDwell(
        "pn532",
        "`tags = 1`, a chip that knows no NACK",
        (0, 40, 100, 100, 100, 100, 100),
        25,
        LIBELIUM,
        {"tags": 1},
        "nack=silent",
    ),
    ReaderDwell("pn532", "`tags = 2`", (56, 100, 100, 100, 100, 100, 100), 25, LIBELIUM, {"tags": 2}),
    ReaderDwell(
        "pn532",
        "`tags = 2`, a chip that alternates",
        (56, 100, 100, 100, 100, 100, 100),
        25,
        LIBELIUM,
        {"tags": 2},
        "two_tags=alternating",
    ),
    ReaderDwell(
        "pn532",
        "`tags = 2`, a chip that alternates and knows no NACK",
        (0,) * 7,
        25,
        LIBELIUM,
        {"tags": 2},
        "two_tags=alternating&nack=silent",
        "set tags = 1: one card passes at a time, and a chip asked for one always names it",
    ),
    ReaderDwell("rc522", "", (44, 100, 100, 100, 100, 100, 100), 2.2, MFRC522),
    ReaderDwell("rdm6300", "RDM6300", (0, 0, 0, 0, 0, 100, 100), 65, "arduino12/rdm6300", {"model": "rdm6300"}),
    ReaderDwell(
        "rdm6300",
        "ID-12LA",
        (0, 0, 0, 100, 100, 100, 100),
        65.5,
        EM4100,
        {"model": "id-12la"},
        "model=id-12la",
    ),
    ReaderDwell(
        "rdm6300",
        "ID-20LA",
        (0, 0, 0, 100, 100, 100, 100),
        65.5,
        EM4100,
        {"model": "id-20la"},
        "model=id-20la",
    ),
    ReaderDwell("s6350", "", (0, 0, 0, 36, 60, 100, 100), 60, UNTIMED),
    ReaderDwell(
        "thingmagic",
        "",
        (32, 32, 76, 80, 100, 100, 100),
        100,
        "M6E Nano data sheet: up to 150 tags a second; a fifteenth is meant",
    ),
)


def find_dwell(driver: str, keys: Mapping[str, object]) -> ReaderDwell | None:
    """Return the figures of a reader with these keys, its defaults among them; `None` where none were measured."""
    return next(_find_rows(driver, keys), None)


def find_worse_dwell(driver: str, keys: Mapping[str, object]) -> ReaderDwell | None:
    """Return the figures of a chip that is worse with these keys, and that other keys would mend; `None` otherwise."""
    return next((row for row in _find_rows(driver, keys) if row.remedy), None)


def _find_rows(driver: str, keys: Mapping[str, object]) -> Iterator[ReaderDwell]:
    for row in READER_DWELLS:
        if row.driver == driver and all(_is_alike(keys.get(key), value) for key, value in row.keys.items()):
            yield row


def _is_alike(value: object, other: object) -> bool:
    """Whether two keys are alike; a list of a table's file is what a driver has as a tuple."""
    return (tuple(value) if isinstance(value, list) else value) == other
