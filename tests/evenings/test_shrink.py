"""A failing script is made short, and only by what has no part in the failure."""

from collections.abc import Sequence

from tests.evenings.shrink import shrink_script
from tests.evenings.story import Sent


def sent(word: str, **more: object) -> Sent:
    return Sent("dealer", "page", {"ev": word, **more})


SET_UP = Sent("power", "power", {"power": "set-up", "line": {}})


class Clock:
    """A clock on which every look takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_what_has_no_part_in_it_is_left_out() -> None:
    script = [SET_UP, *(sent("done", nth=nth) for nth in range(40)), sent("undo")]
    needed = [script[7], script[30]]

    def fails(tried: Sequence[Sent]) -> bool:
        return tried[-1].entry["ev"] == "undo" and all(each in tried for each in needed)

    assert shrink_script(script, fails) == [SET_UP, *needed, sent("undo")]


def test_the_last_session_is_tried_alone_first() -> None:
    script = [SET_UP, *(sent("done", nth=nth) for nth in range(10)), SET_UP, sent("start"), sent("undo")]
    asked: list[int] = []

    def fails(tried: Sequence[Sent]) -> bool:
        asked.append(len(tried))
        return sent("start") in tried

    assert shrink_script(script, fails) == [SET_UP, sent("start"), sent("undo")]
    assert asked[0] == 3


def test_a_session_that_needs_the_one_before_is_kept() -> None:
    script = [SET_UP, sent("done", nth=1), SET_UP, sent("start"), sent("undo")]

    def fails(tried: Sequence[Sent]) -> bool:
        return sent("done", nth=1) in tried and tried[-1].entry["ev"] == "undo"

    assert sent("done", nth=1) in shrink_script(script, fails)


def test_it_ends_with_its_time_and_what_is_left_still_fails() -> None:
    script = [SET_UP, *(sent("done", nth=nth) for nth in range(400)), sent("undo")]
    tries: list[int] = []

    def fails(tried: Sequence[Sent]) -> bool:
        tries.append(len(tried))
        return script[200] in tried

    short = shrink_script(script, fails, seconds=12.0, clock=Clock())
    assert len(tries) < 12
    assert script[200] in short
    assert len(short) < len(script)


def test_nothing_is_left_out_of_what_is_needed_whole() -> None:
    script = [SET_UP, *(sent("done", nth=nth) for nth in range(6)), sent("undo")]
    assert shrink_script(script, lambda tried: list(tried) == script) == script
