"""A room's file is read as it says, or refused with file, line, key and what would be right."""

from pathlib import Path

import pytest

from config.errors import ConfigError
from room.room_file import load_room

LEAST = """[room]
name = "The room"
state = "state"
[database]
where = "dbname=room"
[brokers]
servers = ["nats://127.0.0.1:4222"]
"""


def test_what_is_not_said_is_as_documented(tmp_path: Path) -> None:
    (tmp_path / "room.toml").write_text(LEAST + '[tables]\ntable-07 = "https://table-07.local:8443/"\n')
    file = load_room(tmp_path / "room.toml")
    assert (file.page.host, file.page.port, file.escalate_after, file.language) == ("127.0.0.1", 8090, 120.0, "en")
    assert file.state == tmp_path / "state"
    assert dict(file.tables) == {"table-07": "https://table-07.local:8443/"}


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("[page]\nport = 70000\n", r"room\.toml:9: page\.port: must be 0 .* to 65535, not 70000"),
        ('[page]\ncertificate = "a"\n', r"page\.key: is missing; certificate and key go together"),
        ("[page]\nnames = [1]\n", r"page\.names: must be a list of texts"),
        ("[calls]\nescalate_after = 0\n", r"must be 1 to 3600 seconds, not 0"),
        ('[tables]\nT7 = "https://x/"\n', r"names no table"),
        ('[tables]\nt7 = "x"\n', r"must be as https://t7\.local:8443/"),
        ("[call]\n", r"is unknown here; known: room, page"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, added: str, said: str) -> None:
    (tmp_path / "room.toml").write_text(LEAST + added)
    with pytest.raises(ConfigError, match=said):
        load_room(tmp_path / "room.toml")


def test_brokers_are_addresses(tmp_path: Path) -> None:
    (tmp_path / "room.toml").write_text(LEAST.replace("nats://", "http://"))
    with pytest.raises(ConfigError, match="must be addresses as tls://room-1:4222"):
        load_room(tmp_path / "room.toml")
