"""Who answers a question of a rulebook: the form's table, `every`, the base, the books of `fallback`, or nobody."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config import rulebook_file
from config.config_error import ConfigError
from config.file_library import Library
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION, Rulebook

HEAD = 'title = "Corner"\ncode = "CC"\ngames = ["holdem", "stud-7"]\n'
FORMS = ("flop", "stud", "draw", "lowball")
Load = Callable[..., Rulebook]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write books of a house by their names, and load the first of them."""

    def write_and_load(**books: str) -> Rulebook:
        (tmp_path / "rulebooks").mkdir(exist_ok=True)
        for name, text in books.items():
            (tmp_path / "rulebooks" / f"{name}.toml").write_text(text)
        return rulebook_file.load_rulebook(next(iter(books)), Library(tmp_path))

    return write_and_load


def fall_back(*books: str, binds: str = "") -> str:
    """The head of a book with its fallbacks, the one that `binds` among them."""
    bound = ', binds = true, cite = "WSOP-T-129"'
    entries = [f'{{ book = "{book}"{bound if book == binds else ""} }}' for book in books]
    return f"{HEAD}fallback = [{', '.join(entries)}]\n"


def test_the_form_answers_then_every_then_the_fallback(load: Load) -> None:
    counts = load(
        corner=fall_back("roberts-7")
        + """[counts.flop]
button-late = { is = true, cite = "TDA-37" }
[counts.every]
button-late = { is = false, cite = "HR-misdeals.1.5" }
top-card = { is = true, cite = "HR-misdeals.1.5" }
[counts.stud]
"""
    ).counts
    assert list(counts) == ["flop", "stud"]
    assert [(counts[form].button_late.value, counts[form].button_late.cite[0]) for form in counts] == [
        (True, "TDA-37"),
        (False, "HR-misdeals.1.5"),
    ]
    assert {(table.top_card.cite, table.top_card.by_default) for table in counts.values()} == {
        (("HR-misdeals.1.5",), False)
    }
    theirs = rulebook_file.load_rulebook("roberts-7").counts
    for form, table in counts.items():
        assert (table.last_hand.value, table.last_hand.cite) == (
            theirs[form].last_hand.value,
            theirs[form].last_hand.cite,
        )
        assert table.last_hand.source == f"{theirs[form].last_hand.clause}, by default"


def test_a_table_that_is_not_there_is_its_fallbacks_and_its_forms_are_not(load: Load) -> None:
    book = load(corner=fall_back("roberts-7"))
    theirs = rulebook_file.load_rulebook("roberts-7")
    assert (book.kill.pots.value, book.kill.pots.cite) == (theirs.kill.pots.value, theirs.kill.pots.cite)
    assert (book.kill.pots.by_default, theirs.kill.pots.by_default) == (True, False)
    assert not any(getattr(book, name) for name in RULES_CLASS_BY_FORM_SECTION)


def test_the_clauses_of_another_book_are_cited_by_default_also_where_they_bind(load: Load) -> None:
    """So is what the binding book takes from a third."""
    people = load(corner=fall_back("wsop-live-2024", binds="wsop-live-2024")).people
    assert (people.bomb_pots.cite, people.bomb_pots.by_default) == (("WSOP-L-27",), True)
    assert (people.played_over_new.cite[0], people.played_over_new.by_default) == ("R7-4.blinds.7", True)


def test_the_first_of_the_chain_that_has_a_clause_of_its_own_answers(load: Load) -> None:
    """R7 cites FC by default on hand for hand; TDA says it itself, and FC is asked after both."""
    tournament = load(corner=fall_back("roberts-7", "tda-2024", "fish-n-chips")).tournament
    assert tournament.hand_for_hand_minutes.cite == ("TDA-RP-8-B",)
    assert tournament.redraw.cite == ("R7-15.tourn.18",)


def test_what_all_of_a_chain_only_cite_is_answered_by_the_first(load: Load) -> None:
    stub = load(corner=fall_back("casino-au", "roberts-7")).stub
    assert (stub.run_out.cite, stub.run_out.by_default) == (("AU-19.9", "AU-19.16"), True)


def test_a_chain_is_asked_before_the_chains_of_its_books(load: Load) -> None:
    """Maryport falls back on R7, which is asked after fish-n-chips."""
    book = load(corner=fall_back("maryport", "fish-n-chips"))
    assert book.betting.raises_long.cite == ("FC-3.betting.3",)
    assert book.people.missed_dead.cite == ("R7-4.blinds.10",)


def test_a_house_book_differs_from_its_base_and_asks_its_own_fallback_only_for_new_forms(load: Load) -> None:
    """Its `every` is the house's word and goes before the base's forms."""
    book = load(
        corner="""based_on = "tda-2024"
fallback = [{ book = "casino-au" }]
[burns.every]
stands-after = { is = 2, cite = "AU-19.3" }
[burns.stud]
stands-after = { is = 3, cite = "AU-19.3" }
[burns.manila]
"""
    )
    base = rulebook_file.load_rulebook("tda-2024")
    assert {form: table.stands_after.value for form, table in book.burns.items()} == {
        **dict.fromkeys(FORMS, 2), "stud": 3, "manila": 2
    }  # fmt: skip
    assert (book.burns["draw"].put_right, book.people, book.counts) == (
        base.burns["draw"].put_right, base.people, base.counts
    )  # fmt: skip
    assert book.burns["manila"].put_right.source == "AU, clause 19.3, by default"


def test_the_files_that_answer_are_those_of_the_base_and_of_both_chains(load: Load, tmp_path: Path) -> None:
    load(corner='based_on = "tda-2024"\nfallback = [{ book = "second" }]\n', second=fall_back("maryport"))
    paths = rulebook_file.list_source_paths("corner", Library(tmp_path))
    assert [path.stem for path in paths] == ["corner", "tda-2024", "roberts-7", "second", "maryport"]
    assert all(path.is_file() for path in paths)
    assert rulebook_file.list_source_paths("nobody", Library(tmp_path)) == ()


def test_a_complete_file_loads_whatever_it_falls_back_on_and_whatever_its_forms_are_called(load: Load) -> None:
    """Two books that fall back on each other leave nothing open where one of them is complete."""
    theirs = rulebook_file.find_rulebook_path("roberts-7").read_text()
    start = theirs.index("[procedure.every]")
    procedure = theirs[start : theirs.index("[procedure.flop]")].replace("every", "three-card")
    whole = f'fallback = [{{ book = "second" }}]\n{theirs}\n{procedure}'
    book = load(corner=whole, second=fall_back("corner"))
    r7 = rulebook_file.load_rulebook("roberts-7")
    assert all(getattr(book, name) == getattr(r7, name) for name in RULES_CLASS_BY_SECTION)
    assert book.procedure["three-card"] == book.procedure["flop"] == r7.procedure["flop"]
    assert load(second=fall_back("corner")).kill.pots.by_default


def test_without_a_kill_for_the_bring_in_a_game_without_a_button_has_no_kill_pots(load: Load, tmp_path: Path) -> None:
    head = 'title = "Corner"\ncode = "CC"\nbased_on = "roberts-7"\n'
    load(corner=head + '[kill]\nbring-in = { is = false, cite = "WSOP-L-190" }\n')
    stakes = {"structure": "fixed-limit", "small_bet": 2, "big_bet": 4, "bring_in": 1, "small_blind": 1, "big_blind": 2}
    line = {"ev": "table", "rulebook": "corner", "game": "holdem", "betting": stakes, "button": 1, "places": 4}
    line |= {"seats": [{"seat": seat, "stack": 100} for seat in (1, 2)], "house": {"kill": "full"}}
    rotation = {"rotation": [{"game": "holdem"}, {"game": "stud-7"}]}
    stud = {key: value for key, value in line.items() if key != "button"} | {"game": "stud-7"}
    for wrong in (line | rotation, stud):
        with pytest.raises(Refused, match="no pot is killed there"):
            parse_table_line(wrong, Library(tmp_path))
    table = Table()
    table.handle(parse_table_line(line, Library(tmp_path)))
    with pytest.raises(Refused, match="no pot is killed there"):
        table.handle(parse_line({"ev": "game", "game": "stud-7"}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (fall_back("roberts-7") + "[counts.flopp]\n", "5: counts.flopp: no such form; there are every, draw, flop, "),
        (fall_back("roberts-7") + "[players.holdm]\n", "5: players.holdm: no such game; there are every, badacey, "),
        (
            fall_back("roberts-7") + '[counts.every]\ntop-card = { is = true, cite = "TDA-37" }\n',
            "5: counts.every: answers for no form: the book has no table [counts.…] beside it",
        ),
        (
            fall_back("roberts-7") + "[boxed.every]\n",
            "5: boxed.every: [boxed] stands once for all forms: no such key; there are one, late, ",
        ),
        (
            fall_back("roberts-7") + '[counts]\ntop-card = { is = true, cite = "TDA-37" }\n',
            "6: counts.top-card: stands once for each form of game: wants [counts.every] or a form's ",
        ),
        (fall_back("roberts-7") + "boxed = 3\n", "5: boxed: wants a table, [boxed]"),
        (fall_back("roberts-7") + "counts = 3\n", "5: counts: wants tables, [counts.every] and a form's [counts.…]"),
        (HEAD, "1: table.mode: missing. What kind of game "),
        (
            fall_back("roberts-7") + "[board.manila]\n",
            "5: board.manila.too-many: missing. What becomes of a flop with too many cards? ",
        ),
        (fall_back("corner"), "4: fallback: `book` is one of casino-au, "),
        (fall_back("roberts-8"), "4: fallback: `book` is one of casino-au, "),
    ],
)  # fmt: skip
def test_what_nobody_can_answer_is_refused_with_its_line(load: Load, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(corner=text)
    assert str(refused.value).startswith(f"corner.toml:{said}")


def test_a_question_that_no_fallback_answers_names_those_that_were_asked(load: Load) -> None:
    with pytest.raises(ConfigError, match=r" No fallback answers it: maryport, roberts-7\.$"):
        load(corner=fall_back("maryport") + "[board.manila]\n")


def test_a_circle_of_books_that_leave_something_open_is_named(load: Load) -> None:
    with pytest.raises(ConfigError) as refused:
        load(
            corner=fall_back("second") + "[counts.flop]\n",
            second=fall_back("third") + "[counts.flop]\n",
            third=fall_back("corner", "second") + "[counts.flop]\n",
        )
    assert str(refused.value).startswith("corner.toml:1: table.mode: missing. What kind of game ")
    assert str(refused.value).endswith(
        " No fallback answers it: second, third, and third leads back to corner, a circle."
    )
