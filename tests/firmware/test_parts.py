"""The parts of the firmware call downwards only."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware_bridge" / "firmware"
PARTS = sorted(FIRMWARE.glob("tb_*.c"))
DEFINED = re.compile(r"^\w[\w *]*?\b(tb_\w+)\([^;]*?\{", re.MULTILINE)


def test_no_part_calls_one_that_calls_it() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in PARTS}
    owner = {name: part for part, text in texts.items() for name in DEFINED.findall(text)}
    assert len(owner) > 15
    calls = {
        part: {owner[name] for name in re.findall(r"\b(tb_\w+)\(", text) if owner.get(name, part) != part}
        for part, text in texts.items()
    }
    order = list(TopologicalSorter(calls).static_order())  # raises CycleError where there is a circle
    assert order.index("tb_board") == len(order) - 1


def test_each_part_sees_only_what_it_includes() -> None:
    for path in PARTS:
        included = re.findall(r'#include "(tb_\w+)\.h"', path.read_text(encoding="utf-8"))
        assert included[0] == path.stem, "its own header first"
        assert path.stem == "tb_board" or "tb_board" not in included
