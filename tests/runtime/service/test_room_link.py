"""What the table's page says of a room that is not reached."""

import json
from pathlib import Path

from controller.runtime.faults.notices import NoticeCode
from controller.runtime.loop.room_link_watch import MIN_OUTAGE_S, RoomLinkWatch
from controller.uplink.link_status_file import STATUS_FILE_NAME, LinkStatusFile


def test_a_room_that_is_not_reached_is_said_once_and_that_it_is_again(tmp_path: Path) -> None:
    link, uplink = RoomLinkWatch(tmp_path / STATUS_FILE_NAME), LinkStatusFile(tmp_path)
    assert link.find_news(1000.0) is None, "no uplink runs"
    uplink.write_status(None)
    assert link.find_news(1000.0) is None
    uplink.write_status(1000.0, "no route")
    assert link.find_news(1000.0 + MIN_OUTAGE_S - 1) is None
    away = link.find_news(1000.0 + MIN_OUTAGE_S)
    assert away is not None
    assert away.code is NoticeCode.ROOM_UNREACHABLE
    assert "not been reached since 1970-01-01" in away.text
    assert link.find_news(5000.0) is None, "it is said once"
    uplink.remove()
    assert link.find_news(5000.0) is None, "an uplink that is ended has not reached it"
    uplink.write_status(1000.0, "still")
    assert link.find_news(5000.0) is None
    uplink.write_status(None)
    back = link.find_news(5000.0)
    assert back is not None
    assert back.code is NoticeCode.ROOM_REACHABLE
    assert link.find_news(5000.0) is None
    uplink.remove()
    assert not list(tmp_path.iterdir())


def test_a_file_that_says_nothing_says_nothing(tmp_path: Path) -> None:
    file = tmp_path / STATUS_FILE_NAME
    for text in ("", "[]", "{", json.dumps({"since": "long"}), json.dumps({"since": [1]}), "[" * 4000):
        file.write_text(text)
        assert RoomLinkWatch(file).find_news(1e9) is None
