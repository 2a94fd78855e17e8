"""The high hands' page: promotions by the room's file, candidates by the tables' records, the floor's word."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from room.room_file import PromotionSection
from room.search.recent_facts import TabledHandRow
from room.server.daily_stream import find_day_start
from room.server.pages.high_hands_page import HighHandsPage, _compute_span
from tests.room.server.house import House

LOWEST_HAND = ("Ah", "Ad", "Ac", "Ks", "Kd")
FOUR = 16 * 3600.0


def hand(id: int, at: float, rank: str = "7", **changed: Any) -> TabledHandRow:  # noqa: ANN401
    own, board = (f"{rank}h", f"{rank}d"), (f"{rank}c", f"{rank}s", "2d", "3h", "9c")
    told = TabledHandRow(id, "j1", 1, id, 3, "table-01", at, "holdem", "Ana", own, board, 60, 6)
    return replace(told, **changed)


@pytest.fixture
def four(house: House) -> float:
    """When the promotion of the day begins; it is a minute later now."""
    house.time = 1_764_000_000.0
    section = PromotionSection(
        "four to six", "holdem", FOUR, FOUR + 7200, LOWEST_HAND, both_cards_play=True, min_pot=20, min_players=4
    )
    house.room.file = replace(house.room.file, promotions=(section,))
    begins = find_day_start(house.time) + FOUR - 6 * 3600.0
    house.time = begins + 60.0
    return begins


def refresh_page(house: House, page: HighHandsPage | None = None) -> None:
    asyncio.run((page or next(each for each in house.pages if isinstance(each, HighHandsPage))).refresh())


def read_promotion(house: House, topic: str = "high-hands") -> Any:  # noqa: ANN401
    return house.room.hub.read_values(topic).get("four to six")


def test_a_tabled_hand_is_shown_to_the_floor_and_leads_on_the_board_when_it_is_confirmed(
    house: House, four: float
) -> None:
    house.newest.hands = [
        hand(1, four - 1), hand(2, four + 5, pot=10), hand(3, four + 6, dealt_in_count=3),
        hand(4, four + 7, game="omaha"),
        hand(5, four + 10), hand(6, four + 20, "8", player="Ben"),
    ]  # fmt: skip
    refresh_page(house)
    waits = read_promotion(house, "high-hands:desk")["candidates"]
    assert [(one["hand"], one["player"]) for one in waits] == [(6, "Ben"), (5, "Ana")]
    assert read_promotion(house)["leader"] is None
    bo = house.browser("Bo")
    word = {"promotion": "four to six", "number": waits[0]["number"]}
    assert house.browser("Ada").post("/high-hands", {"do": "confirm", **word}).status_code == 403
    assert bo.post("/high-hands", {"do": "refuse", **word}).status_code == 400, "a refusal has a reason"
    assert bo.post("/high-hands", {"do": "refuse", **word, "why": "a fouled deck"}).status_code == 204
    other = {"do": "confirm", "promotion": "four to six", "number": waits[1]["number"]}
    assert bo.post("/high-hands", other).status_code == 204
    assert (read_promotion(house)["leader"]["player"], read_promotion(house)["leader"]["own"]) == ("Ana", ["7h", "7d"])
    assert bo.post("/high-hands", other).json()["code"] == "moved-on"
    (stream,) = house.record.list_streams("high-hands:")
    assert [(line.content["do"], line.entered_by) for line in house.record.read_lines(stream)][-2:] == [
        ("refuse", "Bo"),
        ("confirm", "Bo"),
    ]


def test_a_start_of_the_server_begins_nothing_twice_and_what_comes_late_counts_by_when_it_ended(
    house: House, four: float
) -> None:
    house.newest.hands = [hand(1, four + 10)]
    refresh_page(house)
    (stream,) = house.record.list_streams("high-hands:")
    lines = list(house.record.read_lines(stream))
    refresh_page(house, HighHandsPage(house.room))
    assert list(house.record.read_lines(stream)) == lines
    house.time = four + 7200 + 600.0
    house.newest.hands += [hand(2, four + 7199, "8"), hand(3, four + 7200, "9")]
    refresh_page(house)
    assert [one["hand"] for one in read_promotion(house, "high-hands:desk")["candidates"]] == [2, 1]


def test_a_hand_that_cannot_lead_is_no_line(house: House, four: float) -> None:
    house.newest.hands = [hand(number, four + number, pot=1) for number in range(1, 300)]
    refresh_page(house)
    (stream,) = house.record.list_streams("high-hands:")
    assert [line.content["do"] for line in house.record.read_lines(stream)] == ["begin"]


@pytest.mark.parametrize(
    ("since", "until", "span"),
    [(16, 18, (10, 12)), (22, 2, (16, 20)), (2, 4, (20, 22)), (5, 7, (23, 25)), (3, 2, (21, 44)), (7, 6.5, (1, 24.5))],
)
def test_a_promotion_runs_on_the_day_of_the_house_and_ends_after_it_has_begun(
    since: float, until: float, span: tuple[float, float]
) -> None:
    begins = find_day_start(1_764_000_000.0)
    section = PromotionSection("one", "holdem", since * 3600.0, until * 3600.0, LOWEST_HAND)
    assert _compute_span(section, begins) == (begins + span[0] * 3600.0, begins + span[1] * 3600.0)
