"""A report is its terms, a finding, a key on the dealer's page and a test."""

import re
from pathlib import Path

import pytest

from controller.core.engine.handlers.report_handlers import FINDING_BY_REPORT_KIND
from controller.core.irregularities.conduct import round_tracking_reports
from controller.core.protocol.vocabulary import ReportKind

ROOT = Path(__file__).parents[2]
STATIC_FOLDER = ROOT / "controller/web/static"
PAGE_FILES = ("dealer.js", "report-sheet.js", "seat-sheet.js")
PAGE = "".join((STATIC_FOLDER / file).read_text(encoding="utf-8") for file in PAGE_FILES)
ONLY_ANSWERS = (ReportKind.ACTED, *round_tracking_reports.OPENING_REPORTS)
"""Reports that answer what the table asked: no irregularity of their own."""


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_has_its_finding(what: ReportKind) -> None:
    assert what in (*FINDING_BY_REPORT_KIND, *ONLY_ANSWERS)


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_can_be_touched_on_the_page(what: ReportKind) -> None:
    ways = rf'report\("{what.value}"|make(Named|Seat)?Row\("\w+", .*"{what.value}"|case "{what.value}": return'
    assert re.search(ways, PAGE)


@pytest.mark.parametrize("what", ReportKind)
def test_every_report_is_made_by_a_test(what: ReportKind) -> None:
    made = re.compile(rf"""report {what.value}\b|"what": ?"{what.value}"|ReportKind\.{what.name}\b""")
    assert any(made.search(path.read_text(encoding="utf-8")) for path in (ROOT / "tests/rules").rglob("*.*[yn]"))
