"""`tablectl token`: made once, listed without the secret, withdrawn."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.runtime.journal.journal import Journal
from controller.runtime.storage.state_directory import JOURNAL_FILE, TABLE_DATABASE_FILE

Tablectl = Callable[..., tuple[int, str, str]]


@pytest.fixture
def token(tablectl: Tablectl, tmp_path: Path) -> Tablectl:
    return lambda *words: tablectl("token", *words, "--state", str(tmp_path))


def test_a_token_is_shown_once_listed_by_name_and_withdrawn(token: Tablectl) -> None:
    status, made, hint = token("add", "hall display", "--role", "watch")
    assert (status, made[:4]) == (0, "tct_")
    assert "shown this once" in hint
    status, listed, _ = token("list")
    assert (status, listed.split("\t")[:2]) == (0, ["hall display", "watch"])
    assert made.strip() not in listed
    assert token("withdraw", "hall display")[:2] == (0, "withdrew hall display\n")
    assert token("list") == (0, "", "there is no token: the API answers nobody, see `tablectl token add`\n")


def test_what_cannot_be_done_is_a_sentence(token: Tablectl) -> None:
    assert token("withdraw", "x") == (1, "", "tablectl token: There is no token of that name; there is: none.\n")
    assert token("add", "?", "--role", "watch")[0] == 1


def test_no_token_is_made_for_a_table_that_never_ran(tablectl: Tablectl, tmp_path: Path) -> None:
    status, made, why = tablectl("token", "add", "x", "--role", "watch", "--state", str(tmp_path / "none"))
    assert (status, made, "no table has run in" in why) == (1, "", True)
    assert not (tmp_path / "none").exists()
    assert str(tmp_path) in tablectl("token", "add", "x", "--role", "watch", "--state", str(tmp_path))[2]


@pytest.mark.parametrize("left", ["journal.tail", "journal.head", "journal.head-copy", "journal-1.sqlite"])
@pytest.mark.parametrize("words", [("token", "list"), ("staff", "list"), ("deck", "list")])
def test_what_is_compared_with_a_journal_that_is_gone_is_not_told_for_all(
    tablectl: Tablectl, tmp_path: Path, words: tuple[str, ...], left: str
) -> None:
    """Before a table's first start there is nothing to compare with; later there is."""
    assert tablectl(*words, "--state", str(tmp_path))[0] == 0
    (tmp_path / TABLE_DATABASE_FILE).unlink(missing_ok=True)
    Journal(tmp_path / JOURNAL_FILE).close()
    (tmp_path / JOURNAL_FILE).rename(tmp_path / "journal-1.sqlite")
    for other in tmp_path.glob("journal*"):
        if other.name != left:
            other.unlink()
    (tmp_path / left).touch()
    status, said, why = tablectl(*words, "--state", str(tmp_path))
    assert (status, said) == (1, "")
    assert f"{tmp_path / JOURNAL_FILE}: is missing" in why
    assert "put it back" in why
