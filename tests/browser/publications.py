"""What the page would be told in every hand of the conformance scenarios: all books, games and irregularities."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from config.language_file import ENGLISH, Language
from config.setup import open_table
from controller.core.engine.display import besides, view
from controller.core.engine.table import Table
from controller.core.protocol import script
from controller.core.protocol.errors import Refused
from controller.core.values.value import asdict
from controller.records.told import players_of
from controller.runtime.faults.latch import standings
from controller.runtime.loop.standing import LIVE, RefusedEntry, Standing
from controller.web.serving.hub import Hub

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


def files() -> list[Path]:
    """All but that of lines that no page can send, whose refusals name every word there is."""
    return sorted(file for file in SCENARIOS.glob("*/*.jsonl") if file.stem != "unknown-key-and-values")


def publications(file: Path, language: Language = ENGLISH) -> Iterator[str]:
    """Each publication of one scenario, as the page gets it."""
    lines = [json.loads(text) for text in file.read_text(encoding="utf-8").splitlines() if text.strip()]
    for line in lines:
        line.pop("expect", None)
    return of_lines(lines, language)


def of_lines(lines: Sequence[dict[str, Any]], language: Language = ENGLISH) -> Iterator[str]:
    """Each publication of a table script, as the page gets it."""
    opened = lines[0]
    hub = Hub({})
    setup = {
        "rulebook": opened["rulebook"], "game": opened["game"], "betting": opened["betting"], "gate": True,
        "places": opened.get("places", 10), "follow": opened.get("follow", "acts"), "program": "0",
    }  # fmt: skip
    hub.set_up(setup, None, language)
    table, rulings, ruled_in = Table(), (), 0
    outcome = None
    for number, line in enumerate(lines, start=1):
        refusal = None
        try:
            outcome = table.handle(open_table(line) if line["ev"] == "table" else script.read(line))
        except Refused as why:
            refusal = RefusedEntry(why.code, why.message, "page")
        if outcome is None:
            return
        output = view.line(outcome, number)
        if refusal is None and output.get("rulings"):
            rulings, ruled_in = tuple(output["rulings"]), outcome.state.number
        coming = besides.coming(outcome.state)
        hub.publish(
            Standing(
                number=number, entry=number, mode=LIVE, output=output, players=players_of(outcome), rulings=rulings,
                ruled_in=ruled_in, refusal=refusal, notices=(), devices=(), power_lost=False, longest_delay=0.0,
                faults=standings(outcome.state.down),
                besides=tuple(script.write(event) for event in besides.entries(outcome.state)),
                for_floor=tuple(script.write(event) for event in besides.for_the_floor(outcome.state)),
                hands_left=outcome.state.tournament.hands_left,
                coming=None if coming is None else asdict(coming),
            )
        )  # fmt: skip
        latest = hub.latest()
        assert latest is not None
        yield latest[1]


def told(file: Path) -> list[dict[str, Any]]:
    """The publications of one scenario, read."""
    return [json.loads(text) for text in publications(file)]
