"""Whoever signs in over the dealer leaves the dealer beneath, until that session is over too."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import AuthenticatedPerson
from controller.web.access.session_store import MAX_SESSIONS, SessionStore

KEY = SigningKey(bytes(32))
IDLE_S = {role: 10.0 if role is Role.DEALER else 4.0 for role in Role}
PEOPLE = {"Ada": Role.DEALER, "Dan": Role.DEALER, "Bo": Role.FLOOR, "Cy": Role.TECHNICIAN}
WORDS = st.one_of(
    st.sampled_from([*PEOPLE, "out", "touch", "find"]),
    st.sampled_from([f"withdraw {name}" for name in PEOPLE]),
    st.sampled_from(["wait 1", "wait 3", "wait 4", "wait 6"]),
)


class House:
    """One browser, and beside it what is to be known of it: who is signed in, the dealer first, each since when."""

    def __init__(self) -> None:
        self.now, self.withdrawn, self.told = 0.0, set[str](), list[str]()
        self.store = SessionStore(
            lambda person: person.name not in self.withdrawn,
            lambda: self.now,
            began=lambda person: self.told.append(f"{person.name} in"),
            ended=lambda person: self.told.append(f"{person.name} out"),
            idle=IDLE_S,
        )
        self.token: str | None = None
        self.stack: list[tuple[str, float]] = []
        self.expected: list[str] = []

    def drop_over(self) -> None:
        """Take off whoever is signed in and whose time is over; who is beneath is seen only then."""
        while self.stack and not self.is_there(*self.stack[-1]):
            self.stack.pop()

    def is_there(self, name: str, since: float) -> bool:
        return name not in self.withdrawn and self.now - since < IDLE_S[PEOPLE[name]]

    def hear(self, word: str) -> None:
        old, (verb, _, rest) = self.token, word.partition(" ")
        if verb == "wait":
            self.now += float(rest)
        elif verb == "withdraw":
            self.withdrawn.add(rest)
        elif verb in PEOPLE:
            self.token = self.store.begin(make_person(verb), self.token)
            self.drop_over()
            dealers = [kept for kept in self.stack if PEOPLE[kept[0]] is Role.DEALER]
            self.stack = [*(dealers if PEOPLE[verb] is not Role.DEALER else []), (verb, self.now)]
            self.expected.append(f"{verb} in")
        else:
            self.drop_over()
            found = self.store.find(self.token)
            assert (found and found.person.name) == (self.stack[-1][0] if self.stack else None)
            if found and verb == "touch":
                self.store.touch(found)
                self.stack[-1] = self.stack[-1][0], self.now
            if verb == "out":
                self.token = self.store.end(self.token)
                self.expected += [f"{self.stack.pop()[0]} out"] if self.stack else []
                self.drop_over()
                assert (self.token is None) is (not self.stack)
        if self.token != old:
            assert self.store.find(old) is None, "a token is worth nothing after the next"
        assert self.told == self.expected


def make_person(name: str) -> AuthenticatedPerson:
    return AuthenticatedPerson(name, PEOPLE[name], KEY)


@given(st.lists(WORDS, max_size=25))
@example(["Bo", "out"])
@example(["Ada", "Bo", "Dan", "out"])
@example(["Ada", "Bo", "withdraw Ada", "out"])
@example(["Ada", "Bo", "withdraw Ada", "wait 4"])
def test_who_is_signed_in_after_whatever_happens(words: list[str]) -> None:
    house = House()
    for word in words:
        house.hear(word)
    house.hear("find")


def test_a_session_beneath_goes_on_and_one_that_was_replaced_does_not() -> None:
    house = House()
    kept = []
    for name in ("Dan", "Ada", "Bo", "Cy"):
        house.hear(name)
        found = house.store.find(house.token)
        assert found is not None
        kept.append(found)
        assert house.store.is_active(kept[0]) is (name == "Dan"), "another dealer took their place"
    ada = kept[1]
    assert [house.store.is_active(session) for session in kept] == [False, True, False, True]
    house.hear("out")
    assert [house.store.is_active(session) for session in kept] == [False, True, False, False]
    house.hear("wait 6")
    assert house.store.find(house.token) is ada, "with the token of its pages"
    house.hear("wait 6")
    assert not house.store.is_active(ada), "although nobody asked for it since"


def test_who_is_over_makes_room_first_and_then_who_was_touched_longest_ago() -> None:
    house = House()
    house.hear("Ada")
    house.now = 1.0
    house.hear("Bo")
    house.now = 0.5
    first = house.store.begin(make_person("Dan"), None)
    house.now = 1.0
    over = house.store.begin(make_person("Cy"), None)
    dealers = [house.store.begin(make_person("Dan"), None) for _browser in range(MAX_SESSIONS - 3)]
    house.now = 5.5
    dealers.append(house.store.begin(make_person("Dan"), None))
    assert (house.store.find(over), house.store.find(first) is None) == (None, False)
    dealers.append(house.store.begin(make_person("Dan"), None))
    assert house.store.find(first) is None
    assert all(map(house.store.find, dealers))
    assert house.store.find(house.token) is not None, "Bo was touched later, and Ada beneath is there"


def test_a_sign_in_that_nobody_can_be_told_of_has_not_happened() -> None:
    def refuse_floor(person: AuthenticatedPerson) -> None:
        if person.role is Role.FLOOR:
            raise RuntimeError("the journal is full")

    store = SessionStore(lambda _person: True, began=refuse_floor)
    dealer, floor = (AuthenticatedPerson(name, PEOPLE[name], KEY) for name in ("Ada", "Bo"))
    token = store.begin(dealer, None)
    with pytest.raises(RuntimeError):
        store.begin(floor, token)
    session = store.find(token)
    assert session is not None
    assert session.person is dealer
