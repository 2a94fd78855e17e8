"""Enrolment, PINs and keys, wrong tries: what the staff's file takes, and what it never gives away."""

import logging
import sqlite3
import statistics
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import pwhash
from nacl.signing import SigningKey, VerifyKey

from controller.runtime.staff import entry_signature, pin_codes, rate_limit, staff_store
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.pin_codes import HashCost
from controller.runtime.staff.rate_limit import FREE_TRIES, MAX_TRIES, MAX_WAIT_S, MIN_WAIT_S
from controller.runtime.staff.staff_store import (
    CODE_VALIDITY_S,
    MAX_CODE_TRIES,
    MAX_OPEN_CODES,
    MAX_PIN_AGE_S,
    StaffStore,
)
from controller.runtime.storage.sqlite_database import DatabaseError, open_database

CHEAP = HashCost(1, 8192)
PIN, OTHER = "194728", "503316"


class House:
    """A staff's file and a clock; `again` opens the file as a restart does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at = 1_800_000_000.0
        self.staff = StaffStore(path, cost=CHEAP, now=lambda: self.at)

    def reopen(self) -> None:
        self.staff.close()
        self.staff = StaffStore(self.path, cost=CHEAP, now=lambda: self.at)

    def enrol(self, name: str, role: Role = Role.DEALER, pin: str = PIN) -> None:
        self.staff.enrol(name, role, pin, self.staff.redeem_code(self.staff.make_one_time_code()))

    def code_of(self, act: Callable[[], object]) -> RefusalCode:
        with pytest.raises(AdmissionError) as why:
            act()
        return why.value.code


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "staff.sqlite")
    yield house
    house.staff.close()


def test_nobody_is_enrolled_at_first_and_no_pin_opens(house: House) -> None:
    assert house.staff.list_people() == []
    assert not house.staff.is_code_valid()
    for name in ("", "admin", "root", "dealer"):
        assert house.code_of(lambda name=name: house.staff.sign_in(name, "000000")) is RefusalCode.WRONG_PIN  # type: ignore[misc]
        house.at += MAX_WAIT_S


def test_the_one_time_code_enrols_one_person(house: House) -> None:
    code = house.staff.make_one_time_code()
    assert len(code) == staff_store.CODE_DIGITS
    assert code.isdecimal()
    warrant = house.staff.redeem_code(staff_store.format_code(code))
    house.staff.enrol("Ada", Role.TECHNICIAN, PIN, warrant)
    assert house.code_of(lambda: house.staff.redeem_code(code)) is RefusalCode.WRONG_CODE
    assert house.code_of(lambda: house.staff.enrol("Bo", Role.DEALER, PIN, warrant)) is RefusalCode.WRONG_CODE
    assert [(person.name, person.role) for person in house.staff.list_people()] == [("Ada", Role.TECHNICIAN)]


def test_a_code_is_not_used_up_by_a_name_that_will_not_do(house: House) -> None:
    house.enrol("Ada")
    warrant = house.staff.redeem_code(house.staff.make_one_time_code())
    assert house.code_of(lambda: house.staff.enrol("ada", Role.DEALER, PIN, warrant)) is RefusalCode.NAME_TAKEN
    house.staff.enrol("Bo", Role.DEALER, PIN, warrant)


def test_a_code_is_void_after_ten_wrong_tries_also_over_restarts(house: House) -> None:
    code = house.staff.make_one_time_code()
    wrong = "00000000" if code != "00000000" else "00000001"
    for _ in range(MAX_CODE_TRIES):
        assert house.code_of(lambda: house.staff.redeem_code(wrong)) is RefusalCode.WRONG_CODE
        house.reopen()
    assert house.code_of(lambda: house.staff.redeem_code(code)) is RefusalCode.WRONG_CODE
    assert not house.staff.is_code_valid()


def test_a_code_is_void_after_a_day_and_when_a_new_one_is_made(house: House) -> None:
    code = house.staff.make_one_time_code()
    house.at += CODE_VALIDITY_S
    assert house.code_of(lambda: house.staff.redeem_code(code)) is RefusalCode.WRONG_CODE
    old, new = house.staff.make_one_time_code(), house.staff.make_one_time_code()
    assert old == new or house.code_of(lambda: house.staff.redeem_code(old)) is RefusalCode.WRONG_CODE
    assert house.staff.redeem_code(new).is_one_time


@pytest.mark.parametrize("other", ["ada", "ADA", " Ada ", "\uff21da", "A\u0301da"])
def test_names_are_one_however_they_are_written(house: House, other: str) -> None:
    house.enrol("Áda" if "\u0301" in other else "Ada")
    assert house.code_of(lambda: house.enrol(other, pin=OTHER)) is RefusalCode.NAME_TAKEN
    assert house.staff.sign_in(other, PIN).name in ("Ada", "Áda")


def test_a_name_is_never_given_twice(house: House) -> None:
    house.enrol("Cy", Role.TECHNICIAN)
    house.enrol("Ada")
    warrant = house.staff.make_warrant(house.staff.sign_in("Cy", PIN))
    house.staff.remove("ada", warrant)
    assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.WRONG_PIN
    assert house.code_of(lambda: house.enrol("Ada")) is RefusalCode.NAME_TAKEN
    assert [key.name for key in house.staff.list_signing_keys()] == ["Cy", "Ada"], (
        "signatures in the journal need the old keys"
    )


@pytest.mark.parametrize("name", ["", " ", "-", "x" * 25, "a\tb\x00", "a\u202eb", "<b>", "a|b", "\ud800"])
def test_names_that_will_not_do(house: House, name: str) -> None:
    assert house.code_of(lambda: house.enrol(name)) is RefusalCode.NAME_UNFIT
    assert house.staff.list_people() == []


@pytest.mark.parametrize(
    "pin",
    [
        "",
        "12345",
        "1234567890123",
        "123456",
        "654321",
        "890123",
        "111111",
        "121212",
        "12345a",
        "\uff11\uff12\uff13\uff14\uff17\uff19",
        "19 472",
    ],
)
def test_pins_that_will_not_do(house: House, pin: str) -> None:
    assert house.code_of(lambda: house.enrol("Ada", pin=pin)) is RefusalCode.PIN_UNFIT
    house.enrol("Ada")
    assert house.code_of(lambda: house.staff.change_pin("Ada", PIN, pin)) is RefusalCode.PIN_UNFIT


def test_only_whoever_may_enrol_staff_does(house: House) -> None:
    for name, role in (("Ada", Role.DEALER), ("Bo", Role.FLOOR), ("Di", Role.AUDITOR)):
        house.enrol(name, role)
        signed_in = house.staff.sign_in(name, PIN)
        assert house.code_of(lambda who=signed_in: house.staff.make_warrant(who)) is RefusalCode.WRONG_ROLE  # type: ignore[misc]


def test_the_last_technician_stays(house: House) -> None:
    house.enrol("Cy", Role.TECHNICIAN)
    warrant = house.staff.make_warrant(house.staff.sign_in("Cy", PIN))
    assert house.code_of(lambda: house.staff.remove("Cy", warrant)) is RefusalCode.LAST_WHO_ENROLS
    house.enrol("Eve", Role.TECHNICIAN)
    house.staff.remove("Cy", warrant)
    assert [person.name for person in house.staff.list_people()] == ["Eve"]
    assert house.code_of(lambda: house.staff.remove("Nobody", warrant)) is RefusalCode.UNKNOWN_PERSON


def test_a_new_pin_keeps_the_key_and_a_reset_makes_another(house: House) -> None:
    house.enrol("Ada")
    before = house.staff.sign_in("Ada", PIN)
    house.staff.change_pin("Ada", PIN, OTHER)
    assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.WRONG_PIN
    after = house.staff.sign_in("Ada", OTHER)
    assert after.public_key == before.public_key
    assert house.staff.is_still_enrolled(after)
    assert not house.staff.is_still_enrolled(before), "whoever signed in with the old one does so again"
    house.staff.reset_pin("Ada", PIN, house.staff.redeem_code(house.staff.make_one_time_code()))
    reset = house.staff.sign_in("Ada", PIN)
    assert reset.public_key != before.public_key
    assert not house.staff.is_still_enrolled(after)
    assert [key.public_key for key in house.staff.list_signing_keys()] == [before.public_key, reset.public_key]


def test_a_pin_is_due_after_a_quarter(house: House) -> None:
    house.enrol("Ada")
    house.at += MAX_PIN_AGE_S - 1
    assert not house.staff.sign_in("Ada", PIN).needs_new_pin
    house.at += 1
    assert house.staff.sign_in("Ada", PIN).needs_new_pin
    assert not house.staff.change_pin("Ada", PIN, OTHER).needs_new_pin
    assert not house.staff.sign_in("Ada", OTHER).needs_new_pin


def test_wrong_tries_wait_longer_and_longer_then_lock_out_over_restarts(house: House) -> None:
    house.enrol("Ada")
    waits = []
    for wrong in range(MAX_TRIES):
        assert house.code_of(lambda: house.staff.sign_in("Ada", OTHER)) is RefusalCode.WRONG_PIN, wrong
        house.reopen()
        if FREE_TRIES <= wrong + 1 < MAX_TRIES:
            with pytest.raises(AdmissionError) as why:
                house.staff.sign_in("Ada", PIN)
            assert why.value.code is RefusalCode.WAIT
            waits.append(why.value.retry_after_s)
            house.at += why.value.retry_after_s
    assert waits == [15.0, 30.0, 60.0, 120.0, 240.0, 480.0, 900.0]
    house.at += 100 * MAX_WAIT_S
    house.reopen()
    assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.LOCKED_OUT
    assert [person.is_locked_out for person in house.staff.list_people()] == [True]
    house.staff.reset_pin("Ada", OTHER, house.staff.redeem_code(house.staff.make_one_time_code()))
    assert house.staff.sign_in("Ada", OTHER).name == "Ada"


def test_a_right_pin_clears_the_count(house: House) -> None:
    house.enrol("Ada")
    for _ in range(5):
        for _ in range(FREE_TRIES - 1):
            assert house.code_of(lambda: house.staff.sign_in("Ada", OTHER)) is RefusalCode.WRONG_PIN
        assert house.staff.sign_in("Ada", PIN).name == "Ada"


def test_a_try_is_counted_before_the_pin_is_looked_at(house: House) -> None:
    """Whoever pulls the plug while a wrong PIN is worked on has had the try all the same."""
    house.enrol("Ada")
    for _ in range(FREE_TRIES):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pin_codes, "unlock_key", _plug_is_pulled)
            with pytest.raises(KeyboardInterrupt):
                house.staff.sign_in("Ada", OTHER)
        house.reopen()
    assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.WAIT


def _plug_is_pulled(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_clock_that_was_set_back_makes_nobody_wait_longer(house: House) -> None:
    house.enrol("Ada")
    for _ in range(FREE_TRIES):
        assert house.code_of(lambda: house.staff.sign_in("Ada", OTHER)) is RefusalCode.WRONG_PIN
    house.at -= 365 * 86400.0
    with pytest.raises(AdmissionError) as why:
        house.staff.sign_in("Ada", PIN)
    assert why.value.retry_after_s == MIN_WAIT_S
    house.at += MIN_WAIT_S
    assert house.staff.sign_in("Ada", PIN).name == "Ada"


def test_unknown_names_wait_too_and_lock_nobody_out(house: House) -> None:
    house.enrol("Ada")
    seen = set()
    for number in range(3 * MAX_TRIES):
        seen.add(house.code_of(lambda n=number: house.staff.sign_in(f"x{n}", PIN)))  # type: ignore[misc]
        house.at += MAX_WAIT_S
    assert seen == {RefusalCode.WRONG_PIN}
    assert house.code_of(lambda: house.staff.sign_in("x", PIN)) is RefusalCode.WRONG_PIN
    assert house.code_of(lambda: house.staff.sign_in("y", PIN)) is RefusalCode.WAIT
    assert house.staff.sign_in("Ada", PIN).name == "Ada"


def test_an_unknown_name_takes_the_same_argon2_work_as_a_wrong_pin(house: House) -> None:
    house.enrol("Ada")
    work: list[tuple[int, int]] = []
    real = pwhash.argon2id.kdf

    def record_work(size: int, password: bytes, salt: bytes, opslimit: int, memlimit: int) -> bytes:
        work.append((opslimit, memlimit))
        made: bytes = real(size, password, salt, opslimit=opslimit, memlimit=memlimit)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pwhash.argon2id, "kdf", record_work)
        for name, pin in (("Ada", OTHER), ("Nobody", OTHER), ("", ""), ("Ada", "")):
            assert house.code_of(lambda n=name, p=pin: house.staff.sign_in(n, p)) is RefusalCode.WRONG_PIN  # type: ignore[misc]
    assert work == [(CHEAP.passes, CHEAP.memory_bytes)] * 4


def test_an_unknown_name_takes_as_long_as_a_wrong_pin(tmp_path: Path) -> None:
    """Measured with enough work that the rest does not count."""
    at = [1_800_000_000.0]
    kept = StaffStore(tmp_path / "staff.sqlite", cost=HashCost(1, 16 << 20), now=lambda: at[0])
    kept.enrol("Ada", Role.DEALER, PIN, kept.redeem_code(kept.make_one_time_code()))
    took: dict[str, list[float]] = {"Ada": [], "Nobody": []}
    for _ in range(8):
        for name, times in took.items():
            at[0] += MAX_WAIT_S
            began = time.process_time()
            with pytest.raises(AdmissionError):
                kept.sign_in(name, OTHER)
            times.append(time.process_time() - began)
    kept.close()
    ratio = statistics.median(took["Ada"]) / statistics.median(took["Nobody"])
    assert 0.6 < ratio < 1.7, took


def test_the_usual_work_is_what_libsodium_asks_for_signing_in() -> None:
    assert (pin_codes.DEFAULT_HASH_COST.passes, pin_codes.DEFAULT_HASH_COST.memory_bytes) == (2, 64 << 20)
    assert pwhash.argon2id.ALG == 2, "Argon2id"


def test_no_pin_is_in_the_file_a_log_a_repr_or_an_exception(
    house: House, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    for act in (
        lambda: house.enrol("Ada"),
        lambda: house.staff.sign_in("Ada", PIN),
        lambda: house.staff.change_pin("Ada", OTHER, PIN),
        lambda: house.staff.sign_in("Ada", OTHER),
        lambda: house.staff.sign_in("Ada", PIN * 3),
        lambda: house.enrol("Bo", pin=PIN[:5]),
        lambda: house.staff.change_pin("Ada", PIN, PIN),
        lambda: house.staff.sign_in(PIN, OTHER),
    ):
        try:
            said.append(repr(act()))
        except AdmissionError as why:
            said += [str(why), repr(why), *traceback.format_exception(why)]
    house.staff.close()
    said += [caplog.text, *(repr(person) for person in StaffStore(house.path, cost=CHEAP).list_people())]
    said += [file.read_bytes().decode("latin-1") for file in tmp_path.iterdir()]
    lines = "\n".join(line for text in said for line in text.splitlines() if "house.staff" not in line)
    for secret in (PIN, OTHER, PIN[:5]):
        assert secret not in lines
    house.reopen()


def test_a_code_is_kept_as_a_hash_only(house: House, tmp_path: Path) -> None:
    code = house.staff.make_one_time_code()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert code.encode() not in kept


def test_the_signing_key_opens_with_the_pin_alone(house: House) -> None:
    house.enrol("Ada")
    signed_in = house.staff.sign_in("Ada", PIN)
    row = sqlite3.connect(house.path).execute("SELECT enciphered, pin_hash, public_key FROM staff").fetchone()
    assert bytes(signed_in.signing_key) not in b"".join(row)
    assert row[2] == signed_in.public_key
    VerifyKey(row[2]).verify(signed_in.signing_key.sign(b"x"))
    assert repr(signed_in).count("key") == 0


def test_a_damaged_key_and_a_damaged_file_are_said(house: House) -> None:
    house.enrol("Ada")
    house.staff._db.execute("UPDATE staff SET enciphered = x'00'")
    assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.STAFF_FILE_UNUSABLE
    house.staff._db.execute("DROP TABLE tries")
    assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.STAFF_FILE_UNUSABLE


def test_the_file_is_for_the_tables_own_account_alone(house: House) -> None:
    house.enrol("Ada")
    assert {oct(file.stat().st_mode & 0o777) for file in house.path.parent.iterdir()} == {"0o600"}


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "staff.sqlite"
    path.write_bytes(b"not a database at all, and long enough to be looked at as one" * 40)
    with pytest.raises(DatabaseError):
        StaffStore(path)


def test_who_signs_in_while_others_do_is_told_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.enrol("Ada")
    monkeypatch.setattr(staff_store, "SIGN_IN_QUEUE_TIMEOUT_S", 0.01)
    with house.staff._pin_work_lock:
        assert house.code_of(lambda: house.staff.sign_in("Ada", PIN)) is RefusalCode.SIGN_IN_BUSY
    assert house.staff.sign_in("Ada", PIN).name == "Ada"


LINES = st.dictionaries(
    st.sampled_from(["ev", "decide", "seat", "why", "who"]),
    st.integers() | st.text("a\u00e97 \U0001f0a1", max_size=8),
)


HERE = entry_signature.JournalPosition("f" * 32, 1)


def test_a_signature_tells_no_card() -> None:
    """Whoever reads the journal could try every card against it."""
    key = SigningKey(bytes(range(32)))
    line: dict[str, object] = {"ev": "show", "seat": 4, "cards": ["As", "Kd"]}
    by = entry_signature.sign_entry(key, "Ada", "dealer", line, 7, HERE)
    assert by == entry_signature.sign_entry(key, "Ada", "dealer", {**line, "cards": ["2c", "7d"]}, 7, HERE)
    assert entry_signature.is_entry_signed(by, {**line, "cards": [{"alias": 1, "sealed": "x"}, {"alias": 2}]}, HERE)
    assert not entry_signature.is_entry_signed(by, {**line, "seat": 5}, HERE)


@given(LINES, LINES, st.integers(0, 9), st.integers(0, 9), st.integers(1, 3), st.integers(1, 3))
def test_a_signature_is_good_for_its_own_line_alone(
    line: dict[str, object], other: dict[str, object], seen: int, another: int, session: int, next_session: int
) -> None:
    key = SigningKey(bytes(range(32)))
    place = HERE._replace(session=session)
    by = entry_signature.sign_entry(key, "Bo", "floor", line, seen, place)
    assert entry_signature.is_entry_signed(by, {**line, "t": 5.0}, place)
    assert entry_signature.is_entry_signed(by, other, place) is (other == line)
    assert entry_signature.is_entry_signed({**by, "seen": another}, line, place) is (another == seen)
    assert entry_signature.is_entry_signed(by, line, place._replace(session=next_session)) is (next_session == session)
    assert not entry_signature.is_entry_signed(by, line, place._replace(journal="0" * 32))
    assert not entry_signature.is_entry_signed({**by, "role": "dealer"}, line, place)
    assert not entry_signature.is_entry_signed({**by, "name": "Ada"}, line, place)


@given(
    st.dictionaries(
        st.sampled_from(["name", "role", "seen", "key", "signature"]), st.none() | st.integers() | st.text()
    )
)
def test_any_by_that_nobody_signed_is_no_signature(by: dict[str, object]) -> None:
    assert not entry_signature.is_entry_signed(by, {"ev": "floor"}, HERE)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 2 * MAX_WAIT_S)), max_size=40))
def test_never_more_than_the_allowed_tries_in_a_row(steps: list[tuple[bool, float]]) -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(rate_limit.SCHEMA)
    now, in_a_row = 0.0, 0
    for right, later in steps:
        now += later
        try:
            rate_limit.count_try(db, "ada", now)
        except AdmissionError:
            continue
        in_a_row += 1
        if right:
            rate_limit.clear_tries(db, "ada")
            in_a_row = 0
        assert in_a_row <= MAX_TRIES
    db.close()


def test_a_code_for_a_role_enrols_that_role_and_does_nothing_else(house: House) -> None:
    """A dealer who is given a code enrols neither a floor nor a technician with it, nor gives anybody a new PIN."""
    code = house.staff.make_one_time_code(Role.DEALER)
    for role in (Role.FLOOR, Role.TECHNICIAN, Role.AUDITOR):
        with pytest.raises(AdmissionError, match="enrols a dealer and nobody else"):
            house.staff.enrol("Mallory", role, PIN, house.staff.redeem_code(code))
    house.enrol("Ada", Role.FLOOR)
    code = house.staff.make_one_time_code(Role.DEALER)
    with pytest.raises(AdmissionError, match="does nothing else"):
        house.staff.reset_pin("Ada", OTHER, house.staff.redeem_code(code))
    house.staff.enrol("Bo", Role.DEALER, PIN, house.staff.redeem_code(code))
    assert house.staff.sign_in("Bo", PIN).role is Role.DEALER


def test_codes_are_open_beside_each_other_up_to_a_bound(house: House) -> None:
    """A second code voids no first one; of more than the bound the oldest goes, and whoever makes it is told."""
    made = [house.staff.issue_code(role) for role in (*Role, *Role)]
    assert len(made) == MAX_OPEN_CODES
    assert [each.voided for each in made] == [None] * MAX_OPEN_CODES
    house.reopen()
    assert [each.role for each in house.staff.list_open_codes()] == [*Role, *Role]
    one_more = house.staff.issue_code(Role.AUDITOR)
    assert one_more.voided is not None
    assert one_more.voided.role is Role.DEALER
    assert len(house.staff.list_open_codes()) == MAX_OPEN_CODES
    assert house.code_of(lambda: house.staff.redeem_code(made[0].digits)) is RefusalCode.WRONG_CODE
    for number, issued in enumerate([*made[1:], one_more]):
        assert issued.role is not None
        assert house.staff.find_code_role(issued.digits) is issued.role
        house.staff.enrol(f"Eve {number}", issued.role, PIN, house.staff.redeem_code(issued.digits))
    assert not house.staff.is_code_valid()
    assert {person.name: person.role for person in house.staff.list_people()}["Eve 7"] is Role.AUDITOR


def test_a_code_for_the_terminal_is_one_at_a_time_and_says_so(house: House) -> None:
    first, other = house.staff.issue_code(), house.staff.issue_code(Role.DEALER)
    second = house.staff.issue_code()
    assert (first.voided, other.voided) == (None, None)
    assert second.voided is not None
    assert second.voided.role is None
    assert house.code_of(lambda: house.staff.redeem_code(first.digits)) is RefusalCode.WRONG_CODE
    assert [each.role for each in house.staff.list_open_codes()] == [Role.DEALER, None]
    assert house.staff.find_code_role(second.digits) is Role.TECHNICIAN


def test_a_code_of_two_that_is_used_leaves_the_other_and_is_used_once(house: House) -> None:
    dealer, floor = house.staff.make_one_time_code(Role.DEALER), house.staff.make_one_time_code(Role.FLOOR)
    both = house.staff.redeem_code(dealer), house.staff.redeem_code(dealer)
    house.staff.enrol("Ada", Role.DEALER, PIN, both[0])
    assert house.code_of(lambda: house.staff.enrol("Eve", Role.DEALER, PIN, both[1])) is RefusalCode.WRONG_CODE
    assert house.code_of(lambda: house.staff.redeem_code(dealer)) is RefusalCode.WRONG_CODE
    assert house.staff.redeem_code(floor).role is Role.FLOOR


def test_a_wrong_code_counts_against_all_that_are_open(house: House) -> None:
    """So that no code is guessed more often because another is open beside it, and a right one takes no count back."""
    first, second = house.staff.make_one_time_code(Role.DEALER), house.staff.make_one_time_code(Role.FLOOR)
    wrong = next(f"{n:08}" for n in range(3) if f"{n:08}" not in (first, second))
    for _ in range(MAX_CODE_TRIES - 1):
        assert house.code_of(lambda: house.staff.find_code_role(wrong)) is RefusalCode.WRONG_CODE
        assert house.staff.find_code_role(first) is Role.DEALER
    third = house.staff.make_one_time_code(Role.AUDITOR)
    assert house.code_of(lambda: house.staff.redeem_code(wrong)) is RefusalCode.WRONG_CODE
    for void in (first, second):
        assert house.code_of(lambda code=void: house.staff.redeem_code(code)) is RefusalCode.WRONG_CODE  # type: ignore[misc]
    assert house.staff.redeem_code(third).role is Role.AUDITOR


def test_one_try_is_the_work_of_one_however_many_codes_are_open(house: House) -> None:
    for role in Role:
        house.staff.make_one_time_code(role)
    work: list[int] = []
    hash_secret = pin_codes.hash_secret

    def record(*what: Any) -> bytes:  # noqa: ANN401 - as the function has them
        work.append(1)
        return hash_secret(*what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pin_codes, "hash_secret", record)
        assert house.code_of(lambda: house.staff.redeem_code("00000000")) is RefusalCode.WRONG_CODE
    assert len(work) == 1


def test_a_code_ends_with_the_right_of_whoever_made_it(house: House) -> None:
    for name in ("Cy", "Dee"):
        house.enrol(name, Role.TECHNICIAN)
    code = house.staff.make_one_time_code(Role.TECHNICIAN, "Dee")
    assert house.staff.redeem_code(code).granted_by == "Dee"
    house.staff.remove("Dee", house.staff.make_warrant(house.staff.sign_in("Cy", PIN)))
    assert house.code_of(lambda: house.staff.redeem_code(code)) is RefusalCode.WRONG_CODE
    assert not house.staff.is_code_valid()


def test_codes_are_voided_by_word(house: House) -> None:
    codes = [house.staff.make_one_time_code(role) for role in (Role.DEALER, None)]
    house.staff.void_codes()
    for code in codes:
        assert house.code_of(lambda code=code: house.staff.redeem_code(code)) is RefusalCode.WRONG_CODE  # type: ignore[misc]


def test_the_code_of_an_older_programs_file_is_good_still(tmp_path: Path) -> None:
    path = tmp_path / "staff.sqlite"
    old = open_database(path, staff_store.APPLICATION_ID, staff_store._SCHEMA[:4])
    salt = bytes(16)
    old.execute(
        "INSERT INTO code (only, salt, hash, passes, memory, made, wrong, role, made_by)"
        " VALUES (1, ?, ?, ?, ?, ?, 9, 'floor', NULL)",
        (salt, pin_codes.hash_secret("48217730", salt, CHEAP), CHEAP.passes, CHEAP.memory_bytes, 1_800_000_000.0),
    )
    old.close()
    house = House(path)
    assert house.staff.find_code_role("4821-7730") is Role.FLOOR
    assert house.code_of(lambda: house.staff.redeem_code("00000000")) is RefusalCode.WRONG_CODE
    assert not house.staff.is_code_valid(), "the tries of before count"
    house.staff.close()
