"""`tablectl staff`, with the PINs on standard input."""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli import main
from controller.cli.table.staff_command import refresh_code
from controller.runtime.staff import staff_store
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.pin_codes import HashCost

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setattr(
        staff_store.StaffStore.__init__, "__kwdefaults__", {"cost": HashCost(1, 8192), "now": lambda: 1_800_000_000.0}
    )

    def run(*arguments: str, types: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(types))
        status = main(["staff", *arguments, "--state", str(tmp_path)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def code(run: Run) -> str:
    status, out, _ = run("code")
    assert status == 0
    assert re.fullmatch(r"\d{4}-\d{4}\n", out)
    return out.strip()


@pytest.fixture
def technician(run: Run) -> None:
    assert run("add", "Cy", "technician", types=f"{code(run)}\n194728\n194728\n")[:2] == (
        0,
        "enrolled Cy, technician\n",
    )


def test_the_first_enrols_by_the_code_and_enrols_the_others(run: Run, technician: None) -> None:  # noqa: ARG001
    assert run("add", "Ada", "dealer", "--as", "Cy", types="194728\n503316\n503316\n")[0] == 0
    status, out, _ = run("list")
    assert status == 0
    rows = [line.split("\t")[:2] for line in out.splitlines()]
    assert rows == [["Ada", "dealer"], ["Cy", "technician"]]
    assert "enrolled by Cy" in out


def test_without_a_code_nobody_is_enrolled(run: Run) -> None:
    status, out, err = run("add", "Cy", "technician", types="0000-0000\n194728\n194728\n")
    assert (status, out) == (1, "")
    assert "No one-time code is valid now" in err
    assert "nobody is enrolled" in run("list")[2]


def test_a_dealer_enrols_nobody(run: Run, technician: None) -> None:  # noqa: ARG001
    run("add", "Ada", "dealer", "--as", "Cy", types="194728\n503316\n503316\n")
    assert run("add", "Eve", "floor", "--as", "Ada", types="503316\n720583\n720583\n")[0] == 1
    assert run("remove", "Cy", "--as", "Ada", types="503316\n")[0] == 1


def test_a_pin_is_changed_reset_and_a_person_removed(run: Run, technician: None) -> None:  # noqa: ARG001
    run("add", "Ada", "dealer", "--as", "Cy", types="194728\n503316\n503316\n")
    assert run("pin", "Ada", types="503316\n720583\n720583\n")[0] == 0
    assert run("pin", "Ada", types="503316\n862075\n862075\n")[0] == 1
    assert run("pin", "Ada", types="720583\n862075\n862076\n")[0] == 1
    assert run("reset", "Ada", "--as", "Cy", types="194728\n391640\n391640\n")[0] == 0
    assert run("remove", "Ada", "--as", "Cy", types="194728\n")[0] == 0
    assert "Ada" not in run("list")[1]
    status, _, err = run("remove", "Cy", "--as", "Cy", types="194728\n")
    assert status == 1
    assert "enrol another technician first" in err


def test_a_pin_is_never_printed(run: Run, technician: None) -> None:  # noqa: ARG001
    said = "".join(run("add", "Ada", "dealer", "--as", "Cy", types="194728\n503316\n503316\n")[1:])
    said += "".join(run("add", "Ada", "dealer", "--as", "Cy", types="194728\n503316\n503316\n")[1:])
    said += "".join(run("pin", "Ada", types="720583\n503316\n503316\n")[1:])
    assert not re.search(r"\d{6}", said)


def test_the_public_keys_of_all_stay_on_record(run: Run, technician: None) -> None:  # noqa: ARG001
    before = run("list", "--keys")[1]
    assert before.startswith("Cy\ttechnician\t")
    run("reset", "Cy", "--as", "Cy", types="194728\n391640\n391640\n")
    after = run("list", "--keys")[1]
    assert len(after.splitlines()) == 2
    assert before.split("\t")[2] in after


def test_an_end_of_input_changes_nothing(run: Run) -> None:
    code(run)
    status, _, err = run("add", "Cy", "technician")
    assert status == 1
    assert "nothing was changed" in err


def test_the_screen_shows_a_code_that_is_good_also_when_the_table_has_started_again(tmp_path: Path) -> None:
    people = staff_store.StaffStore(tmp_path / "staff.sqlite", cost=HashCost(1, 8192))
    code, made = refresh_code(people, "", None)
    assert refresh_code(people, code, made) == (code, made), "it stays as long as it is good"
    people.make_one_time_code()  # as a table does that starts
    code, made = refresh_code(people, code, made)
    people.enrol("Tess", Role.TECHNICIAN, "739146", people.redeem_code(code))
    assert refresh_code(people, code, made) == ("", None), "and goes when somebody is enrolled"
    people.close()


def test_a_code_says_whom_it_enrols_and_what_became_of_the_others(run: Run, tmp_path: Path) -> None:
    assert "enrols one floor on the sign-in page" in run("code", "--role", "floor")[2]
    _, first, said = run("code")
    assert "enrols one technician on the sign-in page or with `tablectl staff`" in said
    assert "void" not in said.replace("--void", "")
    assert "open besides: floor" in said
    _, _, said = run("code")
    assert "the code that was made before for a technician is void now" in said
    status, _, err = run("add", "Cy", "technician", types=f"{first}194728\n194728\n")
    assert (status, "is wrong" in err) == (1, True)
    assert run("code", "--void")[1] == "no one-time code is open now\n"
    people = staff_store.StaffStore(tmp_path / "staff.sqlite", cost=HashCost(1, 8192))
    assert not people.is_code_valid()
    people.close()
