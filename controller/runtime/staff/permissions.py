"""Who may do what: the one table of the staff's permissions.

The people of the house are staff; people at the seats are players. A member of the staff has one role. What a role may
enter as a line of the table script, and which page or request it may have, is said here and nowhere else: the page
cannot be made with a route that is missing in `ROLES_BY_ROUTE`, and a page enters no word that is missing in
`ROLES_BY_EVENT`.
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

DEALING_ROLES = frozenset({Role.DEALER, Role.FLOOR})
"""What the dealer does; the floor may sit in for the dealer."""
FLOOR_ROLES = frozenset({Role.FLOOR})
TECHNICIAN_ROLES = frozenset({Role.TECHNICIAN})
AUDITOR_ROLES = frozenset({Role.AUDITOR})
STAFF_ROLES = frozenset(Role)
ENROLLING_ROLES = TECHNICIAN_ROLES
"""Who enrols, removes and resets staff, besides whoever holds the one-time code."""

SPECTATOR_TOKENS = frozenset(TokenRole) - {TokenRole.METRICS}
"""Tokens that may see the table as everybody does."""
STAFF_TOKENS = frozenset({TokenRole.FLOOR_READ, TokenRole.ROOM, TokenRole.UPLINK})
"""Tokens that are told what the staff see of the table's own state."""
RECORD_TOKENS = frozenset({TokenRole.FLOOR_READ, TokenRole.AUDITOR})
ROOM_TOKENS = frozenset({TokenRole.ROOM})
ANY_TOKEN = frozenset(TokenRole)
UPLINK_TOKENS = frozenset({TokenRole.UPLINK})
REMOTE_ENTRY_ROLES = frozenset({Role.FLOOR, Role.TECHNICIAN})
"""Whose entries a table takes from its room. Who deals, deals at the table."""
BROADCAST_TOKENS = frozenset({TokenRole.BROADCAST})
"""Tokens that are shown the cards of hands, in their time (docs/broadcast.md)."""

ROLES_BY_EVENT: Mapping[str, Roles] = MappingProxyType(
    {
        "start": DEALING_ROLES, "done": DEALING_ROLES, "undo": DEALING_ROLES, "act": DEALING_ROLES,
        "closed": DEALING_ROLES, "draw": DEALING_ROLES,
        "show": DEALING_ROLES, "muck": DEALING_ROLES, "won": DEALING_ROLES, "clock": DEALING_ROLES,
        "report": DEALING_ROLES, "chop": DEALING_ROLES,
        "sit": DEALING_ROLES, "leave": DEALING_ROLES, "away": DEALING_ROLES, "back": DEALING_ROLES,
        "stack": DEALING_ROLES, "level": DEALING_ROLES,
        "card": DEALING_ROLES, "timer": DEALING_ROLES, "break": DEALING_ROLES, "colour-up": DEALING_ROLES,
        "buy": DEALING_ROLES, "twice": DEALING_ROLES, "collect": DEALING_ROLES,
        "floor": FLOOR_ROLES, "penalty": FLOOR_ROLES, "hand-for-hand": FLOOR_ROLES, "last-hands": FLOOR_ROLES,
        "halt": FLOOR_ROLES, "tournament-over": FLOOR_ROLES, "collection": FLOOR_ROLES, "amend": DEALING_ROLES,
        "game": DEALING_ROLES,
        "device": DEALING_ROLES | TECHNICIAN_ROLES,
    }
)  # fmt: skip
"""Word of the table script -> who may enter it on a page. What is not here only devices and clocks enter.

A `device` only as the end of a latched fault, and by the roles that the table of faults (`faults.FAULTS`) names for it.
"""

ROLES_BY_ROUTE: Mapping[str, Roles | None] = MappingProxyType(
    {
        # Looking at the table, and finding out who one is.
        "GET /": OPEN,
        "GET /watch": OPEN,
        "GET /notice": OPEN,
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
        "POST /code/role": OPEN,
        # Whoever is signed in.
        "POST /sign-out": STAFF_ROLES,
        "POST /pin": STAFF_ROLES,
        "POST /code": ENROLLING_ROLES,
        # The table: which words of it a role may enter, `ROLES_BY_EVENT` says.
        "POST /entry": DEALING_ROLES | TECHNICIAN_ROLES,
        "GET /entries": DEALING_ROLES,
        "GET /offers": DEALING_ROLES,
        "GET /decks": STAFF_ROLES,
        "POST /decks": DEALING_ROLES | TECHNICIAN_ROLES,
        # The record. Its page is empty; what it fetches is for staff.
        "GET /hands": OPEN,
        "GET /hands/list": STAFF_ROLES,
        "GET /hands/export": STAFF_ROLES,
        "GET /hands/{hand:int}": STAFF_ROLES,
        "GET /hands/{session:int}/{hand:int}": STAFF_ROLES,
        # The floor. What it decides is an entry like any other.
        "GET /floor": OPEN,
        "GET /printed/{cite}": STAFF_ROLES,
        "GET /by-people": STAFF_ROLES,
        "POST /call": DEALING_ROLES,
        # What the house took, and its box. The page is empty; what it fetches is for the floor and the auditor.
        "GET /drop": OPEN,
        "GET /drop/list": FLOOR_ROLES | AUDITOR_ROLES,
        "GET /drop/export": FLOOR_ROLES | AUDITOR_ROLES,
        "POST /drop/count": FLOOR_ROLES,
        # The dealers' school, which is no table: it shows hands that nobody plays.
        "GET /train": OPEN,
        "GET /train/lessons": STAFF_ROLES,
        "GET /train/lessons/{book}/{lesson}": STAFF_ROLES,
        # The technician: out of service only, and it shows tags.
        "GET /technician": OPEN,
        "GET /workshop": TECHNICIAN_ROLES,
        "POST /workshop": TECHNICIAN_ROLES,
        # Putting the table up, and keeping it: its file, a copy of all it knows. The authority's certificate is public.
        "GET /ca.crt": OPEN,
        "GET /certificate": TECHNICIAN_ROLES,
        "POST /certificate": TECHNICIAN_ROLES,
        "POST /backup": TECHNICIAN_ROLES,
        "GET /set-up": OPEN,
        "GET /set-up/found": TECHNICIAN_ROLES,
        "POST /set-up": TECHNICIAN_ROLES,
        # What is counted, for Prometheus, where the table's file wants it.
        "GET /metrics": TECHNICIAN_ROLES | frozenset({TokenRole.METRICS}),
        # The API (docs/api.md), which is for tokens alone: a person's session has none of it.
        "GET /api/v1/health": OPEN,
        "GET /api/v1/openapi.json": OPEN,
        "GET /api/v1/script.schema.json": OPEN,
        "GET /api/v1/table": SPECTATOR_TOKENS,
        "GET /api/v1/events": SPECTATOR_TOKENS,
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
        "GET /broadcast/delay": STAFF_ROLES,
        "POST /broadcast/delay": FLOOR_ROLES | TECHNICIAN_ROLES,
        # The simulated room; a live table has none of these.
        "POST /simulation": STAFF_ROLES,
        "GET /answers": STAFF_ROLES,
    }
)
"""Method and path of a route -> who may have it; `OPEN`: anybody."""

IDLE_TIMEOUT_S_BY_ROLE: Mapping[Role, float] = MappingProxyType(
    {Role.DEALER: 45 * 60.0, Role.FLOOR: 30 * 60.0, Role.TECHNICIAN: 15 * 60.0, Role.AUDITOR: 15 * 60.0}
)
"""After how long without a touch a person is signed out: a dealer's down; for the floor the house may say another."""

DECIDING_TIMEOUT_S = 3 * 60.0
"""After how long without a touch the floor types the PIN again before it changes anything, and is signed out over a
dealer: a glance for whoever may overrule."""

MAX_SESSION_DURATION_S = 12 * 3600.0
"""After how long anybody is signed out who never paused."""

HOME_PAGE_BY_ROLE: Mapping[Role, str] = MappingProxyType(
    {Role.DEALER: "/", Role.FLOOR: "/floor", Role.TECHNICIAN: "/technician", Role.AUDITOR: "/hands"}
)
"""Where the page goes after somebody signed in. Over a dealer it stays where the dealer was."""


def can_enter(role: Role | TokenRole, word: str) -> bool:
    """Whether a role may enter a word of the table script on a page."""
    return role in ROLES_BY_EVENT.get(word, frozenset())


def find_role(name: str) -> Role | None:
    """Find the role called `name`."""
    return next((role for role in Role if role.value == name), None)


def find_route_roles(method: str, path: str) -> Roles | None:
    """Look up who may have a route; raises `KeyError` for one that nobody has declared."""
    return ROLES_BY_ROUTE[f"{'GET' if method == 'HEAD' else method} {path}"]
