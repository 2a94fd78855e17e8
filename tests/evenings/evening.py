"""One evening: what is drawn or read from a script is done at the house, and every oracle looks at it."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from controller.runtime.journal.recovery.snapshot import SNAPSHOT_FILE
from tests.evenings.browser import PAGE_BY_ROLE, Hands
from tests.evenings.house import (
    NEWS_SECONDS,
    PRESS,
    SILENCE_SECONDS,
    Answer,
    House,
    SetUpRefusedError,
    TableEndedError,
)
from tests.evenings.room_beside import RoomBeside
from tests.evenings.seen import Oracle, Seen
from tests.evenings.story import LANGUAGES, SentEntry, Storyteller
from tests.evenings.world import World

Heard = tuple[bool, Mapping[str, Any]]
"""Whether something was taken, and what came back."""

KINDS = {"live": 70, "browser": 10, "demo": 12, "room": 8}
"""How an evening is played, and how often of a hundred. `browser`: people touch the keys of the pages in Chromium;
`demo`: devices and people are simulated, and moved by hand; `room`: the table is one of a room, whose desk enters, too.
"""
TOUCHES_SHARE = 0.6

CARD_SECONDS = 2.0
"""So long a card is waited for that lies nowhere else by then: mostly one that the table halts for."""

SETTLE_SECONDS = 0.05

AGAIN_SECONDS = 0.25
"""So long an answer is waited for where an old one was published again."""

ROOM_SHARE = 0.08
"""After so many entries the room is asked what it shows of the table."""

PAGES_SHARE = 0.12
"""After so many entries the table is looked at as others see it, too."""


@dataclass(frozen=True)
class Complaint:
    """What an oracle found, and after which entry."""

    oracle: str
    number: int
    text: str


@dataclass
class Figures:
    """What an evening came to, or several."""

    evenings: int = 0
    entries: int = 0
    taken: int = 0
    refused: int = 0
    hands: int = 0
    tournaments: int = 0
    set_ups: int = 0
    restarts: int = 0
    kills: int = 0
    updates: int = 0
    room_restarts: int = 0
    unplugs: int = 0
    undos: int = 0
    amendments: int = 0
    reports: int = 0
    touches: int = 0
    """Keys of pages that were touched in a browser."""
    complaints: int = 0
    seconds: float = 0.0
    by_game: Counter[str] = field(default_factory=Counter)
    by_book: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    by_role: Counter[str] = field(default_factory=Counter)
    by_way: Counter[str] = field(default_factory=Counter)
    by_code: Counter[str] = field(default_factory=Counter)
    """Refusals by their code."""

    def add(self, other: "Figures") -> None:
        """Take the figures of other evenings."""
        for each in fields(other):
            mine, value = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, each.name, mine + value)

    def count(self, seen: Seen) -> None:
        """Count an entry."""
        self.entries += 1
        self.taken += seen.taken
        self.refused += not seen.taken and seen.answer.get("code") != "no-entry"
        self.by_role[seen.role] += 1
        self.by_way[seen.way] += 1
        if seen.way != "power":
            self.by_game[seen.truth.game] += 1
            self.by_book[seen.truth.book] += 1
        if not seen.taken and seen.answer.get("code") != "no-entry":
            self.by_code[str(seen.answer.get("code", ""))] += 1
        word = seen.entry.get("ev", "")
        self.undos += seen.taken and word == "undo"
        self.amendments += seen.taken and word == "amend"
        self.reports += seen.taken and word == "report"
        self.hands += seen.taken and seen.table.get("hand", 0) == seen.table_before.get("hand", 0) + 1
        self.unplugs += "unplug" in seen.entry
        what = seen.entry.get("power")
        self.set_ups += what == "set-up" and seen.taken
        self.tournaments += what == "set-up" and seen.taken and seen.truth.is_tournament
        self.tournaments += seen.taken and word == "tournament-over"
        self.kills += what == "kill"
        self.updates += what == "other-build" and seen.taken
        self.restarts += what in ("start", "lose-snapshot", "other-build") and seen.taken


class PlayedEvening:
    """An evening at a house. `record`: where what is sent is written down as it happens."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        oracles: Sequence[Callable[[], Oracle]],
        *,
        record: Path | None = None,
        first: str = "",
        other_build: Callable[[], Path] | None = None,
    ) -> None:
        self.seed = seed
        self.house = House(folder, first=first)
        self.journal = self.house.journal
        self.world = World()
        self.seen: list[Seen] = []
        self.sent: list[SentEntry] = []
        self.complaints: list[Complaint] = []
        self.figures = Figures(evenings=1)
        self._oracles = [make() for make in oracles]
        self._record = record
        self._hands: Hands | None = None
        self._room: RoomBeside | None = None
        self._is_linked = False
        self._kind = "live"
        self._other_build, self._own_build = other_build, self.house._build
        self._looks = random.Random(f"looks {seed}")
        self._begun = time.monotonic()
        if record is not None:
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text("", encoding="utf-8")

    def close(self) -> None:
        """Leave nothing behind that runs."""
        self.figures.seconds = time.monotonic() - self._begun
        self.figures.complaints = len(self.complaints)
        if self._hands is not None:
            self._hands.close()
        if self._room is not None:
            self._room.close()
        self.house.close()

    # Playing

    def play(self, entries: int, kind: str = "live") -> None:
        """Draw and do so many entries; an evening with a complaint ends. `kind`: one of `KINDS`."""
        chance = random.Random(f"story {self.seed}")
        self._kind = kind
        if self._kind == "room":
            self._open_room()
        teller = Storyteller(
            chance,
            self.world,
            self._list_entries,
            is_demo=self._kind == "demo",
            has_room=self._room is not None,
        )
        while not self.house.is_up and not self.complaints:
            self.perform(teller.set_up())
        while len(self.sent) < entries and not self.complaints:
            drawn = teller.draw(self.house.look())
            seen = self._touch(drawn, chance) if self._is_for_hands(drawn, chance) else self.perform(drawn)
            if seen is not None:
                teller.tell(self.sent[-1], seen.taken)
        self.figures.by_kind[self._kind] += 1
        if not self.complaints:
            self._end()

    def replay(self, script: Iterable[SentEntry]) -> None:
        """Do what a script says, until somebody complains."""
        script = list(script)
        if any(sent.way == "room" or "room" in sent.entry for sent in script):
            self._open_room()
        for sent in script:
            self.perform(sent)
            if self.complaints:
                return
        self._end()

    def _open_room(self) -> None:
        self._room = RoomBeside(self.house.folder / "room", self.house.state)
        self.house.port = self._room.table_port

    def _end(self) -> None:
        for oracle in self._oracles:
            for text in oracle.end(self):
                self.complaints.append(Complaint(type(oracle).__name__, len(self.sent), text))

    def _list_entries(self) -> Sequence[Mapping[str, Any]]:
        return self.house.list_entries() if self.house.is_up else ()

    def perform(self, sent: SentEntry) -> Seen:
        """Do one thing, and have every oracle look at it."""
        return self._observe(sent, lambda before: self._send(sent, before))

    def _observe(
        self,
        sent: SentEntry,
        do: Callable[[Mapping[str, Any]], tuple[bool, Mapping[str, Any]]],
        known: Mapping[str, Any] | None = None,
    ) -> Seen:
        self.sent.append(sent)
        if self._record is not None:
            with self._record.open("a", encoding="utf-8") as record:
                record.write(write_sent(sent) + "\n")
        before = known
        if before is None:
            before = self.house.look() if self.house.is_up else self.house.last_state
        self.world.clock = time.monotonic() - self._begun
        try:
            taken, answer = do(before)
        except TableEndedError as why:
            self.complain("TheProgramRuns", f"the program ended by itself: {why}")
            taken, answer = False, {"ended": str(why)}
        after = self.house.last_state
        self.world.power = self.house.is_up
        if sent.way != "power":
            self._follow(sent, before, after, taken)
        seen = Seen(
            number=len(self.sent),
            role=sent.role,
            way=sent.way,
            entry=sent.entry,
            taken=taken,
            answer=answer,
            before=before,
            after=after,
            pages=self._look_at_pages(sent),
            journal=self.journal,
            room=self._look_at_room(sent, after),
            truth=self.world.tell(),
        )
        self.seen.append(seen)
        self.figures.count(seen)
        for oracle in self._oracles:
            for text in oracle.look(seen):
                self.complain(type(oracle).__name__, text)
        return seen

    # A browser

    def _is_for_hands(self, drawn: SentEntry, chance: random.Random) -> bool:
        """Whether somebody touches a page in a browser in place of what was drawn."""
        if self._kind != "browser" or not self.house.is_up:
            return False
        return drawn.way == "page" and drawn.role in PAGE_BY_ROLE and chance.random() < TOUCHES_SHARE

    def _touch(self, drawn: SentEntry, chance: random.Random) -> Seen | None:
        """Somebody touches what a page shows. What the page sends is the entry, so that a script needs no browser."""
        house = self.house
        if self._hands is None:
            with house.keep_alive():
                self._hands = Hands()
        hands = self._hands
        cookie = house.find_cookie(drawn.role)
        before = house.look()
        with house.keep_alive():
            touched = hands.touch(drawn.role, cookie, house.page.port, self.world.language, chance)
        self.figures.touches += len(touched.keys)
        for error in hands.errors:
            self.complain("PageScripts", f"a script failed after {touched.keys}: {error}")
        hands.errors.clear()
        content = touched.content
        if touched.path == "entry" and ("line" in content or "lines" in content):
            entry = content.get("line") or {"lines": content["lines"]}
            house.look()
        elif touched.path in ("call", "simulation") and isinstance(content, Mapping):
            entry = {"ev": "call-floor", **content} if touched.path == "call" else content
        else:
            return None
        sent = SentEntry(drawn.role, "page", entry)
        return self._observe(sent, lambda known: self._judge(known, Answer(touched.status, touched.answer)), before)

    def complain(self, oracle: str, text: str) -> None:
        """Keep a complaint of the entry that was made last."""
        self.complaints.append(Complaint(oracle, len(self.sent), text))

    def _look_at_pages(self, sent: SentEntry) -> dict[str, Mapping[str, Any]]:
        if not self.house.is_up or (self._looks.random() > PAGES_SHARE and "language" not in sent.entry):
            return {}
        languages = {self.world.language, self._looks.choice(LANGUAGES)}
        with suppress(OSError):
            return self.house.read_pages(sorted(languages))
        return {}

    def _look_at_room(self, sent: SentEntry, after: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if self._room is None or not self.house.is_up or not (sent.way == "room" or self._looks.random() < ROOM_SHARE):
            return None
        return self._room.show(int(after["entry"]))

    # The ways

    def _send(self, sent: SentEntry, before: Mapping[str, Any]) -> Heard:
        if sent.way == "power":
            return self._change_power(sent.entry)
        if not self.house.is_up:
            return False, {"code": "no-power"}
        match sent.way:
            case "room" if self._room is not None:
                return self._judge_by_room(before, self._room.enter(sent.entry, before["entry"]))
            case "key":
                return self._press(before, str(sent.entry["key"]))
            case "device" if "do" not in sent.entry:
                return self._hear_card(before, sent.entry)
            case "api":
                content = {"seen": before["entry"], "line": dict(sent.entry)}
                return self._judge(before, self.house.enter_by_token("room", "/api/v1/entries", content))
            case _ if "language" in sent.entry:
                self.world.language = str(sent.entry["language"])
                return False, {"code": "no-entry"}
            case _ if "do" in sent.entry and "ev" not in sent.entry:
                return self._steer_simulation(before, sent)
            case _ if sent.entry.get("ev") == "call-floor":
                wanted = bool(sent.entry.get("wanted", True))
                answer = self.house.post(sent.role, "/call", {"wanted": wanted})
                if answer.status < 300 and wanted == before["floor_called"]:
                    return False, {"status": answer.status, "code": "no-entry"}  # the same once more changes nothing
                return self._judge(before, answer)
            case _:
                return self._judge(before, self.house.enter(sent.role, sent.entry, before["entry"]))

    def _steer_simulation(self, before: Mapping[str, Any], sent: SentEntry) -> Heard:
        answer = self.house.post(sent.role, "/simulation", sent.entry)
        told = {"status": answer.status, **answer.content}
        if answer.status >= 300:
            return False, told
        match sent.entry["do"]:
            case "step":
                moved = self.house.wait(lambda now: now["entry"] != before["entry"], NEWS_SECONDS / 2)
                refusal = self.house.last_state["refusal"]
                return moved and refusal is None, {**told, **(refusal or {})}
            case "table":
                begun = self.house.wait(lambda now: now["entry"] > before["entry"], NEWS_SECONDS * 5)
                if begun:
                    self.world.book, self.world.game = str(sent.entry["rulebook"]), str(sent.entry["game"])
                return begun, told
            case _:
                self.house.breathe(SETTLE_SECONDS)
                self.house.look()
                return False, {**told, "code": "no-entry"}

    def _press(self, before: Mapping[str, Any], key: str) -> Heard:
        taken, heard = self._hear(before, lambda: self.house.press(key), SILENCE_SECONDS)
        steps = before["table"]["next"]
        if taken and key == "done" and steps and steps[0]["step"] == "collect" and "seat" not in steps[0]:
            # One press drops the house's part and pushes the pot: two entries (docs/collection.md).
            self.house.wait(lambda now: now["entry"] > before["entry"] + 1 or now["refusal"] is not None, NEWS_SECONDS)
        return taken, heard

    def _hear_card(self, before: Mapping[str, Any], entry: Mapping[str, Any]) -> Heard:
        """A card leaves the shoe; what is entered by the timer meanwhile is no answer to it."""
        self._pull_card(entry)
        piles = before["table"]["piles"]

        def is_noticed(now: Mapping[str, Any]) -> bool:
            refused = now["number"] != before["number"] and now["refusal"] is not None
            return now["table"]["piles"] != piles or (refused and now["refusal"]["source"] == "shoe")

        if not self.house.wait(is_noticed, CARD_SECONDS):
            return False, {"code": "nothing-said"}
        return self._hear(before, lambda: None, SILENCE_SECONDS)

    def _pull_card(self, entry: Mapping[str, Any]) -> None:
        if "foreign" in entry:
            self.house.pass_foreign_card()
        else:
            self.house.pass_card(str(entry["card"]))

    def _judge(self, before: Mapping[str, Any], answer: Answer) -> Heard:
        """What came of an entry over HTTP: the answer itself refuses it, or the table does."""
        told = {"status": answer.status, **answer.content}
        if answer.status >= 300:
            return False, told
        taken, heard = self._hear(before, lambda: None, NEWS_SECONDS)
        return taken, {**told, **heard}

    def _judge_by_room(self, before: Mapping[str, Any], answer: Answer) -> Heard:
        """The table answers the room itself whether it took an entry."""
        taken = bool(answer.content.get("taken"))
        if taken:
            self.house.wait_for_news(before, NEWS_SECONDS)
        self.house.look()
        return taken, {"status": answer.status, **answer.content}

    def _hear(self, before: Mapping[str, Any], do: Callable[[], None], patience: float) -> Heard:
        do()
        if not self.house.wait_for_news(before, patience, notices=patience == SILENCE_SECONDS):
            return False, {"code": "nothing-said"}
        now = self.house.last_state
        if now["refusal"] is not None and now["refusal"] == before["refusal"] and now["entry"] == before["entry"]:
            # It is refused in the same words; or the old refusal was published again, as with a device that is back.
            self.house.wait(lambda later: later["entry"] != before["entry"], AGAIN_SECONDS)
            now = self.house.last_state
        if now["faults"] != before["faults"] or now["table"]["rulings"]:
            self.house.breathe(SETTLE_SECONDS)  # a fault that comes of it is an entry of its own
            self.house.look()
        refusal = self.house.last_state["refusal"]
        if refusal is not None:
            return False, dict(refusal)
        is_entry = self.house.last_state["entry"] != before["entry"]
        return is_entry, {} if is_entry else {"code": "no-entry"}  # a notice, as of a key without a meaning; a call

    def _change_power(self, entry: Mapping[str, Any]) -> Heard:
        """Stop, kill, start, set up anew; pull a cable or put it in."""
        house = self.house
        if "unplug" in entry or "plug" in entry:
            return self._change_cable(entry)
        what, status = entry["power"], 0
        if "room" in entry:
            return self._change_room(what)
        if what == "set-up":
            try:
                cards = self._write_file(entry)
            except SetUpRefusedError as why:
                return False, {"code": "file-refused", "message": str(why)}
        if house.is_up:
            status = house.end(kill=what == "kill")
        if what not in ("kill",) and status:
            self.complain("TheProgramRuns", f"the program ended with {status} when it was stopped")
        match what:
            case "kill" | "stop":
                return True, {"status": status}
            case "lose-snapshot":
                house.state.joinpath(SNAPSHOT_FILE).unlink(missing_ok=True)
            case "other-build" if self._other_build is not None:
                other = self._other_build()
                house.use_build(other if house._build != other else self._own_build)
            case _:
                pass
        house.start(["--new-session"] if what == "set-up" else entry.get("options", ()))
        self.world.power = True
        if self._room is not None and not self._is_linked:
            self._room.start_link()
            self._is_linked = True
        if what == "set-up":
            extra = entry.get("extra", {})
            self.world.begin_session({**entry["line"], **extra.get("tournament", {})}, cards)
        if not house.settle(sorted(self.world.unplugged)):
            self.complain(
                "TheProgramRuns", f"devices do not come back after a start: {house.last_state.get('devices')}"
            )
        return True, {"status": status}

    def _change_room(self, what: str) -> Heard:
        """The room's server ends, at once or by itself, and starts again."""
        if self._room is None:
            return False, {"code": "no-entry"}
        self._room.stop_server(kill=what == "kill")
        self._room.start_server()
        self.figures.room_restarts += 1
        return True, {}

    def _write_file(self, entry: Mapping[str, Any]) -> Sequence[str]:
        if not entry.get("demo"):
            room = {} if self._room is None else {"room": {"key": self._room.key, "asks": True}}
            cards = self.house.write_file(entry["line"], {**entry.get("extra", {}), **room})
        else:
            self.house.write_demo_file(entry["line"])
            cards = ()
        self.house.is_demo = self.world.is_demo = bool(entry.get("demo"))
        return cards

    def _change_cable(self, entry: Mapping[str, Any]) -> Heard:
        house = self.house
        device = str(entry.get("unplug", entry.get("plug")))
        if "unplug" in entry:
            house.unplug(device)
            self.world.unplugged.add(device)
            wanted = False
        else:
            house.plug(device)
            self.world.unplugged.discard(device)
            wanted = True
        if not house.is_up:
            return True, {}

        def is_noticed(now: Mapping[str, Any]) -> bool:
            return all((each["state"] == "ready") is wanted for each in now["devices"] if each["name"] == device)

        noticed = house.wait(is_noticed, NEWS_SECONDS * 5)
        house.breathe(SETTLE_SECONDS)  # that the table is halted by it, or is not any more, is an entry of its own
        house.look()
        if not noticed:
            self.complain("TheProgramRuns", f"a cable was not noticed: {dict(entry)}: {house.last_state['devices']}")
        return noticed, {}

    # What it did to the things on the table

    def _follow(self, sent: SentEntry, before: Mapping[str, Any], after: Mapping[str, Any], taken: bool) -> None:
        world = self.world
        table = before.get("table", {})
        step = table["next"][0] if table.get("next") else {}
        if "do" in sent.entry and "ev" not in sent.entry:
            return
        if sent.way == "device":
            place = f"seat {step['seat']}" if step.get("step") == "deal" else str(step.get("step", "aside"))
            if "card" in sent.entry:
                world.take_out(str(sent.entry["card"]), place)
            else:
                world.left.append(None)
            return
        if not taken:
            return
        line = PRESS[str(sent.entry["key"])] if sent.way == "key" else sent.entry
        if "ev" not in line:
            return
        if line.get("ev") == "card" and world.stub:
            card = world.stub.pop()  # nobody has read it
            world.left.append(None)
            world.lying.setdefault("aside", []).append(card)
        if line.get("ev") == "done":
            world.do_step(step)
            if step.get("step") == "shuffle":
                random.Random(f"{self.seed} {len(self.sent)}").shuffle(world.stub)
                world.deck = [*world.deck[: len(world.deck) - len(world.stub)], *world.stub[::-1]]
        world.follow_line(line, table.get("stacks", {}))
        hand = after.get("table", {}).get("hand", 0)
        if hand > table.get("hand", 0):
            world.put_in(world.make_shuffled_order(random.Random(f"{self.seed} {len(self.sent)}")))


def draw_kind(campaign: int, number: int) -> str:
    """How an evening of a campaign is played, counted from 0.

    The first is live and the next two are none of the others twice, so that a few evenings see most kinds; which one
    they leave out goes round with the campaigns.
    """
    beside = [kind for kind in KINDS if kind != "live"]
    if number < len(beside):
        return beside[(campaign + number) % len(beside)] if number else "live"
    return random.Random(f"kind {campaign} {number}").choices(list(KINDS), list(KINDS.values()))[0]


def write_sent(sent: SentEntry) -> str:
    """Write what is sent as a line of a script."""
    return json.dumps({"role": sent.role, "way": sent.way, "entry": sent.entry}, ensure_ascii=False)


def read_script(path: Path) -> list[SentEntry]:
    """Read a script of an evening; lines that begin with `#` are for people."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(_iter_sent(line for line in lines if line.strip() and not line.startswith("#")))


def _iter_sent(lines: Iterable[str]) -> Iterator[SentEntry]:
    for line in lines:
        read = json.loads(line)
        yield SentEntry(read["role"], read["way"], read["entry"])
