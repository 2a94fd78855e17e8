"""Who may do what at the room's server: the one table, as `controller.runtime.staff.permissions` is a table's.

People are told apart as at a table: the same list of staff, the same roles, sign-ins and PINs.
"""

from collections.abc import Mapping
from types import MappingProxyType

from controller.runtime.staff.permissions import (
    DEALING_ROLES,
    ENROLLING_ROLES,
    FLOOR_ROLES,
    OPEN,
    STAFF_ROLES,
    TECHNICIAN_ROLES,
    Role,
    Roles,
)

DECLARED_IN = "room/server/route_permissions.py"

DESK_ROLES = FLOOR_ROLES | TECHNICIAN_ROLES
"""Who runs the room."""

ROLES_BY_ROUTE: Mapping[str, Roles | None] = MappingProxyType(
    {
        # Pages are empty; what they fetch is for whom it is for.
        "GET /favicon.ico": OPEN,
        "GET /catalogue.js": OPEN,
        "GET /static": OPEN,
        "GET /room": OPEN,
        # Signing in, as at a table.
        "GET /who": OPEN,
        "GET /sign-in": OPEN,
        "GET /staff": OPEN,
        "POST /sign-in": OPEN,
        "POST /enrol": OPEN,
        "POST /code/role": OPEN,
        "POST /sign-out": STAFF_ROLES,
        "POST /pin": STAFF_ROLES,
        "POST /code": ENROLLING_ROLES,
        # The floor: all tables as every spectator sees them, and who calls. Taking a call is a person's word.
        "GET /": OPEN,
        "GET /floor/events": OPEN,
        "GET /floor/case/{table}": STAFF_ROLES,
        "POST /floor/calls": FLOOR_ROLES,
        # What all tables ruled. The pages are empty.
        "GET /rulings": OPEN,
        "GET /rulings/list": STAFF_ROLES,
        "GET /rulings/{journal}/{session}/{hand}": STAFF_ROLES,
        "GET /shift": OPEN,
        "GET /shift/report": DESK_ROLES | frozenset({Role.AUDITOR}),
        # What the house took, and the close of its day: the money is the floor's, and the auditor's to look at.
        "GET /drop": OPEN,
        "GET /drop/day": FLOOR_ROLES | frozenset({Role.AUDITOR}),
        "POST /drop": FLOOR_ROLES,
        # Tournaments: the board is for everybody, and the desk is the floor's.
        "GET /events": OPEN,
        "GET /events/board": OPEN,
        "GET /events/list": OPEN,
        "GET /events/{event}/told": OPEN,
        "GET /events/{event}/desk": FLOOR_ROLES,
        "GET /events/{event}/slips": FLOOR_ROLES,
        "GET /events/{event}/account.csv": FLOOR_ROLES,
        "POST /events/open": FLOOR_ROLES,
        "POST /events/{event}/say": FLOOR_ROLES,
        # Decisions at a table: signed by the person, and judged by the table.
        "GET /decide/{table}": DESK_ROLES,
        "POST /decide": DESK_ROLES,
        # The waiting lists: a board for everybody; who is on them the desk says.
        "GET /lists": OPEN,
        "GET /lists/events": OPEN,
        "POST /lists": FLOOR_ROLES,
        # Who deals where, and the next push: the names of the house's people are for its people.
        "GET /dealers": OPEN,
        "GET /dealers/events": STAFF_ROLES,
        "POST /dealers": FLOOR_ROLES,
        # High hands: a board for everybody, and the floor's word on candidates.
        "GET /high-hands": OPEN,
        "GET /high-hands/events": OPEN,
        "GET /high-hands/desk": FLOOR_ROLES,
        "POST /high-hands": FLOOR_ROLES,
        # The staff, and where the newest list is not yet.
        "GET /people": OPEN,
        "GET /people/events": STAFF_ROLES,
        "POST /people/withdraw": ENROLLING_ROLES,
        # The fleet: programs, releases and files of the tables.
        "GET /fleet": OPEN,
        "GET /fleet/events": STAFF_ROLES,
        "GET /fleet/releases": TECHNICIAN_ROLES,
        "POST /fleet/would": TECHNICIAN_ROLES,
        "POST /fleet/stage": TECHNICIAN_ROLES,
        "POST /fleet/drop": TECHNICIAN_ROLES,
        "POST /fleet/file": TECHNICIAN_ROLES,
        "POST /fleet/present": TECHNICIAN_ROLES,
        # Webhooks: how each stands, and that it is told again.
        "GET /webhooks": OPEN,
        "GET /webhooks/events": DESK_ROLES,
        "POST /webhooks/again": DESK_ROLES,
    }
)
"""Method and path of a route -> who may have it; `OPEN`: anybody who reaches the server."""

IDLE_TIMEOUT_S_BY_ROLE: Mapping[Role, float] = MappingProxyType(
    {Role.DEALER: 15 * 60.0, Role.FLOOR: 30 * 60.0, Role.TECHNICIAN: 15 * 60.0, Role.AUDITOR: 15 * 60.0}
)
"""A desk is manned and a phone is in a pocket; for the floor the room's file may say another."""

HOME_PAGE_BY_ROLE: Mapping[Role, str] = MappingProxyType(dict.fromkeys(Role, "/"))
"""Where the page goes after somebody signed in."""


def find_route_roles(method: str, path: str) -> Roles | None:
    """Look up who may have a route; raises `KeyError` for one that nobody has declared."""
    return ROLES_BY_ROUTE[f"{'GET' if method == 'HEAD' else method} {path}"]


__all__ = [
    "DEALING_ROLES",
    "DESK_ROLES",
    "HOME_PAGE_BY_ROLE",
    "IDLE_TIMEOUT_S_BY_ROLE",
    "OPEN",
    "ROLES_BY_ROUTE",
    "STAFF_ROLES",
    "find_route_roles",
]
