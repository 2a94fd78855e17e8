"""A report is a word with its keys, a finding, a row of the contract, a key on the dealer's page and a test."""

import re
from pathlib import Path

import pytest

from controller.cli.rules.rules_command import KEYS_BY_FINDING
from controller.core.engine.handlers.report_handlers import HANDLER_BY_REPORT_KIND
from controller.core.irregularities.conduct import round_tracking_reports
from controller.core.protocol.vocabulary import KEYS_BY_REPORT_KIND, ReportKind

ROOT = Path(__file__).parents[2]
STATIC_FOLDER = ROOT / "controller/web/static"
PAGE = "".join((STATIC_FOLDER / file).read_text(encoding="utf-8") for file in ("dealer.js", "report-sheet.js"))
CONTRACT = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("table-script*.md")))
ROWS = [line.split("|")[1] for line in CONTRACT.splitlines() if line.startswith("|")]
ONLY_ANSWERS = (ReportKind.ACTED, *round_tracking_reports.OPENING_REPORTS)
"""Reports that answer what the table asked: no irregularity of their own."""


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_says_which_keys_it_uses(what: ReportKind) -> None:
    assert what in KEYS_BY_REPORT_KIND


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_has_its_finding(what: ReportKind) -> None:
    assert what in (*HANDLER_BY_REPORT_KIND, *ONLY_ANSWERS)


@pytest.mark.parametrize("what", list(HANDLER_BY_REPORT_KIND))
def test_every_finding_can_be_explained(what: ReportKind) -> None:
    assert what.value in KEYS_BY_FINDING


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_has_a_row_in_the_contract(what: ReportKind) -> None:
    named = (f"`{what.value}`", f'"what":"{what.value}"')
    assert any(name in first for first in ROWS for name in named)


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_can_be_touched_on_the_page(what: ReportKind) -> None:
    ways = (f'report("{what.value}"', f'reportAtSeat("{what.value}"', f'case "{what.value}": return')
    assert any(way in PAGE for way in ways)


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_is_made_by_a_test(what: ReportKind) -> None:
    made = re.compile(rf"""report {what.value}\b|"what": ?"{what.value}"|ReportKind\.{what.name}\b""")
    assert any(made.search(path.read_text(encoding="utf-8")) for path in (ROOT / "tests/rules").rglob("*.*[yn]"))
