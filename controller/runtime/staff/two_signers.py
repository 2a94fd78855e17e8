"""Two people who sign the same: each enrolled now, and neither of them able to be the other."""

import base64
from collections.abc import Mapping, Sequence

from controller.runtime.staff.entry_signature import Signer
from controller.runtime.staff.person_names import fold_name
from controller.runtime.staff.staff_store import Person

MIN_KEY_AGE_S = 86400.0
"""So long whoever enrolled somebody, or gave them a new PIN, agrees on nothing with them: it may be one person."""


def find_person(by: Signer, people: Sequence[Person]) -> Person | None:
    """Return who is enrolled now with the name, the role and the key of a word; `None`: nobody any more."""
    told = by.get("name"), by.get("role"), by.get("key")
    return next(
        (
            person
            for person in people
            if (person.name, person.role.value, base64.b64encode(person.public_key).decode()) == told
        ),
        None,
    )


def has_independent_keys(one: Person, other: Person, wall: float) -> bool:
    """Whether neither of two gave the other, within a day, the key to sign with. `wall`: seconds, as in `Person`."""
    return all(
        given.key_given_by != giver.name or wall - given.key_since >= MIN_KEY_AGE_S
        for given, giver in ((one, other), (other, one))
    )


def find_shared_vouchers(one: str, other: str, givers_by_name: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return who may be both of two people: whom the word for each of them goes back to, from hand to hand.

    `givers_by_name` as `StaffStore.list_key_givers` has it. Empty: they are two people, whoever of them wants what.
    """
    return _list_vouchers(one, givers_by_name) & _list_vouchers(other, givers_by_name)


def _list_vouchers(name: str, givers_by_name: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """A person, whoever let that person in, whoever let those in, and so on; each once."""
    found: set[str] = set()
    waiting = [fold_name(name)]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += givers_by_name.get(each, ())
    return frozenset(found)
