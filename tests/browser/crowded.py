"""Tables as full as they get: ten long names, a pot a player, the rest dealt two and three times, stud for eight."""

from collections.abc import Iterator, Mapping
from typing import Any

from config.language_file import ENGLISH, Language
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.runtime.devices.deck_store import STANDARD_DECK
from tests.browser.publications import of_lines

NAMES = (
    "Maximiliane Oberhuber", "Bartholomäus", "Ana", "Christopher Wellington", "María de los Ángeles", "Jo",
    "Wolfgang Amadeus", "Elizabeth Montgomery", "Konstantinos P.", "Guillermo",
)  # fmt: skip
NO_LIMIT = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
FIXED_LIMIT = {"structure": "fixed-limit", "small_bet": 2000, "big_bet": 4000, "ante": 500, "bring_in": 1000}
MAX_LINES = 300

Line = dict[str, Any]


def play_hand(opened: Line, wishes: tuple[str, ...], boards: int = 1) -> list[Line]:
    """Play a hand to its end or the deck's: who acts does the first wish that it may; the rest is dealt so often."""
    deck, table = sorted(STANDARD_DECK), Table()
    lines = [opened]
    table.handle(parse_table_line(opened))
    wanted: Line = {"ev": "start"}
    for number in range(2, MAX_LINES):
        outcome = table.handle(script_lines.parse_line(wanted))
        lines.append(wanted)
        assert outcome is not None
        told = outcome_rendering.render_outcome(outcome, number)
        if not told["next"] or not deck:
            return lines
        is_twice = boards > 1 and told["next"][0]["step"] != "act" and told.get("pots") and "twice" not in str(lines)
        wanted = {"ev": "twice", "count": boards} if is_twice else answer(told["next"][0], wishes, deck)
    raise AssertionError(lines)


def answer(step: Mapping[str, Any], wishes: tuple[str, ...], deck: list[str]) -> Line:
    """What people or the shoe do, where this is due."""
    match step["step"]:
        case "act":
            return {"ev": "act", "seat": step["seat"], "do": next(wish for wish in wishes if wish in step["options"])}
        case "deal" | "burn" | "board":
            return {"ev": "card", "card": deck.pop()}
        case "show":
            return {"ev": "show", "seat": step["seat"]}
        case _:
            return {"ev": "done"}


def open_table(game: str, seats: int, **more: object) -> Line:
    taken = [{"seat": seat, "player": NAMES[seat - 1], "stack": 1100 + 10100 * seat} for seat in range(1, seats + 1)]
    return {"ev": "table", "rulebook": "roberts-7", "game": game, "seats": taken, **more}


def list_crowds(language: Language = ENGLISH) -> Iterator[tuple[str, list[str]]]:
    """Name and publications of each hand."""
    holdem = open_table("holdem", 10, betting=NO_LIMIT, button=1)
    hands = [(f"{boards} boards", play_hand(holdem, ("all-in",), boards)) for boards in (1, 2, 3)]
    for places in (8, 10):
        stud = open_table("stud-7", 8, betting=FIXED_LIMIT, places=places)
        hands.append((f"stud at {places} places", play_hand(stud, ("bring-in", "call", "bet", "check"))))
    for name, lines in hands:
        yield name, list(of_lines(lines, language))
