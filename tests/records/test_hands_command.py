"""`tablectl hands`, on the journal of a table that was played on the bench."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.cli import main
from tests.app.rig import Rig, demo


@pytest.fixture(scope="module")
def played_table_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("table")
    with Rig(directory, lossless=True) as rig:
        room = rig.room(seed=5, mistakes=0.1)
        while int(rig.output["hand"]) < 3:
            rig.live(room, 10)
        rig.journal.end_run("test")
    return directory


@pytest.fixture
def hands(played_table_folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["hands", *arguments, "--state", str(played_table_folder)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_what_the_house_took_is_listed_told_and_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rake = {"kind": "rake", "percent": 10, "cap": 5}
    with Rig(tmp_path, lossless=True, file=demo(collection=rake)) as rig:
        played = rig.room(seed=5, mistakes=0.0)
        while int(rig.output["hand"]) < 5:
            rig.live(played, 10)
        rig.journal.end_run("test")

    def run(*arguments: str) -> str:
        assert main(["hands", *arguments, "--state", str(tmp_path)]) == 0
        return capsys.readouterr().out

    hands = [tomllib.loads(run("export", str(number)))["_collection"] for number in range(1, 5)]
    assert all(told["terms"] == rake for told in hands)
    assert any(told["total"] for told in hands)
    for number, (told, line) in enumerate(zip(hands, run("list").splitlines(), strict=True), 1):
        assert line.endswith(f"house {told['total']}") == bool(told["total"])
        pots = [
            (part["amount"], f"side pot {part['pot']}" if part["pot"] else "the pot") for part in told.get("pots", ())
        ]
        parts = ", ".join(f"{amount} of {pot}" for amount, pot in pots)
        words = f"{told['total']}: {parts}" if parts else "nothing"
        assert run("show", str(number)).splitlines()[-1] == f"  house    takes {words}"
    export = tmp_path / "night.txt"
    run("export", "--format", "pokerstars", "--output", str(export))
    rakes = [int(line.rpartition(" ")[2]) for line in export.read_text().splitlines() if line.startswith("Total pot")]
    assert rakes == [told["total"] for told in hands]
    assert run("check", str(export)).count("as in the journal") == 4


def test_every_finished_hand_is_listed(hands: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = hands("list")
    assert status == 0
    assert [line.split("\t")[0] for line in out.splitlines()] == ["1", "2"]
    assert all("no-limit holdem" in line and "+" in line for line in out.splitlines())


def test_a_hand_is_told_in_words(hands: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = hands("show", "1")
    assert status == 0
    assert out.startswith("Hand 1, no-limit holdem")
    assert "wins" in out


def test_a_hand_is_exported_as_phh(hands: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = hands("export", "2")
    assert status == 0
    content = tomllib.loads(out)
    assert content["hand"] == 2
    assert content["variant"] == "NT"
    assert content["_session"] == 1


def test_all_hands_are_exported_as_sections(hands: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    file = tmp_path / "night.phhs"
    assert hands("export", "--output", str(file))[:2] == (0, "")
    assert sorted(tomllib.loads(file.read_text())) == ["1", "2"]


def test_a_hand_without_a_regular_part_is_named_and_costs_no_other(
    hands: Callable[..., tuple[int, str, str]], tmp_path: Path, mocker: MockerFixture
) -> None:
    file = tmp_path / "night.phhs"
    mocker.patch.dict("controller.records.phh.VARIANT_BY_GAME", clear=True)
    status, out, err = hands("export", "--output", str(file))
    assert (status, out) == (0, "")
    assert err.splitlines() == [
        f"tablectl hands: hand {n} has no regular part, and stands there as a comment: "
        "PHH has no code for no-limit holdem" for n in (1, 2)
    ]  # fmt: skip
    assert tomllib.loads(file.read_text()) == {}
    status, out, _ = hands("check", str(file))
    assert (status, out.count("as in the journal")) == (0, 2)
    status, out, err = hands("export", "2")
    assert tomllib.loads(out)["_regular"] is False
    assert err == "tablectl hands: hand 2 has no regular part: PHH has no code for no-limit holdem\n"


def test_a_hand_that_is_not_there_is_refused_with_those_that_are(hands: Callable[..., tuple[int, str, str]]) -> None:
    assert hands("show", "99") == (
        1,
        "",
        "tablectl hands: there is no finished hand 99 in this session; there are 1 to 2\n",
    )
    assert hands("list", "--session", "7")[2] == "tablectl hands: there is no session 7; there are 1\n"


@pytest.mark.parametrize(("form", "suffix"), [("phh", "phhs"), ("ohh", "ohh"), ("pokerstars", "txt")])
def test_an_export_is_checked_against_the_journal(
    hands: Callable[..., tuple[int, str, str]], tmp_path: Path, form: str, suffix: str
) -> None:
    file = tmp_path / f"night.{suffix}"
    assert hands("export", "--format", form, "--output", str(file)) == (0, "", "")
    status, out, _ = hands("check", str(file))
    assert status == 0
    assert [line.split("\t")[1].split(",")[0] for line in out.splitlines()] == ["as in the journal"] * 2
    written = file.read_text()
    file.write_text(written.replace("Ana", "Eva").replace("Ben", "Bea"))
    status, out, _ = hands("check", str(file))
    assert (status, out.count("differs from the journal")) == (1, 2)


def test_a_signed_export_says_up_to_which_record(
    played_table_folder: Path, hands: Callable[..., tuple[int, str, str]]
) -> None:
    file = played_table_folder / "night.ohh"
    assert hands("export", "--format", "ohh", "--currency", "EUR", "--output", str(file))[0] == 0
    first = json.loads(file.read_text().splitlines()[0])
    assert first["ohh"]["currency"] == "EUR"
    upto = first["_table_controller"]["signed"]["upto"]
    assert f"signed up to record {upto}" in hands("check", str(file))[1]
    assert main(["journal", "verify", str(played_table_folder / "journal.sqlite")]) == 0


def test_a_hand_of_another_journal_and_what_is_no_export_are_named(
    hands: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "night.txt"
    file.write_text("PokerStars Hand #17:  Hold'em No Limit (1/2) - x\n")
    assert hands("check", str(file))[:2] == (1, "17\tnot in this journal\n")
    file.write_text("what is this")
    assert "night.txt is no export of hands in PHH, OHH or PokerStars text: Expected" in hands("check", str(file))[2]
    assert "cannot be read" in hands("check", str(tmp_path / "none"))[2]


def test_a_hand_that_the_format_cannot_say_is_named_with_the_reason(
    hands: Callable[..., tuple[int, str, str]], mocker: MockerFixture
) -> None:
    mocker.patch.dict("controller.records.ohh.GAME_TYPE_BY_NAME", clear=True)
    status, out, err = hands("export", "--format", "ohh")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        f"tablectl hands: hand {n} is left out: OHH has no words for no-limit holdem" for n in (1, 2)
    ]
