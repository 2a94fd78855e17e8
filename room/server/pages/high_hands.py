"""High hands: the board with who leads, and for the floor the candidates that the tables' records brought."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.runtime.staff.admission import Code
from room.floor.high_hands import LONGEST_WHY, HighHand, HighHands, Promotion, after
from room.room_file import HighHandSection
from room.search.newest import HandTabled
from room.server.day import DAY_BEGINS
from room.server.pages.today import PageOfToday
from room.server.room import Room

DESK = "high-hands:desk"

DAY_SECONDS = 24 * 3600.0


class HighHandsPage(PageOfToday[HighHands]):
    """Begins promotions by the room's file, finds candidates, and has the floor confirm or refuse them."""

    name = "high-hands"
    stream = "high-hands"
    wanted = 'Want {"do": "confirm" or "refuse", "promotion", "number"}, and why not.'
    code = Code.MOVED

    def __init__(self, room: Room) -> None:
        super().__init__(room, HighHands(), after)
        self._read = 0

    def routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [*super().routes(), Route(f"/{self.name}/desk", self.desk, methods=["GET"])]

    async def desk(self, request: Request) -> Response:
        """Answer with the candidates that wait for the floor, as they change."""
        return self._room.hub.answer(request, DESK)

    def word_of(self, told: object) -> Mapping[str, Any] | None:
        """Confirm a candidate, or refuse it and say why."""
        match told:
            case {"do": "confirm", "promotion": str(name), "number": int(number), **rest} if not rest:
                return {"do": "confirm", "promotion": name, "number": number}
            case {"do": "refuse", "promotion": str(name), "number": int(number), "why": str(why), **rest} if (
                not rest and 0 < len(why.strip()) <= LONGEST_WHY
            ):
                return {"do": "refuse", "promotion": name, "number": number, "why": why.strip()}
            case _:
                return None

    def why_not(self, state: HighHands, word: Mapping[str, Any]) -> str:
        """Whether the candidate waits still."""
        promotion = state.promotions.get(word["promotion"])
        waits = promotion is not None and any(one.number == word["number"] for one in promotion.candidates)
        return "" if waits else "This hand waits no more; look again"

    async def look(self) -> None:
        """Look once."""
        if not self._room.file.high_hands:
            return
        day, now = await self._day.today(), self._room.now()
        for section in self._room.file.high_hands:
            since, until = _span_of(section, self._day.begins)
            if section.name not in day.state.promotions and since <= now < until:
                begin = {
                    "do": "begin", "promotion": section.name, "game": section.game, "least": list(section.least),
                    "from": since, "until": until, "both": section.both, "pot": section.pot,
                    "players": section.players,
                }  # fmt: skip
                await self._room.enter(day, "room", partial(_begun, begin))
        for tabled in await asyncio.to_thread(self._room.newest.tabled, self._read, self._day.begins):
            for name in day.state.promotions:
                await self._room.enter(day, tabled.table, partial(_told, tabled, name))
            self._read = tabled.id
        self.show(day.state)

    def show(self, state: HighHands) -> None:
        """Put who leads on the board, and what waits before the floor."""
        told: dict[str, dict[str, Any]] = {self.name: {}, DESK: {}}
        for name, one in state.promotions.items():
            told[self.name][name] = {
                "name": name, "game": one.game, "from": one.since, "until": one.until, "least": one.least_cards,
                "both": one.both, "pot": one.pot, "players": one.dealt,
                "leader": None if one.leader is None else _shown(one.leader),
            }  # fmt: skip
            told[DESK][name] = {
                "name": name, "candidates": [_shown(each) for each in one.candidates],
                "decided": [{**_shown(each.high_hand), "by": each.by, "why": each.why} for each in one.decided],
            }  # fmt: skip
        for topic, keys in told.items():
            for key in {*keys, *self._room.hub.shown(topic)}:
                self._room.hub.put(topic, key, keys.get(key))


def _begun(word: Mapping[str, Any], today: HighHands) -> Mapping[str, Any] | None:
    return None if word["promotion"] in today.promotions else word


def _told(tabled: HandTabled, name: str, today: HighHands) -> Mapping[str, Any] | None:
    """The word of a hand that may lead a promotion; of any other none is written."""
    word = {
        "do": "tabled", "promotion": name, "key": f"{tabled.journal} {tabled.session} {tabled.hand} {tabled.seat}",
        "table": tabled.table, "hand": tabled.hand, "seat": tabled.seat, "player": tabled.player, "at": tabled.at,
        "game": tabled.game, "own": list(tabled.own), "board": list(tabled.board), "pot": tabled.pot,
        "dealt": tabled.dealt,
    }  # fmt: skip
    promotion: Promotion | None = today.promotions.get(name)
    return word if promotion is not None and promotion.worth(word) is not None else None


def _span_of(section: HighHandSection, begins: float) -> tuple[float, float]:
    """When a promotion runs on the day that began then, in Unix seconds; what ends earlier than it begins, tomorrow."""
    midnight = begins - DAY_BEGINS
    since = midnight + section.since + (DAY_SECONDS if section.since < DAY_BEGINS else 0.0)
    until = midnight + section.until
    while until <= since:
        until += DAY_SECONDS
    return since, until


def _shown(one: HighHand) -> dict[str, Any]:
    return {
        "number": one.number, "table": one.table, "hand": one.hand, "seat": one.seat, "player": one.player,
        "own": one.own, "board": one.board, "at": one.at,
    }  # fmt: skip
