"""A clock that is set wrong shows another day; it ends neither the table nor its journal, page, log or certificate."""

import json
import logging
import re
import ssl
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.table_file import DEMO_FILE, load_table_file
from controller.app.table.page_access import make_certificate_watch
from controller.cli.journal.hands_command import _find_next_day, _parse_day
from controller.records.drop import ShiftClock
from controller.runtime.journal.system_clocks import format_wall_time
from controller.runtime.loop.certificate_watch import CertificateWatch
from controller.runtime.service.log_setup import JsonFormatter
from controller.wall_clock import MAX_WALL_TIME, MIN_WALL_TIME, format_local_time, read_wall_clock, to_wall_time
from controller.web.serving import certificate_validity
from controller.web.serving.certificate_validity import EXPIRY_WARNING_PERIOD, find_expiry_problem
from tests.app.rig import Rig

ROOT = Path(__file__).parents[3]
YEAR_S = 365.2425 * 86400
CLOCKS = {
    "before 1970": -5 * YEAR_S,
    "1970": 0.0,
    "the end of 32 bits": 2.0**31 - 0.0004,
    "beyond them": 2.0**31 + 1,
    "the end of 32 bits without a sign": 2.0**32 + 1,
    "the last evening": datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC).timestamp(),
    "the year 10000": datetime(9999, 12, 31, tzinfo=UTC).timestamp() + 86401,
    "no year": 1e18,
}


@pytest.fixture(params=CLOCKS.values(), ids=list(CLOCKS))
def wall(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    at: float = request.param
    monkeypatch.setattr(time, "time", lambda: at)
    return at


def play_hand(rig: Rig) -> None:
    rig.press("start")
    rig.deal(list(rig.tags)[:12])
    rig.play_out()


@given(st.floats())
def test_every_number_of_seconds_is_a_time(seconds: float) -> None:
    found = to_wall_time(seconds)
    assert MIN_WALL_TIME <= found <= MAX_WALL_TIME
    if MIN_WALL_TIME.timestamp() <= seconds <= MAX_WALL_TIME.timestamp():
        assert abs(found.timestamp() - seconds) < 1e-3
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        assert found.astimezone(ZoneInfo(zone))
    assert datetime.fromisoformat(format_local_time(seconds))


@pytest.mark.usefixtures("wall")
def test_a_table_plays_and_is_taken_up_whatever_its_clock_says(tmp_path: Path) -> None:
    for _ in range(2):
        with Rig(tmp_path) as rig:
            play_hand(rig)
            assert rig.standing is not None
            assert not rig.standing.faults
            rig.journal.end_run("test")


def test_a_clock_that_is_set_in_play_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Rig(tmp_path) as rig:
        for at in (*CLOCKS.values(), *reversed(CLOCKS.values())):
            monkeypatch.setattr(time, "time", lambda at=at: at)
            play_hand(rig)
        assert rig.standing is not None
        assert not rig.standing.faults
        rig.journal.end_run("test")


@pytest.mark.usefixtures("wall")
def test_the_journal_has_a_time_that_can_be_read() -> None:
    assert datetime.fromisoformat(format_wall_time()).tzinfo is UTC


@pytest.mark.usefixtures("wall")
def test_the_log_has_a_line() -> None:
    record = logging.LogRecord("a", logging.ERROR, "", 0, "b", None, None)
    record.created = time.time()
    assert json.loads(JsonFormatter().format(record))["message"] == "b"


@pytest.mark.usefixtures("wall")
@pytest.mark.parametrize("ends", ["Jan  1 00:00:00 1970 GMT", "Jan 19 03:14:08 2038 GMT", "Dec 31 23:59:59 9999 GMT"])
def test_a_certificate_is_judged(ends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.pem"
    path.write_bytes(b"")
    monkeypatch.setattr(certificate_validity, "_test_decode_cert", lambda _: {"notAfter": ends})
    now, until = read_wall_clock(), datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC)
    said = find_expiry_problem(path, now, within=EXPIRY_WARNING_PERIOD)
    assert (said is None) == (until - now > EXPIRY_WARNING_PERIOD)
    assert (said is not None and "it ended" in said) == (now >= until)
    watch = CertificateWatch(make_certificate_watch(replace(load_table_file(DEMO_FILE).page, certificate=path)))
    watch.check(0.0, lambda _: None)
    assert bool(watch.faults) == (now >= until)


def test_an_hour_and_a_shift_have_a_name_on_the_last_day() -> None:
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        clock = ShiftClock(ZoneInfo(zone))
        assert clock.find_hour("9999-12-31T23:59:59.999+00:00")[-6:]
        assert clock.find_shift("9999-12-31T23:59:59.999+00:00")


def test_the_last_day_that_there_is_can_be_asked_for() -> None:
    last = _parse_day("9999-12-31")
    assert _find_next_day(last) == last
    assert _find_next_day(last - timedelta(days=1)) == last


def test_the_time_of_day_is_asked_for_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("controller", "room", "config", "drivers")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"datetime\.(now|fromtimestamp|utcnow)\(", path.read_text(encoding="utf-8"))
    }
    assert found == {"controller/wall_clock.py", "controller/web/serving/certificate_validity.py"}
