"""`tablectl drop`, on the journal of a table where the house took a fee of every hand, and its box was counted."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from config.table_line import parse_table_line
from controller.cli import main
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, CardStep
from controller.records.drop_box import BOX_RECORD_KIND, make_count_line
from controller.runtime.journal.recovery.drop_ledger import read_drop
from tests.laws.test_drop_journal import DaysOfPlay
from tests.playing import NO_LIMIT

LINE = {
    "ev": "table", "rulebook": "roberts-7", "game": "holdem", "betting": NO_LIMIT, "button": 1,
    "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3)],
    "collection": {"kind": "hand", "fee": 2},
}  # fmt: skip


def play_hand(played: DaysOfPlay) -> None:
    """A hand that the big blind wins before the flop."""
    line: dict[str, object] = {"ev": "start"}
    while True:
        played.take(line, parse_line(line))
        if not played.found.table.outcome.state.is_hand_on:
            return
        match played.found.table.outcome.state.plan.next_step:
            case CardStep():
                line = {"ev": "card", "card": None}
            case ActStep(seat=seat):
                line = {"ev": "act", "seat": seat, "do": "fold"}
            case _:
                line = {"ev": "done"}


@pytest.fixture
def drop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    played = DaysOfPlay(tmp_path, LINE)
    with closing(played.journal):
        play_hand(played)
        play_hand(played)
        played.count_box()
        played.begin_session(goes_on=False)
        play_hand(played)
        body = {"line": make_count_line(1, 4, 3, "=one was a button"), "session": 2, "account": 0}
        by = [{"name": "Flo", "role": "floor"}, {"name": "Ben", "role": "dealer"}]
        played.journal.append_note(BOX_RECORD_KIND, body | {"by": by})

    def run(*arguments: str) -> str:
        assert main(["drop", *arguments, "--utc", "--state", str(tmp_path)]) == 0
        return capsys.readouterr().out

    return run


def test_hands_and_sums_are_the_same_money(drop: Callable[..., str]) -> None:
    lines = [line.split("\t") for line in drop("--by", "hand").splitlines()]
    assert lines[0] == ["hand", "over", "game", "kind", "amount", "dealer", "seats"]
    assert [(line[0], line[3], line[4]) for line in lines[1:4]] == [
        ("1/1", "hand", "2"),
        ("1/2", "hand", "2"),
        ("2/1", "hand", "2"),
    ]
    assert lines[4][0] == "total"
    assert lines[4][4] == "6"
    for by in ("hour", "dealer", "shift", "game", "kind"):
        told = drop("--by", by).splitlines()
        assert told[-2].split("\t") == ["total", "3", "6"], by
        assert told[-1] == "in the box since box 1 was counted: 2"


def test_the_box_that_is_open_begins_with_the_last_count(drop: Callable[..., str]) -> None:
    assert [line.split("\t")[0] for line in drop("--by", "hand", "--open").splitlines()[1:-2]] == ["2/1"]
    assert drop("--by", "kind", "--day", "2001-01-01").splitlines()[1] == "total\t0\t0"


def test_boxes_are_told_with_what_was_corrected(drop: Callable[..., str]) -> None:
    _, first, second = [line.split("\t") for line in drop("--boxes").splitlines()]
    assert (first[0], *first[2:]) == ("(1)", "4", "4", "+0", "Flo", "Ada", "")
    assert (second[0], *second[2:]) == ("1", "4", "3", "-1", "Flo", "Ben", "=one was a button")


def test_a_spreadsheet_takes_no_word_for_a_formula(drop: Callable[..., str]) -> None:
    assert drop("--by", "kind", "--csv").splitlines() == ["kind,hands,amount", "hand,3,6"]
    told = drop("--boxes", "--csv").splitlines()[-1]
    assert told.endswith(",4,3,-1,Flo,Ben,'=one was a button")


def test_json_has_rows_sums_and_boxes(drop: Callable[..., str]) -> None:
    told = json.loads(drop("--by", "game", "--json"))
    assert [row["amount"] for row in told["rows"]] == [2, 2, 2]
    assert [(each["hands"], each["amount"], each["unknown"]) for each in told["sums"]] == [(3, 6, 0)]
    assert (told["open"], told["in_box"], told["boxes"][0]["difference"]) == (0, 2, -1)


def test_a_sheet_has_the_tables_and_room_for_two_names(drop: Callable[..., str], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.html"
    assert drop("--by", "kind", "--sheet", str(sheet)) == ""
    told = sheet.read_text()
    assert "size: A4" in told
    assert '<td>total</td><td class="number">3</td><td class="number">6</td>' in told
    assert "<h2>Counted boxes</h2>" in told
    assert "<span>counted</span><span>watched</span>" in told


def test_a_hand_that_nobody_signed_is_of_the_dealer_who_was_signed_in(tmp_path: Path) -> None:
    played = DaysOfPlay(tmp_path, LINE)
    with closing(played.journal):
        played.journal.append_note("sign-in", {"name": "Ada", "role": "dealer", "key": ""})
        play_hand(played)
        played.journal.append_note("sign-in", {"name": "Ben", "role": "dealer", "key": "", "at": "drop-box"})
        play_hand(played)
        played.journal.append_note("sign-out", {"name": "Ada", "role": "dealer"})
        play_hand(played)
        played.journal.append_note("sign-in", {"name": "Ben", "role": "dealer", "key": ""})
        rows = read_drop(played.journal, parse_table_line).rows
    assert [row.dealer for row in rows] == ["Ada", "Ada", ""]


def test_what_cannot_be_had_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drop", "--state", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.startswith("tablectl drop: ")
    for wrong, why in (("--day", "is no day"), ("--shifts", "says no times")):
        with pytest.raises(SystemExit):
            main(["drop", wrong, "x"])
        assert why in capsys.readouterr().err
