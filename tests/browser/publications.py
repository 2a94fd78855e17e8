"""What the page would be told in every hand of the conformance scenarios: all books, games and irregularities."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from config.language_file import ENGLISH, Language
from config.table_line import parse_table_line
from controller.core.engine.output import available_entries, outcome_rendering, showdown_view, table_notice
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.core.protocol.table_error import Refused
from controller.core.values.value import asdict
from controller.records.public_view import describe_players
from controller.runtime.faults.fault_latches import describe_faults
from controller.runtime.journal.entry_result import list_shown_rulings
from controller.runtime.loop.table_view import LIVE, RefusedEntry, TableView
from controller.web.publishing.page_state_hub import PageStateHub

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


def files() -> list[Path]:
    """All but that of lines that no page can send, whose refusals name every word there is."""
    return sorted(file for file in SCENARIOS.glob("*/*.jsonl") if file.stem != "unknown-key-and-values")


def publications(file: Path, language: Language = ENGLISH) -> Iterator[str]:
    """Each publication of one scenario, as the page gets it."""
    return of_lines(read_lines(file), language)


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The lines of a scenario, without what they expect."""
    lines: list[dict[str, Any]] = [
        json.loads(text) for text in file.read_text(encoding="utf-8").splitlines() if text.strip()
    ]
    for line in lines:
        line.pop("expect", None)
    return lines


def of_lines(lines: Sequence[dict[str, Any]], language: Language = ENGLISH) -> Iterator[str]:
    """Each publication of a table script, as the page gets it."""
    opened = lines[0]
    hub = PageStateHub({})
    setup = {
        "rulebook": opened["rulebook"], "game": opened["game"], "betting": opened["betting"], "gate": True,
        "places": opened.get("places", 10), "follow": opened.get("follow", "acts"), "program": "0",
    }  # fmt: skip
    hub.change_table(setup, None, language)
    table, ruled_in = Table(), 0
    rulings: tuple[Mapping[str, Any], ...] = ()
    outcome = None
    for number, line in enumerate(lines, start=1):
        refusal = None
        try:
            outcome = table.handle(parse_table_line(line) if line["ev"] == "table" else script_lines.parse_line(line))
        except Refused as why:
            refusal = RefusedEntry(why.code, why.message, "page")
        if outcome is None:
            return
        output = outcome_rendering.render_outcome(outcome, number, live=bool(opened.get("live")))
        if refusal is None and output.get("rulings"):
            rulings, ruled_in = list_shown_rulings(output), outcome.state.hand_count
        coming = available_entries.find_upcoming_cards(outcome.state)
        hub.publish(
            TableView(
                number=number, entry=number, mode=LIVE, output_line=output, player_by_seat=describe_players(outcome),
                rulings=rulings,
                rulings_hand=ruled_in, refusal=refusal, notices=(), devices=(), power_lost=False, max_queue_delay_s=0.0,
                faults=describe_faults(outcome.state.faults),
                available_entries=tuple(
                    map(script_lines.format_line, available_entries.find_available_entries(outcome.state))
                ),
                floor_entries=tuple(map(script_lines.format_line, available_entries.find_floor_entries(outcome.state))),
                hands_left=outcome.state.tournament.hands_left,
                notice=table_notice.render_notice(outcome.state),
                showdown=showdown_view.render_showdown(outcome.state),
                upcoming_cards=None if coming is None else asdict(coming),
            )
        )  # fmt: skip
        latest = hub.get_latest()
        assert latest is not None
        yield latest[1]


def read_publications(file: Path) -> list[dict[str, Any]]:
    """The publications of one scenario, read."""
    return [json.loads(text) for text in publications(file)]
