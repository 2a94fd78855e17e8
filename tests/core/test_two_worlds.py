"""Two worlds: the same hand in public, other cards face down. What a live table publishes is the same in both.

At each point of many hands every report that anybody can make is tried, and taken back: before, with it and after it
the worlds must be told apart by nothing that leaves the table, or one entry and an `undo` show a dealer a hidden card.
"""

import json
import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from config import rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.play.dealing.step_execution import destination
from controller.core.protocol import vocabulary
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, AwardStep, CardStep, DrawStep, FloorStep, QuestionStep, ShowStep
from controller.core.values.cards import build_deck
from controller.core.values.piles import BOARD, BURN
from controller.records.public_view import render_public_line
from controller.runtime.journal.entry_result import handle_entry
from controller.runtime.staff import floor_permission
from tests.app.canary import faces_in, strings_in
from tests.core.arbitrary import BETTING, STUD_BETTING

FLOOR = {"role": "floor"}
ROLES: tuple[Mapping[str, object] | None, ...] = (None, {"role": "dealer"}, {"role": "technician"}, FLOOR)

SPARSE = int(os.environ.get("WORLDS_SPARSE", "12"))
"""One report in so many is tried at each point by the slow form of the test."""

QUICK_SPARSE = 96
"""The same for the quick one."""

RANK_DECIDES, BY_RANK = (
    ("exposed", "off-table", "boxed", "last-faceup"),
    ("stud-7", "stud-5", "razz", "lowball-27", "badugi"),
)
"""Where the rank of a card that lies open decides who opens or whether it is kept: what follows differs."""

FORMS: list[tuple[str, str]] = [
    (book, game)
    for book in rulebook_file.list_rulebooks()
    for game in ("holdem", "omaha", "stud-7", "stud-5", "razz", "draw-high", "lowball-27", "manila-2")
    if game in rulebook_file.load_rulebook(book).games
]
FORMS += [("wsop-2024", "triple-draw-27"), ("tda-2024", "badugi"), ("wsop-live-2024", "crazy-pineapple")]


class Worlds:
    """One public history over two orders of the deck."""

    def __init__(self, book: str, game: str, seed: int) -> None:
        line: dict[str, Any] = {"ev": "table", "rulebook": book, "game": game}
        line["seats"] = [{"seat": seat, "stack": 200} for seat in (1, 3, 4, 8)]
        stud = game in ("stud-7", "stud-5", "razz")
        line["betting"] = STUD_BETTING if stud else BETTING["no-limit" if seed % 2 else "fixed-limit"]
        line |= {} if stud else {"button": 1}
        self.chance = random.Random(f"{book} {game} {seed}")
        self.tables = Table(), Table()
        for table in self.tables:
            table.handle(parse_table_line(line))
        whole = list(build_deck(self.state.setup.deck_size, self.state.setup.has_joker))
        self.chance.shuffle(whole)
        half = len(whole) // 3
        self.public, self.hidden = whole[:half], (whole[half : 2 * half], whole[2 * half :])

    @property
    def state(self) -> TableState:
        return self.tables[0].outcome.state

    def enter(self, line: Mapping[str, Any]) -> None:
        """Enter a line in both, and compare."""
        said = [publish_entry(table, line, None) for table in self.tables]
        assert said[0] == said[1], line

    def card(self) -> None:
        """A card leaves the shoe: the same in both where it goes face up."""
        step = self.state.plan[0]
        if isinstance(step, CardStep) and destination(step)[1]:
            cards = (self.public.pop(),) * 2
        else:
            cards = self.hidden[0].pop(), self.hidden[1].pop()
        said = [
            publish_entry(table, {"ev": "card", "card": card}, None)
            for table, card in zip(self.tables, cards, strict=True)
        ]
        assert said[0] == said[1]

    def move(self) -> bool:
        """Go on as the first step wants it; say whether it could."""
        match self.state.plan[0] if self.state.plan else None:
            case None:
                self.enter({"ev": "start"})
            case ActStep(seat=seat):
                words = outcome_rendering.render_outcome(self.tables[0].outcome, 0)["next"][0]["options"]
                for word in ("check", "call", "bring-in", "bet", "open", "complete", "fold"):
                    if word in words and (word != "fold" or len(words) == 1 or not self.chance.randrange(9)):
                        self.enter({"ev": "act", "seat": seat, "do": word})
                        break
                else:
                    self.enter({"ev": "act", "seat": seat, "do": words[-1]})
            case DrawStep(seat=seat):
                self.enter({"ev": "draw", "seat": seat, "discard": self.chance.randrange(3)})
            case ShowStep() | AwardStep() | FloorStep() | QuestionStep():
                return False  # from here on the players show what they hold, or a person must decide
            case step if isinstance(step, CardStep):
                if not (self.public and self.hidden[0]):
                    return False
                self.card()
            case _:
                self.enter({"ev": "done"})
        return True

    def probe(self, sparse: int) -> int:
        """Try one in `sparse` reports of everybody and take them back; return how many the table took."""
        taken = 0
        kept = [table.copy() for table in self.tables]
        for line in reports(self.state):
            if self.chance.randrange(sparse):
                continue
            by = self.chance.choice(ROLES)
            if line["what"] == "misread" and by == FLOOR:
                continue  # whoever names a card may learn that it is out already: the floor, and it is on record
            said = []
            for at in kept:
                table = at.copy()
                said.append((publish_entry(table, line, by), publish_entry(table, {"ev": "undo"}, by)))
            if line["what"] in RANK_DECIDES and self.state.setup.game.name in BY_RANK:
                assert not self.faces(said[0][0]) & {*self.find_face_down_cards(0)}, line
                assert not self.faces(said[1][0]) & {*self.find_face_down_cards(1)}, line
            else:
                assert said[0][0] == said[1][0], (line, by)
            assert said[0][1] == said[1][1], (line, by, "taken back")
            taken += said[0][0]["refused"] is None
        return taken

    def find_face_down_cards(self, world: int) -> Iterator[str]:
        """The cards that lie face down, each by its name."""
        hand = self.tables[world].outcome.state.hand_in_play
        return (
            lying.card
            for pile in hand.cards.piles.cards_by_place.values()
            for lying in pile
            if lying.card and not lying.is_known
        )

    @staticmethod
    def faces(said: Mapping[str, Any]) -> set[str]:
        """Every face that a publication names."""
        return {face for string in strings_in(said) for face in faces_in(string)}


def publish_entry(table: Table, line: Mapping[str, Any], by: Mapping[str, object] | None) -> dict[str, Any]:
    """All that leaves the table when `line` is entered: the page, what past hands tell, why it was refused."""
    event = parse_line(dict(line))
    why = floor_permission.find_refusal(event, by, table.outcome.state)
    if why is not None:
        return {"refused": why.message}
    given = handle_entry(table, event, 7)
    error = None if given.error is None else given.error.message
    said = json.loads(json.dumps(given.to_output_line()))
    return {"page": said, "told": render_public_line(event, given.outcome), "refused": error}


def reports(state: TableState) -> Iterator[dict[str, Any]]:
    """Every report with every detail that it uses."""
    return (
        line
        for line in _iter_report_lines(state)
        if {*line} <= {"ev", "what", *vocabulary.ReportKind(line["what"]).terms.keys}
    )


def _iter_report_lines(state: TableState) -> Iterator[dict[str, Any]]:
    seats = [None, *sorted(state.seating.state_by_seat)]
    for what in vocabulary.ReportKind:
        line: dict[str, Any] = {"ev": "report", "what": what.value}
        cards: list[dict[str, Any]] = (
            [{"card": "As"}, {"card": "7d"}] if what is vocabulary.ReportKind.MISREAD else [{}]
        )
        for extra in (*cards, *({"count": count} for count in (1, 2, 3, 4)), {"by": "player"}):
            yield line | extra
        for where in ("hand", "board", "stub"):
            yield line | {"where": where}
        for seat in seats[1:]:
            yield line | {"seat": seat}
            for nth in (1, 2, 3):
                yield line | {"seat": seat, "nth": nth} | cards[0]


def try_reports(book: str, game: str, sparse: int) -> int:
    """Play two hands that are one in public, and try reports on the way; return how many the tables took."""
    worlds, taken = Worlds(book, game, 1), 0
    for _ in range(60):
        if not worlds.move():
            break
        if worlds.state.plan and not worlds.chance.randrange(3):
            taken += worlds.probe(sparse)
    return taken


@pytest.mark.parametrize(("book", "game"), FORMS)
def test_no_report_tells_a_hidden_card(book: str, game: str) -> None:
    assert try_reports(book, game, QUICK_SPARSE) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("book", "game"), FORMS)
def test_none_of_many_reports_tells_a_hidden_card(book: str, game: str) -> None:
    assert try_reports(book, game, SPARSE) > 2


@pytest.mark.parametrize("what", ["no-burn", "double-burn", "board-extra", "two-exposed"])
@pytest.mark.parametrize("book", rulebook_file.list_rulebooks())
def test_a_burn_that_is_said_to_lie_open_is_a_card(book: str, what: str) -> None:
    """The finding: one entry and `undo` put the face of the burn on every page."""
    worlds = Worlds(book, "holdem", 1)
    while not worlds.state.hand or len(worlds.state.hand.cards.piles.cards_at(BOARD)) < 3:
        worlds.move()
    for table in worlds.tables:
        said = publish_entry(table.copy(), {"ev": "report", "what": what}, None)
        assert len(worlds.faces(said["page"]["board"])) <= 3
    assert len({json.dumps(publish_entry(table, {"ev": "report", "what": what}, None)) for table in worlds.tables}) == 1


def test_a_sensor_or_the_floor_may_say_that_it_lies_open() -> None:
    for by in ({"witnessed": True}, {"ev": "seen"}):
        worlds = Worlds("roberts-7", "holdem", 1)
        while not worlds.state.hand or len(worlds.state.hand.cards.piles.cards_at(BOARD)) < 3:
            worlds.move()
        table, burn = worlds.tables[0], worlds.state.hand_in_play.cards.piles.cards_at(BURN)[0].card
        if "ev" in by:
            table.handle(parse_line({"ev": "seen", "at": "board", "card": burn}))
        line = {"ev": "report", "what": "no-burn"} | ({} if "ev" in by else by)
        assert publish_entry(table, line, FLOOR)["page"]["board"][0] == burn
        refused = publish_entry(
            worlds.tables[1], {"ev": "report", "what": "no-burn", "witnessed": True}, {"role": "dealer"}
        )
        assert refused["refused"].startswith("Only the floor")
