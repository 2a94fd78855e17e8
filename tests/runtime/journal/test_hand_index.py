"""The list of hands beside the journal: whole after every clean end, never trusted after another, and short."""

import json
import time
from pathlib import Path

from starlette.applications import Starlette

from controller.app.table.past_hands import PastHands
from controller.runtime.journal.hand_index import INDEX_FILE, KEPT, LONGEST_FILE, HandIndex, HandRow
from controller.web.pages.hands_page import HandsPage
from tests.web.test_pages import Client

HANDS = 2000
MOST_SECONDS = 0.05


def played(path: Path, hands: int, entries: int = 3) -> HandIndex:
    index = HandIndex(path, 1, 0, begun=False)
    for number in range(hands * entries):
        index.after(number + 1, number // entries + 1, number % entries == 0)
    return index


def test_after_2000_hands_the_list_takes_no_time(tmp_path: Path) -> None:
    index = played(tmp_path / INDEX_FILE, HANDS)
    page = HandsPage(PastHands(tmp_path / "there is no journal", lambda: index))
    client = Client(Starlette(routes=page.routes()))
    client.get("/hands/list")
    spent = time.process_time()
    answer = client.get("/hands/list").json()
    assert time.process_time() - spent <= MOST_SECONDS
    assert answer["whole"]
    assert [row["hand"] for row in answer["hands"]] == list(range(HANDS, HANDS - KEPT, -1))
    assert {key: answer["hands"][0][key] for key in ("steps", "rulings")} == {"steps": 3, "rulings": 1}


def test_a_clean_end_leaves_the_list_whole_and_any_other_does_not(tmp_path: Path) -> None:
    index = played(tmp_path / INDEX_FILE, 5)
    assert not HandIndex(tmp_path / INDEX_FILE, 1, 15, begun=True).is_whole, "hand 5 was not written"
    index = played(tmp_path / INDEX_FILE, 5)
    index.close()
    listed = index.listed()
    again = HandIndex(tmp_path / INDEX_FILE, 1, 15, begun=True)
    assert again.is_whole
    assert again.listed() == listed
    assert not HandIndex(tmp_path / INDEX_FILE, 1, 16, begun=True).is_whole, "an entry is missing"
    assert not HandIndex(tmp_path / INDEX_FILE, 2, 15, begun=True).is_whole, "it is of another session"


def test_a_damaged_list_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / INDEX_FILE
    for text in (
        "",
        "[]\n",
        '{"session": 1}\n{"hand": 1}\n',
        '{"session": 1}\n7\n',
        '{"session": 1}\n{"entry": "x"}\n',
    ):
        path.write_text(text)
        assert not HandIndex(path, 1, 3, begun=True).is_whole
    path.write_bytes(b"\xff\x00")
    assert not HandIndex(path, 1, 3, begun=True).is_whole


def test_what_is_counted_elsewhere_is_added_to_what_was_played_meanwhile(tmp_path: Path) -> None:
    index = HandIndex(tmp_path / INDEX_FILE, 1, 30, begun=True)
    index.after(31, 7, 1)
    index.after(32, 8, 0)
    index.complete([HandRow(6, "earlier", 20, 2), HandRow(7, "early", 10, 1)])
    index.complete([HandRow(1, "twice", 1, 1)])
    assert [(row["hand"], row["steps"], row["rulings"]) for row in index.listed()] == [
        (8, 1, 0),
        (7, 11, 2),
        (6, 20, 2),
    ]
    index.close()
    assert HandIndex(tmp_path / INDEX_FILE, 1, 32, begun=True).listed() == index.listed()


def test_the_file_does_not_grow_without_end(tmp_path: Path) -> None:
    played(tmp_path / INDEX_FILE, 2 * LONGEST_FILE)
    lines = (tmp_path / INDEX_FILE).read_text().splitlines()
    assert len(lines) <= LONGEST_FILE + 1
    assert json.loads(lines[0]) == {"session": 1}


def test_a_list_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    index = played(tmp_path / "no such directory" / INDEX_FILE, 3)
    index.close()
    assert len(index.listed()) == 3
