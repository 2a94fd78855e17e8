"""The exported script of a session is the evening: a replay of it answers as the table did."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.app.table import session_start
from controller.cli import main
from controller.core.protocol.events import CardDealt
from controller.runtime.journal.proof.output_digest import DigestMatch, compare_digest, compute_output_digest
from tests.app.rig import Rig
from tests.app.table.test_amend_over_restarts import enter
from tests.playing import ScriptedTable

CARDS = [rank + suit for rank in "23456789TJQK" for suit in "shdc"]


class Evening:
    """A live table and what it answered, entry by entry."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.digest_by_entry: dict[int, str] = {}

    def enter(self, **line: Any) -> int:  # noqa: ANN401 - keys of a script line
        """Enter a line; returns its number."""
        number = enter(self.rig, **line)
        self._note()
        return number

    def deal(self, *cards: str) -> list[int]:
        """Let cards leave the shoe, read by their names; returns their numbers."""
        numbers = []
        for card in cards:
            self.rig.enter(CardDealt(card), "shoe")
            self._note()
            dealt = [each for each in self.rig.loop.list_amendable_entries() if each["told"]["ev"] == "card"]
            numbers.append(int(dealt[-1]["entry"]))
        return numbers

    def end_hand(self) -> None:
        """Do what is asked for, until the hand is over."""
        spare = iter(CARDS)
        while self.rig.output["next"]:
            step = self.rig.output["next"][0]
            if step["step"] == "act":
                self.enter(ev="act", seat=step["seat"], do="fold")
            elif step["step"] == "deal":
                self.deal(next(spare))
            else:
                self.enter(ev="done")

    def _note(self) -> None:
        self.digest_by_entry[self.rig.standing.entry] = compute_output_digest(self.rig.output)


def read_script(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """The last session, as it may leave the table."""
    capsys.readouterr()
    assert main(["journal", "export", "--script", "--state", str(folder)]) == 0
    return [json.loads(text) for text in capsys.readouterr().out.splitlines()]


def replay_alike(script: list[dict[str, Any]], evening: Evening, entries_before: int = 0) -> ScriptedTable:
    """Play a script, and hold each answer against that of the live table; the first difference fails."""
    played = ScriptedTable()
    for number, line in enumerate(script, start=1):
        answer = played({key: value for key, value in line.items() if key != "note"})
        assert "error" not in answer, (number, line, answer["error"])
        recorded = evening.digest_by_entry.get(number + entries_before)
        if recorded is not None and line["ev"] != "time":
            assert compare_digest(recorded, answer) is DigestMatch.SAME, (number, line, answer)
    return played


def test_two_hidden_cards_of_one_name_void_the_hand_in_its_exported_script_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice, and nothing says which card it was."""
    with Rig(tmp_path, lossless=True) as rig:
        evening = Evening(rig)
        for _ in range(2):
            evening.enter(ev="start")
            evening.deal("As", "Kd", "As")
            assert evening.rig.standing.rulings[0]["finding"] == "duplicate"
            evening.end_hand()
            rig.clear("deck-duplicate")
    script = read_script(tmp_path, capsys)
    marked = [line for line in script if "duplicate" in line]
    assert [(line["ev"], line["card"]) for line in marked] == [("card", None)] * 2
    assert not any("As" in json.dumps(line) for line in script)
    replay_alike(script, evening)


@pytest.fixture
def earlier_session(mocker: MockerFixture) -> None:
    """A session as it was begun when a name that somebody said was compared with hidden cards too."""
    mocker.patch.dict(session_start.LIVE_TABLE_KEYS, clear=True)


@pytest.mark.usefixtures("earlier_session")
@pytest.mark.parametrize("renamed", [0, 2])
def test_a_duplicate_that_was_misread_is_none_in_the_exported_script_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], renamed: int
) -> None:
    """Either of the two is put right, put back, and put right again."""
    with Rig(tmp_path, lossless=True) as rig:
        evening = Evening(rig)
        evening.enter(ev="start")
        cards = evening.deal("As", "Kd", "As")
        for name in ("Qc", "As", "Jc"):
            evening.enter(ev="amend", line=cards[renamed], to={"ev": "card", "card": name})
            assert bool(evening.rig.output["next"][0]["step"] == "return") is (name == "As")
        evening.enter(ev="undo")
        evening.enter(ev="amend", line=cards[renamed], to={"ev": "card", "card": "Jc"})
        evening.end_hand()
    script = read_script(tmp_path, capsys)
    assert not {"As", "Qc", "Jc"} & {card for line in script for card in json.dumps(line).split('"')}
    replay_alike(script, evening)


@pytest.mark.usefixtures("earlier_session")
@pytest.mark.parametrize("names", [("As", "Jc"), ("Qc", "As")])
def test_a_misread_that_makes_or_ends_a_duplicate_does_so_in_the_exported_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: tuple[str, str]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        evening = Evening(rig)
        evening.enter(ev="start")
        evening.deal("As", "Kd", names[0])
        told = evening.enter(ev="report", what="misread", card=names[1])
        assert bool(evening.rig.output["next"][0]["step"] == "return") is (names[1] == "As")
        del evening.digest_by_entry[told]
        evening.end_hand()
    script = read_script(tmp_path, capsys)
    assert [line["ev"] for line in script].count("amend") == 1
    assert not {*names} & {card for line in script for card in json.dumps(line).split('"')}
    replay_alike(script, evening)


def test_an_amendment_of_a_later_session_names_the_lines_of_its_own_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        Evening(rig).enter(ev="start")
        before = rig.standing.entry
    with Rig(tmp_path, lossless=True, fresh=True) as rig:
        evening = Evening(rig)
        started = evening.enter(ev="start")
        evening.enter(ev="amend", before=started, to={"ev": "stack", "seat": 1, "stack": 77})
        assert started > before
        evening.end_hand()
    script = read_script(tmp_path, capsys)
    (amended,) = (line for line in script if line["ev"] == "amend")
    assert script[amended["before"] - 1]["ev"] == "start"
    replay_alike(script, evening, started - amended["before"])
