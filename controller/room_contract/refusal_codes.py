"""Which refusals of a table pass by themselves: what may be asked again later, and what waits for a person.

The codes come from the way to the table (`room.server.nats_gateway`, the uplink), from what the table asks of the
room's word (`controller.web.entries.room_endpoint`), and from its core (`docs/errors.md`). One place decides for all
of them.
"""

from collections.abc import Mapping
from types import MappingProxyType

RETRY_CONDITION_BY_CODE: Mapping[str, str] = MappingProxyType(
    {
        "no-broker": "the room reaches its brokers again",
        "not-reached": "the table's link is back",
        "no-answer": "its standing tells whether it was taken",
        "table-away": "the table's program is up again",
        "too-much": "it has worked off what waits; its standing tells whether it was taken",
        "sign-in-needed": "whose word it is signs in again",
        "unknown-staff": "it has the newest list of staff",
        "moved-on": "it is asked for the entry that it shows then",
        "not-now-here": "no hand is on",
        "not-expected": "its uplink has been told again what is to come",
        "not-now": "the hand, or the step, is over",
        "in-hand": "the hand is over",
        "hand-on": "the hand is over",
    }
)
"""Code of a refusal after which the same may be asked again, and when it may be taken."""

IN_DOUBT_CODES = frozenset({"no-answer", "table-away", "too-much"})
"""Codes after which it is not known whether the table has taken what it was asked; after all others it has not."""

FINAL_CODES = frozenset({
    "not-allowed", "no-room-asks",  # the files of its uplink and of the table let no room ask
    "not-understood", "bad-request",  # another version of the program
    "not-your-role", "floor-only", "value", "older-list",  # not this person, or not this line
    "not-signed",  # somebody on the way has changed it
    "not-there", "not-installed", "not-kept", "no-space", "not-that-piece",  # releases
    "page-fault", "internal-fault",  # the program failed
})  # fmt: skip
"""Codes of the way to the table after which a person must look.

What the core refuses, and `RETRY_CONDITION_BY_CODE` does not name, is final, too: the line does not fit the table.
"""


def is_temporary(code: str) -> bool:
    """Whether a refusal with this code passes by itself."""
    return code in RETRY_CONDITION_BY_CODE
