"""A failing script is made short, and only by what has no part in the failure."""

from collections.abc import Sequence

from tests.evenings.shrink import shrink_script
from tests.evenings.story import SentEntry


def make_sent(word: str, **more: object) -> SentEntry:
    return SentEntry("dealer", "page", {"ev": word, **more})


SET_UP = SentEntry("power", "power", {"power": "set-up", "line": {}})


class Clock:
    """A clock on which every look takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_what_has_no_part_in_it_is_left_out() -> None:
    script = [SET_UP, *(make_sent("done", nth=nth) for nth in range(40)), make_sent("undo")]
    needed = [script[7], script[30]]

    def fails(tried: Sequence[SentEntry]) -> bool:
        return tried[-1].entry["ev"] == "undo" and all(each in tried for each in needed)

    assert shrink_script(script, fails) == [SET_UP, *needed, make_sent("undo")]


def test_the_last_session_is_tried_alone_first() -> None:
    script = [SET_UP, *(make_sent("done", nth=nth) for nth in range(10)), SET_UP, make_sent("start"), make_sent("undo")]
    asked: list[int] = []

    def fails(tried: Sequence[SentEntry]) -> bool:
        asked.append(len(tried))
        return make_sent("start") in tried

    assert shrink_script(script, fails) == [SET_UP, make_sent("start"), make_sent("undo")]
    assert asked[0] == 3


def test_a_session_that_needs_the_one_before_is_kept() -> None:
    script = [SET_UP, make_sent("done", nth=1), SET_UP, make_sent("start"), make_sent("undo")]

    def fails(tried: Sequence[SentEntry]) -> bool:
        return make_sent("done", nth=1) in tried and tried[-1].entry["ev"] == "undo"

    assert make_sent("done", nth=1) in shrink_script(script, fails)


def test_it_ends_with_its_time_and_what_is_left_still_fails() -> None:
    script = [SET_UP, *(make_sent("done", nth=nth) for nth in range(400)), make_sent("undo")]
    tries: list[int] = []

    def fails(tried: Sequence[SentEntry]) -> bool:
        tries.append(len(tried))
        return script[200] in tried

    short = shrink_script(script, fails, seconds=12.0, clock=Clock())
    assert len(tries) < 12
    assert script[200] in short
    assert len(short) < len(script)


def test_nothing_is_left_out_of_what_is_needed_whole() -> None:
    script = [SET_UP, *(make_sent("done", nth=nth) for nth in range(6)), make_sent("undo")]
    assert shrink_script(script, lambda tried: list(tried) == script) == script
