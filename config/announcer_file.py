"""Reads the configuration of the announcer: which table it reads, and who is told. Refuses; never guesses.

The sections of the file:

* `[table]`: `url`, where the table's API is; `token_file`, with the token of the API; `id`, by which topics and the
  device are told apart (`a-z`, `0-9`, `-`); `name`, as people call the table; `certificate`, the PEM file that the
  page's certificate is checked against, where it is not of an authority that the machine trusts; `plain = true` lets
  the token go over a network without TLS;
* `[state] directory`: where what is still to be delivered is kept over a restart;
* `[mqtt]`: `host`, `port` (1883, with TLS 8883); `tls = true`, with `certificate`, the PEM file of the broker's
  authority where the machine does not trust it; `plain = true` lets a password go over a network without TLS; `user`
  and `password_file`; `topic`, under which the table's topics stand (`"table"`); `discovery`, Home Assistant's prefix
  (`"homeassistant"`); `buttons = true`: the broker's users may call the floor and ask for a test of the lamps;
* `[[webhook]]`, up to eight: `name`, `url`, `secret_file`, `events`, the kinds of `WEBHOOK_EVENTS` that are wanted, and
  `plain = true` for an address without TLS on a network.

Paths are beside the file, or whole. What a secret file holds is read when the announcer starts (`read_secret`), never
kept in this configuration and never said in an error.
"""

import base64
import binascii
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from config.config_error import ConfigError
from config.line_index import LineIndex
from config.section_reader import SectionReader
from config.toml_file import read_toml
from controller.shape import Bounds, Choice, Key, Length, Parser, Pattern

WEBHOOK_EVENTS = (
    "hand.started", "hand.over", "ruling.made", "fault.raised", "fault.cleared", "floor.called", "floor.came",
    "table.lost", "table.back",
)  # fmt: skip
"""What a webhook may be told."""

SECTIONS = ("table", "state", "mqtt", "webhook")

MAX_WEBHOOKS = 8
MAX_SECRET_LENGTH = 4096
"""Characters of a secret file; nothing of the kind is longer."""

MAX_NAME_LENGTH = 60
PLAIN_PORT, TLS_PORT = 1883, 8883
MIN_KEY_BYTES, MAX_KEY_BYTES = 24, 64
"""Bytes of a webhook's key (Standard Webhooks, "Signature scheme")."""

KEY_PREFIX = "whsec_"

MAX_EVENTS = 100
"""Entries of a webhook's list: more than there are kinds of event."""

_NAME = Pattern("^[a-z0-9][a-z0-9-]{0,31}$", "a-z, 0-9 and -, up to 32, such as table-3")
_HOST = Pattern("^[A-Za-z0-9._:%-]+$", "a host name or address alone, such as broker.lan")
_TOPIC = Pattern(
    f"^(?=.{{1,{MAX_NAME_LENGTH}}}$)[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$", "letters, digits, _ and -, in parts by /"
)


def _parse_title(text: str) -> str:
    if not text.isprintable() or len(text) > MAX_NAME_LENGTH:
        raise ValueError(f"must be up to {MAX_NAME_LENGTH} printable characters")
    return text


@dataclass(frozen=True, slots=True)
class TableSection:
    """The table that is read: its API, and under which names it is announced."""

    url: Annotated[str, Key("url", "an address")]
    token_file: Annotated[Path, Key("token_file")]
    id: Annotated[str, Key("id", "a text"), _NAME]
    name: Annotated[str, Key("name", "a text"), Parser(_parse_title)] = ""
    certificate: Annotated[Path | None, Key("certificate")] = None
    allows_plain_http: Annotated[bool, Key("plain")] = False


@dataclass(frozen=True, slots=True)
class MqttSection:
    """The broker; `password_file` belongs to `user`."""

    host: Annotated[str, Key("host", "a host name or address"), _HOST]
    port: Annotated[int, Key("port", "a port number"), Bounds(1, 65535, "1 to 65535")] = PLAIN_PORT
    uses_tls: Annotated[bool, Key("tls")] = False
    certificate: Annotated[Path | None, Key("certificate")] = None
    user: Annotated[str | None, Key("user", "a name")] = None
    password_file: Annotated[Path | None, Key("password_file")] = None
    topic: Annotated[str, Key("topic", "a topic"), _TOPIC] = "table"
    discovery_prefix: Annotated[str, Key("discovery", "a topic"), _TOPIC] = "homeassistant"
    accepts_buttons: Annotated[bool, Key("buttons")] = False
    allows_plain_mqtt: Annotated[bool, Key("plain")] = False


@dataclass(frozen=True, slots=True)
class WebhookSection:
    """One webhook: who is told which events."""

    name: str
    url: Annotated[str, Key("url", "an address")]
    secret_file: Annotated[Path, Key("secret_file")]
    events: frozenset[str]
    allows_plain_http: Annotated[bool, Key("plain")] = False


@dataclass(frozen=True, slots=True)
class AnnouncerWebhookSection(WebhookSection):
    """A webhook of the announcer."""

    name: Annotated[str, Key("name", "a name"), _NAME]
    events: Annotated[
        frozenset[Annotated[str, Choice(WEBHOOK_EVENTS, "event")]],
        Key("events"),
        Length(1, MAX_EVENTS, f"a list of {', '.join(WEBHOOK_EVENTS)}"),
    ]


@dataclass(frozen=True, slots=True)
class AnnouncerFile:
    """The announcer's configuration."""

    path: Path
    table: TableSection
    state_directory: Annotated[Path, Key("state.directory", "a directory")]
    mqtt: MqttSection | None
    webhooks: tuple[WebhookSection, ...]
    _line_index: LineIndex = field(repr=False)

    def read_token(self) -> str:
        """The token of the API; raises `ConfigError`."""
        return self._read_secret(self.table.token_file, "table", "token_file")

    def read_password(self) -> str | None:
        """The broker's password; `None`: it wants none. Raises `ConfigError`."""
        if self.mqtt is None or self.mqtt.password_file is None:
            return None
        return self._read_secret(self.mqtt.password_file, "mqtt", "password_file")

    def read_signing_key(self, webhook: WebhookSection) -> bytes:
        """The key that signs what a webhook is sent; raises `ConfigError`."""
        where = ("webhook", str(self.webhooks.index(webhook)), "secret_file")
        try:
            return read_webhook_key(webhook.secret_file)
        except ValueError as why:
            raise self._make_error(str(why), *where) from None

    def find_secret_errors(self) -> list[ConfigError]:
        """What is wrong with the secret files, each once."""
        readers: list[Callable[[], object]] = [self.read_token, self.read_password]
        readers += [partial(self.read_signing_key, webhook) for webhook in self.webhooks]
        found = []
        for read in readers:
            try:
                read()
            except ConfigError as why:
                found.append(why)
        return found

    def _read_secret(self, path: Path, *where: str) -> str:
        try:
            return read_secret(path)
        except ValueError as why:
            raise self._make_error(str(why), *where) from None

    def _make_error(self, message: str, *path: str) -> ConfigError:
        return ConfigError(self.path, self._line_index.find_line(*path), ".".join(path), message)


def read_secret(path: Path) -> str:
    """The one line of a secret file; raises `ValueError`, which never says what stands in it."""
    try:
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(MAX_SECRET_LENGTH + 1)
    except OSError as why:
        raise ValueError(f"{path} cannot be read: {why.strerror}") from why
    if mode & (stat.S_IRWXO | stat.S_IWGRP | stat.S_IXGRP):
        raise ValueError(f"{path} is open to others (mode {stat.S_IMODE(mode):04o}): chmod 640 {path}")
    try:
        text = content.decode().strip()
    except UnicodeDecodeError:
        text = ""
    if not text or not text.isprintable() or len(content) > MAX_SECRET_LENGTH:
        raise ValueError(f"{path} must hold one line of text, up to {MAX_SECRET_LENGTH} characters")
    return text


def read_webhook_key(path: Path) -> bytes:
    """The key of a webhook's secret file; raises `ValueError`, which never says what stands in it."""
    text = read_secret(path)
    try:
        key = base64.b64decode(text.removeprefix(KEY_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not MIN_KEY_BYTES <= len(key) <= MAX_KEY_BYTES:
        wanted = f"{KEY_PREFIX} and {MIN_KEY_BYTES} to {MAX_KEY_BYTES} bytes in base64"
        raise ValueError(f"{path} must hold {wanted}; tablectl announce key makes one")
    return key


def load_announcer_file(path: Path) -> AnnouncerFile:
    """Read the file at `path`; raises `ConfigError`."""
    return parse_announcer_file(path, *read_toml(path))


def parse_announcer_file(path: Path, text: str, content: dict[str, object]) -> AnnouncerFile:
    """Read what `content`, of the file with that `text`, says; raises `ConfigError`."""
    return _AnnouncerFileReader(path, LineIndex(text)).read_announcer_file(content)


class AddressReader(SectionReader):
    """Reads sections with an address to which something is sent."""

    def check_url(self, section: TableSection | WebhookSection, *where: str) -> None:
        """Refuse an address that cannot be used, or not without TLS."""
        if why := find_url_error(section.url, plain=section.allows_plain_http):
            raise self.make_error(why, *where, "url")


class _AnnouncerFileReader(AddressReader):
    """Reads one file, knowing where its keys stand."""

    def read_announcer_file(self, content: dict[str, object]) -> AnnouncerFile:
        self.check_keys(content, (), SECTIONS, ("table", "state"))
        mqtt = self._read_mqtt(content) if "mqtt" in content else None
        webhooks = self._read_webhooks(content.get("webhook", []))
        if mqtt is None and not webhooks:
            raise self.make_error("nobody is told anything: write a section [mqtt] or a [[webhook]]")
        return AnnouncerFile(
            path=self.path,
            table=self._read_table(content),
            mqtt=mqtt,
            webhooks=webhooks,
            _line_index=self.line_index,
            **self.read_part(AnnouncerFile, content, "state"),
        )

    def _read_table(self, content: dict[str, object]) -> TableSection:
        table = self.read_kind(TableSection, content, "table")
        self.check_url(table, "table")
        url = table.url.rstrip("/")
        if url.count("/") > 2 or "?" in url:
            raise self.make_error("must be the table's address alone, such as https://table.local:8443", "table", "url")
        return replace(table, url=url, name=table.name or table.id)

    def _read_mqtt(self, content: dict[str, object]) -> MqttSection:
        read = self.read_part(MqttSection, content, "mqtt")
        mqtt = MqttSection(**{"port": TLS_PORT if read.get("uses_tls") else PLAIN_PORT, **read})
        if mqtt.certificate is not None and not mqtt.uses_tls:
            raise self.make_error("is for tls = true only", "mqtt", "certificate")
        if not (mqtt.uses_tls or mqtt.allows_plain_mqtt or is_loopback_host(mqtt.host)):
            at_risk, key = ("what is told", "host") if mqtt.user is None else ("the password", "user")
            raise self.make_error(
                f"{at_risk} would go to {mqtt.host} as it is written: tls = true, or plain = true if it may",
                "mqtt", key,
            )  # fmt: skip
        return mqtt

    def _read_webhooks(self, entries: object) -> tuple[WebhookSection, ...]:
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise self.make_error("must be written [[webhook]], one for each", "webhook")
        if len(entries) > MAX_WEBHOOKS:
            raise self.make_error(f"are {len(entries)}; there may be {MAX_WEBHOOKS}", "webhook")
        webhooks: list[WebhookSection] = []
        for number, section in enumerate(entries):
            where = ("webhook", str(number))
            webhook = AnnouncerWebhookSection(**self.read_fields(AnnouncerWebhookSection, section, *where))
            if any(webhook.name == other.name for other in webhooks):
                raise self.make_error(f"{webhook.name!r} is the name of another webhook already", *where, "name")
            self.check_url(webhook, *where)
            webhooks.append(webhook)
        return tuple(webhooks)


def find_url_error(url: str, *, plain: bool) -> str:
    """Say why a URL cannot be posted to; empty where it can. What follows its host may be secret, and is not said.

    `plain`: whether it may go over a network without TLS.
    """
    has_user, shown = False, ""
    try:
        parts = urlsplit(url)
        has_user = parts.username is not None or parts.password is not None
        if parts.hostname and "@" not in url:
            shown = f", not {parts.scheme + '://' + parts.hostname!r} and what follows"
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and not parts.fragment
        private = parts.scheme == "https" or plain or is_loopback_host(parts.hostname or "")
    except ValueError:
        usable = private = False
    if has_user:
        return "must hold no user and no password: they would stand in the log"
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        return f"must be an address such as https://example.net/hook{shown}"
    return "" if private else "goes over a network without TLS: https, or plain = true if it may"


def is_loopback_host(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
