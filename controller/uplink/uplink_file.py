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

from config.announcer_file import is_loopback_host, read_secret
from config.config_error import ConfigError
from config.line_index import LineIndex
from config.section_reader import SectionReader
from config.toml_file import read_toml
from controller.client.page_address import PageAddress
from controller.client.table_client import TableClient
from controller.room_contract.disclosure_level import DisclosureLevel
from controller.room_contract.subjects import TableNameError, require_table_name

TABLE_KEYS = ("name", "state", "url", "token_file", "certificate")
ROOM_KEYS = ("level", "servers", "certificate", "key", "authority", "asks")
MAX_SERVERS = 5
DEFAULT_PORT = 4222


@dataclass(frozen=True, slots=True)
class UplinkFile:
    """What stands in the uplink's file; `level` off: nothing else need be there."""

    path: Path
    level: DisclosureLevel
    table_name: str = ""
    state_directory: Path = Path()
    table_url: str = ""
    token_file: Path = Path()
    page_certificate: Path | None = None
    servers: tuple[str, ...] = ()
    certificate: Path = Path()
    private_key: Path = Path()
    authority: Path = Path()
    allows_requests: bool = False
    _line_index: LineIndex = field(default_factory=lambda: LineIndex(""), repr=False)

    def make_table_client(self) -> TableClient:
        """The table's API with the rights of the token; raises `ConfigError`."""
        try:
            token = read_secret(self.token_file)
        except ValueError as why:
            raise self._make_error(str(why), "table", "token_file") from None
        parts = urlsplit(self.table_url)
        assert parts.hostname is not None
        if parts.scheme == "http":
            return TableClient(PageAddress(parts.hostname, parts.port or 80), token, plain=True)
        try:
            trust = ssl.create_default_context(
                cafile=None if self.page_certificate is None else str(self.page_certificate)
            )
        except OSError as why:
            raise self._make_error(f"{self.page_certificate} cannot be used: {why}", "table", "certificate") from None
        trust.check_hostname = self.page_certificate is None or not is_loopback_host(parts.hostname)
        return TableClient(PageAddress(parts.hostname, parts.port or 443, trust), token)

    def make_tls_context(self) -> ssl.SSLContext:
        """What the room is known by, and what this table shows there; raises `ConfigError`."""
        try:
            mode = os.stat(self.private_key).st_mode
        except OSError as why:
            raise self._make_error(f"{self.private_key} cannot be read: {why.strerror}", "room", "key") from None
        if mode & (stat.S_IRWXO | stat.S_IWGRP | stat.S_IXGRP):
            raise self._make_error(f"{self.private_key} is open to others: chmod 640 {self.private_key}", "room", "key")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.load_verify_locations(cafile=str(self.authority))
        except OSError as why:
            raise self._make_unusable_error("authority", self.authority, why) from None
        try:
            context.load_cert_chain(str(self.certificate), str(self.private_key))
        except OSError as why:
            raise self._make_unusable_error("certificate", self.certificate, why) from None
        return context

    def check_files(self) -> list[ConfigError]:
        """What is wrong with the files that it names, each once."""
        found = []
        for use in (self.make_table_client, self.make_tls_context) if self.level is not DisclosureLevel.OFF else ():
            try:
                use()
            except ConfigError as why:
                found.append(why)
        if self.level.sends_journal and not self.state_directory.is_dir():
            found.append(self._make_error(f"{self.state_directory} is no directory", "table", "state"))
        return found

    def _make_unusable_error(self, key: str, path: Path, why: OSError) -> ConfigError:
        return self._make_error(f"{path} cannot be used: {why.strerror or type(why).__name__}", "room", key)

    def _make_error(self, message: str, *path: str) -> ConfigError:
        return ConfigError(self.path, self._line_index.find_line(*path), ".".join(path), message)


def load_uplink_file(path: Path) -> UplinkFile:
    """Read the file at `path`; raises `ConfigError`."""
    text, content = read_toml(path)
    return _UplinkFileReader(path, LineIndex(text)).read_uplink_file(content)


class _UplinkFileReader(SectionReader):
    """Reads one file, knowing where its keys stand."""

    def read_uplink_file(self, content: dict[str, object]) -> UplinkFile:
        self.check_keys(content, (), ("table", "room"), ("room",))
        room = self.read_section(content, "room")
        self.check_keys(room, ("room",), ROOM_KEYS, ("level",))
        levels = ", ".join(level.value for level in DisclosureLevel)
        try:
            level = DisclosureLevel(self.read_value(room, str, f"one of {levels}", "room", "level"))
        except ValueError:
            raise self.make_error(f"must be one of {levels}, not {room['level']!r}", "room", "level") from None
        if level is DisclosureLevel.OFF and set(room) == {"level"}:
            return UplinkFile(self.path, level, _line_index=self.line_index)
        self.check_keys(content, (), ("table", "room"), ("table", "room"))
        self.check_keys(room, ("room",), ROOM_KEYS, ("level", "servers", "certificate", "key", "authority"))
        table = self.read_section(content, "table")
        self.check_keys(table, ("table",), TABLE_KEYS, ("name", "state", "url", "token_file"))
        asks = self.read_flag(room, "room", "asks")
        if asks and level is not DisclosureLevel.LIVE:
            raise self.make_error('may be true at level = "live" only', "room", "asks")
        try:
            name = require_table_name(self.read_value(table, str, "a name", "table", "name"))
        except TableNameError as why:
            raise self.make_error(str(why), "table", "name") from None
        return UplinkFile(
            path=self.path,
            level=level,
            table_name=name,
            state_directory=self.path.parent / self.read_value(table, str, "a directory", "table", "state"),
            table_url=self._read_url(table),
            token_file=self.read_path(table, "table", "token_file"),
            page_certificate=self.read_path(table, "table", "certificate") if "certificate" in table else None,
            servers=self._parse_servers(room["servers"]),
            certificate=self.read_path(room, "room", "certificate"),
            private_key=self.read_path(room, "room", "key"),
            authority=self.read_path(room, "room", "authority"),
            allows_requests=asks,
            _line_index=self.line_index,
        )

    def _read_url(self, table: dict[str, object]) -> str:
        url = self.read_value(table, str, "an address", "table", "url").rstrip("/")
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable or "@" in url or url.count("/") > 2 or "?" in url:
            raise self.make_error(
                "must be the address of the table's page, such as http://127.0.0.1:8080", "table", "url"
            )
        if parts.scheme == "http" and not is_loopback_host(parts.hostname or ""):
            raise self.make_error("goes over a network without TLS; the uplink runs beside its table", "table", "url")
        return url

    def _parse_servers(self, found: object) -> tuple[str, ...]:
        if not isinstance(found, list) or not 1 <= len(found) <= MAX_SERVERS:
            raise self.make_error(f"must be a list of 1 to {MAX_SERVERS} addresses", "room", "servers")
        servers = []
        for address in found:
            try:
                parts = urlsplit(address)
                usable = parts.scheme == "tls" and bool(parts.hostname) and not (parts.path or parts.query)
                port = parts.port or DEFAULT_PORT
            except (ValueError, AttributeError, TypeError):
                usable = False
            if not usable or "@" in address:
                raise self.make_error(f"must be addresses such as tls://room-1.lan:{DEFAULT_PORT}", "room", "servers")
            host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
            servers.append(f"tls://{host}:{port}")
        return tuple(servers)
