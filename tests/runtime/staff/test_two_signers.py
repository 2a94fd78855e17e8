"""Whoever is alone at a table stays one person, whatever names, PINs and codes are given; the room has another."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from nacl.signing import SigningKey

from controller.runtime.staff.permissions import Role
from controller.runtime.staff.pin_codes import HashCost
from controller.runtime.staff.room_staff_list import RoomStaffList
from controller.runtime.staff.staff_store import StaffStore, Warrant
from controller.runtime.staff.two_signers import find_shared_vouchers

CHEAP = HashCost(1, 8192)
PIN = "862075"


def make_names(staff: StaffStore, chance: Random, count: int) -> None:
    """Do `count` things that somebody can who began with a code of the terminal: enrol, give a PIN, remove."""
    warrants = [staff.redeem_code(staff.make_one_time_code())]
    staff.enrol("N0", Role.TECHNICIAN, PIN, warrants.pop())
    names = ["N0"]
    for number in range(1, count):
        by = Warrant(chance.choice(names))
        if chance.random() < 0.3:
            by = staff.redeem_code(staff.make_one_time_code())
        match chance.choice(("enrol", "enrol", "give a PIN", "remove")):
            case "enrol":
                names.append(f"N{number}")
                staff.enrol(names[-1], chance.choice((Role.TECHNICIAN, Role.FLOOR)), PIN, by)
            case "give a PIN":
                staff.reset_pin(chance.choice([each.name for each in staff.list_people()]), PIN, by)
            case _ if len(staff.list_people()) > 1 and staff.list_people()[-1].name != "N0":
                staff.remove(staff.list_people()[-1].name, by)


@pytest.mark.parametrize("seed", range(12))
def test_no_two_names_of_one_table_are_two_people(tmp_path: Path, seed: int) -> None:
    staff, room = (StaffStore(tmp_path / name, cost=CHEAP) for name in ("staff.sqlite", "room.sqlite"))
    make_names(staff, Random(seed), 14)
    room.enrol("Rob", Role.FLOOR, PIN, room.redeem_code(room.make_one_time_code()))
    room.enrol("Roy", Role.TECHNICIAN, PIN, Warrant("Rob"))
    staff.apply_room_list(RoomStaffList(1, room.list_for_room()), SigningKey.generate().verify_key)
    givers = staff.list_key_givers()
    of_room = {"Rob", "Roy"}
    names = [person.name for person in staff.list_people()]
    assert len(names) > len(of_room)
    for one, other in combinations(names, 2):
        is_one_of_each = (one in of_room) is not (other in of_room)
        assert bool(find_shared_vouchers(one, other, givers)) is not is_one_of_each, (one, other, givers)
        assert find_shared_vouchers(one, other, givers) == find_shared_vouchers(other, one, givers)


def test_whom_a_person_of_the_room_let_in_at_the_table_is_not_another(tmp_path: Path) -> None:
    """Also where the person of the room has the name of one of the table, and however the name is written."""
    staff, room = (StaffStore(tmp_path / name, cost=CHEAP) for name in ("staff.sqlite", "room.sqlite"))
    staff.enrol("Cy", Role.TECHNICIAN, PIN, staff.redeem_code(staff.make_one_time_code()))
    room.enrol("Flo", Role.FLOOR, PIN, Warrant("CY"))
    room.enrol("Tom", Role.TECHNICIAN, PIN, Warrant("Rae"))
    staff.apply_room_list(RoomStaffList(1, room.list_for_room()), SigningKey.generate().verify_key)
    staff.enrol("Eve", Role.TECHNICIAN, PIN, Warrant("tom"))
    givers = staff.list_key_givers()
    assert "cy" in find_shared_vouchers("Flo", "Cy", givers)
    assert "tom" in find_shared_vouchers("Tom", "Eve", givers)
    assert not find_shared_vouchers("Eve", "Cy", givers), "Tom of the room let her in, a code of the terminal Cy"
    staff.enrol("Bo", Role.FLOOR, PIN, Warrant("Cy"))
    assert not find_shared_vouchers("Bo", "Tom", staff.list_key_givers())
    staff.reset_pin("Bo", PIN, Warrant("Tom"))
    assert "tom" in find_shared_vouchers("Bo", "Tom", staff.list_key_givers()), "he knows the PIN"
    staff.reset_pin("Bo", PIN, Warrant("Cy"))
    assert "tom" in find_shared_vouchers("Bo", "Tom", staff.list_key_givers()), "he knew it"


def test_who_gave_each_other_a_pin_is_looked_at_once() -> None:
    ring = {f"n{each}": frozenset({f"n{(each + 1) % 500}"}) for each in range(500)}
    assert len(find_shared_vouchers("n0", "n250", ring)) == 500
