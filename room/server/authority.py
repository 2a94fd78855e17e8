"""Who may do what at the room's server: the one table, as `controller.runtime.staff.authority` is a table's.

People are told apart as at a table: the same list of staff, the same roles, sign-ins and PINs.
"""

from collections.abc import Mapping
from types import MappingProxyType

from controller.runtime.staff.authority import DEALER, ENROLS, FLOOR, OPEN, STAFF, TECHNICIAN, Role, Roles

WHERE = "room/server/authority.py"

DESK = FLOOR | TECHNICIAN
"""Who runs the room."""

ROUTES: Mapping[str, Roles | None] = MappingProxyType(
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
        "POST /sign-out": STAFF,
        "POST /pin": STAFF,
        "POST /code": ENROLS,
        # The floor: all tables as every spectator sees them, and who calls. Taking a call is a person's word.
        "GET /": OPEN,
        "GET /floor/events": OPEN,
        "GET /floor/case/{table}": STAFF,
        "POST /floor/calls": FLOOR,
        # What all tables ruled. The pages are empty.
        "GET /rulings": OPEN,
        "GET /rulings/list": STAFF,
        "GET /rulings/{journal}/{session}/{hand}": STAFF,
        "GET /shift": OPEN,
        "GET /shift/report": DESK | frozenset({Role.AUDITOR}),
        # Tournaments: the board is for everybody, and the desk is the floor's.
        "GET /events": OPEN,
        "GET /events/board": OPEN,
        "GET /events/list": OPEN,
        "GET /events/{event}/told": OPEN,
        "GET /events/{event}/desk": FLOOR,
        "GET /events/{event}/slips": FLOOR,
        "POST /events/open": FLOOR,
        "POST /events/{event}/say": FLOOR,
        # Decisions at a table: signed by the person, and judged by the table.
        "GET /decide/{table}": DESK,
        "POST /decide": DESK,
        # The waiting lists: a board for everybody; who is on them the desk says.
        "GET /lists": OPEN,
        "GET /lists/events": OPEN,
        "POST /lists": FLOOR,
        # Who deals where, and the next push: the names of the house's people are for its people.
        "GET /dealers": OPEN,
        "GET /dealers/events": STAFF,
        "POST /dealers": FLOOR,
        # High hands: a board for everybody, and the floor's word on candidates.
        "GET /high-hands": OPEN,
        "GET /high-hands/events": OPEN,
        "GET /high-hands/desk": FLOOR,
        "POST /high-hands": FLOOR,
        # The staff, and where the newest list is not yet.
        "GET /people": OPEN,
        "GET /people/events": STAFF,
        "POST /people/withdraw": ENROLS,
        # The fleet: programs, releases and files of the tables.
        "GET /fleet": OPEN,
        "GET /fleet/events": STAFF,
        "GET /fleet/releases": TECHNICIAN,
        "POST /fleet/would": TECHNICIAN,
        "POST /fleet/stage": TECHNICIAN,
        "POST /fleet/drop": TECHNICIAN,
        "POST /fleet/file": TECHNICIAN,
        "POST /fleet/present": TECHNICIAN,
        # Webhooks: how each stands, and that it is told again.
        "GET /webhooks": OPEN,
        "GET /webhooks/events": DESK,
        "POST /webhooks/again": DESK,
    }
)
"""Method and path of a route -> who may have it; `OPEN`: anybody who reaches the server."""

IDLE_SECONDS: Mapping[Role, float] = MappingProxyType(
    {Role.DEALER: 15 * 60.0, Role.FLOOR: 45 * 60.0, Role.TECHNICIAN: 15 * 60.0, Role.AUDITOR: 15 * 60.0}
)
"""A desk is manned and a phone is in a pocket: the floor stays longer than at a table, where a glance is enough."""

HOMES: Mapping[Role, str] = MappingProxyType(dict.fromkeys(Role, "/"))
"""Where the page goes after somebody signed in."""


def right_to(method: str, path: str) -> Roles | None:
    """Look up who may have a route; raises `KeyError` for one that nobody has declared."""
    return ROUTES[f"{'GET' if method == 'HEAD' else method} {path}"]


__all__ = ["DEALER", "DESK", "HOMES", "IDLE_SECONDS", "OPEN", "ROUTES", "STAFF", "right_to"]
