"""What happens next in an evening: drawn by chance from what the pages show, as people would go on, or go wrong."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from config import game_file, rulebook_file
from controller.app.simulation.simulation_controls import BETTING_BY_STRUCTURE, make_table_line
from controller.core.protocol import vocabulary
from controller.runtime.staff.permissions import ROLES_BY_EVENT
from tests.evenings.house import KEYS, PLACES, PRESS
from tests.evenings.world import World

State = Mapping[str, Any]
Line = dict[str, Any]

PAIRS = [
    (book, game) for book in sorted(rulebook_file.list_rulebooks()) for game in rulebook_file.load_rulebook(book).games
]
TOURNAMENT_BOOKS = ("fish-n-chips", "maryport", "roberts-7", "tda-2024", "wsop-2024")
NAMES = ("Ana", "Ben", "Cleo", "Dev", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")
LANGUAGES = ("en", "de", "es")
LINES_SENT_BY_NOBODY = 0.03

MAX_REFUSALS = 8
"""So many answers that the table does not take, one after the other, and the floor gives the hand up."""


@dataclass(frozen=True)
class SentEntry:
    """Something that somebody does: who, which way, and what."""

    role: str
    way: str
    entry: Mapping[str, Any]


def page(role: str, line: Line) -> SentEntry:
    """Somebody touches a page."""
    return SentEntry(role, "page", line)


def key(name: str) -> SentEntry:
    """Somebody presses a key of the panel."""
    return SentEntry("key", "key", {"key": name})


def power(**what: Any) -> SentEntry:  # noqa: ANN401 - values of JSON
    """Something happens to the program or to a cable."""
    return SentEntry("power", "power", what)


@dataclass(frozen=True)
class Temper:
    """How an evening goes: how often what happens that need not, of a hundred entries."""

    noise: float
    undo: float
    amend: float
    power: float
    cable: float
    people: float
    language: float

    @classmethod
    def draw(cls, chance: random.Random) -> "Temper":
        """Draw one."""
        calm = chance.choice((0.5, 1.0, 1.0, 1.6))
        return cls(
            noise=calm * chance.uniform(4, 14),
            undo=calm * chance.uniform(1, 6),
            amend=calm * chance.uniform(1, 6),
            power=chance.uniform(0.3, 1.2),
            cable=chance.uniform(0.2, 1.2),
            people=calm * chance.uniform(1, 5),
            language=chance.uniform(0.5, 2),
        )


class Storyteller:
    """Draws what happens next at a table. `list_entries` tells what may be put right."""

    def __init__(
        self,
        chance: random.Random,
        world: World,
        list_entries: Callable[[], Sequence[State]],
        *,
        is_demo: bool = False,
        has_room: bool = False,
    ) -> None:
        """`is_demo`: the evening is one at a table whose devices and people are simulated, moved by hand."""
        self._has_room = has_room
        self.chance = chance
        self.world = world
        self._list_entries = list_entries
        self._is_demo = is_demo
        self.temper = Temper.draw(chance)
        self._refusals = 0
        self._stuck = 0
        self._hands_of_session = 0
        self._last_hand = -1
        self._session_hands = chance.choice((1, 2, 2, 3, 4))
        self._sessions = 0
        self._tournaments_left = 2 if chance.random() < 0.4 else 0
        self._new_names = list(NAMES)

    # The set-ups

    def set_up(self) -> SentEntry:
        """Draw another game under another book."""
        chance = self.chance
        self._session_hands = chance.choice((1, 2, 2, 3, 4))
        self._hands_of_session, self._last_hand, self._stuck = 0, -1, 0
        self._sessions += 1
        if not self._is_demo and (self._tournaments_left or chance.random() < 0.15):
            self._tournaments_left = max(0, self._tournaments_left - 1)
            return self._set_up_tournament()
        book, game = chance.choice(PAIRS)
        if self._is_demo:
            return power(power="set-up", line=self._draw_line(book, game), demo=True)
        return power(power="set-up", line=self._draw_line(book, game), extra=self._draw_extra(book))

    def _draw_line(self, book: str, game: str) -> Line:
        chance = self.chance
        form = game_file.load_game(game)
        most = min(PLACES, 8 if form.hand_size < 5 else 6)
        chairs = sorted(chance.sample(range(1, PLACES + 1), chance.randint(2, most)))
        names = chance.sample(NAMES, len(chairs))
        stacks = (5, 20, 40, 100, 200, 200, 200, 1000)
        seats = [
            {"seat": seat, "player": name, "stack": chance.choice(stacks)}
            for seat, name in zip(chairs, names, strict=True)
        ]
        kept: Line = {"ev": "table", "seats": seats, "places": PLACES, "sensors": ["identity"]}
        if form.has_button:
            kept["button"] = chance.choice(chairs)
        line = make_table_line(kept, game, book)
        if form.has_button and chance.random() < 0.4:
            line["betting"] = dict(BETTING_BY_STRUCTURE[chance.choice(("limit", "pot", "no"))])
        if form.has_button and chance.random() < 0.15:
            line["betting"] = {**line["betting"], "ante": 1}  # type: ignore[dict-item]
        if chance.random() < 0.1:
            line["amounts"] = "untracked"
            line["seats"] = [{key: value for key, value in seat.items() if key != "stack"} for seat in seats]
            if chance.random() < 0.5:
                line["follow"] = "rounds"
        return line

    def _draw_extra(self, book: str) -> dict[str, Any]:
        chance = self.chance
        if chance.random() < 0.75:
            return {}
        least = 5 if book == "casino-au" else 2
        kinds: tuple[dict[str, Any], ...] = (
            {"kind": "rake", "percent": chance.choice((least, 5, 7.5, 10)), "cap": chance.randint(1, 9)},
            {"kind": "hand", "fee": chance.randint(1, 3)},
            {"kind": "button", "fee": chance.randint(1, 4)},
            {"kind": "time", "fee": chance.randint(1, 6), "minutes": 30},
        )
        return {"collection": chance.choice(kinds)}

    def _set_up_tournament(self) -> SentEntry:
        chance = self.chance
        book = chance.choice(TOURNAMENT_BOOKS)
        chairs = sorted(chance.sample(range(1, PLACES + 1), chance.randint(2, 6)))
        seats = [
            {"seat": seat, "player": name, "stack": chance.choice((100, 300, 1000, 2000))}
            for seat, name in zip(chairs, chance.sample(NAMES, len(chairs)), strict=True)
        ]
        line: Line = {
            "ev": "table", "rulebook": book, "game": "holdem", "betting": {"structure": "no-limit"}, "places": PLACES,
            "seats": seats, "button": chance.choice(chairs), "sensors": ["identity"],
        }  # fmt: skip
        tournament = {
            "schedule": chance.choice(("T2000", "T20000", "evening")),
            "starts": chance.choice(("with-first-hand", "with-first-hand", "by-hand")),
        }
        return power(power="set-up", line=line, extra={"tournament": tournament})

    # What happens next

    def tell(self, sent: SentEntry, taken: bool) -> None:
        """Hear what came of what was drawn last."""
        if sent.way != "power":
            self._refusals = 0 if taken else self._refusals + 1

    def draw(self, state: State) -> SentEntry:
        """Draw what happens next; `state` as the floor's page has it."""
        if not self.world.power:
            return power(power="start", **({"options": ["--void-hand"]} if self._stuck > 3 else {}))
        table = state["table"]
        if table["hand"] != self._last_hand:
            self._hands_of_session += table["hand"] > self._last_hand >= 0
            self._last_hand = table["hand"]
        if self.world.unplugged and self.chance.random() < 0.4:
            return power(plug=self.chance.choice(sorted(self.world.unplugged)))
        if self._refusals > MAX_REFUSALS:
            return self._give_up()
        if (trouble := self._draw_trouble(state)) is not None:
            return trouble
        if self._has_room and self.chance.random() < 0.05:
            return self._draw_from_room(state)
        has_fault = table["phase"] == "halted" or state["faults"]
        if has_fault and (cleared := self._clear_fault(state)) is not None:
            return cleared
        return self._go_on(state) if table["next"] else self._draw_between_hands(state)

    def _give_up(self) -> SentEntry:
        """The table does not go on as people would have it: the floor decides, or all begins anew."""
        self._refusals = 0
        self._stuck += 1
        match self._stuck % 5:
            case 1:
                return page("floor", {"ev": "floor", "decide": "misdeal"})
            case 2:
                return page("floor", {"ev": "floor", "decide": "void"})
            case 3:
                return page("floor", {"ev": "undo"})
            case 4:
                return power(power="stop")
            case _:
                return self.set_up()

    def _draw_trouble(self, state: State) -> SentEntry | None:
        """Draw what need not be: by how the evening goes."""
        lot, temper = self.chance.random() * 100, self.temper
        draws: tuple[tuple[float, Callable[[State], SentEntry | None]], ...] = (
            (temper.noise, self._draw_noise),
            (temper.undo, self._draw_undo),
            (temper.amend, self._draw_amendment),
            (temper.power, self._draw_power),
            (temper.cable, self._draw_cable),
            (temper.people, self._draw_people),
            (temper.language, self._draw_language),
        )
        for share, draw in draws:
            if lot < share:
                return draw(state)
            lot -= share
        return None

    def _draw_power(self, _state: State) -> SentEntry:
        if self._has_room and self.chance.random() < 0.3:
            return power(power=self.chance.choice(("kill", "stop")), room=True)
        return power(power=self.chance.choice(("kill", "kill", "stop", "other-build", "lose-snapshot")))

    def _draw_cable(self, _state: State) -> SentEntry | None:
        if self._is_demo:
            return page("nobody", {"do": "fault", "fault": "unplug"})
        left = sorted({"shoe", "board"} - self.world.unplugged)
        return power(unplug=self.chance.choice(left)) if left else None

    def _draw_language(self, _state: State) -> SentEntry:
        return SentEntry("nobody", "page", {"language": self.chance.choice(LANGUAGES)})

    def _draw_undo(self, _state: State) -> SentEntry:
        if self.chance.random() < 0.25 and not self._is_demo:
            return key("undo")
        return page(self.draw_role(("dealer", "dealer", "floor")), {"ev": "undo"})

    def draw_role(self, usual: Sequence[str]) -> str:
        """Somebody who does this; now and then somebody who may not."""
        if self.chance.random() < LINES_SENT_BY_NOBODY:
            return self.chance.choice(("nobody", "technician", "auditor", "dealer"))
        return self.chance.choice(usual)

    def _seat(self, state: State) -> int:
        taken = [int(seat) for seat in state["players"]]
        if taken and self.chance.random() < 0.85:
            return self.chance.choice(taken)
        return self.chance.randint(1, PLACES)

    def _draw_noise(self, state: State) -> SentEntry:
        chance = self.chance
        match chance.randrange(12):
            case 0 | 1 | 2 | 3:
                return page(self.draw_role(("dealer", "floor")), self.draw_report(state))
            case 4:
                return page(self.draw_role(("floor",)), self._draw_decision(state))
            case 5 | 6 if self._is_demo:
                return self._steer_simulation(state)
            case 5:
                return SentEntry("shoe", "device", {"card": self._top_card()} if self.world.stub else {"foreign": True})
            case 6 if chance.random() < 0.3:
                return SentEntry("shoe", "device", {"foreign": True})
            case 6 | 7:
                return self._key(chance.choice(list(KEYS)))
            case 8:
                return page(self.draw_role(("dealer",)), self._draw_act_out_of_turn(state))
            case 9:
                return page(self.draw_role(("floor", "dealer")), self._draw_rare(state))
            case 10:
                offered = [*state["besides"], *state["for_floor"]]
                return page("floor", dict(chance.choice(offered))) if offered else page("dealer", {"ev": "done"})
            case _:
                word = chance.choice(sorted(ROLES_BY_EVENT))
                return page(self.draw_role(("dealer", "floor", "technician")), {"ev": word})

    def _draw_from_room(self, state: State) -> SentEntry:
        """What the desk of the room enters: what the table offers the floor, or anything that the floor says."""
        offered = [*state["besides"], *state["for_floor"]]
        if offered and self.chance.random() < 0.6:
            return SentEntry("room", "room", dict(self.chance.choice(offered)))
        drawn = self.chance.choice((self._draw_decision, self._draw_rare, self._draw_coming, self.draw_report))
        return SentEntry("room", "room", drawn(state))

    def _key(self, name: str) -> SentEntry:
        """A key of the panel; at a simulated table a finger on the page, which enters the same."""
        if not self._is_demo:
            return key(name)
        line = PRESS[name]
        if "turn" in line.values() or isinstance(line.get("do"), list):
            return page("dealer", {"ev": "done"})
        return page("dealer", dict(line))

    def _steer_simulation(self, state: State) -> SentEntry:
        """Have something go wrong among the simulated people, or another game played."""
        chance = self.chance
        if not state["table"]["next"] and chance.random() < 0.6:
            book, game = chance.choice(PAIRS)
            return page("nobody", {"do": "table", "game": game, "rulebook": book})
        faults = state["simulation"]["faults"]
        return page("nobody", {"do": "fault", "fault": chance.choice(faults)})

    def _top_card(self) -> str:
        return self.world.stub[-1]

    def draw_report(self, state: State, what: str | None = None) -> Line:
        """Any report with some of the details that it uses."""
        chance = self.chance
        kind = vocabulary.ReportKind(what) if what else chance.choice(list(vocabulary.ReportKind))
        streets = ("flop", "turn", "river", "third", "fourth", "fifth", "draw")
        values: dict[str, Callable[[], Any]] = {
            "seat": lambda: self._seat(state),
            "nth": lambda: chance.randint(1, 4),
            "to": lambda: chance.randint(1, 60),
            "mixed": lambda: chance.choice([each.value for each in vocabulary.StubMixture]),
            "count": lambda: chance.choice((1, 1, 2, 3)),
            "by": lambda: chance.choice(("dealer", "player")),
            "where": lambda: chance.choice(("hand", "board", "burn", "stub")),
            "acted": lambda: chance.randrange(4),
            "chips": lambda: chance.random() < 0.5,
            "street": lambda: chance.choice(streets),
            "from": lambda: self._seat(state),
            "burned": lambda: chance.random() < 0.5,
            "hand": lambda: chance.choice(("this", "previous")),
            "card": self._draw_card_name,
        }
        line: Line = {"ev": "report", "what": kind.value}
        for name in kind.terms.keys:
            if name in values and chance.random() < (0.15 if name in ("hand", "from", "street", "acted") else 0.55):
                line[name] = values[name]()
        return line

    def _draw_card_name(self) -> str:
        lying = [card for pile in self.world.lying.values() for card in pile]
        return self.chance.choice(lying or list(self.world.cards) or ["As", "Td", "7c"])

    def _draw_decision(self, state: State) -> Line:
        decide = self.chance.choice([each.value for each in vocabulary.FloorDecision])
        line: Line = {"ev": "floor", "decide": decide}
        if self.chance.random() < 0.6:
            line["seat"] = self._seat(state)
        if decide == "turned-up" and self.chance.random() < 0.5:
            line["nth"] = self.chance.randint(1, 3)
        return line

    def _draw_act_out_of_turn(self, state: State) -> Line:
        chance = self.chance
        line: Line = {"ev": "act", "seat": self._seat(state), "do": chance.choice(list(vocabulary.ActionType)).value}
        if line["do"] in ("bet", "raise", "complete") and chance.random() < 0.7:
            line["to"] = chance.randint(1, 60)
        if chance.random() < 0.2:
            line = {"ev": "act", "seat": line["seat"], "chips": [chance.randint(1, 25)] * chance.randint(1, 3)}
        return line

    def _draw_rare(self, state: State) -> Line:
        chance, seat = self.chance, self._seat(state)
        kinds: tuple[Line, ...] = (
            {"ev": "clock", "seat": seat},
            {"ev": "twice", "count": chance.choice((2, 2, 3))},
            {"ev": "chop"},
            {"ev": "penalty", "seat": seat, "hands": chance.randrange(3)},
            {"ev": "hand-for-hand", "on": chance.random() < 0.6},
            {"ev": "hand-for-hand", "go": True},
            {"ev": "last-hands", "hands": chance.randrange(4)},
            {"ev": "halt", "on": chance.random() < 0.4},
            {"ev": "timer", "set": chance.choice(list(vocabulary.TimerCommand)).value},
            {"ev": "level"},
            {"ev": "break"},
            {"ev": "collect", "seat": seat, "paid": chance.random() < 0.5},
            {"ev": "collection", "kind": "hand", "fee": chance.randint(1, 3)},
            {"ev": "collection", "kind": "none"},
            {"ev": "buy", "seat": seat, "chips": chance.randint(1, 300)},
            {"ev": "show", "seat": seat},
            {"ev": "muck", "seat": seat},
            {"ev": "won", "seat": seat, "pot": chance.randrange(2)},
            {"ev": "draw", "seat": seat, "discard": chance.randrange(4)},
            {"ev": "card", "card": None},
            {"ev": "closed"},
            {"ev": "start", "bomb_pot": 4},
            {"ev": "device", "id": "fault:out-of-service", "status": "lost"},
        )
        return dict(chance.choice(kinds))

    def _draw_amendment(self, state: State) -> SentEntry | None:
        """Put something right that was entered, or that was forgotten."""
        entries = [each for each in self._list_entries() if not each.get("out")]
        if not entries:
            return None
        reach = self.chance.choice((3, 10, 1000))
        line: Line = {"ev": "amend", **self._draw_change(entries[-reach:], state)}
        if self.chance.random() < 0.15:
            line["also"] = [self._draw_change(entries[-reach:], state)]
        if self.chance.random() < 0.1:
            line["drop"] = [entries[-1]["entry"]]
        return page(self.draw_role(("dealer", "floor", "floor")), line)

    def _draw_change(self, entries: Sequence[State], state: State) -> Line:
        chance = self.chance
        each = chance.choice(entries)
        if chance.random() < 0.2:
            return {"before": each["entry"], "to": self._draw_forgotten(state)}
        return {"line": each["entry"], "to": self._draw_otherwise(dict(each["told"]), state)}

    def _draw_forgotten(self, state: State) -> Line:
        return self.chance.choice(
            (
                self._draw_act_out_of_turn(state),
                {"ev": "card", "card": None},
                self.draw_report(state),
                {"ev": "done"},
                self._draw_coming(state),
            )
        )

    def _draw_otherwise(self, told: Line, state: State) -> Line | None:
        chance = self.chance
        told.pop("t", None)
        match told.get("ev"), chance.randrange(6):
            case _, 0:
                return None
            case "act", 1 | 2 | 3 | 4:
                word = chance.choice(("fold", "call", "call", "check", "bet", "raise", "all-in", "complete"))
                to = {"to": chance.randint(2, 60)} if word in ("bet", "raise", "complete") else {}
                return {"ev": "act", "seat": told.get("seat"), "do": word, **to}
            case "stack" | "sit", 1 | 2 | 3:
                return {**told, "stack": chance.randint(40, 300)}
            case "draw", 1 | 2 | 3:
                return {**told, "discard": chance.randrange(4)}
            case "report" | "floor", 1 | 2 | 3:
                return self.draw_report(state)
            case _:
                return told

    # People who come and go

    def _draw_people(self, state: State) -> SentEntry:
        return page(self.draw_role(("dealer", "dealer", "floor")), self._draw_coming(state))

    def _draw_coming(self, state: State) -> Line:
        chance = self.chance
        taken = {int(seat) for seat in state["players"]}
        empty = sorted(set(range(1, PLACES + 1)) - taken)
        seat = self._seat(state)
        tracked = "stacks" in state["table"]
        if empty and (len(taken) < 3 or chance.random() < 0.3):
            name = chance.choice(NAMES)
            line: Line = {"ev": "sit", "seat": chance.choice(empty), "player": name}
            if tracked:
                line["stack"] = chance.choice((40, 100, 200, 400, 2000))
            for word in ("post", "kill", "moved", "buys_button"):
                if chance.random() < (0.5 if word == "post" else 0.08):
                    line[word] = True
            return line
        away = [int(number) for number, who in state["players"].items() if who.get("away")]
        kinds: list[Line] = [
            {"ev": "away", "seat": seat},
            {"ev": "leave", "seat": seat},
            {"ev": "back", "seat": chance.choice(away or [seat]), "post": chance.random() < 0.6},
            {"ev": "back", "seat": chance.choice(away or [seat])},
        ]
        if tracked:
            stack = int(state["table"]["stacks"].get(str(seat), 0))
            kinds.append({"ev": "stack", "seat": seat, "stack": stack + chance.choice((20, 100, 200, -10))})
        if empty:
            kinds.append({"ev": "sit", "seat": chance.choice(empty), "from": seat})
        return chance.choice(kinds)

    # What the table waits for

    def _clear_fault(self, state: State) -> SentEntry | None:
        chance = self.chance
        lost = any(fault["code"] == "device-lost" for fault in state["faults"])
        if self._is_demo and lost:
            return page("nobody", {"do": "fault", "fault": "plug"})
        if self.world.unplugged and lost:
            return power(plug=chance.choice(sorted(self.world.unplugged)))
        known = [fault for fault in state["faults"] if fault.get("id")]
        if not known:
            return None
        fault = chance.choice(known)
        roles = fault.get("clears") or ["dealer"]
        role = chance.choice([*roles, *roles, "dealer", "technician"])
        return page(self.draw_role((role,)), {"ev": "device", "id": fault["id"], "status": "back", "needed": True})

    def _draw_between_hands(self, state: State) -> SentEntry:
        chance = self.chance
        if self._hands_of_session >= self._session_hands:
            if self.world.is_tournament and self._tournaments_left and chance.random() < 0.7:
                return self._end_tournament(state)
            return self.set_up()
        in_play = [seat for seat, stack in state["table"].get("stacks", {}).items() if stack > 0]
        if "stacks" in state["table"] and len(in_play) < 2 and chance.random() < 0.8:
            return page("dealer", self._draw_coming(state))
        timer = state["table"].get("timer")
        if timer and not timer.get("running") and chance.random() < 0.4:
            return page("floor", {"ev": "timer", "set": chance.choice(("start", "resume"))})
        if timer and timer.get("stage") == "break" and chance.random() < 0.6:
            return page("floor", {"ev": "level"})
        if timer and chance.random() < 0.15:
            return page("floor", {"ev": chance.choice(("level", "level", "break"))})
        if chance.random() < 0.12:
            return self._draw_people(state)
        return self._start()

    def _end_tournament(self, _state: State) -> SentEntry:
        """The tournament is over at this table; people sit down for another one."""
        self._tournaments_left -= 1
        self._hands_of_session = 0
        return page("floor", {"ev": "tournament-over"})

    def _start(self) -> SentEntry:
        if self.chance.random() < 0.3 and not self._is_demo:
            return key("start")
        return page("dealer", {"ev": "start"})

    def _go_on(self, state: State) -> SentEntry:
        """Do what is first in `next`, the way that it is mostly done; after a refusal another way."""
        chance, table = self.chance, state["table"]
        step = table["next"][0]
        second = self._refusals > 2
        if self._is_demo and not second and (step["step"] in ("deal", "burn", "board") or chance.random() < 0.3):
            return SentEntry("shoe", "device", {"do": "step"})
        match step["step"]:
            case "deal" | "burn" | "board":
                if not self.world.stub:
                    return page("dealer", {"ev": "card", "card": None})
                if chance.random() < 0.01 or second:
                    return page("dealer", {"ev": "card", "card": None})
                return SentEntry("shoe", "device", {"card": self._top_card()})
            case "act":
                return self._act(step)
            case "bet":
                if chance.random() < 0.4:
                    word = chance.choice(("fold", "fold", "all-in", "bet", "raise"))
                    return page("dealer", {"ev": "act", "seat": chance.choice(step["seats"]), "do": word})
                return page("dealer", {"ev": "closed"})
            case "draw":
                count = step.get("discard", chance.choice((0, 1, 1, 2, 3)))
                return page("dealer", {"ev": "draw", "seat": step["seat"], "discard": count})
            case "show":
                word = "muck" if chance.random() < (0.6 if second else 0.25) else "show"
                return key(word) if self._presses(0.3) else page("dealer", {"ev": word, "seat": step["seat"]})
            case "floor":
                decide = chance.choice(step["options"])
                line: Line = {"ev": "floor", "decide": decide}
                if decide == "turned-up":
                    line |= {name: step[name] for name in ("seat", "nth", "where") if name in step}
                elif decide == "dead-hand" or (second and chance.random() < 0.5):
                    line["seat"] = step.get("seat", self._seat(state))
                if self._has_room and chance.random() < 0.4:
                    return SentEntry("room", "room", line)
                return page(self.draw_role(("floor",)), line)
            case "say":
                return page("dealer", self._answer_question(step, state))
            case "hold":
                return page("floor", {"ev": "hand-for-hand", "go": True})
            case "award" if step.get("seats") and ((len(step["seats"]) > 1 and "amounts" not in step) or second):
                won: Line = {"ev": "won", "seat": chance.choice(step["seats"]), "pot": step.get("pot", 0)}
                return page("dealer", won | ({"board": step["board"]} if "board" in step else {}))
            case "collect" if "seat" in step and chance.random() < 0.2:
                return page("dealer", {"ev": "collect", "seat": step["seat"], "paid": False})
            case _:
                return key("done") if self._presses(0.4) else page("dealer", {"ev": "done"})

    def _answer_question(self, step: Mapping[str, Any], state: State) -> Line:
        """Say what happened, mostly so that it cannot be untrue."""
        chance, line = self.chance, {"ev": "report", "what": self.chance.choice(step["options"])}
        if chance.random() < 0.4:
            return self.draw_report(state, line["what"])
        if "put-back" in step["options"]:
            return {**line, "what": "put-back"}
        if line["what"] == "acted":
            return {**line, "count": 1, "chips": chance.random() < 0.5}
        if line["what"] == "misread":
            up: Mapping[str, Sequence[str | None]] = state["table"].get("up") or {}
            seats = [int(seat) for seat, cards in up.items() if None in cards]
            unread = sorted({*self.world.deck} - {*self.world.stub} - {*self.world.left})
            if seats and unread:
                return {**line, "seat": chance.choice(seats), "card": chance.choice(unread)}
        return line

    def _presses(self, share: float) -> bool:
        """Whether somebody takes a key of the panel, and not the page."""
        return not self._is_demo and self.chance.random() < share

    def _act(self, step: Mapping[str, Any]) -> SentEntry:
        chance, options = self.chance, list(step["options"])
        weights = {"fold": 3 if step.get("to_call") else 0.3, "check": 6, "call": 6, "all-in": 0.5, "straddle": 0.5}
        word = chance.choices(options, [weights.get(option, 1.5) for option in options])[0]
        if self._presses(0.35):
            pressed = {"fold": "fold", "check": "call", "call": "call", "bring-in": "call", "bet": "raise"}
            if word in pressed or word == "raise":
                return key(pressed.get(word, "raise"))
        line: Line = {"ev": "act", "seat": step["seat"], "do": word}
        if word in ("bet", "raise", "complete") and "min_to" in step and step["min_to"] != step.get("max_to"):
            least, most = int(step["min_to"]), int(step.get("max_to", step["min_to"]))
            line["to"] = chance.choice((least, least, min(most, 2 * least), chance.randint(least, max(least, most))))
        return page("dealer", line)


def describe_key(name: str) -> Mapping[str, object]:
    """What a key of the panel means, as a line."""
    return PRESS[name]
