"""Every file of the configuration is refused by name when it cannot be read, whatever it should have held."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config import game_file, rulebook_file, schedule_file, table_file
from config.config_error import ConfigError

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
        (None, "broken.toml:1: cannot be read: No such file or directory (FOLDER/broken.toml)"),
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
