"""A fault that is planted in the program is found by a short evening, and its script is replayed with the same end."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.evenings.evening import PlayedEvening, read_script, write_sent
from tests.evenings.house import PLACES
from tests.evenings.oracles import ORACLES
from tests.evenings.seen import Oracle
from tests.evenings.story import SentEntry

SHOWN_OTHERWISE = """
from controller.core.engine.output import outcome_rendering
render = outcome_rendering.render_outcome
def render_outcome(*given, **more):
    line = render(*given, **more)
    {what}
    return line
outcome_rendering.render_outcome = render_outcome
"""

PLANTED = {
    "a chip is lost": (
        "if line['phase'] == 'bet' and line.get('bets'): "
        "line['stacks'] = {**line['stacks'], '1': line['stacks']['1'] - 1}",
        ("ChipOracle",),
    ),
    "a card is in no place": (
        "if line['phase'] == 'bet': line['piles'] = {**line['piles'], 'stub': line['piles']['stub'] - 1}",
        ("CardOracle",),
    ),
    "another seat's lamp is lit": (
        "if line['phase'] == 'bet': line['lamps'] = {**line['lamps'], 'act': [3]}",
        ("SignalOracle",),
    ),
}
LINE = {
    "ev": "table", "rulebook": "roberts-7", "game": "holdem", "places": PLACES, "button": 1, "sensors": ["identity"],
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": seat, "player": name, "stack": 200} for seat, name in ((1, "Ana"), (2, "Ben"))],
}  # fmt: skip
SCRIPT = (
    SentEntry("power", "power", {"power": "set-up", "line": LINE}),
    SentEntry("dealer", "page", {"ev": "start"}),
    *(SentEntry("shoe", "device", {"card": card}) for card in ("As", "Kd", "7c", "2h")),
    SentEntry("key", "key", {"key": "call"}),
    SentEntry("dealer", "page", {"ev": "undo"}),
    SentEntry("nobody", "page", {"ev": "act", "seat": 1, "do": "call"}),
    SentEntry("power", "power", {"power": "kill"}),
    SentEntry("power", "power", {"power": "start"}),
    SentEntry("dealer", "page", {"ev": "device", "id": "fault:power-lost", "status": "back", "needed": True}),
    SentEntry("power", "power", {"unplug": "shoe"}),
    SentEntry("power", "power", {"plug": "shoe"}),
    SentEntry("floor", "page", {"ev": "act", "seat": 1, "do": "call"}),
    SentEntry("dealer", "page", {"ev": "act", "seat": 2, "do": "check"}),
)
"""The beginning of an evening in which some of everything happens."""


def play(
    folder: Path, script: Sequence[SentEntry], first: str = "", oracles: Sequence[Callable[[], Oracle]] = ORACLES
) -> PlayedEvening:
    """Play a script in a house of its own."""
    evening = PlayedEvening(folder, 1, oracles, first=first, record=folder.with_suffix(".jsonl"))
    try:
        evening.replay(script)
    finally:
        evening.close()
    return evening


def test_nobody_complains_of_the_program_as_it_is(tmp_path: Path) -> None:
    evening = play(tmp_path / "house", SCRIPT)
    assert evening.complaints == []
    refused = [seen.number for seen in evening.seen if not seen.taken]
    assert refused == [9], "what nobody signed in enters is refused, and all else is taken"
    assert read_script(tmp_path / "house.jsonl") == list(SCRIPT), "what was sent is written down as it happens"
    assert evening.seen[-1].truth.left_shoe == ("As", "Kd", "7c", "2h")
    assert evening.figures.kills == 1
    assert evening.figures.unplugs == 1


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(tmp_path: Path, fault: str) -> None:
    what, names = PLANTED[fault]
    evening = play(tmp_path / "house", SCRIPT[:9], first=SHOWN_OTHERWISE.format(what=what))
    assert {each.oracle for each in evening.complaints} & set(names), evening.complaints


def test_an_end_of_the_program_is_found(tmp_path: Path) -> None:
    ends = "if line['phase'] == 'bet': __import__('os')._exit(3)"
    evening = play(tmp_path / "house", SCRIPT[:9], first=SHOWN_OTHERWISE.format(what=ends))
    assert [each.oracle for each in evening.complaints] == ["TheProgramRuns"]
    assert evening.complaints[0].number == 6


def test_a_script_is_written_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text("# why\n" + "".join(write_sent(each) + "\n" for each in SCRIPT))
    assert read_script(path) == list(SCRIPT)
