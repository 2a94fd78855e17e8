"""Every file of the configuration is refused by name when it cannot be read, whatever it should have held."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from config import game_file, rulebook_file, schedule_file, table_file
from config.config_error import ConfigError
from config.file_library import Library

READERS: list[Callable[[Path], object]] = [
    game_file.read_game,
    rulebook_file.read_rulebook,
    schedule_file.read_schedule,
    table_file.load_table_file,
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            None,
            "broken.toml:1: cannot be read: No such file or directory (FOLDER/broken.toml); "
            "put the file there, and let the table's user read it",
        ),
        (b'\xef\xbb\xbftitle = "a"', "broken.toml:1: begins with a byte-order mark: save it as UTF-8 without one"),
        (b'title = "\xff"', "broken.toml:1: is no UTF-8 text"),
        (b"title = " + b"[" * 5000, "broken.toml:1: is no TOML that can be read: too deep, or a number too long"),
        (b"title = " + b"1" * 5000, "broken.toml:1: is no TOML that can be read: too deep, or a number too long"),
        (b'title = "one"\nlevel =\n', "broken.toml:2: is no TOML: Invalid value (at line 2, column 8)"),
        (b'[a]\nb = "c\\u0000d"', "broken.toml:2: a.b: holds a zero character, which no name can"),
    ],
)
def test_a_file_that_cannot_be_read(
    read: Callable[[Path], object], content: bytes | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        read(path)
    assert str(refused.value) == message.replace("FOLDER", str(tmp_path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("games = 5", ":3: games: a list of names is wanted, not 5"),
        ("games = [1]", r":3: games: a list of names is wanted, not \[1\]"),
        ('games = "holdem"', ":3: games: a list of names is wanted, not 'holdem'"),
        (
            '[betting]\nreopens = { is = "by-any-raise", cite = 5 }',
            ":4: betting.reopens: a list of names is wanted, not 5",
        ),
        ('fallback = [{ book = "maryport", cite = [[1]] }]', r":3: fallback: a list of names is wanted, not \[\[1\]\]"),
    ],
)
def test_a_rulebook_with_another_thing_than_a_list_of_names(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "corner.toml"
    path.write_text(f'title = "Corner"\nbased_on = "roberts-7"\n{text}\n')
    with pytest.raises(ConfigError, match=said):
        rulebook_file.read_rulebook(path)


def test_a_schedule_whose_levels_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    path.write_text('title = "Evening"\nlevel = [5]\n')
    with pytest.raises(ConfigError, match=r"level: must be written \[\[level\]\], not 5"):
        schedule_file.read_schedule(path)


@pytest.mark.parametrize(
    "stands_there", [Path.mkdir, lambda path: path.symlink_to("gone")], ids=["folder", "dead link"]
)
@pytest.mark.parametrize(("kind", "load"), [("rulebooks", rulebook_file.load_rulebook), ("games", game_file.load_game)])
def test_what_stands_in_place_of_the_houses_file_is_named_and_not_the_programs_folder(
    kind: str, load: Callable[[str, Library], object], stands_there: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / kind / "corner.toml"
    path.parent.mkdir()
    stands_there(path)
    with pytest.raises(ConfigError, match=re.escape(f"({path})")):
        load("corner", Library(tmp_path))
