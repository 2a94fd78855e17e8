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
  machine; with `plain = true` to another), `secret_file`, `events`, types of `room.record.messages.EVENTS`;
* `[tables]`: the address of each table's own page (`table-07 = "https://table-07.local:8443/"`).

Paths are beside the file, or whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from types import MappingProxyType

from config import language_file
from config.announcer_file import MOST_WEBHOOKS, WebhookSection, read_key, wrong_address
from config.errors import ConfigError
from config.lines import Lines
from config.sections import Sections
from config.toml_file import read_toml
from room.contract.subjects import NAME, BadName, checked
from room.floor.high_hands import OWN, is_hand
from room.record.messages import EVENTS

SECTIONS = ("room", "page", "database", "brokers", "calls", "high-hands", "webhooks", "tables")
PAGE = ("host", "port", "names", "certificate", "key", "plain")
BROKERS = ("servers", "authority", "certificate", "key")

HIGH_HANDS = ("game", "from", "until", "least", "both", "pot", "players")
MOST_HIGH_HANDS = 24
WEBHOOK = ("url", "secret_file", "events", "plain")

ESCALATE_AFTER = 120.0


@dataclass(frozen=True, slots=True)
class RoomPage:
    """Where the room's pages are served, as `config.table_file.PageSection` has it for a table's."""

    host: str = "127.0.0.1"
    port: int = 8090
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Brokers:
    """The servers of NATS, and the files with which this machine is known there."""

    servers: tuple[str, ...]
    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class HighHandSection:
    """A promotion for high hands, each day `since` and `until`, in seconds after midnight."""

    name: str
    game: str
    since: float
    until: float
    least: tuple[str, ...]
    both: bool = False
    pot: int = 0
    players: int = 0


@dataclass(frozen=True, slots=True)
class RoomFile:
    """A room; `escalate_after` in seconds, `tables`: name -> address of its own page."""

    path: Path
    name: str
    state: Path
    language: str
    page: RoomPage
    database: str
    brokers: Brokers
    escalate_after: float = ESCALATE_AFTER
    tables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    high_hands: tuple[HighHandSection, ...] = ()
    samples: bool = False
    webhooks: tuple[WebhookSection, ...] = ()

    def key(self, webhook: WebhookSection) -> bytes:
        """The key that signs what a webhook is sent, for the server alone to read; raises `ConfigError`."""
        try:
            return read_key(webhook.secret_file)
        except ValueError as why:
            lines = Lines(read_toml(self.path)[0])
            where = ("webhooks", webhook.name, "secret_file")
            raise ConfigError(self.path, lines.of(*where), ".".join(where), str(why)) from None


def load_room(path: Path) -> RoomFile:
    """Read the file at `path`; raises `ConfigError`."""
    text, content = read_toml(path)
    return _Reader(path, Lines(text)).room_file(content)


class _Reader(Sections):
    def room_file(self, content: dict[str, object]) -> RoomFile:
        self.only(content, (), SECTIONS, ("room", "database", "brokers"))
        room, database, calls = (self.section(content, name) for name in ("room", "database", "calls"))
        self.only(room, ("room",), ("name", "state", "language", "samples"), ("name", "state"))
        self.only(database, ("database",), ("where",), ("where",))
        self.only(calls, ("calls",), ("escalate_after",), ())
        seconds = ESCALATE_AFTER
        if "escalate_after" in calls:
            seconds = self.value(calls, float, "seconds", "calls", "escalate_after")
        if not 1 <= seconds <= 3600:
            raise self.error(f"must be 1 to 3600 seconds, not {seconds:g}", "calls", "escalate_after")
        language = self.value(room, str, "a language", "room", "language") if "language" in room else "en"
        if language not in language_file.names():
            raise self.error(f"must be {', '.join(language_file.names())}, not {language!r}", "room", "language")
        return RoomFile(
            self.path,
            self.value(room, str, "a text", "room", "name"),
            self.file(room, "room", "state"),
            language,
            self._page(self.section(content, "page")),
            self.value(database, str, "a text as libpq takes it", "database", "where"),
            self._brokers(self.section(content, "brokers")),
            float(seconds),
            self._tables(self.section(content, "tables")),
            self._high_hands(self.section(content, "high-hands")),
            self.yes(room, "room", "samples"),
            self._webhooks(self.section(content, "webhooks")),
        )

    def _page(self, section: dict[str, object]) -> RoomPage:
        self.only(section, ("page",), PAGE, ())
        page = RoomPage()
        port = self.value(section, int, "a port number", "page", "port") if "port" in section else page.port
        if not 0 <= port <= 65535:
            raise self.error(f"must be 0 (any free port) to 65535, not {port}", "page", "port")
        self._together(section, "page", "certificate", "key")
        return RoomPage(
            self.value(section, str, "an address", "page", "host") if "host" in section else page.host,
            port,
            self._texts(section, "page", "names"),
            self._file(section, "page", "certificate"),
            self._file(section, "page", "key"),
            self.yes(section, "page", "plain"),
        )

    def _brokers(self, section: dict[str, object]) -> Brokers:
        self.only(section, ("brokers",), BROKERS, ("servers",))
        servers = self._texts(section, "brokers", "servers")
        for server in servers or ("",):
            if not server.startswith(("nats://", "tls://")):
                raise self.error(f"must be addresses as tls://room-1:4222, not {server!r}", "brokers", "servers")
        self._together(section, "brokers", "certificate", "key")
        return Brokers(servers, *(self._file(section, "brokers", key) for key in BROKERS[1:]))

    def _tables(self, section: dict[str, object]) -> Mapping[str, str]:
        found = {}
        for name in section:
            try:
                checked(name)
            except BadName as why:
                raise self.error(str(why), "tables", name) from None
            url = self.value(section, str, "an address", "tables", name)
            if not url.startswith(("http://", "https://")):
                raise self.error(f"must be as https://{name}.local:8443/, not {url!r}", "tables", name)
            found[name] = url
        return MappingProxyType(found)

    def _high_hands(self, sections: dict[str, object]) -> tuple[HighHandSection, ...]:
        if len(sections) > MOST_HIGH_HANDS:
            raise self.error(f"has {MOST_HIGH_HANDS} promotions at most, not {len(sections)}", "high-hands")
        found = []
        for name in sections:
            where, section = ("high-hands", name), self.section(sections, name)
            self.only(section, where, HIGH_HANDS, HIGH_HANDS[:4])
            game = self.value(section, str, "a game", *where, "game")
            if game not in OWN:
                raise self.error(f"must be {' or '.join(OWN)}, not {game!r}", *where, "game")
            least = tuple(self.value(section, str, "five cards", *where, "least").split())
            if len(least) != 5 or not is_hand(least):
                raise self.error('must be five cards, as "Ah Ad Ac Ks Kd"', *where, "least")
            since, until = (self._time(section, *where, key) for key in ("from", "until"))
            if since == until:
                raise self.error("must be another time than `from`", *where, "until")
            amounts = (self._count(section, *where, key) for key in ("pot", "players"))
            both = self.yes(section, *where, "both")
            found.append(HighHandSection(name, game, since, until, least, both, *amounts))
        return tuple(found)

    def _webhooks(self, sections: dict[str, object]) -> tuple[WebhookSection, ...]:
        if len(sections) > MOST_WEBHOOKS:
            raise self.error(f"are {MOST_WEBHOOKS} at most, not {len(sections)}", "webhooks")
        found = []
        for name in sections:
            where, section = ("webhooks", name), self.section(sections, name)
            if not NAME.fullmatch(name):
                raise self.error("must be named with a-z, 0-9 and -, up to 40", *where)
            self.only(section, where, WEBHOOK, WEBHOOK[:3])
            url = self.value(section, str, "an address", *where, "url")
            why = wrong_address(url, plain=self.yes(section, *where, "plain"))
            if why:
                raise self.error(why, *where, "url")
            events = self._texts(section, *where, "events")
            for event in events or ("",):
                if event not in EVENTS:
                    raise self.error(f"there is no event {event!r}; there are {', '.join(EVENTS)}", *where, "events")
            found.append(WebhookSection(name, url, self.file(section, *where, "secret_file"), frozenset(events)))
        return tuple(found)

    def _time(self, section: dict[str, object], *where: str) -> float:
        text = self.value(section, str, "a time of the day", *where)
        try:
            at = time.fromisoformat(text)
        except ValueError:
            raise self.error(f'must be a time of the day, as "16:00", not {text!r}', *where) from None
        return at.hour * 3600.0 + at.minute * 60.0

    def _count(self, section: dict[str, object], *where: str) -> int:
        count = self.value(section, int, "a whole number", *where) if where[-1] in section else 0
        if not 0 <= count < 2**31:
            raise self.error(f"must be a whole number from 0, not {count}", *where)
        return count

    def _file(self, section: dict[str, object], *where: str) -> Path | None:
        return self.file(section, *where) if where[-1] in section else None

    def _texts(self, section: dict[str, object], *where: str) -> tuple[str, ...]:
        found = section.get(where[-1], [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.error(f"must be a list of texts, not {found!r}", *where)
        return tuple(map(str, found))

    def _together(self, section: dict[str, object], where: str, *keys: str) -> None:
        for key in keys:
            if key not in section and any(other in section for other in keys):
                raise self.error(f"is missing; {' and '.join(keys)} go together", where, key)
