"""The documents name tests that exist, every duty, and the faults as the program has them."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from controller.runtime.faults.fault_table import FAULTS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

NAMED = re.compile(r"`(test_[a-z0-9_]+)`")
DEFINED = re.compile(r"^ *(?:async )?def (test_\w+)\(", re.MULTILINE)
DUTIES = tuple(f"R{number}" for number in range(1, 36))


@cache
def every_test() -> frozenset[str]:
    """Every test function of the project."""
    return frozenset(
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in DEFINED.findall(path.read_text(encoding="utf-8"))
    )


def rows() -> list[list[str]]:
    text = (DOCS / "duties.md").read_text(encoding="utf-8")
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:3] == "| R"]


@pytest.mark.parametrize("document", ["duties.md", "security.md"])
def test_every_test_that_is_named_exists(document: str) -> None:
    named = NAMED.findall((DOCS / document).read_text(encoding="utf-8"))
    assert len(named) > 30
    assert sorted(set(named) - every_test()) == []


def test_every_duty_is_there_once_in_order() -> None:
    assert tuple(row[0] for row in rows()) == DUTIES


def test_every_duty_has_its_source_and_a_test_or_a_reason() -> None:
    for duty, asked, source, shown in rows():
        assert asked, duty
        assert source, duty
        assert NAMED.search(shown) or len(shown) > 20, f"{duty} has neither a test nor a reason"


FORETOLD_IS_NO_MATTER = (
    "controller/app/simulation/",
    "controller/cli/tournament/seating_command.py",
    "controller/records/broadcast/equities.py",
    "controller/runtime/journal/sealing/stand_ins.py",
    "drivers/simulators/",
    "drivers/conformance/",
)
"""Simulated rooms and devices; the tournament desk draws by the system's own generator unless a draw is shown again;
equities of cards that viewers see are told from a sample, the same one always; what stands in for a card that nobody
knows is searched for, each time in the same way.
"""


def test_the_running_table_chooses_nothing_at_random() -> None:
    """R34. Nothing but what stands above knows a generator that can be foretold."""
    knows = {
        path.relative_to(ROOT).as_posix()
        for folder in ("controller", "drivers", "config", "firmware_bridge")
        for path in (ROOT / folder).rglob("*.py")
        if "random" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Import) and "random" in [name.name for name in node.names])
        or (isinstance(node, ast.ImportFrom) and node.module == "random")
    }
    assert sorted(path for path in knows if not path.startswith(FORETOLD_IS_NO_MATTER)) == []


def test_the_table_of_faults_is_the_programs() -> None:
    text = (DOCS / "security.md").read_text(encoding="utf-8")
    table = text.partition("<!-- faults -->\n")[2].partition("<!-- end -->")[0].splitlines()[2:]
    assert table == [
        f"| `{fault.code}` | {fault.halt_scope.value} | {'yes' if fault.latches else 'no'} | {fault.proof.value} | "
        f"{', '.join(fault.clearing_roles) or 'itself'} |"
        for fault in FAULTS.values()
    ]
