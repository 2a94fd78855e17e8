"""Reads the file of a room: where its pages, its database and its brokers are. Refuses; never guesses.

The sections of the file:

* `[room]`: `name`, as people call it; `state`, the directory of its staff's file; `language` of its pages (`"en"`);
  `samples = true`, where a tournament may have sample players, in a room that is only looked at;
* `[page]`: `host`, `port`, further `names`, `certificate` and `key`, `plain = true`, `floor_minutes`, as in a table's
  file;
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
from typing import Annotated

from config import language_file
from config.announcer_file import MAX_WEBHOOKS, AddressReader, WebhookSection, read_webhook_key
from config.config_error import ConfigError
from config.line_index import LineIndex
from config.toml_file import read_toml
from controller.room_contract.subjects import TABLE_NAME_PATTERN, TableNameError, require_table_name
from controller.shape import Bounds, Choice, Key, Length, Parser, Pattern
from room.floor.promotion import HOLE_CARDS_PLAYED_BY_GAME, is_hand
from room.record.webhook_message import MESSAGE_TYPES

SECTION_NAMES = ("room", "page", "database", "brokers", "calls", "high-hands", "webhooks", "tables")
MAX_PROMOTIONS = 24
MAX_SERVERS = 100
MAX_EVENTS = 100
"""Entries of a webhook's list: more than there are types of message."""

DEFAULT_ESCALATE_AFTER_S = 120.0


def _parse_time_of_day(text: str) -> float:
    try:
        at = time.fromisoformat(text)
    except ValueError:
        raise ValueError(f'must be a time of the day, as "16:00", not {text!r}') from None
    return at.hour * 3600.0 + at.minute * 60.0


def _parse_five_cards(text: str) -> tuple[str, ...]:
    cards = tuple(text.split())
    if len(cards) != 5 or not is_hand(cards):
        raise ValueError('must be five cards, as "Ah Ad Ac Ks Kd"')
    return cards


_TEXTS = "a list of texts"
_SERVER_WORDS = "addresses as tls://room-1:4222"
_FROM_ZERO = Bounds(0, 2**31 - 1, "a whole number from 0")


@dataclass(frozen=True, slots=True)
class RoomPageSection:
    """Where the room's pages are served, as `config.table_file.PageSection` has it for a table's."""

    host: Annotated[str, Key("host", "an address")] = "127.0.0.1"
    port: Annotated[int, Key("port", "a port number"), Bounds(0, 65535, "0 (any free port) to 65535")] = 8090
    host_names: Annotated[tuple[str, ...], Key("names", _TEXTS)] = ()
    certificate: Annotated[Path | None, Key("certificate")] = None
    private_key: Annotated[Path | None, Key("key")] = None
    allows_plain_http: Annotated[bool, Key("plain")] = False
    floor_minutes: Annotated[int, Key("floor_minutes", "a whole number"), Bounds(3, 720, "3 to 720")] = 30


@dataclass(frozen=True, slots=True)
class BrokersSection:
    """The servers of NATS, and the files with which this machine is known there."""

    servers: Annotated[
        tuple[Annotated[str, Pattern("^(nats|tls)://.*$", _SERVER_WORDS)], ...],
        Key("servers", _TEXTS),
        Length(1, MAX_SERVERS, _SERVER_WORDS),
    ]
    authority: Annotated[Path | None, Key("authority")] = None
    certificate: Annotated[Path | None, Key("certificate")] = None
    private_key: Annotated[Path | None, Key("key")] = None


@dataclass(frozen=True, slots=True)
class PromotionSection:
    """A promotion for high hands, each day `starts_s` and `ends_s`, in seconds after midnight."""

    name: str
    game: Annotated[str, Key("game", "a game"), Choice(tuple(HOLE_CARDS_PLAYED_BY_GAME))]
    starts_s: Annotated[float, Key("from", "a time of the day"), Parser(_parse_time_of_day)]
    ends_s: Annotated[float, Key("until", "a time of the day"), Parser(_parse_time_of_day)]
    min_cards: Annotated[tuple[str, ...], Key("least", "five cards"), Parser(_parse_five_cards)]
    both_cards_play: Annotated[bool, Key("both")] = False
    min_pot: Annotated[int, Key("pot", "a whole number"), _FROM_ZERO] = 0
    min_players: Annotated[int, Key("players", "a whole number"), _FROM_ZERO] = 0


@dataclass(frozen=True, slots=True)
class RoomWebhookSection(WebhookSection):
    """A webhook of the room; its name is that of its section."""

    events: Annotated[
        frozenset[Annotated[str, Choice(MESSAGE_TYPES, "event")]],
        Key("events"),
        Length(1, MAX_EVENTS, f"a list of {', '.join(MESSAGE_TYPES)}"),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomFile:
    """A room; `escalate_after_s` in seconds, `page_url_by_table`: name -> address of its own page."""

    path: Path
    name: Annotated[str, Key("room.name")]
    state_directory: Annotated[Path, Key("room.state")]
    language: Annotated[str, Key("room.language"), Choice(language_file.list_languages)] = language_file.ENGLISH_NAME
    page: RoomPageSection
    conninfo: Annotated[str, Key("database.where", "a text as libpq takes it")]
    brokers: BrokersSection
    escalate_after_s: Annotated[float, Key("calls.escalate_after", "seconds"), Bounds(1, 3600, "1 to 3600 seconds")] = (
        DEFAULT_ESCALATE_AFTER_S
    )
    page_url_by_table: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    promotions: tuple[PromotionSection, ...] = ()
    allows_sample_players: Annotated[bool, Key("room.samples")] = False
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
    return parse_room_file(path, *read_toml(path))


def parse_room_file(path: Path, text: str, content: dict[str, object]) -> RoomFile:
    """Read what `content`, of the file with that `text`, says; raises `ConfigError`."""
    return _RoomFileReader(path, LineIndex(text)).read_room_file(content)


class _RoomFileReader(AddressReader):
    def read_room_file(self, content: dict[str, object]) -> RoomFile:
        self.check_keys(content, (), SECTION_NAMES, ("room", "database", "brokers"))
        return RoomFile(
            path=self.path,
            page=self.read_kind(RoomPageSection, content, "page"),
            brokers=self.read_kind(BrokersSection, content, "brokers"),
            page_url_by_table=self._read_tables(self.read_section(content, "tables")),
            promotions=self._read_promotions(self.read_section(content, "high-hands")),
            webhooks=self._read_webhooks(self.read_section(content, "webhooks")),
            **self.read_part(RoomFile, content, "room"),
            **self.read_part(RoomFile, content, "database"),
            **self.read_part(RoomFile, content, "calls"),
        )

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
            where = ("high-hands", name)
            read = self.read_fields(PromotionSection, self.read_section(sections, name), *where)
            if read["starts_s"] == read["ends_s"]:
                raise self.make_error("must be another time than `from`", *where, "until")
            found.append(PromotionSection(name, **read))
        return tuple(found)

    def _read_webhooks(self, sections: dict[str, object]) -> tuple[WebhookSection, ...]:
        if len(sections) > MAX_WEBHOOKS:
            raise self.make_error(f"are {MAX_WEBHOOKS} at most, not {len(sections)}", "webhooks")
        found = []
        for name in sections:
            where, section = ("webhooks", name), self.read_section(sections, name)
            if not TABLE_NAME_PATTERN.fullmatch(name):
                raise self.make_error("must be named with a-z, 0-9 and -, up to 40", *where)
            webhook = RoomWebhookSection(name, **self.read_fields(RoomWebhookSection, section, *where))
            self.check_url(webhook, *where)
            found.append(webhook)
        return tuple(found)
