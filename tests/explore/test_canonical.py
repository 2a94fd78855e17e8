"""States that differ in names alone count once, and no others do; the same seed leads to the same states."""

from collections.abc import Callable
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model import hand, table_state
from controller.core.protocol import events, steps
from controller.core.protocol.events import EVENT_NAME_BY_CLASS
from controller.core.protocol.vocabulary import ReportKind
from controller.core.values import seat_state
from controller.core.values.value import Struct
from tests.explore.canonical import SEATS, CanonicalForm
from tests.explore.entries import Line, list_trials
from tests.explore.explorer import Explorer
from tests.explore.laws import take
from tests.explore.openings import list_openings, list_places

SAID_BY_THE_TABLE = {"refused"}
STORY: tuple[Line, ...] = (
    {"ev": "start"},
    *({"ev": "card", "card": card} for card in ("As", "Kd", "9h", "Ad", "Ks", "2c")),
    {"ev": "report", "what": "exposed", "seat": 2},
    {"ev": "card", "card": "Qs"},
    {"ev": "done"},
    {"ev": "act", "seat": 1, "do": "call"},
    {"ev": "act", "seat": 2, "do": "raise", "to": 6},
    {"ev": "clock", "seat": 3},
    {"ev": "act", "seat": 3, "do": "fold"},
    {"ev": "away", "seat": 3},
    {"ev": "undo"},
    {"ev": "away", "seat": 3},
    {"ev": "act", "seat": 1, "do": "call"},
    *({"ev": "card", "card": card} for card in ("Jh", "Qc", "5s")),
    {"ev": "act", "seat": 2, "do": "bet", "to": 4},
    {"ev": "act", "seat": 1, "do": "fold"},
    {"ev": "done"},
    {"ev": "sit", "seat": 4, "player": "seat 4", "stack": 20, "post": True},
    {"ev": "start"},
    *({"ev": "card", "card": card} for card in ("3s", "4d", "5h")),
)


def make_line(book: str = "fish-n-chips", button: int = 1) -> Line:
    seats = [{"seat": (button - 1 + nth) % 4 + 1, "stack": 20} for nth in range(3)]
    return {
        "ev": "table", "rulebook": book, "game": "holdem", "places": 4, "button": button, "mode": "cash",
        "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
        "seats": sorted(seats, key=lambda seat: seat["seat"]),
    }  # fmt: skip


def list_digests(opening: Line, change: Callable[[Line], Line]) -> list[int]:
    """The digest of each state of the story, told with other names."""
    table = Table()
    form = CanonicalForm(table.handle(parse_table_line(opening)).state.setup)
    digests = [form.make_digest(table)]
    for line in STORY:
        assert take(table, change(line)) is not None, line
        digests.append(form.make_digest(table))
    return digests


def rename_suits(line: Line) -> Line:
    if not line.get("card"):
        return line
    return {**line, "card": line["card"][0] + {"s": "h", "h": "c", "c": "d", "d": "s"}[line["card"][1]]}


def move_seats(line: Line, by: int) -> Line:
    moved = {**line, "seat": (line["seat"] - 1 + by) % 4 + 1} if "seat" in line else dict(line)
    return moved | ({"player": f"seat {moved['seat']}"} if "player" in line else {})


@pytest.fixture
def digests() -> list[int]:
    return list_digests(make_line(), dict)


def test_states_of_a_story_are_different(digests: list[int]) -> None:
    assert len(set(digests)) == len(digests) - 2  # one is taken back, and made again


def test_renamed_suits_count_once(digests: list[int]) -> None:
    assert list_digests(make_line(), rename_suits) == digests


@pytest.mark.parametrize("by", [1, 2, 3])
def test_moved_seats_count_once(by: int, digests: list[int]) -> None:
    assert list_digests(make_line(button=by + 1), lambda line: move_seats(line, by)) == digests


def test_suits_that_a_rule_ranks_keep_their_order() -> None:
    """Under these rules an odd chip goes by suit."""
    assert list_digests(make_line("casino-au"), rename_suits)[2:] != list_digests(make_line("casino-au"), dict)[2:]


def test_every_field_whose_name_says_seat_is_renamed() -> None:
    plain = {"seat_count", "seated_after_hands", "seating", "blind_seats"}
    for module in (hand, table_state, steps, events, seat_state):
        for kind in vars(module).values():
            fields = getattr(kind, "__struct_fields__", getattr(kind, "_fields", ()))
            if not isinstance(kind, type) or not (issubclass(kind, Struct) or issubclass(kind, tuple)):
                continue
            said = {name for name in fields if "seat" in name and not name.endswith("_by_seat")} - plain
            assert said <= SEATS | {"folded_seat"}, kind


def explore(seed: int) -> Explorer:
    opening = list_openings(("wsop-2024", "stud-8"), seed)[0]
    explorer = Explorer(opening, 250, seed)
    explorer.explore()
    return explorer


def test_the_same_seed_leads_to_the_same_states_and_another_to_others() -> None:
    first, again, other = explore(1), explore(1), explore(2)
    assert first.digests == again.digests
    assert first.figures == again.figures
    assert len(first.digests - other.digests) > 100


def test_every_game_of_every_book_has_tables() -> None:
    for place in list_places():
        forms = list_openings(place, 1)
        assert len(forms) == 4
        assert {len(line["seats"]) for line in forms} == {2, 3}
        assert {line.get("amounts", "tracked") for line in forms} == {"tracked", "untracked"}


def test_every_event_and_every_report_with_each_of_its_keys_is_tried() -> None:
    words: set[str] = set()
    keys: dict[str, set[str]] = {kind.value: set() for kind in ReportKind}
    openings = [make_line(), list_openings(("roberts-7", "draw-high"), 1)[0], make_line("wsop-2024") | UNTRACKED]
    for opening in openings:
        table = Table()
        table.handle(parse_table_line(opening))
        for _ in range(60):
            trials = list_trials(table, 1)
            for trial in trials:
                words.add(trial.line["ev"])
                if trial.line["ev"] == "report":
                    keys[trial.line["what"]] |= trial.line.keys() - {"ev", "what"}
            line = next(each.line for each in trials if take(table.copy(), each.line) is not None)
            take(table, line)
    assert words == set(EVENT_NAME_BY_CLASS.values())
    for kind in ReportKind:
        assert set(kind.terms.keys) - SAID_BY_THE_TABLE == keys[kind.value], kind


UNTRACKED: dict[str, Any] = {"amounts": "untracked", "follow": "rounds", "seats": [{"seat": 1}, {"seat": 2}]}
