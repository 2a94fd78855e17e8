"""Canaries: no byte that leaves the process names a card before it is shown, whatever goes wrong.

Every tag of the deck is a string that occurs nowhere else, and every face is looked for in all its spellings. At each
edge what leaves is looked at when it leaves, against what everybody at the table sees at that moment: every record and
file of the state directory, the log with its tracebacks, what the page serves, the status line, what is counted for
Prometheus, the bytes to devices.

`CANARY_HANDS=1000` plays that many hands (about 2 s each); without it, one of each form of poker.
"""

import json
import logging
import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from controller.announcer.announcements import AnnouncerMark, find_announcements
from controller.announcer.home_assistant import build_state
from controller.announcer.observed_table import parse_table
from controller.app.simulation.simulation_controls import make_table_line
from controller.app.table.status_line import format_status_line
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.protocol import events, vocabulary
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.port_messages import DeviceEventsReported
from controller.runtime.faults.fault_table import FAULTS, list_latched_faults
from controller.runtime.journal import entry_result as rulings
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.sealing.hand_seal import HandSeal
from controller.runtime.loop import view_publisher
from controller.runtime.loop.table_view import TableView
from controller.runtime.metrics import Metrics
from controller.runtime.service.crash_log import install_crash_log
from controller.runtime.service.log_setup import JsonFormatter
from controller.runtime.staff.permissions import TokenRole
from controller.web.api.page_state_redaction import redact_page_state
from controller.web.publishing.page_state_hub import PageStateHub
from drivers.contract.driver_interface import DeviceLost, EventsMissed
from drivers.ports.byte_port import BytePort, open_port
from tests.app import rig as rigs
from tests.app.canary import Canaries, LeakError, faces_in
from tests.app.rig import Rig, demo, demo_deck

HANDS = int(os.environ.get("CANARY_HANDS", "4"))
GAMES = ("holdem", "omaha-8", "stud-7", "draw-high")
HANDS_A_TABLE = 25
MARK = "CAFE7B5D"
STRANGER = MARK + "E7"


def canary_deck() -> Deck:
    """The demo deck under tags that begin as nothing else does."""
    tags = [f"{MARK}{number:02X}" for number in random.Random(8).sample(range(200), 60)]
    return replace(demo_deck(), card_by_tag=dict(zip(tags, demo_deck().card_by_tag.values(), strict=False)))


class Tap:
    """A port whose bytes to the device are looked at."""

    def __init__(self, port: BytePort, canaries: Canaries) -> None:
        self._port, self._canaries = port, canaries

    def write(self, data: bytes) -> None:
        self._canaries.raw("serial", data)
        self._port.write(data)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the port has it
        return getattr(self._port, name)


def make_meter() -> Metrics:
    return Metrics({"shoe": "shoe"}, demo().devices, {"version": "1"}, process=False)


class Edges:
    """Everything that leaves the process of one rig."""

    def __init__(self, rig: Rig, canaries: Canaries, directory: Path, *, after: int = 0) -> None:
        """Look from now on; `after` is the number of the last record that was looked at in an earlier run."""
        self.rig, self.canaries, self._directory = rig, canaries, directory
        self.told = AnnouncerMark()
        self._hub = PageStateHub({"game": rig.file.table_line["game"]})
        self.record = after
        self._archive = JournalReader.open(directory / "journal.sqlite")
        assert isinstance(rig.meter, Metrics)
        self._metrics = rig.meter
        rig.loop.subscribe(self.see)
        self.see(rig.standing)

    def see(self, standing: TableView) -> None:
        """Look at a publication, and at all that has been written since the last."""
        self.canaries.follow(self.rig.loop.outcome)
        self._hub.publish(standing)
        latest = self._hub.get_latest()
        assert latest is not None
        self.canaries.json("page", latest[1])
        for role in (TokenRole.WATCH, TokenRole.FLOOR_READ):
            self.canaries.json("api", json.dumps(redact_page_state(json.loads(latest[1]), role)))
        look = parse_table(redact_page_state(json.loads(latest[1]), TokenRole.ROOM))
        self.told, announced = find_announcements(self.told, look)
        self.canaries.json("announcer", json.dumps([build_state(look), *(dict(each.data) for each in announced)]))
        self.canaries.text("status line", format_status_line(standing))
        self.canaries.text("repr", repr(standing))
        self._metrics.on_view_published(standing)
        self.canaries.text("metrics", self._metrics.render_exposition("")[0].decode())
        for record in self._archive.read_records(self.record + 1):
            self.canaries.record(record.kind, record.body)
            self.record = record.number

    def files(self) -> None:
        """Look at the whole directory."""
        self.canaries.files(self._directory)

    def close(self) -> None:
        self._archive.close()


class Log(logging.Handler):
    """The log and what would be printed of a failure, looked at line by line."""

    def __init__(self, canaries: Canaries) -> None:
        super().__init__(logging.DEBUG)
        self.canaries = canaries
        install_crash_log([self])

    def emit(self, record: logging.LogRecord) -> None:
        self.canaries.text("log", self.format(record))
        self.canaries.text("log as JSON", JsonFormatter().format(record))


@pytest.fixture
def canaries(monkeypatch: pytest.MonkeyPatch) -> Iterator[Canaries]:
    deck = canary_deck()
    monkeypatch.setattr(rigs, "demo_deck", lambda: deck)
    made = Canaries(MARK)
    monkeypatch.setattr(rigs, "open_port", lambda *args, **options: Tap(open_port(*args, **options), made))
    log = Log(made)
    logging.getLogger().addHandler(log)
    yield made
    logging.getLogger().removeHandler(log)
    assert [str(leak)[:400] for leak in made.leaks] == []


def faulty(every: int = 50) -> Callable[[Table, events.Event, int | None], Outcome]:
    """A table whose program fails on some cards, in every replay too, with the card in what it raises."""
    handle = Table.handle

    def handle_or_fail(table: Table, event: events.Event, line: int | None = None) -> Outcome:
        if isinstance(event, events.CardDealt):
            state = table.outcome.state
            if crc32(f"{state.hand_count} {event.time_s}".encode()) % every == 0:
                try:
                    raise KeyError(event.card)
                except KeyError as why:
                    raise ValueError(f"{event!r} {state!r} {event.card}") from why
        return handle(table, event, line)

    return handle_or_fail


def something_goes_wrong(rig: Rig, chance: random.Random) -> None:
    match chance.randrange(8):
        case 0:
            rig.lose_port("unplugged")
            rig.open_port()
        case 1:
            rig.loop.put(DeviceEventsReported((EventsMissed("shoe", "it restarted"),), rig.clock()))
        case 2:
            rig.loop.put(DeviceEventsReported((DeviceLost("lamps", "a wire is cut"),), rig.clock()))
        case 3:
            rig.tag(STRANGER)
        case 4:
            out = [
                lying.card
                for pile in rig.loop.outcome.state.hand_in_play.cards.piles.cards_by_place.values()
                for lying in pile
            ]
            rig.tag(rig.tags[chance.choice([card for card in out if card] or ["As"])])
        case 5:
            rig.loop.submit_entry(
                events.Report(vocabulary.ReportKind.MISREAD, card=chance.choice(sorted(rig.tags))), "page"
            )
        case 6:
            rig.loop.submit_entry(events.HandTabled(chance.randint(1, 8), ("As", "Kd")), "page")
        case _:
            rig.loop._publisher._subscribers.insert(0, failing_once(rig))
    rig.drain()


def failing_once(rig: Rig) -> Callable[[TableView], None]:
    def fail(standing: TableView) -> None:
        rig.loop._publisher._subscribers.remove(fail)
        if FAULTS["program-fault"] in list_latched_faults(rig.loop.outcome.state.faults):
            return  # a halted table that cannot be shown halted ends, as it should
        raise ValueError(rig.loop.outcome.state.hand, standing)

    return fail


@pytest.mark.timeout(max(1800, HANDS * 20))
def test_no_card_is_named_at_any_edge_before_it_is_shown(
    tmp_path: Path, canaries: Canaries, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(5)
    monkeypatch.setattr(Table, "handle", faulty())
    played = wrong = number = 0
    while played < HANDS:
        number += 1
        wanted = min(HANDS_A_TABLE, -(-HANDS // len(GAMES)), HANDS - played)
        directory = tmp_path / str(number)
        directory.mkdir()
        line = make_table_line(demo().table_line, GAMES[number % len(GAMES)], "roberts-7")
        file = replace(demo(), table_line={"ev": "table", **{key: line[key] for key in line if key != "ev"}})
        rig = Rig(directory, file=file, lossless=True, meter=make_meter())
        with rig:
            edges = Edges(rig, canaries, directory)
            room = rig.room(number, mistakes=0.05)
            cut = chance.randrange(20, 200)
            for move in range(400 * wanted):
                rig.live(room, 1)
                if rig.output["next"] and chance.random() < 0.05:
                    something_goes_wrong(rig, chance)
                    wrong += 1
                if move % 20 == 0:
                    edges.files()
                if rig.output["hand"] >= wanted and rig.output["phase"] == "idle":
                    break
                if move == cut:
                    break
            edges.files()
            edges.close()
        played += int(rig.output["hand"])
        with Rig(
            directory, file=file, lossless=True, meter=make_meter()
        ) as rig:  # after a cut of the power, often in a hand
            edges = Edges(rig, canaries, directory, after=edges.record)
            rig.live(room, 5)
            edges.files()
            edges.close()
    out = capfd.readouterr()
    canaries.text("stderr", out.err)
    canaries.text("stdout", out.out)
    assert wrong > HANDS
    for edge in ("page", "api", "announcer", "status line", "log", "journal entry", "file .sqlite"):
        assert canaries.looked_at.get(edge, 0) > 0, f"nothing was looked at there: {edge}"


@pytest.mark.parametrize(
    "text",
    ["Qd", '"Qd"', "took Qd.", "(Q♦)", "AsQdKs", "the queen of diamonds", "card=Qd", "Card(card='Qd')", "As/Qd/" * 9],
)
def test_a_face_is_found_however_it_is_written(text: str) -> None:
    assert "Qd" in faces_in(text)


def test_words_are_no_faces() -> None:
    assert (
        faces_in("As soon as the dealer deals, 2days, Ads, Qdx and sealed 7ngdNn021c/3c+diTiPk/CiVlocys0rlAQ=") == set()
    )


def test_a_canary_at_an_edge_is_found(canaries: Canaries, tmp_path: Path) -> None:
    tag = next(iter(canary_deck().card_by_tag))
    for data in (tag.encode(), bytes.fromhex(tag), str(int(tag, 16)).encode()):
        with pytest.raises(LeakError):
            canaries.raw("serial", b"\x02" + data + b"\x03")
    with pytest.raises(LeakError):
        canaries.json("page", '{"table": {"seats": ["Qd"]}}')
    (tmp_path / "hand.key").write_text('"Qd"')
    with pytest.raises(LeakError):
        canaries.files(tmp_path)
    canaries.public = {"Qd"}
    canaries.leaks.clear()
    canaries.json("page", '{"board": ["Qd"]}')


LEAKS: dict[str, tuple[object, str, object]] = {
    "the journal in clear": (HandSeal, "hide_cards", lambda _seal, line, _cards: dict(line)),
    "the cards of a hand in the page": (
        view_publisher,
        "describe_players",
        lambda outcome: {1: {"player": str(cards_of(outcome))}},
    ),
    "a value in the log": (rulings, "describe_failure", lambda failure: f"{failure} {failure.__cause__}"),
}


def cards_of(outcome: Outcome) -> list[str | None]:
    hand = outcome.state.hand
    return [] if hand is None else [lying.card for pile in hand.cards.piles.cards_by_place.values() for lying in pile]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_program_that_leaks_is_found_out(
    tmp_path: Path, canaries: Canaries, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    monkeypatch.setattr(Table, "handle", faulty(every=4))
    with Rig(tmp_path, lossless=True, meter=make_meter()) as rig:
        edges = Edges(rig, canaries, tmp_path)
        rig.press("start")
        for card in list(rig.tags)[:6]:
            # A table that cannot be shown ends.
            with suppress(LeakError, RuntimeError):
                rig.card(card)
        edges.close()
    assert canaries.leaks
    canaries.leaks.clear()
