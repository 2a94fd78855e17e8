"""Each screen is told what has changed, and however slow it is, no more is kept than there is to show."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from room.server import feed_hub as module
from room.server.feed_hub import FeedHub


@pytest.fixture(autouse=True)
def remove_gather_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GATHER_DELAY_S", 0)


async def read_next_event(stream: AsyncIterator[tuple[int, str]]) -> tuple[int, bool, dict[str, object]]:
    number, text = await anext(stream)
    event = json.loads(text)
    return number, event["whole"], event["keys"]


def test_a_screen_is_told_all_then_what_changes_and_a_slow_one_only_the_newest() -> None:
    async def looks_on() -> None:
        hub = FeedHub(lambda _: True)
        hub.put("floor", "a", {"n": 1})
        stream = hub.iter_changes("floor")
        assert await read_next_event(stream) == (1, True, {"a": {"n": 1}})
        hub.put("floor", "a", {"n": 1})  # says the same
        for n in range(1000):
            hub.put("floor", "b", {"n": n})
        hub.put("elsewhere", "c", {})
        number, whole, keys = await read_next_event(stream)
        assert (whole, keys) == (False, {"b": {"n": 999}})
        hub.put("floor", "a", None)
        assert (await read_next_event(stream))[2] == {"a": None}
        # One that comes back goes on; one of an earlier run, or a newcomer, is told all.
        assert (await read_next_event(hub.iter_changes("floor", number)))[1:] == (False, {"a": None})
        assert (await read_next_event(hub.iter_changes("floor", number + 99)))[1:] == (True, {"b": {"n": 999}})
        assert hub.read_values("floor") == {"b": {"n": 999}}
        hub.close()
        assert [each async for each in stream] == []

    asyncio.run(looks_on())


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_KEYS", 3)
    hub = FeedHub(lambda _: True)
    for key in "abcd":
        hub.put("floor", key, {})
    assert list(hub.read_values("floor")) == ["a", "b", "c"]
    hub.put("floor", "a", None)
    hub.put("floor", "d", {})
    assert list(hub.read_values("floor")) == ["b", "c", "d"]
