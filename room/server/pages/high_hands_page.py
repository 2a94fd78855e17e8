"""High hands: the board with who leads, and for the floor the candidates that the tables' records brought."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import RefusalCode
from room.floor.house_day import DAY_START_S
from room.floor.promotion import MAX_REASON_LENGTH, DayPromotions, HighHand, Promotion, apply_promotion_line
from room.room_file import PromotionSection
from room.search.recent_facts import TabledHandRow
from room.server.pages.daily_page import DailyPage
from room.server.room_context import RoomContext

DESK_FEED = "high-hands:desk"

DAY_DURATION_S = 24 * 3600.0


class HighHandsPage(DailyPage[DayPromotions]):
    """Begins promotions by the room's file, finds candidates, and has the floor confirm or refuse them."""

    name = "high-hands"
    stream_name = "high-hands"
    format_hint = 'Want {"do": "confirm" or "refuse", "promotion", "number"}, and why not.'
    refusal_code = RefusalCode.MOVED_ON

    def __init__(self, room: RoomContext) -> None:
        super().__init__(room, DayPromotions(), apply_promotion_line)
        self._last_tabled_id = 0

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [*super().make_routes(), Route(f"/{self.name}/desk", self.stream_desk, methods=["GET"])]

    async def stream_desk(self, request: Request) -> Response:
        """Answer with the candidates that wait for the floor, as they change."""
        return self._room.hub.make_stream_response(request, DESK_FEED)

    def parse_line(self, told: object) -> Mapping[str, Any] | None:
        """Confirm a candidate, or refuse it and say why."""
        match told:
            case {"do": "confirm", "promotion": str(name), "number": int(number), **rest} if not rest:
                return {"do": "confirm", "promotion": name, "number": number}
            case {"do": "refuse", "promotion": str(name), "number": int(number), "why": str(why), **rest} if (
                not rest and 0 < len(why.strip()) <= MAX_REASON_LENGTH
            ):
                return {"do": "refuse", "promotion": name, "number": number, "why": why.strip()}
            case _:
                return None

    def find_refusal(self, state: DayPromotions, word: Mapping[str, Any]) -> str:
        """Whether the candidate waits still."""
        promotion = state.promotion_by_name.get(word["promotion"])
        waits = promotion is not None and any(one.number == word["number"] for one in promotion.candidates)
        return "" if waits else "This hand waits no more; look again"

    async def refresh(self) -> None:
        """Look once."""
        if not self._room.file.promotions:
            return
        day, now = await self._daily_stream.read_today(), self._room.wall_clock()
        for section in self._room.file.promotions:
            since, until = _compute_span(section, self._daily_stream.day_start)
            if section.name not in day.state.promotion_by_name and since <= now < until:
                begin = {
                    "do": "begin", "promotion": section.name, "game": section.game, "least": list(section.min_cards),
                    "from": since, "until": until, "both": section.both_cards_play, "pot": section.min_pot,
                    "players": section.min_players,
                }  # fmt: skip
                await self._room.enter(day, "room", partial(_keep_if_new, begin))
        for tabled in await asyncio.to_thread(
            self._room.recent_facts.read_tabled_hands, self._last_tabled_id, self._daily_stream.day_start
        ):
            for name in day.state.promotion_by_name:
                await self._room.enter(day, tabled.table, partial(_make_tabled_line, tabled, name))
            self._last_tabled_id = tabled.id
        self.show_state(day.state)

    def show_state(self, state: DayPromotions) -> None:
        """Put who leads on the board, and what waits before the floor."""
        told: dict[str, dict[str, Any]] = {self.name: {}, DESK_FEED: {}}
        for name, one in state.promotion_by_name.items():
            told[self.name][name] = {
                "name": name, "game": one.game, "from": one.starts_at, "until": one.ends_at, "least": one.min_cards,
                "both": one.both_cards_play, "pot": one.min_pot, "players": one.min_players,
                "leader": None if one.leader is None else _hand_to_json(one.leader),
            }  # fmt: skip
            told[DESK_FEED][name] = {
                "name": name, "candidates": [_hand_to_json(each) for each in one.candidates],
                "decided": [{**_hand_to_json(each.high_hand), "by": each.decided_by,
                "why": each.reason} for each in one.decisions],
            }  # fmt: skip
        for topic, keys in told.items():
            for key in {*keys, *self._room.hub.read_values(topic)}:
                self._room.hub.put(topic, key, keys.get(key))


def _keep_if_new(word: Mapping[str, Any], today: DayPromotions) -> Mapping[str, Any] | None:
    return None if word["promotion"] in today.promotion_by_name else word


def _make_tabled_line(tabled: TabledHandRow, name: str, today: DayPromotions) -> Mapping[str, Any] | None:
    """The word of a hand that may lead a promotion; of any other none is written."""
    word = {
        "do": "tabled", "promotion": name, "key": f"{tabled.journal} {tabled.session} {tabled.hand} {tabled.seat}",
        "table": tabled.table, "hand": tabled.hand, "seat": tabled.seat, "player": tabled.player,
        "at": tabled.tabled_at,
        "game": tabled.game, "own": list(tabled.own_cards), "board": list(tabled.board), "pot": tabled.pot,
        "dealt": tabled.dealt_in_count,
    }  # fmt: skip
    promotion: Promotion | None = today.promotion_by_name.get(name)
    return word if promotion is not None and promotion.find_qualifying_strength(word) is not None else None


def _compute_span(section: PromotionSection, begins: float) -> tuple[float, float]:
    """When a promotion runs on the day that began then, in Unix seconds; what ends earlier than it begins, tomorrow."""
    midnight = begins - DAY_START_S
    since = midnight + section.starts_s + (DAY_DURATION_S if section.starts_s < DAY_START_S else 0.0)
    until = midnight + section.ends_s
    while until <= since:
        until += DAY_DURATION_S
    return since, until


def _hand_to_json(one: HighHand) -> dict[str, Any]:
    return {
        "number": one.number, "table": one.table, "hand": one.hand, "seat": one.seat, "player": one.player,
        "own": one.own_cards, "board": one.board, "at": one.ended_at,
    }  # fmt: skip
