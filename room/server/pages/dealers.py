"""The dealers: who deals where since when, who rests, and the next push; fed by who signs in at the tables."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from controller.runtime.staff.admission import Code
from room.floor.rotation import DOWN_SECONDS, Rotation, after, word_of_push
from room.floor.waiting import fits
from room.search.newest import DealerSigned
from room.server.pages.today import PageOfToday
from room.server.room import Room

HANDS_SECONDS = 15.0
"""How often the hands that each dealer has dealt are counted."""


class DealersPage(PageOfToday[Rotation]):
    """Takes what the tables' records say of dealers, and the floor's pushes."""

    name = "dealers"
    stream = "dealers"
    wanted = 'Want {"do": "push", "string", "deals", "rests" or "home", …}.'
    code = Code.MOVED

    def __init__(self, room: Room) -> None:
        super().__init__(room, Rotation(), after)
        self._read = 0
        self._hands: Mapping[str, int] = {}
        self._counted: float | None = None

    def why_not(self, state: Rotation, word: Mapping[str, Any]) -> str:
        """Whether it is the push that the floor saw."""
        moved = word["do"] == "push" and word != word_of_push(state)
        return "The next push is another one by now; look again" if moved else ""

    def word_of(self, told: object) -> dict[str, Any] | None:
        """A word as the floor may say it."""
        match told:
            case {"do": "push", "moves": [*moves], **rest} if not rest:
                return {"do": "push", "moves": moves}
            case {"do": "string", "tables": [*tables], **rest} if not rest and all(
                isinstance(table, str) and fits(table) for table in tables
            ):
                return {"do": "string", "tables": list(dict.fromkeys(tables))}
            case {"do": "deals", "table": str(table), "dealer": str(dealer), **rest} if (
                not rest and fits(table) and fits(dealer)
            ):
                return {"do": "deals", "table": table, "dealer": dealer}
            case {"do": "rests" | "home" as do, "dealer": str(dealer), **rest} if not rest and fits(dealer):
                return {"do": do, "dealer": dealer}
            case _:
                return None

    async def look(self) -> None:
        """Look once."""
        day, now = await self._day.today(), self._room.now()
        told = await asyncio.to_thread(self._room.newest.signed, self._read, self._day.begins)
        for signed in told:
            await self._room.enter(day, signed.table, partial(_told, signed))
            self._read = signed.id
        if self._counted is None or not 0 <= now - self._counted < HANDS_SECONDS:  # the clock may be put right
            self._hands = await asyncio.to_thread(self._room.newest.dealt, self._day.begins)
            self._counted = now
        self.show(day.state)

    def show(self, state: Rotation) -> None:
        """Put who deals, who rests, the next push and what was dealt on the screens."""
        now = self._room.now()
        late = set(state.over(now))
        dealing = [
            {"table": table, "dealer": one.dealer, "since": one.since, "late": table in late}
            for table, one in sorted(state.dealing.items(), key=lambda item: _place(state, item[0]))
        ]
        names = sorted({*state.dealt, *self._hands})
        done = [
            {
                "dealer": name, "hands": self._hands.get(name, 0),
                "downs": state.dealt[name].downs if name in state.dealt else 0,
                "seconds": state.dealt[name].seconds if name in state.dealt else 0.0,
            }
            for name in names
        ]  # fmt: skip
        put = self._room.hub.put
        put(self.name, "dealing", {"tables": dealing, "string": list(state.string), "down": DOWN_SECONDS})
        put(self.name, "resting", {"dealers": [{"dealer": one.dealer, "since": one.since} for one in state.resting]})
        put(self.name, "push", {"moves": word_of_push(state)["moves"]})
        put(self.name, "done", {"dealers": done})
        put(self.name, "tables", {"names": sorted({*self._room.file.tables, *state.dealing})})


def _told(one: DealerSigned, rotation: Rotation) -> Mapping[str, Any] | None:
    if one.record <= rotation.read.get(one.journal, 0):
        return None
    does = {"do": "rests"} if one.gone else {"do": "deals"}
    where = {"table": one.table, "dealer": one.name, "at": one.at, "journal": one.journal, "record": one.record}
    return {**does, **where}


def _place(rotation: Rotation, table: str) -> tuple[int, str]:
    return (rotation.string.index(table) if table in rotation.string else len(rotation.string), table)
