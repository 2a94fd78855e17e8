"""Reads the uplink's file: how much this table tells, to whom, and by what it is known there. Refuses; never guesses.

* `[table]`: `name`, the table's in the room; `state`, the directory of its journal; `url`, where its API is, with
  `token_file` and, where the machine does not trust its certificate, `certificate`;
* `[room]`: `level`; `servers`, one to five addresses such as `tls://room-1.lan:4222`; `certificate`, `key` and
  `authority`, PEM files, as `tablectl room enrol` left them; `asks = true` at level `live`: the room may ask.

Paths are beside the file, or whole.
"""

import os
import ssl
import stat
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from config.announcer_file import is_here, read_secret
from config.errors import ConfigError
from config.lines import Lines
from config.sections import Sections
from config.toml_file import read_toml
from controller.client.address import PageAddress
from controller.client.table_client import TableClient
from room.contract.level import Level
from room.contract.subjects import BadName, checked

TABLE = ("name", "state", "url", "token_file", "certificate")
ROOM = ("level", "servers", "certificate", "key", "authority", "asks")
MOST_SERVERS = 5
PORT = 4222


@dataclass(frozen=True, slots=True)
class Settings:
    """What stands in the uplink's file; `level` off: nothing else need be there."""

    path: Path
    level: Level
    name: str = ""
    state: Path = Path()
    url: str = ""
    token_file: Path = Path()
    page_certificate: Path | None = None
    servers: tuple[str, ...] = ()
    certificate: Path = Path()
    key: Path = Path()
    authority: Path = Path()
    asks: bool = False
    _lines: Lines = field(default_factory=lambda: Lines(""), repr=False)

    def client(self) -> TableClient:
        """The table's API with the rights of the token; raises `ConfigError`."""
        try:
            token = read_secret(self.token_file)
        except ValueError as why:
            raise self._error(str(why), "table", "token_file") from None
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        if parts.scheme == "http":
            return TableClient(PageAddress(parts.hostname, parts.port or 80), token, plain=True)
        try:
            trust = ssl.create_default_context(
                cafile=None if self.page_certificate is None else str(self.page_certificate)
            )
        except OSError as why:
            raise self._error(f"{self.page_certificate} cannot be used: {why}", "table", "certificate") from None
        trust.check_hostname = self.page_certificate is None or not is_here(parts.hostname)
        return TableClient(PageAddress(parts.hostname, parts.port or 443, trust), token)

    def trust(self) -> ssl.SSLContext:
        """What the room is known by, and what this table shows there; raises `ConfigError`."""
        try:
            mode = os.stat(self.key).st_mode
        except OSError as why:
            raise self._error(f"{self.key} cannot be read: {why.strerror}", "room", "key") from None
        if mode & (stat.S_IRWXO | stat.S_IWGRP | stat.S_IXGRP):
            raise self._error(f"{self.key} is open to others: chmod 640 {self.key}", "room", "key")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.load_verify_locations(cafile=str(self.authority))
        except OSError as why:
            raise self._unusable("authority", self.authority, why) from None
        try:
            context.load_cert_chain(str(self.certificate), str(self.key))
        except OSError as why:
            raise self._unusable("certificate", self.certificate, why) from None
        return context

    def check(self) -> list[ConfigError]:
        """What is wrong with the files that it names, each once."""
        found = []
        for use in (self.client, self.trust) if self.level is not Level.OFF else ():
            try:
                use()
            except ConfigError as why:
                found.append(why)
        if self.level.ships_the_journal and not self.state.is_dir():
            found.append(self._error(f"{self.state} is no directory", "table", "state"))
        return found

    def _unusable(self, key: str, path: Path, why: OSError) -> ConfigError:
        return self._error(f"{path} cannot be used: {why.strerror or type(why).__name__}", "room", key)

    def _error(self, message: str, *path: str) -> ConfigError:
        return ConfigError(self.path, self._lines.of(*path), ".".join(path), message)


def load_settings(path: Path) -> Settings:
    """Read the file at `path`; raises `ConfigError`."""
    text, content = read_toml(path)
    return _Reader(path, Lines(text)).settings(content)


class _Reader(Sections):
    """Reads one file, knowing where its keys stand."""

    def settings(self, content: dict[str, object]) -> Settings:
        self.only(content, (), ("table", "room"), ("room",))
        room = self.section(content, "room")
        self.only(room, ("room",), ROOM, ("level",))
        levels = ", ".join(level.value for level in Level)
        try:
            level = Level(self.value(room, str, f"one of {levels}", "room", "level"))
        except ValueError:
            raise self.error(f"must be one of {levels}, not {room['level']!r}", "room", "level") from None
        if level is Level.OFF and set(room) == {"level"}:
            return Settings(self.path, level, _lines=self.lines)
        self.only(content, (), ("table", "room"), ("table", "room"))
        self.only(room, ("room",), ROOM, ("level", "servers", "certificate", "key", "authority"))
        table = self.section(content, "table")
        self.only(table, ("table",), TABLE, ("name", "state", "url", "token_file"))
        asks = self.yes(room, "room", "asks")
        if asks and level is not Level.LIVE:
            raise self.error('may be true at level = "live" only', "room", "asks")
        try:
            name = checked(self.value(table, str, "a name", "table", "name"))
        except BadName as why:
            raise self.error(str(why), "table", "name") from None
        return Settings(
            path=self.path,
            level=level,
            name=name,
            state=self.path.parent / self.value(table, str, "a directory", "table", "state"),
            url=self._url(table),
            token_file=self.file(table, "table", "token_file"),
            page_certificate=self.file(table, "table", "certificate") if "certificate" in table else None,
            servers=self._servers(room["servers"]),
            certificate=self.file(room, "room", "certificate"),
            key=self.file(room, "room", "key"),
            authority=self.file(room, "room", "authority"),
            asks=asks,
            _lines=self.lines,
        )

    def _url(self, table: dict[str, object]) -> str:
        url = self.value(table, str, "an address", "table", "url").rstrip("/")
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable or "@" in url or url.count("/") > 2 or "?" in url:
            raise self.error("must be the address of the table's page, such as http://127.0.0.1:8080", "table", "url")
        if parts.scheme == "http" and not is_here(parts.hostname or ""):
            raise self.error("goes over a network without TLS; the uplink runs beside its table", "table", "url")
        return url

    def _servers(self, found: object) -> tuple[str, ...]:
        if not isinstance(found, list) or not 1 <= len(found) <= MOST_SERVERS:
            raise self.error(f"must be a list of 1 to {MOST_SERVERS} addresses", "room", "servers")
        servers = []
        for address in found:
            try:
                parts = urlsplit(address)
                usable = parts.scheme == "tls" and bool(parts.hostname) and not (parts.path or parts.query)
                port = parts.port or PORT
            except (ValueError, AttributeError, TypeError):
                usable = False
            if not usable or "@" in address:
                raise self.error(f"must be addresses such as tls://room-1.lan:{PORT}", "room", "servers")
            host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
            servers.append(f"tls://{host}:{port}")
        return tuple(servers)
