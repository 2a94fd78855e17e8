"""How a table becomes one of the room, and is none any more."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli import main
from controller.room_contract.certificate_request import ProvisioningError, make_certificate_request
from controller.room_contract.registration import make_request, parse_answer
from controller.room_contract.subjects import TableNameError
from room.provisioning.certificate_authority import make_ca, make_key_pair
from room.provisioning.nats_configuration import (
    NatsNode,
    list_tables,
    reload_servers,
    revoke_table,
    write_configurations,
)
from room.provisioning.table_registration import CODE_VALIDITY_S, MAX_TRIES, accept_request, make_code
from room.room_file import load_room_file

Tablectl = Callable[..., tuple[int, str, str]]
NOW = 1000.0


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "room"
    folder.mkdir()
    make_ca(folder)
    (folder / "tables").mkdir()
    return folder


def request_certificate(folder: Path, table: str, code: str) -> str:
    _, csr = make_certificate_request(folder, table)
    return make_request(table, csr.read_text(), code)


def test_the_commands_enrol_a_table_and_withdraw_it(tmp_path: Path, tablectl: Tablectl) -> None:
    room, table = tmp_path / "room", tmp_path / "table"
    table.mkdir()
    there = ("--folder", str(room), "--store", str(tmp_path))
    status, told, errors = tablectl("room", "init", "room-1.lan", "room-2.lan", "room-3.lan", *there)
    assert (status, errors) == (0, "")
    assert told.count("nats-server --config") == 3
    for name, program in (("room.toml", "server"), ("archive.toml", "archive")):
        file = load_room_file(room / name)
        assert file.brokers.servers == tuple(f"tls://room-{number}.lan:4222" for number in (1, 2, 3))
        assert (file.brokers.certificate, file.state_directory) == (room / f"{program}.crt", tmp_path)
        assert (room / name).stat().st_mode & 0o777 == 0o640
    (room / "room.toml").write_text("mine")
    assert "sync_interval: always" in (room / "nats-2.conf").read_text()
    assert (room / "nats-2.conf").read_text().count("nats-route://") == 3
    assert tablectl("room", "init", "room-1.lan", *there)[0] == 0
    assert (room / "room.toml").read_text() == "mine", "what is there is kept"
    tablectl("room", "init", "room-1.lan", "room-2.lan", "room-3.lan", *there)
    code = tablectl("room", "enrol", "table-07", *there)[1].splitlines()[0]
    assert tablectl("room", "uplink", "request", "table-07", "--code", code, "--folder", str(table))[0] == 0
    assert (table / "uplink.key").stat().st_mode & 0o077 == 0
    answer = tmp_path / "answer"
    words = ("--request", str(table / "table-07.request"), "--answer", str(answer), "--server", "tls://room-1.lan:4222")
    status, told, errors = tablectl("room", "enrol", "table-07", *words, *there)
    assert (status, "table-07 may speak" in told) == (3, True)
    assert "NOT told: nats-1 (room-1.lan), nats-2 (room-2.lan), nats-3 (room-3.lan)" in errors
    status, told, _ = tablectl(
        "room", "uplink", "accept", "table-07", str(answer), "--code", code, "--folder", str(table)
    )
    assert (status, told) == (0, 'servers = ["tls://room-1.lan:4222"]\n')
    subprocess.run(
        ["openssl", "verify", "-CAfile", "room-ca.crt", "-purpose", "sslclient", "uplink.crt"],
        cwd=table, check=True, capture_output=True,
    )  # fmt: skip
    assert '"table-07.room"' in (room / "users.conf").read_text()
    assert "is used up" not in tablectl("room", "enrol", "table-07", *words, *there)[2]
    assert tablectl("room", "enrol", "table-07", *words, *there)[0] == 1, "a code is for once"
    status, told, errors = tablectl("room", "withdraw", "table-07", *there)
    assert status == 3, "nobody was told"
    users = room / "users.conf"
    assert f"scp {users} root@room-2.lan:{users} && ssh root@room-2.lan systemctl reload room-nats@2\n" in errors
    assert "table-07 still speaks there" in errors
    assert "table-07" not in (room / "users.conf").read_text()
    assert tablectl("room", "withdraw", "table-07", *there)[0] == 1
    assert tablectl("room", "init", "a", "b", *there)[0] == 1, "two outlast nothing"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder to another group")
def test_what_the_group_of_the_folder_may_read_is_its_groups(tmp_path: Path, tablectl: Tablectl) -> None:
    """The programs run as another user than who puts the room up, and have their keys by the folder's group."""
    room = tmp_path / "room"
    room.mkdir(mode=0o750)
    os.chown(room, 0, 12345)
    assert tablectl("room", "init", "room-1.lan", "--folder", str(room), "--store", str(tmp_path))[0] == 0
    needed = ("nats-1.key", "archive.key", "server.key", "room.toml", "archive.toml", "ca.crt")
    assert {(room / name).stat().st_gid for name in needed} == {12345}
    assert (room / "ca.key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("init|a b", "'a b' is no place of a server; want HOST or HOST:PORT"),
        ("init|", "'' is no place of a server"),
        ("init|a:0", "a port is 1 to 65535"),
        ("init|a:65536", "a port is 1 to 65535"),
        ("init|a:-1", "is no place of a server"),
        ("init|a:", "is no place of a server"),
        ("init|a:4222:4222", "is no place of a server"),
        ("init|10.0.0.300", "four numbers from 0 to 255"),
        ("init|-a", "arguments"),
        ('init|a"b', "is no place of a server"),
        ("init|" + "a" * 64, "is no place of a server"),
        ("init|a:4222|a:4222|b", "two servers cannot be at one place"),
        ("init|a|b", "one server or three"),
        ("enrol|Table 7", "names no table; want small letters"),
        ("enrol|table-07|--server|room-1.lan", "want tls://HOST:PORT"),
        ("enrol|table-07|--server|tls://room-1.lan", "want tls://HOST:PORT"),
        ("enrol|table-07|--server|nats://room-1.lan:4222", "want tls://HOST:PORT"),
        ("enrol|table-07|--folder|/nowhere", "/nowhere has no room's files: tablectl room init makes them"),
        ("withdraw|../x", "names no table"),
        ("withdraw|table-07|--folder|/nowhere", "/nowhere has no room's files"),
        ("export|table-07|--config|/nowhere/room.toml", "No such file or directory (/nowhere/room.toml)"),
        ("archive|run|--config|/nowhere/archive.toml", "(/nowhere/archive.toml)"),
        ("index|run|--config|/nowhere/room.toml", "(/nowhere/room.toml)"),
        ("server|run|--config|/nowhere/room.toml", "(/nowhere/room.toml)"),
        ("server|run|--port|65536", "invalid port value"),
        ("uplink|check|--config|/nowhere/uplink.toml", "(/nowhere/uplink.toml)"),
        ("uplink|request|Table 7|--code|X", "names no table"),
        ("uplink|accept|Table 7|none|--code|X", "names no table"),
        ("showroom|x|--port|65530|--tables|12", "--port is 1 to 65523"),
        ("showroom|x|--tables|0", "--tables is 1 to 100"),
        ("showroom|x|--seconds|nan", "--seconds is 0 to"),
        ("showroom|x|--seconds|-1", "--seconds is 0 to"),
    ],
)
def test_what_an_argument_cannot_be_is_refused_with_what_would_be_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    there: list[str] = []
    if words.startswith(("init", "enrol", "withdraw")) and "--folder" not in words:
        there = ["--folder", str(tmp_path / "room"), "--store", str(tmp_path / "store")]
        if not words.startswith("init"):
            (tmp_path / "room").mkdir()
            (tmp_path / "room/ca.crt").touch()
    before = sorted(tmp_path.rglob("*"))
    try:
        status: object = main(["room", *words.split("|"), *there])
    except SystemExit as why:  # argparse refuses it
        status = why.code
    assert status in (1, 2)
    assert said in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before or words == "init|a|b", "nothing is written"


def test_neither_side_believes_who_does_not_know_the_code(room: Path, tmp_path: Path) -> None:
    code = make_code(room, "table-07", NOW)
    with pytest.raises(ProvisioningError, match="not written with this code"):
        accept_request(room, "table-07", request_certificate(tmp_path, "table-07", "WRONG"), [], NOW)
    answer = accept_request(room, "table-07", request_certificate(tmp_path, "table-07", code), ["tls://a:1"], NOW)
    with pytest.raises(ProvisioningError, match="not written with this code"):
        parse_answer("table-07", answer, "WRONG")
    with pytest.raises(ProvisioningError, match="not written with this code"):
        parse_answer("table-07", answer.replace("tls://a:1", "tls://b:1"), code)
    with pytest.raises(ProvisioningError, match="for table-07"):
        parse_answer("table-08", answer, code)


def test_a_code_ends_with_its_hour_and_after_a_few_tries(room: Path, tmp_path: Path) -> None:
    code = make_code(room, "table-07", NOW)
    with pytest.raises(ProvisioningError, match="an hour old"):
        accept_request(room, "table-07", request_certificate(tmp_path, "table-07", code), [], NOW + CODE_VALIDITY_S + 1)
    code = make_code(room, "table-07", NOW)
    for _ in range(MAX_TRIES):
        with pytest.raises(ProvisioningError, match="not written with this code"):
            accept_request(room, "table-07", request_certificate(tmp_path, "table-07", "AAAA"), [], NOW)
    with pytest.raises(ProvisioningError, match="used up"):
        accept_request(room, "table-07", request_certificate(tmp_path, "table-07", code), [], NOW)
    assert list_tables(room) == []


def test_the_room_signs_the_name_that_it_enrols_and_no_other(room: Path, tmp_path: Path) -> None:
    code = make_code(room, "table-07", NOW)
    _, csr = make_certificate_request(tmp_path, "archive")
    answer = accept_request(room, "table-07", make_request("table-07", csr.read_text(), code), [], NOW)
    (tmp_path / "crt").write_text(parse_answer("table-07", answer, code).certificate)
    shown = subprocess.run(
        ["openssl", "x509", "-in", "crt", "-noout", "-ext", "subjectAltName"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "DNS:table-07.room" in shown
    assert "archive" not in shown


def test_what_stands_in_a_configuration_is_taken_literally_or_not_at_all(tmp_path: Path) -> None:
    make_ca(tmp_path)
    with pytest.raises(ProvisioningError):
        write_configurations(tmp_path, [NatsNode('a" }')], tmp_path)
    for port in (0, -1, 99_999):
        with pytest.raises(ProvisioningError, match="1 to 65535"):
            write_configurations(tmp_path, [NatsNode("localhost", port)], tmp_path)
    assert make_key_pair(tmp_path, "archive") == make_key_pair(tmp_path, "archive")
    write_configurations(tmp_path, [NatsNode("localhost")], tmp_path)
    assert revoke_table(tmp_path, "table-07") is False


def test_a_process_that_only_has_the_servers_number_is_not_told(tmp_path: Path) -> None:
    make_ca(tmp_path)
    write_configurations(tmp_path, [NatsNode("localhost")], tmp_path)
    (tmp_path / "nats-1.pid").write_text(str(os.getpid()))
    assert [server.name for server in reload_servers(tmp_path, tmp_path)] == ["nats-1"], "and no SIGHUP ended this test"


def test_no_table_takes_a_name_of_the_rooms_own(room: Path) -> None:
    for name in ("archive", "server", "mqtt", "do"):
        with pytest.raises(TableNameError, match="the room's own"):
            make_code(room, name, NOW)
