"""Who may do what: the one table of the staff's authority.

The people of the house are staff; people at the seats are players. A member of the staff has one role. What a role may
enter as a line of the table script, and which page or request it may have, is said here and nowhere else: the page
cannot be made with a route that is missing in `ROUTES`, and the desk takes no word that is missing in `WORDS`.
"""

from collections.abc import Mapping
from enum import Enum, unique
from types import MappingProxyType


@unique
class Role(Enum):
    """What a member of the staff is at this table."""

    DEALER = "dealer"
    """Deals, and enters what happens."""
    FLOOR = "floor"
    """Decides what the rulebook leaves to a person, and overrules."""
    TECHNICIAN = "technician"
    """Looks after devices and decks, clears latched faults, enrols staff."""
    AUDITOR = "auditor"
    """Reads the record and changes nothing."""


@unique
class TokenRole(Enum):
    """What a machine of the house is at this table, by the token that it sends. No person has such a role."""

    WATCH = "watch"
    """Reads what every spectator sees."""
    FLOOR_READ = "floor-read"
    """Reads besides what the staff see: faults in full, devices, notices, the hands that were played."""
    ROOM = "room"
    """Reads the table and its devices, calls the floor, tries the lamps; enters lines at a simulated table."""
    AUDITOR = "auditor"
    """Reads the table as a spectator does, and the record."""
    METRICS = "metrics"
    """Reads counts and times, and no game."""
    BROADCAST = "broadcast"
    """Reads what everybody sees, and the hands of a broadcast in their time."""
    UPLINK = "uplink"
    """Tells a room of many tables how this one stands, and hands in what that asks: each by itself signed."""


Roles = frozenset[Role | TokenRole]

OPEN: Roles | None = None
"""The right of a route that anybody may have who can reach the page: it shows nothing hidden and changes nothing."""

DEALER = frozenset({Role.DEALER, Role.FLOOR})
"""What the dealer does; the floor may sit in for the dealer."""
FLOOR = frozenset({Role.FLOOR})
TECHNICIAN = frozenset({Role.TECHNICIAN})
STAFF = frozenset(Role)
ENROLS = TECHNICIAN
"""Who enrols, removes and resets staff, besides whoever holds the one-time code."""

WATCHES = frozenset(TokenRole) - {TokenRole.METRICS}
"""Tokens that may see the table as everybody does."""
STAFF_TOKENS = frozenset({TokenRole.FLOOR_READ, TokenRole.ROOM, TokenRole.UPLINK})
"""Tokens that are told what the staff see of the table's own state."""
RECORD_TOKENS = frozenset({TokenRole.FLOOR_READ, TokenRole.AUDITOR})
ROOM_TOKENS = frozenset({TokenRole.ROOM})
ANY_TOKEN = frozenset(TokenRole)
UPLINK_TOKENS = frozenset({TokenRole.UPLINK})
ASKS_FROM_THE_ROOM = frozenset({Role.FLOOR, Role.TECHNICIAN})
"""Whose entries a table takes from its room. Who deals, deals at the table."""
BROADCAST_TOKENS = frozenset({TokenRole.BROADCAST})
"""Tokens that are shown the cards of hands, in their time (docs/broadcast.md)."""

WORDS: Mapping[str, Roles] = MappingProxyType(
    {
        "start": DEALER, "done": DEALER, "undo": DEALER, "act": DEALER, "closed": DEALER, "draw": DEALER,
        "show": DEALER, "muck": DEALER, "won": DEALER, "clock": DEALER, "report": DEALER, "chop": DEALER,
        "sit": DEALER, "leave": DEALER, "away": DEALER, "back": DEALER, "stack": DEALER, "level": DEALER,
        "card": DEALER, "timer": DEALER, "break": DEALER, "colour-up": DEALER, "buy": DEALER, "twice": DEALER,
        "floor": FLOOR, "penalty": FLOOR, "hand-for-hand": FLOOR, "last-hands": FLOOR, "halt": FLOOR, "amend": DEALER,
        "game": DEALER,
        "device": DEALER | TECHNICIAN,
    }
)  # fmt: skip
"""Word of the table script -> who may enter it on a page. What is not here only devices and clocks enter.

A `device` only as the end of a latched fault, and by the roles that the table of faults (`faults.FAULTS`) names for it.
"""

ROUTES: Mapping[str, Roles | None] = MappingProxyType(
    {
        # Looking at the table, and finding out who one is.
        "GET /": OPEN,
        "GET /watch": OPEN,
        "GET /events": OPEN,
        "GET /state": OPEN,
        "GET /errors": OPEN,
        "GET /favicon.ico": OPEN,
        "GET /catalogue.js": OPEN,
        "GET /static": OPEN,
        "GET /who": OPEN,
        # Signing in. These judge for themselves: by a PIN, or by the one-time code.
        "GET /sign-in": OPEN,
        "GET /staff": OPEN,
        "POST /sign-in": OPEN,
        "POST /enrol": OPEN,
        # Whoever is signed in.
        "POST /sign-out": STAFF,
        "POST /pin": STAFF,
        "POST /code": ENROLS,
        # The table: which words of it a role may enter, `WORDS` says.
        "POST /entry": DEALER | TECHNICIAN,
        "GET /entries": DEALER,
        "GET /decks": STAFF,
        "POST /decks": DEALER | TECHNICIAN,
        # The record. Its page is empty; what it fetches is for staff.
        "GET /hands": OPEN,
        "GET /hands/list": STAFF,
        "GET /hands/export": STAFF,
        "GET /hands/{hand:int}": STAFF,
        "GET /hands/{session:int}/{hand:int}": STAFF,
        # The floor. What it decides is an entry like any other.
        "GET /floor": OPEN,
        "GET /printed/{cite}": STAFF,
        "GET /by-people": STAFF,
        "POST /call": DEALER,
        # The dealers' school, which is no table: it shows hands that nobody plays.
        "GET /train": OPEN,
        "GET /train/lessons": STAFF,
        "GET /train/lessons/{book}/{lesson}": STAFF,
        # The technician: out of service only, and it shows tags.
        "GET /technician": OPEN,
        "GET /workshop": TECHNICIAN,
        "POST /workshop": TECHNICIAN,
        # Putting the table up, and keeping it: its file, a copy of all it knows. The authority's certificate is public.
        "GET /ca.crt": OPEN,
        "GET /certificate": TECHNICIAN,
        "POST /certificate": TECHNICIAN,
        "POST /backup": TECHNICIAN,
        "GET /set-up": OPEN,
        "GET /set-up/found": TECHNICIAN,
        "POST /set-up": TECHNICIAN,
        # What is counted, for Prometheus, where the table's file wants it.
        "GET /metrics": TECHNICIAN | frozenset({TokenRole.METRICS}),
        # The API (docs/api.md), which is for tokens alone: a person's session has none of it.
        "GET /api/v1/health": OPEN,
        "GET /api/v1/openapi.json": OPEN,
        "GET /api/v1/script.schema.json": OPEN,
        "GET /api/v1/table": WATCHES,
        "GET /api/v1/events": WATCHES,
        "GET /api/v1/inventory": STAFF_TOKENS,
        "GET /api/v1/errors": ANY_TOKEN,
        "GET /api/v1/hands": RECORD_TOKENS,
        "GET /api/v1/hands/{session:int}/{hand:int}": RECORD_TOKENS,
        "POST /api/v1/call": ROOM_TOKENS,
        "POST /api/v1/lamps": ROOM_TOKENS,
        "POST /api/v1/entries": ROOM_TOKENS,
        # What a room of many tables asks, where the table's file allows it.
        "POST /api/v1/room/standing": UPLINK_TOKENS,
        "POST /api/v1/room/enter": UPLINK_TOKENS,
        "POST /api/v1/room/staff": UPLINK_TOKENS,
        "POST /api/v1/room/fetch": UPLINK_TOKENS,
        "POST /api/v1/room/release": UPLINK_TOKENS,
        "POST /api/v1/room/file": UPLINK_TOKENS,
        "POST /api/v1/room/set-up": UPLINK_TOKENS,
        "POST /api/v1/room/announce": UPLINK_TOKENS,
        # The broadcast, where the table's file has one. Its pages are empty; what the overlay fetches is for tokens.
        "GET /broadcast": OPEN,
        "GET /broadcast/show": BROADCAST_TOKENS,
        "GET /broadcast/feed": BROADCAST_TOKENS,
        "GET /broadcast/desk": OPEN,
        "GET /broadcast/delay": STAFF,
        "POST /broadcast/delay": FLOOR | TECHNICIAN,
        # The simulated room; a live table has none of these.
        "POST /simulation": STAFF,
        "GET /answers": STAFF,
    }
)
"""Method and path of a route -> who may have it; `OPEN`: anybody."""

IDLE_SECONDS: Mapping[Role, float] = MappingProxyType(
    {Role.DEALER: 45 * 60.0, Role.FLOOR: 3 * 60.0, Role.TECHNICIAN: 15 * 60.0, Role.AUDITOR: 15 * 60.0}
)
"""After how long without a touch a person is signed out: a dealer's down, and a glance for whoever may overrule."""

LONGEST_SECONDS = 12 * 3600.0
"""After how long anybody is signed out who never paused."""

HOMES: Mapping[Role, str] = MappingProxyType(
    {Role.DEALER: "/", Role.FLOOR: "/", Role.TECHNICIAN: "/technician", Role.AUDITOR: "/hands"}
)
"""Where the page goes after somebody signed in."""


def may_enter(role: Role | TokenRole, word: str) -> bool:
    """Whether a role may enter a word of the table script on a page."""
    return role in WORDS.get(word, frozenset())


def role_named(name: str) -> Role | None:
    """Find the role called `name`."""
    return next((role for role in Role if role.value == name), None)


def right_to(method: str, path: str) -> Roles | None:
    """Look up who may have a route; raises `KeyError` for one that nobody has declared."""
    return ROUTES[f"{'GET' if method == 'HEAD' else method} {path}"]
