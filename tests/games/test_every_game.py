"""Every game of every book plays to its end by the same plan; each form has the answers that it needs."""

import re
from operator import itemgetter
from typing import Any

import pytest

from config import game_file, rulebook_file
from config.table_line import parse_table_line
from controller.core.protocol.table_error import Refused
from controller.core.rules.games import Game
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION
from controller.core.values.value import replace
from tests.games.playing import cards_of, run, table


def asked(game: Game) -> set[str]:
    """The tables that a game of this form needs."""
    later = game.streets[1:]
    tables = {"exposed", "counts", "sequence", "procedure"}
    tables |= {"burns", "premature"} if any(street.board_count or street.deal_faces for street in later) else set()
    tables |= {"board"} if any(street.board_count for street in game.streets) else set()
    tables |= {"upcards"} if game.deals_later_cards else set()
    return tables | ({"exchange"} if any(street.has_draw for street in game.streets) else set())


def first_of_its_form(book: str, name: str) -> str:
    """The first game of the book that has the form, and the kinds of streets, of this one."""
    games = map(game_file.load_game, rulebook_file.load_rulebook(book).games)
    this = game_file.load_game(name)
    return next(game.name for game in games if (game.rules_form, asked(game)) == (this.rules_form, asked(this)))


def list_of(book: str) -> tuple[str, ...]:
    """The games that a book lists."""
    return tuple(rulebook_file.load_rulebook(book).games)


GAMES = [(book, game) for book in rulebook_file.list_rulebooks() for game in rulebook_file.load_rulebook(book).games]


FORMS = [(book, name) for book, name in GAMES if name == first_of_its_form(book, name)]
"""One game of each form that a book has."""

SEATS = (2, 3, 6)
TABLES = [(book, name, SEATS[number % 3]) for number, (book, name) in enumerate(sorted(GAMES, key=itemgetter(1)))]
"""Each game of each book, with other numbers of players from book to book."""


@pytest.mark.parametrize(("book", "name"), GAMES)
def test_a_book_answers_what_its_games_ask(book: str, name: str) -> None:
    game, rules = game_file.load_game(name), rulebook_file.load_rulebook(book)
    for section in asked(game):
        assert section in RULES_CLASS_BY_FORM_SECTION
        assert game.rules_form in getattr(rules, section), f"[{section}.{game.rules_form}]"


@pytest.mark.parametrize(("book", "name"), FORMS)
def test_a_game_without_one_of_its_tables_is_refused_before_a_hand(
    book: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, rules = game_file.load_game(name), rulebook_file.load_rulebook(book)
    for section in asked(game):
        tables = {form: table for form, table in getattr(rules, section).items() if form != game.rules_form}
        without: dict[str, Any] = {section: tables}
        monkeypatch.setattr(rulebook_file, "load_rulebook", {book: replace(rules, **without)}.get)
        with pytest.raises(
            Refused, match=re.escape(f"has no [{section}.{game.rules_form}] for its form, {game.rules_form}")
        ):
            parse_table_line({"ev": "table", "rulebook": book, "game": name, "betting": {}, "seats": []})


@pytest.mark.parametrize(("book", "name", "seats"), TABLES)
def test_two_plain_hands_end_with_all_chips_there(book: str, name: str, seats: int) -> None:
    played = table(book, name, "start", seats=seats, **({"joker": False} if "low" in name or "draw" in name else {}))
    for _ in range(2):
        answer = run(played, cards_of(name))
        left = sum(pot["amount"] for pot in answer["pots"])
        assert sum(answer["stacks"].values()) + left == 200 * seats
        assert answer["phase"] == "idle"
        played("start")


@pytest.mark.parametrize(("book", "name"), GAMES)
def test_a_hand_ends_though_nothing_is_read(book: str, name: str) -> None:
    """Unread downcards stop nothing; in stud the upcards are read."""
    played = table(book, name, "start")
    unread = game_file.load_game(name).has_button
    assert run(played, iter(()) if unread else cards_of(name))["phase"] == "idle"


@pytest.mark.parametrize(
    "book", [name for name in rulebook_file.list_rulebooks() if "crazy-pineapple" not in list_of(name)]
)
@pytest.mark.parametrize("name", ["crazy-pineapple-8", "omaha-5-8", "short-deck", "courchevel"])
def test_a_book_that_knows_a_form_answers_for_each_of_its_games(
    book: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house adds a game to a book whose text does not name it: the book's clauses for the form apply."""
    rules = replace(rulebook_file.load_rulebook(book), games=(*list_of(book), name))
    monkeypatch.setattr(rulebook_file, "load_rulebook", lambda *_: rules)
    assert run(table(book, name, "start"), cards_of(name))["phase"] == "idle"
