"""Carries the standings of the loop's thread to the browsers of the page's thread.

The loop must never wait for a browser: it only appends here. A browser that falls behind, or comes back, goes on from
the publication it saw last while that is still kept, and otherwise from the newest: every publication is whole.
"""

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import Any

from config.folders import Library
from config.language_file import ENGLISH, Language
from controller.runtime.faults.latch import FaultStanding
from controller.runtime.loop.standing import Standing
from controller.web.pages.clauses import explained
from controller.web.pages.remedy import Remedy
from controller.web.serving.desk import SOURCE
from controller.web.serving.errors import catalogue
from controller.web.wagers import offers
from controller.web.wording import said, worded

KEPT = 32
"""Publications, of some 10 kB each, kept for browsers that fall behind; further behind, the newest says it all.

They are kept in the house's language; in another there is the newest alone, worded when somebody wants it.
"""

KEEP_ALIVE_SECONDS = 10.0
"""How often a comment is sent into a quiet stream, so that a dead connection is noticed."""

Listener = tuple[asyncio.AbstractEventLoop, asyncio.Event]


class Hub:
    """The publications of one run; `setup` is what every one of them says about the table besides."""

    def __init__(self, setup: Mapping[str, object]) -> None:
        self._setup = dict(setup)
        self._library: Library | None = None
        self._simulation: Mapping[str, object] | None = None
        self._standing: Standing | None = None
        self._number = 0
        self._language = ENGLISH
        self._kept: deque[tuple[int, str]] = deque(maxlen=KEPT)
        self._newest: dict[str, object] = {}
        self._otherwise: dict[Language, str] = {}
        self._listeners: set[Listener] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._remedy = Remedy()
        self._refusals = 0
        self._since: dict[FaultStanding, float] = {}
        """When each fault that is up was first said, Unix seconds."""

    @property
    def refusals(self) -> int:
        """How many touches of pages the table has not taken."""
        with self._lock:
            return self._refusals

    @property
    def entry(self) -> int | None:
        """Number of the entry that pages show now; `None` before the first."""
        with self._lock:
            return None if self._standing is None else self._standing.entry

    @property
    def standing(self) -> Standing | None:
        """The newest standing of the loop; `None` before the first."""
        with self._lock:
            return self._standing

    @property
    def setup(self) -> Mapping[str, object]:
        """What the pages show of the table besides its standing."""
        return self._setup

    def set_up(self, setup: Mapping[str, object], library: Library | None = None, language: Language = ENGLISH) -> None:
        """Begin to publish another table in the same place, whose books cite the clauses of the library."""
        with self._lock:
            self._language = language
            self._library = library
            self._setup = dict(setup)
            self._standing = None
            self._remedy = Remedy()

    def publish(self, standing: Standing) -> None:
        """Take a standing of the loop."""
        with self._lock:
            before, now = None if self._standing is None else self._standing.refusal, standing.refusal
            self._refusals += now is not None and now is not before and now.source == SOURCE
            self._standing = standing
            self._remedy.follow(standing.output, standing.entry)
            self._add()

    def show_simulation(self, status: Mapping[str, object]) -> None:
        """Take how the simulation runs."""
        with self._lock:
            self._simulation = dict(status)
            if self._standing is not None:
                self._add()

    def latest(self, language: Language | None = None) -> tuple[int, str] | None:
        """Return the newest publication with its number, as JSON; `None` before the first."""
        with self._lock:
            return self._in(language) if self._kept else None

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            self._closed = True
            self._wake()

    async def stream(self, after: int, language: Language | None = None) -> AsyncIterator[tuple[int, str] | None]:
        """Yield every publication later than number `after`; `None` now and then while nothing happens."""
        woken = asyncio.Event()
        listener = (asyncio.get_running_loop(), woken)
        with self._lock:
            self._listeners.add(listener)
        try:
            while True:
                woken.clear()
                with self._lock:
                    closed, fresh = self._closed, self._later_than(after, language)
                for number, text in fresh:
                    yield number, text
                    after = number
                if closed:
                    return
                try:
                    await asyncio.wait_for(woken.wait(), KEEP_ALIVE_SECONDS)
                except TimeoutError:
                    yield None
        finally:
            with self._lock:
                self._listeners.discard(listener)

    def _later_than(self, after: int, language: Language | None) -> list[tuple[int, str]]:
        if not self._kept:
            return []
        if language not in (None, self._language):
            return [] if after == self._kept[-1][0] else [self._in(language)]
        oldest, newest = self._kept[0][0], self._kept[-1][0]
        if after > newest or after < oldest - 1:
            return [self._kept[-1]]
        return [kept for kept in self._kept if kept[0] > after]

    def _in(self, language: Language | None) -> tuple[int, str]:
        """The newest publication in a language, the house's for `None`; worded once for all who want it."""
        if language is None or language == self._language:
            return self._kept[-1]
        if language not in self._otherwise:
            self._otherwise[language] = _written(self._newest, language)
        return self._kept[-1][0], self._otherwise[language]

    def _add(self) -> None:
        standing = self._standing
        if standing is None:
            return
        self._number += 1
        self._since = {fault: self._since.get(fault, round(time.time(), 1)) for fault in standing.faults}
        setup = {**self._setup, **({"betting": standing.betting} if standing.betting else {})}
        content: dict[str, object] = {
            "number": self._number,
            "setup": setup,
            "simulation": self._simulation,
            "entry": standing.entry,
            "mode": standing.mode,
            "table": standing.output,
            "besides": standing.besides,
            "for_floor": standing.for_floor,
            "hands_left": standing.hands_left,
            "coming": standing.coming,
            "wagers": _wagers(standing, setup),
            "players": standing.players,
            "rulings": standing.rulings,
            "ruled_in": standing.ruled_in,
            "remedy": {"steps": self._remedy.steps, "taken_back": self._remedy.taken_back},
            "clauses": explained(_cites(standing), self._library),
            "refusal": None if standing.refusal is None else standing.refusal.to_json(),
            "notices": [notice.to_json() for notice in standing.notices],
            "faults": [{**fault.to_json(), "since": self._since[fault]} for fault in standing.faults],
            "devices": [device.to_json() for device in standing.devices],
            "power_lost": standing.power_lost,
            "floor_called": standing.floor_called,
            "sound": standing.sound,
            **({} if standing.broadcast is None else {"broadcast": standing.broadcast}),
            "longest_delay": round(standing.longest_delay, 4),
        }
        self._newest, self._otherwise = content, {}
        self._kept.append((self._number, _written(content, self._language)))
        self._wake()

    def _wake(self) -> None:
        for loop, woken in tuple(self._listeners):
            try:
                loop.call_soon_threadsafe(woken.set)
            except RuntimeError:  # the page's thread has ended, and this stream with it
                self._listeners.discard((loop, woken))


def _written(content: Mapping[str, Any], language: Language) -> str:
    """A publication as JSON, with everything that it says in a language."""
    remedy, refusal = content["remedy"], content["refusal"]
    told = {
        **content,
        "table": said(content["table"], language),
        "wagers": {
            seat: {**offer, "named": [(place, language.text(text), to) for place, text, to in offer["named"]]}
            for seat, offer in content["wagers"].items()
        },
        "remedy": {**remedy, "steps": worded(remedy["steps"], language)},
        "refusal": None if refusal is None else _told("refusal", "message", refusal, language),
        "notices": [_told("notice", "text", notice, language) for notice in content["notices"]],
        "faults": [_told("fault", "text", fault, language) for fault in content["faults"]],
    }
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


def _told(kind: str, where: str, value: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Add what the catalogue tells the dealer to do about it.

    What happened is said by whoever found it, in English and with more than the code says; in another language the
    catalogue's cause stands for it, and the English where there is none.
    """
    entry = catalogue().get((kind, value["code"]))
    if entry is None:
        return {**value, "dealer": None}
    cause = language.text(entry.cause)
    return {
        **value,
        where: value[where] if cause == entry.cause else cause,
        "dealer": language.text(entry.dealer),
    }


def _wagers(standing: Standing, setup: Mapping[str, object]) -> dict[int, Mapping[str, object]]:
    """What each seat that is still to act may be raised to by one touch."""
    betting = setup.get("betting")
    queue = [seat for seat, who in standing.players.items() if "turn" in who]
    found = offers(standing.output, betting if isinstance(betting, Mapping) else {}, queue)
    return {
        seat: {"named": [(each.place, each.text, each.to) for each in offer.named], "totals": offer.totals}
        for seat, offer in found.items()
    }


def _cites(standing: Standing) -> list[str]:
    """Every clause that the last rulings name."""
    named = (ruling.get("cite") for ruling in standing.rulings)
    return [str(cite) for cites in named if isinstance(cites, list) for cite in cites]
