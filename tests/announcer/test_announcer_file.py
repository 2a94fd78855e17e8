"""The announcer's file: every mistake with its place and what is right, and secrets that are in no error."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from config.announcer_file import KEY_PREFIX, load_announcer_file, read_secret
from config.config_error import ConfigError
from tests.announcer.room import KEY, TOKEN, secret, write_announcer_file

Tablectl = Callable[..., tuple[int, str, str]]

TABLE = '[table]\nurl = "http://127.0.0.1:8080"\ntoken_file = "token"\nid = "table-3"\n[state]\ndirectory = "state"\n'
MQTT = '[mqtt]\nhost = "127.0.0.1"\n'
FAR = MQTT.replace("127.0.0.1", "broker.lan")
HOOK = '[[webhook]]\nname = "pager"\nurl = "https://pager.lan/"\nsecret_file = "key"\nevents = ["hand.over"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a.toml:1: table: is missing"),
        (TABLE, "nobody is told anything: write a section [mqtt] or a [[webhook]]"),
        (f"{TABLE}{MQTT}[email]\n", "email: is unknown here; known: table, state, mqtt, webhook"),
        (f"{TABLE}{MQTT}hsot = 1\n", "a.toml:9: mqtt.hsot: is unknown here; known: host, port"),
        (f'{TABLE}[mqtt]\nhost = "mqtt://broker"\n', "must be a host name or address alone, such as broker.lan"),
        (f"{TABLE}{MQTT}port = 0\n", "mqtt.port: must be 1 to 65535, not 0"),
        (f"{TABLE}{MQTT}tls = 1\n", "mqtt.tls: must be true or false, not 1"),
        (f'{TABLE}{MQTT}user = "table"\n', "mqtt.password_file: is missing; user and password_file go together"),
        (
            f'{TABLE}{FAR}user = "table"\npassword_file = "password"\n',
            "mqtt.user: the password would go to broker.lan as it is written: tls = true, or plain = true",
        ),
        (f"{TABLE}{FAR}buttons = true\n", "mqtt.host: what is told would go to broker.lan as it is written: tls"),
        (f'{TABLE}{MQTT}certificate = "ca.pem"\n', "mqtt.certificate: is for tls = true only"),
        (f'{TABLE}{MQTT}topic = "#"\n', "mqtt.topic: must be letters, digits, _ and -, in parts by /, not '#'"),
        (f"{TABLE.replace('table-3', 'Table 3')}{MQTT}", "table.id: must be a-z, 0-9 and -, up to 32, such as table-3"),
        (f"{TABLE.replace('http:', 'mqtt:')}{MQTT}", "table.url: must be an address such as https://"),
        (f"{TABLE.replace('8080', '8080/api')}{MQTT}", "table.url: must be the table's address alone, such as https"),
        (f"{TABLE.replace('127.0.0.1', 'table.lan')}{MQTT}", "table.url: goes over a network without TLS: https, or"),
        (f"{TABLE}{HOOK}{HOOK}", "webhook.1.name: 'pager' is the name of another webhook already"),
        (f"{TABLE}{HOOK.replace('hand.over', 'hand')}", "events: there is no event 'hand'; there are hand.started, "),
        (f"{TABLE}{HOOK.replace('https', 'http')}", "webhook.0.url: goes over a network without TLS: https, or plain"),
        (f"{TABLE}{HOOK.replace('pager.lan', 'me:word@pager.lan')}", "must hold no user and no password"),
        (f"{TABLE}{HOOK * 9}", "webhook: are 9; there may be 8"),
        (f"webhook = 3\n{TABLE}", "webhook: must be written [[webhook]], one for each"),
    ],
)
def test_every_mistake_is_said_with_its_place_and_what_is_right(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_announcer_file(path)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        '"https://me:S3cret@pager.lan:99999/"', '"ftp://me:S3cret@pager.lan/"', '"https://me:S3/cret@pager.lan/"',
        '"https://me:S3cret@[::1/"', '"https://me:S3cret@pager.lan/ #"', '"ftp://pager.lan/S3cret"',
        '"https://pager.lan/S3cret#part"', '"https://pager.lan/S3cret\\u00e9"', '"https://pager.lan:0/?S3cret"',
        '["https://pager.lan/S3cret"]', '"https:///S3cret"', '"http://pager.lan/S3cret"', '"S3cret"',
        '"me:S3cret@pager"',
    ],
)  # fmt: skip
def test_no_error_tells_more_of_an_address_than_its_host(tmp_path: Path, url: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(f"{TABLE}{HOOK}".replace('"https://pager.lan/"', url), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"webhook\.0\.url: (must|goes)") as error:
        load_announcer_file(path)
    assert not any(part in str(error.value) for part in ("S3", "cret", "me:"))
    if ":S3cret@pager.lan" in url:
        assert "must hold no user and no password" in str(error.value)


def test_the_host_of_an_address_that_is_none_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(f"{TABLE}{HOOK}".replace("https://pager.lan/", "htps://pager.lan/hook"), encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"such as https://example\.net/hook, not 'htps://pager\.lan' and what follows"
    ):
        load_announcer_file(path)


def test_what_may_go_over_a_network_in_plain_is_said_in_the_file(tmp_path: Path) -> None:
    mqtt = f'{MQTT}user = "table"\npassword_file = "password"\nplain = true'
    file = write_announcer_file(tmp_path, mqtt, f"{HOOK.replace('https', 'http')}plain = true")
    assert file.mqtt is not None
    assert (file.mqtt.port, file.mqtt.uses_tls) == (1883, False)
    assert file.webhooks[0].url == "http://pager.lan/"


def test_tls_has_its_own_port(tmp_path: Path) -> None:
    file = write_announcer_file(tmp_path, f"{MQTT}tls = true")
    assert file.mqtt is not None
    assert file.mqtt.port == 8883


def test_secrets_are_read_from_files_that_are_closed_to_others(tmp_path: Path) -> None:
    file = write_announcer_file(tmp_path, HOOK)
    assert file.read_token() == TOKEN
    assert file.read_signing_key(file.webhooks[0]) == base64.b64decode(KEY.removeprefix(KEY_PREFIX))
    assert file.find_secret_errors() == []
    for mode in (0o644, 0o604, 0o660, 0o642):
        (tmp_path / "key").chmod(mode)
        (error,) = file.find_secret_errors()
        assert f"webhook.0.secret_file: {tmp_path / 'key'} is open to others (mode {mode:04o}): chmod 640" in str(error)
    (tmp_path / "key").chmod(0o640)
    assert file.find_secret_errors() == []


@pytest.mark.parametrize("content", ["", "short", "whsec_c2hvcnQ=", f"whsec_{'A' * 200}", "not base64 at all, is it?"])
def test_no_error_tells_what_stands_in_a_secret_file(tmp_path: Path, content: str) -> None:
    file = write_announcer_file(tmp_path, HOOK)
    secret(tmp_path / "key", content)
    (error,) = file.find_secret_errors()
    assert "must hold" in str(error)
    assert not content or content not in str(error)


def test_what_is_no_line_of_text_is_no_secret(tmp_path: Path) -> None:
    for content in (b"\xff\xfe", b"two\nlines", b"x" * 10_000):
        (tmp_path / "key").write_bytes(content)
        (tmp_path / "key").chmod(0o600)
        with pytest.raises(ValueError, match="must hold one line of text"):
            read_secret(tmp_path / "key")


def test_check_says_what_is_wrong_and_what_is_told(tmp_path: Path, tablectl: Tablectl) -> None:
    file = write_announcer_file(tmp_path, MQTT, HOOK)
    status, said, _ = tablectl("check", "--announcer", file.path)
    assert (status, said) == (0, f"{file.path} is right: told are the broker at 127.0.0.1, port 1883, pager\n")
    (tmp_path / "token").unlink()
    (tmp_path / "key").chmod(0o644)
    status, said, _ = tablectl("check", "--announcer", file.path)
    assert status == 2
    assert "announcer.toml:3: table.token_file: " in said
    assert "2 mistakes in" in said


def test_a_key_is_new_each_time_and_is_taken(tmp_path: Path, tablectl: Tablectl) -> None:
    file = write_announcer_file(tmp_path, HOOK)
    keys = set()
    for _ in range(2):
        status, said, _ = tablectl("announce", "key")
        assert status == 0
        secret(tmp_path / "key", said.strip())
        keys.add(file.read_signing_key(file.webhooks[0]))
    assert len(keys) == 2
