"""Reads the file of a room: where its pages, its database and its brokers are. Refuses; never guesses.

The sections of the file:

* `[room]`: `name`, as people call it; `state`, the directory of its staff's file; `language` of its pages (`"en"`);
  `samples = true`, where a tournament may have sample players, in a room that is only looked at;
* `[page]`: `host`, `port`, further `names`, `certificate` and `key`, `plain = true`, as in a table's file;
* `[database]`: `where`, as libpq has it (`"host=/run/postgresql dbname=room"`);
* `[brokers]`: `servers`, a list (`["tls://room-1:4222"]`); `authority`, `certificate` and `key`, PEM files, for `tls://`;
* `[calls]`: `escalate_after`, in how many seconds a call that nobody has taken is everybody's (120);
* `[high-hands."four to six"]`: a promotion, each day `from` and `until` (`"16:00"`), of the `game` `"holdem"` or
  `"omaha"`; `least`, the least hand that counts (`"Ah Ad Ac Ks Kd"`); `both = true`: both hole cards play; `pot` and
  `players`: at least so much in the pot, so many dealt in;
* `[webhooks.accounting]`, up to eight: who is told what the room enters: `url` (`https://`, or `http://` to this
  machine; with `plain = true` to another), `secret_file`, `events`, types of
  `room.record.webhook_message.MESSAGE_TYPES`;
* `[tables]`: the address of each table's own page (`table-07 = "https://table-07.local:8443/"`).

Paths are beside the file, or whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from types import MappingProxyType

from config import language_file
from config.announcer_file import MAX_WEBHOOKS, WebhookSection, find_url_error, read_webhook_key
from config.config_error import ConfigError
from config.line_index import LineIndex
from config.section_reader import SectionReader
from config.toml_file import read_toml
from controller.room_contract.subjects import TABLE_NAME_PATTERN, TableNameError, require_table_name
from room.floor.promotion import HOLE_CARDS_PLAYED_BY_GAME, is_hand
from room.record.webhook_message import MESSAGE_TYPES

SECTION_NAMES = ("room", "page", "database", "brokers", "calls", "high-hands", "webhooks", "tables")
PAGE_KEYS = ("host", "port", "names", "certificate", "key", "plain")
BROKER_KEYS = ("servers", "authority", "certificate", "key")

PROMOTION_KEYS = ("game", "from", "until", "least", "both", "pot", "players")
MAX_PROMOTIONS = 24
WEBHOOK_KEYS = ("url", "secret_file", "events", "plain")

DEFAULT_ESCALATE_AFTER_S = 120.0


@dataclass(frozen=True, slots=True)
class RoomPageSection:
    """Where the room's pages are served, as `config.table_file.PageSection` has it for a table's."""

    host: str = "127.0.0.1"
    port: int = 8090
    host_names: tuple[str, ...] = ()
    certificate: Path | None = None
    private_key: Path | None = None
    allows_plain_http: bool = False


@dataclass(frozen=True, slots=True)
class BrokersSection:
    """The servers of NATS, and the files with which this machine is known there."""

    servers: tuple[str, ...]
    authority: Path | None = None
    certificate: Path | None = None
    private_key: Path | None = None


@dataclass(frozen=True, slots=True)
class PromotionSection:
    """A promotion for high hands, each day `starts_s` and `ends_s`, in seconds after midnight."""

    name: str
    game: str
    starts_s: float
    ends_s: float
    min_cards: tuple[str, ...]
    both_cards_play: bool = False
    min_pot: int = 0
    min_players: int = 0


@dataclass(frozen=True, slots=True)
class RoomFile:
    """A room; `escalate_after_s` in seconds, `page_url_by_table`: name -> address of its own page."""

    path: Path
    name: str
    state_directory: Path
    language: str
    page: RoomPageSection
    conninfo: str
    brokers: BrokersSection
    escalate_after_s: float = DEFAULT_ESCALATE_AFTER_S
    page_url_by_table: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    promotions: tuple[PromotionSection, ...] = ()
    allows_sample_players: bool = False
    webhooks: tuple[WebhookSection, ...] = ()

    def read_webhook_key(self, webhook: WebhookSection) -> bytes:
        """The key that signs what a webhook is sent, for the server alone to read; raises `ConfigError`."""
        try:
            return read_webhook_key(webhook.secret_file)
        except ValueError as why:
            lines = LineIndex(read_toml(self.path)[0])
            where = ("webhooks", webhook.name, "secret_file")
            raise ConfigError(self.path, lines.find_line(*where), ".".join(where), str(why)) from None


def load_room_file(path: Path) -> RoomFile:
    """Read the file at `path`; raises `ConfigError`."""
    text, content = read_toml(path)
    return _RoomFileReader(path, LineIndex(text)).read_room_file(content)


class _RoomFileReader(SectionReader):
    def read_room_file(self, content: dict[str, object]) -> RoomFile:
        self.check_keys(content, (), SECTION_NAMES, ("room", "database", "brokers"))
        room, database, calls = (self.read_section(content, name) for name in ("room", "database", "calls"))
        self.check_keys(room, ("room",), ("name", "state", "language", "samples"), ("name", "state"))
        self.check_keys(database, ("database",), ("where",), ("where",))
        self.check_keys(calls, ("calls",), ("escalate_after",), ())
        seconds = DEFAULT_ESCALATE_AFTER_S
        if "escalate_after" in calls:
            seconds = self.read_value(calls, float, "seconds", "calls", "escalate_after")
        if not 1 <= seconds <= 3600:
            raise self.make_error(f"must be 1 to 3600 seconds, not {seconds:g}", "calls", "escalate_after")
        language = self.read_value(room, str, "a language", "room", "language") if "language" in room else "en"
        if language not in language_file.list_languages():
            raise self.make_error(
                f"must be {', '.join(language_file.list_languages())}, not {language!r}", "room", "language"
            )
        return RoomFile(
            self.path,
            self.read_value(room, str, "a text", "room", "name"),
            self.read_path(room, "room", "state"),
            language,
            self._read_page(self.read_section(content, "page")),
            self.read_value(database, str, "a text as libpq takes it", "database", "where"),
            self._read_brokers(self.read_section(content, "brokers")),
            float(seconds),
            self._read_tables(self.read_section(content, "tables")),
            self._read_promotions(self.read_section(content, "high-hands")),
            self.read_flag(room, "room", "samples"),
            self._read_webhooks(self.read_section(content, "webhooks")),
        )

    def _read_page(self, section: dict[str, object]) -> RoomPageSection:
        self.check_keys(section, ("page",), PAGE_KEYS, ())
        page = RoomPageSection()
        port = self.read_value(section, int, "a port number", "page", "port") if "port" in section else page.port
        if not 0 <= port <= 65535:
            raise self.make_error(f"must be 0 (any free port) to 65535, not {port}", "page", "port")
        self._require_together(section, "page", "certificate", "key")
        return RoomPageSection(
            self.read_value(section, str, "an address", "page", "host") if "host" in section else page.host,
            port,
            self._read_texts(section, "page", "names"),
            self._read_optional_path(section, "page", "certificate"),
            self._read_optional_path(section, "page", "key"),
            self.read_flag(section, "page", "plain"),
        )

    def _read_brokers(self, section: dict[str, object]) -> BrokersSection:
        self.check_keys(section, ("brokers",), BROKER_KEYS, ("servers",))
        servers = self._read_texts(section, "brokers", "servers")
        for server in servers or ("",):
            if not server.startswith(("nats://", "tls://")):
                raise self.make_error(f"must be addresses as tls://room-1:4222, not {server!r}", "brokers", "servers")
        self._require_together(section, "brokers", "certificate", "key")
        return BrokersSection(servers, *(self._read_optional_path(section, "brokers", key) for key in BROKER_KEYS[1:]))

    def _read_tables(self, section: dict[str, object]) -> Mapping[str, str]:
        found = {}
        for name in section:
            try:
                require_table_name(name)
            except TableNameError as why:
                raise self.make_error(str(why), "tables", name) from None
            url = self.read_value(section, str, "an address", "tables", name)
            if not url.startswith(("http://", "https://")):
                raise self.make_error(f"must be as https://{name}.local:8443/, not {url!r}", "tables", name)
            found[name] = url
        return MappingProxyType(found)

    def _read_promotions(self, sections: dict[str, object]) -> tuple[PromotionSection, ...]:
        if len(sections) > MAX_PROMOTIONS:
            raise self.make_error(f"has {MAX_PROMOTIONS} promotions at most, not {len(sections)}", "high-hands")
        found = []
        for name in sections:
            where, section = ("high-hands", name), self.read_section(sections, name)
            self.check_keys(section, where, PROMOTION_KEYS, PROMOTION_KEYS[:4])
            game = self.read_value(section, str, "a game", *where, "game")
            if game not in HOLE_CARDS_PLAYED_BY_GAME:
                raise self.make_error(f"must be {' or '.join(HOLE_CARDS_PLAYED_BY_GAME)}, not {game!r}", *where, "game")
            least = tuple(self.read_value(section, str, "five cards", *where, "least").split())
            if len(least) != 5 or not is_hand(least):
                raise self.make_error('must be five cards, as "Ah Ad Ac Ks Kd"', *where, "least")
            since, until = (self._read_time_of_day(section, *where, key) for key in ("from", "until"))
            if since == until:
                raise self.make_error("must be another time than `from`", *where, "until")
            amounts = (self._read_count(section, *where, key) for key in ("pot", "players"))
            both = self.read_flag(section, *where, "both")
            found.append(PromotionSection(name, game, since, until, least, both, *amounts))
        return tuple(found)

    def _read_webhooks(self, sections: dict[str, object]) -> tuple[WebhookSection, ...]:
        if len(sections) > MAX_WEBHOOKS:
            raise self.make_error(f"are {MAX_WEBHOOKS} at most, not {len(sections)}", "webhooks")
        found = []
        for name in sections:
            where, section = ("webhooks", name), self.read_section(sections, name)
            if not TABLE_NAME_PATTERN.fullmatch(name):
                raise self.make_error("must be named with a-z, 0-9 and -, up to 40", *where)
            self.check_keys(section, where, WEBHOOK_KEYS, WEBHOOK_KEYS[:3])
            url = self.read_value(section, str, "an address", *where, "url")
            why = find_url_error(url, plain=self.read_flag(section, *where, "plain"))
            if why:
                raise self.make_error(why, *where, "url")
            events = self._read_texts(section, *where, "events")
            for event in events or ("",):
                if event not in MESSAGE_TYPES:
                    raise self.make_error(
                        f"there is no event {event!r}; there are {', '.join(MESSAGE_TYPES)}", *where, "events"
                    )
            found.append(WebhookSection(name, url, self.read_path(section, *where, "secret_file"), frozenset(events)))
        return tuple(found)

    def _read_time_of_day(self, section: dict[str, object], *where: str) -> float:
        text = self.read_value(section, str, "a time of the day", *where)
        try:
            at = time.fromisoformat(text)
        except ValueError:
            raise self.make_error(f'must be a time of the day, as "16:00", not {text!r}', *where) from None
        return at.hour * 3600.0 + at.minute * 60.0

    def _read_count(self, section: dict[str, object], *where: str) -> int:
        count = self.read_value(section, int, "a whole number", *where) if where[-1] in section else 0
        if not 0 <= count < 2**31:
            raise self.make_error(f"must be a whole number from 0, not {count}", *where)
        return count

    def _read_optional_path(self, section: dict[str, object], *where: str) -> Path | None:
        return self.read_path(section, *where) if where[-1] in section else None

    def _read_texts(self, section: dict[str, object], *where: str) -> tuple[str, ...]:
        found = section.get(where[-1], [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.make_error(f"must be a list of texts, not {found!r}", *where)
        return tuple(map(str, found))

    def _require_together(self, section: dict[str, object], where: str, *keys: str) -> None:
        for key in keys:
            if key not in section and any(other in section for other in keys):
                raise self.make_error(f"is missing; {' and '.join(keys)} go together", where, key)
