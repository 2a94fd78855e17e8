"""`tablectl doctor` says whether the program is as installed, the rules as the session began, and which fault is up."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config import rulebook_file
from config.table_file import TableFile
from controller.app.diagnostics import integrity_checks
from controller.app.diagnostics.check_result import CheckGrade
from controller.runtime.faults import self_check
from tests.app.rig import Rig, demo


@pytest.fixture
def file(tmp_path: Path) -> TableFile:
    return replace(demo(), state_directory=tmp_path)


def collect_findings(file: TableFile) -> dict[str, tuple[CheckGrade, str]]:
    return {finding.subject: (finding.grade, finding.text) for finding in integrity_checks.check_integrity(file)}


def test_a_table_that_has_never_run_has_only_its_program(file: TableFile) -> None:
    assert list(collect_findings(file)) == ["program"]
    assert collect_findings(file)["program"][0] is CheckGrade.DOUBTFUL, (
        "these tests run from a checkout, and it says so"
    )


def test_a_program_that_is_not_as_installed_is_bad(file: TableFile, mocker: MockerFixture) -> None:
    failed = self_check.SelfCheckResult("program", "not as installed: hand.py", self_check.SELF_CHECK_FAULT)
    mocker.patch.object(self_check, "check_program", return_value=failed)
    assert collect_findings(file)["program"] == (CheckGrade.BAD, "not as installed: hand.py")


def test_other_rules_than_those_of_the_session_are_bad(file: TableFile, mocker: MockerFixture) -> None:
    with Rig(file.state_directory, file=file):
        pass
    assert collect_findings(file)["rules"][0] is CheckGrade.GOOD
    other = file.state_directory / "roberts-7.toml"
    other.write_bytes(rulebook_file.find_rulebook_path("roberts-7").read_bytes() + b"\n")
    mocker.patch.object(rulebook_file, "find_rulebook_path", return_value=other)
    assert collect_findings(file)["rules"][0] is CheckGrade.BAD


def test_a_fault_that_is_latched_is_named_with_who_clears_it(file: TableFile) -> None:
    with Rig(file.state_directory, file=file) as rig:
        rig.loop._fault_alarm.latch_faults(["deck-foreign"], rig.clock())
    finding = next(finding for finding in integrity_checks.check_integrity(file) if finding.subject == "fault")
    assert finding.grade is CheckGrade.BAD
    assert "this deck must leave the table" in finding.text
    assert "the floor says so" in finding.remedy
