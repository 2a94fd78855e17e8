"""Carries the standings of the loop's thread to the browsers of the page's thread.

The loop must never wait for a browser: it only appends here. A browser that falls behind, or comes back, goes on from
the publication it saw last while that is still kept, and otherwise from the newest: every publication is whole.
"""

import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from config.file_library import Library
from config.language_file import ENGLISH, Language
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.loop.table_view import TableView
from controller.web.entries.entry_endpoint import PAGE_SOURCE
from controller.web.publishing.remedy_progress import RemedyProgress
from controller.web.publishing.stream_source import StreamSource, wait_for_change
from controller.web.publishing.wager_offers import make_wager_offers
from controller.web.wording.collection_sign import render_table_notice
from controller.web.wording.error_catalogue import load_catalogue
from controller.web.wording.rule_clauses import find_clause_cases
from controller.web.wording.ruling_translation import translate_ruling
from controller.web.wording.showdown_wording import reword_steps, word_showdown
from controller.web.wording.step_instructions import add_instructions, translate_line

MAX_KEPT_STATES = 32
"""Publications, of some 10 kB each, kept for browsers that fall behind; further behind, the newest says it all.

They are kept in the house's language; in another there is the newest alone, worded when somebody wants it.
"""


class PageStateHub(StreamSource):
    """The publications of one run; `setup` is what every one of them says about the table besides."""

    def __init__(self, setup: Mapping[str, object]) -> None:
        super().__init__()
        self._setup = dict(setup)
        self._library: Library | None = None
        self._simulation_status: Mapping[str, object] | None = None
        self._table_view: TableView | None = None
        self._state_number = 0
        self._language = ENGLISH
        self._kept_states: deque[tuple[int, str]] = deque(maxlen=MAX_KEPT_STATES)
        self._newest_content: dict[str, object] = {}
        self._newest_by_language: dict[Language, str] = {}
        self._remedy_progress = RemedyProgress()
        self._refusal_count = 0
        self._since_by_fault: dict[FaultStatus, float] = {}
        """When each fault that is up was first said, Unix seconds."""

    @property
    def refusal_count(self) -> int:
        """How many touches of pages the table has not taken."""
        with self._lock:
            return self._refusal_count

    @property
    def shown_entry(self) -> int | None:
        """Number of the entry that pages show now; `None` before the first."""
        with self._lock:
            return None if self._table_view is None else self._table_view.entry

    @property
    def table_view(self) -> TableView | None:
        """The newest standing of the loop; `None` before the first."""
        with self._lock:
            return self._table_view

    @property
    def language(self) -> Language:
        """The house's own."""
        with self._lock:
            return self._language

    @property
    def setup(self) -> Mapping[str, object]:
        """What the pages show of the table besides its standing."""
        return self._setup

    def change_table(
        self, setup: Mapping[str, object], library: Library | None = None, language: Language = ENGLISH
    ) -> None:
        """Begin to publish another table in the same place, whose books cite the clauses of the library."""
        with self._lock:
            self._language = language
            self._library = library
            self._setup = dict(setup)
            self._table_view = None
            self._remedy_progress = RemedyProgress()

    def publish(self, standing: TableView) -> None:
        """Take a standing of the loop."""
        with self._lock:
            before, now = None if self._table_view is None else self._table_view.refusal, standing.refusal
            self._refusal_count += now is not None and now is not before and now.source == PAGE_SOURCE
            self._table_view = standing
            self._remedy_progress.follow(
                standing.output_line, standing.entry, is_taken_back=standing.is_ruling_taken_back
            )
            self._publish_state()

    def publish_simulation(self, status: Mapping[str, object]) -> None:
        """Take how the simulation runs."""
        with self._lock:
            self._simulation_status = dict(status)
            if self._table_view is not None:
                self._publish_state()

    def get_latest(self, language: Language | None = None) -> tuple[int, str] | None:
        """Return the newest publication with its number, as JSON; `None` before the first."""
        with self._lock:
            return self._render_latest(language) if self._kept_states else None

    async def iter_states(self, after: int, language: Language | None = None) -> AsyncIterator[tuple[int, str] | None]:
        """Yield every publication later than number `after`; `None` now and then while nothing happens."""
        with self._listen() as woken:
            while True:
                woken.clear()
                with self._lock:
                    closed, fresh = self._is_closed, self._find_later_states(after, language)
                for number, text in fresh:
                    yield number, text
                    after = number
                if closed:
                    return
                if not await wait_for_change(woken):
                    yield None

    async def iter_event_lines(
        self,
        last_event_id: str,
        language: Language,
        *,
        is_allowed: Callable[[], bool] = lambda: True,
        render: Callable[[int, str], str] = lambda _, text: text,
    ) -> AsyncIterator[str]:
        """Write each publication as one event whose id lets a browser go on where it was, while that is allowed."""
        known = last_event_id.isascii() and last_event_id.isdecimal() and len(last_event_id) < 16
        yield "retry: 1000\n\n"
        async for publication in self.iter_states(int(last_event_id) if known else -1, language):
            if not is_allowed():
                return
            yield (
                ": still here\n\n" if publication is None else f"id: {publication[0]}\ndata: {render(*publication)}\n\n"
            )

    def _find_later_states(self, after: int, language: Language | None) -> list[tuple[int, str]]:
        if not self._kept_states:
            return []
        if language not in (None, self._language):
            return [] if after == self._kept_states[-1][0] else [self._render_latest(language)]
        oldest, newest = self._kept_states[0][0], self._kept_states[-1][0]
        if after > newest or after < oldest - 1:
            return [self._kept_states[-1]]
        return [kept for kept in self._kept_states if kept[0] > after]

    def _render_latest(self, language: Language | None) -> tuple[int, str]:
        """The newest publication in a language, the house's for `None`; worded once for all who want it."""
        if language is None or language == self._language:
            return self._kept_states[-1]
        if language not in self._newest_by_language:
            self._newest_by_language[language] = _render_state(self._newest_content, language)
        return self._kept_states[-1][0], self._newest_by_language[language]

    def _publish_state(self) -> None:
        standing = self._table_view
        if standing is None:
            return
        self._state_number += 1
        self._since_by_fault = {
            fault: self._since_by_fault.get(fault, round(time.time(), 1)) for fault in standing.faults
        }
        setup = {**self._setup, **({"betting": standing.betting} if standing.betting else {})}
        content: dict[str, object] = {
            "number": self._state_number,
            "setup": setup,
            "simulation": self._simulation_status,
            "entry": standing.entry,
            "mode": standing.mode,
            "table": standing.output_line,
            "besides": standing.available_entries,
            "for_floor": standing.floor_entries,
            "hands_left": standing.hands_left,
            "showdown": standing.showdown,
            "coming": standing.upcoming_cards,
            "wagers": _render_wager_offers(standing, setup),
            "players": standing.player_by_seat,
            **({} if standing.notice is None else {"notice": standing.notice}),
            "rulings": standing.rulings,
            "ruled_in": standing.rulings_hand,
            "remedy": {"steps": self._remedy_progress.steps, "taken_back": self._remedy_progress.is_taken_back},
            "clauses": find_clause_cases(_list_cited_clauses(standing), self._library),
            "refusal": None if standing.refusal is None else standing.refusal.to_json(),
            "notices": [notice.to_json() for notice in standing.notices],
            "faults": [{**fault.to_json(), "since": self._since_by_fault[fault]} for fault in standing.faults],
            "devices": [device.to_json() for device in standing.devices],
            "power_lost": standing.power_lost,
            "floor_called": standing.floor_called,
            "sound": standing.last_sound,
            **({} if standing.broadcast is None else {"broadcast": standing.broadcast}),
            "longest_delay": round(standing.max_queue_delay_s, 4),
        }
        self._newest_content, self._newest_by_language = content, {}
        self._kept_states.append((self._state_number, _render_state(content, self._language)))
        self._wake()


def _render_state(content: Mapping[str, Any], language: Language) -> str:
    """A publication as JSON, with everything that it says in a language."""
    remedy, refusal = content["remedy"], content["refusal"]
    notice: Mapping[str, Any] | None = content.get("notice")
    table, showdown = translate_line(content["table"], language), word_showdown(content["showdown"], language)
    told = {
        **content,
        "table": {**table, "next": reword_steps(table["next"], showdown, language)},
        "showdown": showdown,
        **(
            {}
            if notice is None
            else {"notice": render_table_notice(notice, content["setup"].get("betting", {}), language)}
        ),
        "wagers": {
            seat: {**offer, "named": [(place, language.translate(text), to) for place, text, to in offer["named"]]}
            for seat, offer in content["wagers"].items()
        },
        "rulings": [translate_ruling(ruling, language) for ruling in content["rulings"]],
        "remedy": {**remedy, "steps": add_instructions(remedy["steps"], language)},
        "refusal": None if refusal is None else _add_advice("refusal", "message", refusal, language),
        "notices": [_add_advice("notice", "text", notice, language) for notice in content["notices"]],
        "faults": [_add_advice("fault", "text", fault, language) for fault in content["faults"]],
    }
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


def _add_advice(kind: str, where: str, value: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Add what the catalogue tells the dealer to do about it.

    What happened is said by whoever found it, in English and with more than the code says; in another language the
    catalogue's cause stands for it, and the English where there is none.
    """
    entry = load_catalogue().get((kind, value["code"]))
    if entry is None:
        return {**value, "dealer": None}
    cause = language.translate(entry.cause)
    return {
        **value,
        where: value[where] if cause == entry.cause else cause,
        "dealer": language.translate(entry.dealer_advice),
    }


def _render_wager_offers(standing: TableView, setup: Mapping[str, object]) -> dict[int, Mapping[str, object]]:
    """What each seat that is still to act may be raised to by one touch."""
    betting = setup.get("betting")
    queue = [seat for seat, who in standing.player_by_seat.items() if "turn" in who]
    found = make_wager_offers(standing.output_line, betting if isinstance(betting, Mapping) else {}, queue)
    return {
        seat: {
            "named": [(each.button_place, each.label, each.total) for each in offer.named_totals],
            "totals": offer.round_totals,
            "any": offer.is_any_taken,
        }
        for seat, offer in found.items()
    }


def _list_cited_clauses(standing: TableView) -> list[str]:
    """Every clause that the last rulings name."""
    named = (ruling.get("cite") for ruling in standing.rulings)
    return [str(cite) for cites in named if isinstance(cites, list) for cite in cites]
