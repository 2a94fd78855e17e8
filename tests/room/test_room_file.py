"""A room's file is read as it says, or refused with file, line, key and what would be right."""

from pathlib import Path

import pytest

from config.config_error import ConfigError
from room.room_file import load_room_file

SHORT_FILE = """[room]
name = "The room"
state = "state"
[database]
where = "dbname=room"
[brokers]
servers = ["nats://127.0.0.1:4222"]
"""


PROMOTION = """[high-hands.late]
game = "omaha"
from = "22:30"
until = "02:00"
least = "Ah Ad Ac Ks Kd"
"""


def test_what_is_not_said_is_as_documented(tmp_path: Path) -> None:
    (tmp_path / "room.toml").write_text(SHORT_FILE + '[tables]\ntable-07 = "https://table-07.local:8443/"\n')
    file = load_room_file(tmp_path / "room.toml")
    assert (file.page.host, file.page.port, file.escalate_after_s, file.language) == ("127.0.0.1", 8090, 120.0, "en")
    assert file.state_directory == tmp_path / "state"
    assert dict(file.page_url_by_table) == {"table-07": "https://table-07.local:8443/"}


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("[page]\nport = 70000\n", r"room\.toml:9: page\.port: must be 0 .* to 65535, not 70000"),
        ('[page]\ncertificate = "a"\n', r"page\.key: is missing; certificate and key go together"),
        ("[page]\nnames = [1]\n", r"page\.names: must be a list of texts"),
        ("[calls]\nescalate_after = 0\n", r"must be 1 to 3600 seconds, not 0"),
        ('[tables]\nT7 = "https://x/"\n', r"names no table"),
        ('[tables]\nt7 = "x"\n', r"must be as https://t7\.local:8443/"),
        (PROMOTION.replace("omaha", "razz"), r"high-hands\.late\.game: must be holdem or omaha, not 'razz'"),
        (PROMOTION.replace("Kd", "Kx"), r"must be five cards"),
        (PROMOTION.replace("22:30", "8 pm"), r"must be a time of the day"),
        (PROMOTION.replace("22:30", "02:00"), r"must be another time"),
        (PROMOTION + "pot = -1\n", r"must be a whole number from 0"),
        ("[call]\n", r"is unknown here; known: room, page"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, added: str, said: str) -> None:
    (tmp_path / "room.toml").write_text(SHORT_FILE + added)
    with pytest.raises(ConfigError, match=said):
        load_room_file(tmp_path / "room.toml")


def test_a_promotion_for_high_hands_is_read_with_its_conditions(tmp_path: Path) -> None:
    (tmp_path / "room.toml").write_text(SHORT_FILE + PROMOTION + "both = true\npot = 20\n")
    (one,) = load_room_file(tmp_path / "room.toml").promotions
    assert (one.name, one.game, one.starts_s, one.ends_s) == ("late", "omaha", 22.5 * 3600, 2 * 3600)
    assert (one.min_cards[0], one.both_cards_play, one.min_pot, one.min_players) == ("Ah", True, 20, 0)


def test_brokers_are_addresses(tmp_path: Path) -> None:
    (tmp_path / "room.toml").write_text(SHORT_FILE.replace("nats://", "http://"))
    with pytest.raises(ConfigError, match="must be addresses as tls://room-1:4222"):
        load_room_file(tmp_path / "room.toml")
