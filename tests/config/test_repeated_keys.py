"""A key that stands twice in one object is refused wherever something comes from outside, and both places are named."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.config_error import ConfigError
from config.toml_file import read_toml
from controller.app.upkeep.backup import BackupError, _parse_manifest
from controller.cli.table.replay_command import parse_script
from controller.cli.tournament.tournament_record import parse_lines
from controller.core.protocol.table_error import Refused
from controller.core.tournament.tournament import TournamentError
from controller.room_contract.batch import BatchError, Head
from controller.room_contract.table_health import TableHealth
from controller.room_contract.table_request import MessageFormatError, TableReply
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import DeckError
from controller.strict_json import RepeatedKeyError, parse_json
from room.fleet.release_library import ReleaseFileError, read_release_name
from tests.app.release.test_release import tar_of
from tests.web.house import House, houses
from tests.web.test_pages import ORIGIN

ROOT = Path(__file__).parents[2]
TWICE = '{"ev":"start","ev":"undo"}'
PLACES = 'the key "ev" stands twice, at column 2 and at column 15: say it once'

OWN_JSON = {
    "config/language_file.py": "a quoted string of a .po file",
    "controller/announcer/announcement_outbox.py": "its own mark",
    "controller/app/releases/installed_program.py": "its own log",
    "controller/app/releases/release_store.py": "its own log",
    "controller/app/table/broadcast/equity_client.py": "its own process",
    "controller/app/table/broadcast/equity_process.py": "its own process",
    "controller/app/table/past_hands.py": "the journal",
    "controller/app/table/session_start.py": "the journal",
    "controller/app/workshop/deck_registration.py": "its own progress",
    "controller/cli/journal/journal_command.py": "the journal",
    "controller/runtime/faults/self_check.py": "what pip wrote",
    "controller/runtime/journal/hand_index.py": "its own index",
    "controller/runtime/journal/journal.py": "the journal",
    "controller/runtime/journal/journal_reader.py": "the journal",
    "controller/runtime/journal/proof/chain.py": "the journal",
    "controller/runtime/journal/recovery/drop_index.py": "its own index",
    "controller/runtime/journal/recovery/journal_follower.py": "the journal",
    "controller/runtime/journal/recovery/journal_replay.py": "the journal",
    "controller/runtime/journal/recovery/unnamed_duplicates.py": "the journal",
    "controller/runtime/journal/sealing/hand_reader.py": "the journal",
    "controller/runtime/loop/room_link_watch.py": "its own uplink",
    "controller/runtime/service/table_activity.py": "its own page",
    "controller/uplink/fetched_releases.py": "its own note",
    "controller/web/api/api_routes.py": "its own state",
    "room/provisioning/table_registration.py": "its own code",
    "room/search/drop_queries.py": "the archive, which proved it",
    "room/search/hand_steps_process.py": "its own process",
    "room/search/journal_facts.py": "the archive, which proved it",
    "room/server/feed_hub.py": "its own changes",
    "room/server/pages/rulings_page.py": "its own process",
}
"""What the program itself wrote, and reads again as it is."""

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=3), values, min_size=1, max_size=4)


@given(values, st.sampled_from([None, 1]), st.booleans())
def test_what_says_each_key_once_is_read_as_ever(value: object, indent: int | None, escaped: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    assert parse_json(text) == json.loads(text) == parse_json(text.encode()) == value


@given(st.data(), objects, st.sampled_from([None, 1]))
def test_a_key_that_stands_twice_is_found_at_both_places(
    data: st.DataObject, twice: dict[str, Any], indent: int | None
) -> None:
    key = data.draw(st.sampled_from(sorted(twice)))
    pairs = [f"{json.dumps(each)}: {json.dumps(value, indent=indent)}" for each, value in twice.items()]
    inside = "{" + ", ".join([*pairs, f"{json.dumps(key)} : 7"]) + "}"
    before = json.dumps(data.draw(values))
    text = f'[{before}, {{"x": {inside}}}]'
    with pytest.raises(RepeatedKeyError) as refused:
        parse_json(text)
    found = refused.value
    assert found.key == key
    assert text.startswith(json.dumps(key), found.first_position)
    assert text[found.second_position :] == f"{json.dumps(key)} : 7}}}}]"
    assert found.first_position == len(f'[{before}, {{"x": {{') + sum(
        len(f"{pair}, ") for pair in pairs[: list(twice).index(key)]
    )


def test_json_from_outside_is_read_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("config", "controller", "drivers", "firmware_bridge", "room")
        for path in (ROOT / folder).rglob("*.py")
        if "json.load" in path.read_text(encoding="utf-8")
    }
    assert found - {"controller/strict_json.py"} == OWN_JSON.keys()


def test_a_line_of_a_script() -> None:
    refused, taken = parse_script(f'{TWICE}\n{{"ev":"start"}}\n'.encode())
    assert isinstance(refused, Refused)
    assert (refused.code, refused.message) == ("no-json", f"{PLACES}.")
    assert taken == {"ev": "start"}


@pytest.mark.parametrize("route", ["/entry", "/sign-in", "/call", "/simulation", "/decks"])
def test_a_request_to_the_page(route: str, tmp_path: Path) -> None:
    for house in houses(tmp_path / "house", simulated=True):
        answer = _post(house, route, TWICE)
        assert (answer["code"], answer["message"]) == ("not-understood", f"{PLACES[0].upper()}{PLACES[1:]}.")
        inside = _post(house, route, '{"seen":7,"line":{"ev":"start",\n"ev":"undo"}}')
        assert "at line 1, column 19 and at line 2, column 1:" in inside["message"]
        assert house.entered == []


def _post(house: House, route: str, body: str) -> dict[str, Any]:
    browser = house.browser("Bo")
    headers = {**ORIGIN, **browser.headers(), "Content-Type": "application/json"}
    answer = browser.client.post(route, content=body, headers=headers)
    assert answer.status_code == 400, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_a_message_between_room_and_table() -> None:
    with pytest.raises(MessageFormatError) as refused:
        TableReply.from_json(b'{"taken":false,"taken":true,"entry":1,"code":"","message":""}')
    assert str(refused.value) == PLACES.replace('"ev"', '"taken"').replace("15", "16") + "."
    for read, text in (
        (Head.from_json, b'{"journal":"j","number":1,"number":2,"chain":"x"}'),
        (TableHealth.from_json, b'{"at":1.0,"level":"x","level":"y"}'),
    ):
        with pytest.raises(BatchError):
            read(text)


def test_a_list_of_cards() -> None:
    with pytest.raises(DeckError) as refused:
        parse_deck_list("blue", '{"e004015000000001":"As",\n"e004015000000001":"Ks"}')
    assert "stands twice, at line 1, column 2 and at line 2, column 1: say it once" in str(refused.value)


def test_the_list_of_a_backup() -> None:
    with pytest.raises(BackupError) as refused:
        _parse_manifest(b'{"backup":1,"files":{"state/a":"x","state/a":"y"}}')
    assert 'the key "state/a" stands twice, at column 22 and at column 36' in str(refused.value)


def test_a_line_of_a_tournaments_record(tmp_path: Path) -> None:
    with pytest.raises(TournamentError) as refused:
        parse_lines(tmp_path / "t.jsonl", b'{"do":"load"}\n{"do":"bust","do":"undo"}\n')
    assert "t.jsonl:2: " in str(refused.value)
    assert 'the key "do" stands twice, at column 2 and at column 14' in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\n[page]\nport = 1\nhost = 2\nport = 3\n", "5: page.port: stands twice, on line 3 and on line 5"),
        ("[page]\nport = 1\n[page]\nhost = 1\n", "3: page: stands twice, on line 1 and on line 3"),
        ("a.b = 1\na.b = 2\n", "2: a.b: stands twice, on line 1 and on line 2"),
        ("[[seat]]\na = 1\n[[seat]]\na = 1\na = 2", "5: seat.1.a: stands twice, on line 4 and on line 5"),
        ('x = """\na = 1\n"""\na = 2\na = 3\n', "5: a: stands twice, on line 4 and on line 5"),
        ("[a]\nb = { c = 1, c = 2 }\n", "2: c: stands twice on line 2"),
        ("[a]\nb = 1\n[a.b]\nc = 1\n", "3: a.b: stands twice, on line 2 and on line 3"),
    ],
)
def test_a_file_of_the_configuration(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read_toml(file)
    assert str(refused.value) == f"table.toml:{said}: say it once"


def test_no_release_of_the_room_says_its_version_twice(tmp_path: Path) -> None:
    text = b'{"component":"table-controller","version":"1.0.0","version":"2.0.0","machine":"aarch64"}'
    members = [("manifest.json", text), ("manifest.sig", bytes(64))]
    file = tmp_path / "x.tar"
    file.write_bytes(tar_of([(tarfile.TarInfo(name), data) for name, data in members]))
    with pytest.raises(ReleaseFileError) as refused:
        read_release_name(file)
    assert 'the key "version" stands twice, at column 33 and at column 51' in str(refused.value)
