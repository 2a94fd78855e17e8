"""The uplink's file: what it may say, and that a mistake is named with what would be right."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from config.config_error import ConfigError
from controller.room_contract.disclosure_level import DisclosureLevel
from controller.uplink.uplink_file import load_uplink_file

WHOLE = """
[table]
name = "table-07"
state = "state"
url = "http://127.0.0.1:8080"
token_file = "token"

[room]
level = "live"
servers = ["tls://room-1.lan", "tls://room-2.lan:4333"]
certificate = "table.crt"
key = "table.key"
authority = "room.crt"
asks = true
"""


def load(tmp_path: Path, text: str) -> object:
    file = tmp_path / "uplink.toml"
    file.write_text(text)
    return load_uplink_file(file)


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "uplink.toml"
    file.write_text(WHOLE)
    settings = load_uplink_file(file)
    assert (settings.level, settings.table_name, settings.allows_requests) == (DisclosureLevel.LIVE, "table-07", True)
    assert settings.servers == ("tls://room-1.lan:4222", "tls://room-2.lan:4333")
    assert settings.state_directory == tmp_path / "state"


def test_off_needs_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "uplink.toml"
    file.write_text('[room]\nlevel = "off"\n')
    settings = load_uplink_file(file)
    assert settings.level is DisclosureLevel.OFF
    assert settings.check_files() == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('level = "live"', 'level = "all"', "must be one of off, health, after-the-hand, live, not 'all'"),
        ('level = "live"', 'level = "health"', 'asks: may be true at level = "live" only'),
        ('name = "table-07"', 'name = "Table 7"', "want small letters"),
        ('"tls://room-1.lan"', '"nats://room-1.lan"', "such as tls://room-1.lan:4222"),
        ('"tls://room-1.lan"', '"tls://user@room-1.lan"', "such as tls://room-1.lan:4222"),
        ('"tls://room-1.lan"', "3", "such as tls://room-1.lan:4222"),
        ("http://127.0.0.1:8080", "http://table.lan:8080", "goes over a network without TLS"),
        ("asks = true", "ask = true", "is unknown here"),
        ('state = "state"\n', "", "state: is missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_what_would_be_right(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in WHOLE
    with pytest.raises(ConfigError, match=said.replace("(", r"\(")):
        load(tmp_path, WHOLE.replace(old, new))


def test_check_says_what_leaves_the_table(tmp_path: Path, tablectl: Callable[..., tuple[int, str, str]]) -> None:
    file = tmp_path / "uplink.toml"
    file.write_text(WHOLE)
    status, _, errors = tablectl("room", "uplink", "check", "--config", str(file))
    assert status == 2
    assert "token_file" in errors
    assert "table.key cannot be read" in errors
    assert "state is no directory" in errors
    (tmp_path / "state").mkdir()
    (tmp_path / "token").write_text("secret\n")
    (tmp_path / "token").chmod(0o600)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
         "table.key", "-out", "table.crt", "-subj", "/CN=x"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    (tmp_path / "room.crt").write_bytes((tmp_path / "table.crt").read_bytes())
    (tmp_path / "table.key").chmod(0o644)
    assert "is open to others" in tablectl("room", "uplink", "check", "--config", str(file))[2]
    (tmp_path / "table.key").chmod(0o640)
    status, told, errors = tablectl("room", "uplink", "check", "--config", str(file))
    assert (status, errors) == (0, "")
    assert "the journal at once" in told
    assert "may ask" in told
