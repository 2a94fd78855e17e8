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
from typing import Annotated
from urllib.parse import urlsplit

from config.announcer_file import is_loopback_host, read_secret
from config.config_error import ConfigError
from config.line_index import LineIndex
from config.section_reader import SectionReader
from config.toml_file import read_toml
from controller.client.page_address import PageAddress
from controller.client.table_client import TableClient
from controller.room_contract.disclosure_level import DisclosureLevel
from controller.room_contract.subjects import require_table_name
from controller.shape import Key, Length, Parser

MAX_SERVERS = 5
DEFAULT_PORT = 4222


def _parse_page_url(text: str) -> str:
    url = text.rstrip("/")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or "@" in url or url.count("/") > 2 or "?" in url:
        raise ValueError("must be the address of the table's page, such as http://127.0.0.1:8080")
    if parts.scheme == "http" and not is_loopback_host(parts.hostname or ""):
        raise ValueError("goes over a network without TLS; the uplink runs beside its table")
    return url


_SERVER_WORDS = f"addresses such as tls://room-1.lan:{DEFAULT_PORT}"


def _parse_server(address: str) -> str:
    try:
        parts = urlsplit(address)
        usable = parts.scheme == "tls" and bool(parts.hostname) and not (parts.path or parts.query)
        port = parts.port or DEFAULT_PORT
    except ValueError:
        usable = False
    if not usable or "@" in address:
        raise ValueError(f"must be {_SERVER_WORDS}")
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
    return f"tls://{host}:{port}"


_ServerUrl = Annotated[str, Key("", _SERVER_WORDS), Parser(_parse_server)]
_SERVER_COUNT = Length(1, MAX_SERVERS, f"a list of 1 to {MAX_SERVERS} addresses")


@dataclass(frozen=True, slots=True)
class UplinkFile:
    """What stands in the uplink's file; `level` off: nothing else need be there."""

    path: Path
    level: Annotated[DisclosureLevel, Key("room.level")]
    table_name: Annotated[str, Key("table.name", "a name"), Parser(require_table_name)]
    state_directory: Annotated[Path, Key("table.state", "a directory")]
    table_url: Annotated[str, Key("table.url", "an address"), Parser(_parse_page_url)]
    token_file: Annotated[Path, Key("table.token_file")]
    servers: Annotated[tuple[_ServerUrl, ...], Key("room.servers"), _SERVER_COUNT]
    certificate: Annotated[Path, Key("room.certificate")]
    private_key: Annotated[Path, Key("room.key")]
    authority: Annotated[Path, Key("room.authority")]
    page_certificate: Annotated[Path | None, Key("table.certificate")] = None
    allows_requests: Annotated[bool, Key("room.asks")] = False
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
    return parse_uplink_file(path, *read_toml(path))


def parse_uplink_file(path: Path, text: str, content: dict[str, object]) -> UplinkFile:
    """Read what `content`, of the file with that `text`, says; raises `ConfigError`."""
    return _UplinkFileReader(path, LineIndex(text)).read_uplink_file(content)


class _UplinkFileReader(SectionReader):
    """Reads one file, knowing where its keys stand."""

    def read_uplink_file(self, content: dict[str, object]) -> UplinkFile:
        self.check_keys(content, (), ("table", "room"), ("room",))
        room = self.read_section(content, "room")
        if room == {"level": DisclosureLevel.OFF.value}:
            none = Path()
            return UplinkFile(
                self.path, DisclosureLevel.OFF, "", none, "", none, (), none, none, none, _line_index=self.line_index
            )
        read = self.read_part(UplinkFile, content, "room")
        self.check_keys(content, (), ("table", "room"), ("table", "room"))
        file = UplinkFile(
            path=self.path, **read, **self.read_part(UplinkFile, content, "table"), _line_index=self.line_index
        )
        if file.allows_requests and file.level is not DisclosureLevel.LIVE:
            raise self.make_error('may be true at level = "live" only', "room", "asks")
        return file
