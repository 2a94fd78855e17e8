"""Wrong tries at a PIN, against a count on paper: who waits how long, who is locked out, and what a clock changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.rate_limit import (
    SCHEMA,
    UNKNOWN_NAME_KEY,
    clear_tries,
    count_try,
    is_locked,
)

WAITS = (0.0, 0.0, 0.0, 15.0, 30.0, 60.0, 120.0, 240.0, 480.0, 900.0, 900.0)
"""Seconds to wait after so many wrong tries in a row; after ten a person is locked out."""

ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("try"), st.sampled_from(("ada", "bo", UNKNOWN_NAME_KEY)), st.just(0.0)),
        st.tuples(st.just("clear"), st.sampled_from(("ada", UNKNOWN_NAME_KEY)), st.just(0.0)),
        st.tuples(st.just("pass"), st.just(""), st.sampled_from((1.0, 15.0, 60.0, 900.0, 901.0, -5.0, -2000.0))),
    ),
    max_size=60,
)


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        opened.execute(SCHEMA)
        yield opened


@given(ACTS)
@settings(max_examples=60)
def test_tries_are_counted_as_on_paper(acts: list[tuple[str, str, float]]) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute(SCHEMA)
        now, paper = 10_000.0, dict[str, tuple[int, float]]()
        for act, who, passed in acts:
            now += passed
            if act == "clear":
                clear_tries(database, who)
                paper.pop(who, None)
            if act != "try":
                continue
            wrong, free_at = paper.get(who, (0, 0.0))
            wait = WAITS[min(wrong, 10)]
            if free_at - now > wait:
                free_at = now + wait
            expected: tuple[RefusalCode, float] | None = None
            if who and wrong >= 10:
                expected = RefusalCode.LOCKED_OUT, 0.0
            elif free_at > now:
                expected = RefusalCode.WAIT, free_at - now
                paper[who] = wrong, free_at
            else:
                paper[who] = wrong + 1, now + WAITS[min(wrong + 1, 10)]
            assert ask(database, who, now) == expected
            assert is_locked(database, who) is (bool(who) and paper[who][0] >= 10)


def ask(database: sqlite3.Connection, who: str, now: float) -> tuple[RefusalCode, float] | None:
    try:
        count_try(database, who, now)
    except AdmissionError as why:
        return why.code, why.retry_after_s
    return None


def test_somebody_who_waits_each_time_has_ten_tries_and_no_more(database: sqlite3.Connection) -> None:
    now = 0.0
    for wait in WAITS[1:10]:
        assert ask(database, "ada", now) is None
        if wait:
            assert ask(database, "ada", now + wait / 2) == (RefusalCode.WAIT, wait / 2)
        assert not is_locked(database, "ada")
        now += wait
    assert ask(database, "ada", now) is None
    assert is_locked(database, "ada")
    assert ask(database, "ada", now + 1e9) == (RefusalCode.LOCKED_OUT, 0.0)
