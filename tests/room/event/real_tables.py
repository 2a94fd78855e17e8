"""Tables of the core, card by card, asked by a room and shown to it as the API tells them."""

import random
from collections.abc import Mapping
from typing import Any

from controller.core.values.cards import ALL_CARDS
from controller.records.public_view import describe_players
from controller.room_contract.table_request import TableReply
from tests.playing import ScriptedTable


class RealTable:
    """A table of the core. `entry` counts the lines that it took."""

    def __init__(self, line: Mapping[str, Any], seed: int = 1) -> None:
        self.book = str(line["rulebook"])
        self.played = ScriptedTable()
        self.played({"ev": "table", **line})
        assert "error" not in self.played.lines[0], self.played.lines[0]
        self.lot = random.Random(seed)
        self.entry = 1
        self.taken: list[Mapping[str, Any]] = []
        self.t = 0.0

    def say(self, line: Mapping[str, Any]) -> dict[str, Any]:
        answer = self.played({**line, "t": self.t})
        self.entry += "error" not in answer
        return answer

    def state(self) -> dict[str, Any]:
        shown = self.played({"ev": "time", "t": self.t})
        stacks = shown.get("stacks", {})
        players = describe_players(self.played.table.outcome)
        seats = [{"seat": seat, "stack": stacks.get(str(seat)), **who} for seat, who in players.items()]
        return {**shown, "entry": self.entry, "seats": seats}

    def enter(self, line: Mapping[str, Any], seen: int) -> TableReply:
        if seen != self.entry:
            return TableReply(False, None, "moved-on", "the table has moved on")
        answer = self.say(line)
        if "error" in answer:
            return TableReply(False, None, answer["error"]["code"], answer["error"]["message"])
        self.taken.append(line)
        return TableReply(True, self.entry)

    def begin(self) -> bool:
        """The first riffle; false where the table does not let a hand begin."""
        self.deck = self.lot.sample(sorted(ALL_CARDS), len(ALL_CARDS))
        return "error" not in self.say({"ev": "start"})

    def play_on(self, *all_in: int) -> str:
        """Deal and act until the hand is over or waits for the floor: those go all-in, all others fold or check."""
        for _ in range(200):
            shown = self.played.lines[-1]
            if not shown["next"] or shown["next"][0]["step"] == "hold":
                return str(shown["phase"])
            step = shown["next"][0]
            match step["step"]:
                case "deal" | "burn" | "board":
                    answer = self.say({"ev": "card", "card": self.deck.pop()})
                case "act":
                    wanted = ("all-in", "call") if step["seat"] in all_in else ("check", "fold")
                    do = next(word for word in wanted if word in step["options"])
                    answer = self.say({"ev": "act", "seat": step["seat"], "do": do})
                case "show":
                    answer = self.say({"ev": "show", "seat": step["seat"]})
                case _:
                    answer = self.say({"ev": "done"})
            assert "error" not in answer, (step, answer["error"])
        raise AssertionError("the hand does not end")


class RealTables:
    """The tables of a room; a table in `torn` takes what it is asked, and its answer is lost."""

    def __init__(self, tables: Mapping[str, RealTable]) -> None:
        self.tables = tables
        self.torn: set[str] = set()
        self.down: set[str] = set()
        """Tables without a link."""

    async def enter(self, table: str, line: Mapping[str, Any], by: str, seen: int) -> TableReply:
        assert by
        if table in self.down:
            return TableReply(False, None, "not-reached", "no link")
        answer = self.tables[table].enter(line, seen)
        if table in self.torn:
            self.torn.discard(table)
            return TableReply(False, None, "no-answer", "the link was lost")
        return answer
