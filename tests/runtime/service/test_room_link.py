"""What the table's page says of a room that is not reached."""

import json
from pathlib import Path

from controller.runtime.loop.notices import Code
from controller.runtime.service.room_link import SHORT_SECONDS, RoomLink
from room.uplink.standing import STANDING_FILE, StandingFile


def test_a_room_that_is_not_reached_is_said_once_and_that_it_is_again(tmp_path: Path) -> None:
    link, uplink = RoomLink(tmp_path / STANDING_FILE), StandingFile(tmp_path)
    assert link.news(1000.0) is None, "no uplink runs"
    uplink.say(None)
    assert link.news(1000.0) is None
    uplink.say(1000.0, "no route")
    assert link.news(1000.0 + SHORT_SECONDS - 1) is None
    away = link.news(1000.0 + SHORT_SECONDS)
    assert away is not None
    assert away.code is Code.ROOM_AWAY
    assert "not been reached since 1970-01-01" in away.text
    assert link.news(5000.0) is None, "it is said once"
    uplink.remove()
    assert link.news(5000.0) is None, "an uplink that is ended has not reached it"
    uplink.say(1000.0, "still")
    assert link.news(5000.0) is None
    uplink.say(None)
    back = link.news(5000.0)
    assert back is not None
    assert back.code is Code.ROOM_BACK
    assert link.news(5000.0) is None
    uplink.remove()
    assert not list(tmp_path.iterdir())


def test_a_file_that_says_nothing_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / STANDING_FILE
    for text in ("", "[]", "{", json.dumps({"since": "long"}), json.dumps({"since": [1]}), "[" * 4000):
        file.write_text(text)
        assert RoomLink(file).news(1e9) is None
