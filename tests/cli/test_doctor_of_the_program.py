"""`tablectl doctor` says whether the program is as installed, the rules as the session began, and which fault is up."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config import rulebook_file
from config.table_file import TableFile
from controller.app.doctor import integrity_checks
from controller.app.doctor.check_result import Grade
from controller.runtime.faults import self_check
from tests.app.rig import Rig, demo


@pytest.fixture
def file(tmp_path: Path) -> TableFile:
    return replace(demo(), directory=tmp_path)


def found(file: TableFile) -> dict[str, tuple[Grade, str]]:
    return {finding.about: (finding.grade, finding.text) for finding in integrity_checks.examine(file)}


def test_a_table_that_has_never_run_has_only_its_program(file: TableFile) -> None:
    assert list(found(file)) == ["program"]
    assert found(file)["program"][0] is Grade.DOUBTFUL, "these tests run from a checkout, and it says so"


def test_a_program_that_is_not_as_installed_is_bad(file: TableFile, mocker: MockerFixture) -> None:
    failed = self_check.Result("program", "not as installed: hand.py", self_check.SELF_CHECK)
    mocker.patch.object(self_check, "program", return_value=failed)
    assert found(file)["program"] == (Grade.BAD, "not as installed: hand.py")


def test_other_rules_than_those_of_the_session_are_bad(file: TableFile, mocker: MockerFixture) -> None:
    with Rig(file.directory, file=file):
        pass
    assert found(file)["rules"][0] is Grade.GOOD
    other = file.directory / "roberts-7.toml"
    other.write_bytes(rulebook_file.path_of("roberts-7").read_bytes() + b"\n")
    mocker.patch.object(rulebook_file, "path_of", return_value=other)
    assert found(file)["rules"][0] is Grade.BAD


def test_a_fault_that_is_latched_is_named_with_who_clears_it(file: TableFile) -> None:
    with Rig(file.directory, file=file) as rig:
        rig.loop._alarm.latch(["deck-foreign"], rig.clock())
    finding = next(finding for finding in integrity_checks.examine(file) if finding.about == "fault")
    assert finding.grade is Grade.BAD
    assert "this deck must leave the table" in finding.text
    assert "the floor says so" in finding.remedy
