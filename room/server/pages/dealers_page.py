"""The dealers: who deals where since when, who rests, and the next push; fed by who signs in at the tables."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from controller.runtime.staff.admission import RefusalCode
from room.floor.dealer_rotation import DOWN_DURATION_S, DealerRotation, apply_dealer_line, make_push_line
from room.floor.waiting_lists import is_valid_name
from room.search.recent_facts import DealerSignInRow
from room.server.pages.daily_page import DailyPage
from room.server.room_context import RoomContext

HAND_COUNT_INTERVAL_S = 15.0
"""How often the hands that each dealer has dealt are counted."""


class DealersPage(DailyPage[DealerRotation]):
    """Takes what the tables' records say of dealers, and the floor's pushes."""

    name = "dealers"
    stream_name = "dealers"
    format_hint = 'Want {"do": "push", "string", "deals", "rests" or "home", …}.'
    refusal_code = RefusalCode.MOVED_ON

    def __init__(self, room: RoomContext) -> None:
        super().__init__(room, DealerRotation(), apply_dealer_line)
        self._last_sign_in_id = 0
        self._hand_count_by_dealer: Mapping[str, int] = {}
        self._counted_at: float | None = None

    def find_refusal(self, state: DealerRotation, word: Mapping[str, Any]) -> str:
        """Whether it is the push that the floor saw."""
        moved = word["do"] == "push" and word != make_push_line(state)
        return "The next push is another one by now; look again" if moved else ""

    def parse_line(self, told: object) -> dict[str, Any] | None:
        """A word as the floor may say it."""
        match told:
            case {"do": "push", "moves": [*moves], **rest} if not rest:
                return {"do": "push", "moves": moves}
            case {"do": "string", "tables": [*tables], **rest} if not rest and all(
                isinstance(table, str) and is_valid_name(table) for table in tables
            ):
                return {"do": "string", "tables": list(dict.fromkeys(tables))}
            case {"do": "deals", "table": str(table), "dealer": str(dealer), **rest} if (
                not rest and is_valid_name(table) and is_valid_name(dealer)
            ):
                return {"do": "deals", "table": table, "dealer": dealer}
            case {"do": "rests" | "home" as do, "dealer": str(dealer), **rest} if not rest and is_valid_name(dealer):
                return {"do": do, "dealer": dealer}
            case _:
                return None

    async def refresh(self) -> None:
        """Look once."""
        day, now = await self._daily_stream.read_today(), self._room.wall_clock()
        told = await asyncio.to_thread(
            self._room.recent_facts.read_sign_ins, self._last_sign_in_id, self._daily_stream.day_start
        )
        for signed in told:
            await self._room.enter(day, signed.table, partial(_make_sign_in_line, signed))
            self._last_sign_in_id = signed.id
        if (
            self._counted_at is None or not 0 <= now - self._counted_at < HAND_COUNT_INTERVAL_S
        ):  # the clock may be put right
            self._hand_count_by_dealer = await asyncio.to_thread(
                self._room.recent_facts.count_hands_by_dealer, self._daily_stream.day_start
            )
            self._counted_at = now
        self.show_state(day.state)

    def show_state(self, state: DealerRotation) -> None:
        """Put who deals, who rests, the next push and what was dealt on the screens."""
        now = self._room.wall_clock()
        late = set(state.find_overdue_tables(now))
        dealing = [
            {"table": table, "dealer": one.dealer, "since": one.started_at, "late": table in late}
            for table, one in sorted(state.stint_by_table.items(), key=lambda item: _make_sort_key(state, item[0]))
        ]
        names = sorted({*state.totals_by_dealer, *self._hand_count_by_dealer})
        done = [
            {
                "dealer": name, "hands": self._hand_count_by_dealer.get(name, 0),
                "downs": state.totals_by_dealer[name].down_count if name in state.totals_by_dealer else 0,
                "seconds": state.totals_by_dealer[name].dealt_s if name in state.totals_by_dealer else 0.0,
            }
            for name in names
        ]  # fmt: skip
        put = self._room.hub.put
        put(self.name, "dealing", {"tables": dealing, "string": list(state.table_string), "down": DOWN_DURATION_S})
        put(
            self.name,
            "resting",
            {"dealers": [{"dealer": one.dealer, "since": one.started_at} for one in state.resting_stints]},
        )
        put(self.name, "push", {"moves": make_push_line(state)["moves"]})
        put(self.name, "done", {"dealers": done})
        put(self.name, "tables", {"names": sorted({*self._room.file.page_url_by_table, *state.stint_by_table})})


def _make_sign_in_line(one: DealerSignInRow, rotation: DealerRotation) -> Mapping[str, Any] | None:
    if one.record_number <= rotation.last_record_by_journal.get(one.journal, 0):
        return None
    does = {"do": "rests"} if one.is_sign_out else {"do": "deals"}
    where = {
        "table": one.table,
        "dealer": one.name,
        "at": one.signed_at,
        "journal": one.journal,
        "record": one.record_number,
    }
    return {**does, **where}


def _make_sort_key(rotation: DealerRotation, table: str) -> tuple[int, str]:
    return (rotation.table_string.index(table) if table in rotation.table_string else len(rotation.table_string), table)
