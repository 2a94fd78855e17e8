"""Who answers where a book is silent: what the books say of it, and that their answers keep to it."""

import csv
from pathlib import Path

import pytest

from config import rulebook_file
from config.config_error import ConfigError
from controller.cli.rules.rulebook_comparison import format_answer, iter_answers
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulebook import Fallback
from tests.laws.clauses import OWN

BOOKS = rulebook_file.list_rulebooks()
OTHERWISE = {
    ("casino-au", "showdown.hands-up-tournament"): "it has no tournaments: R7's rule for them is not its own",
    ("fish-n-chips", "showdown.boards"): "R7 14 speaks of big-bet games for money; these are tournaments only",
    ("house-rules", "betting.opening-pot-cash"): "R7 says that money games MAY count so; this book has no such custom",
    ("tda-2024", "betting.straddle-big-bet"): "R7 14.15: a straddle belongs to games for money",
    ("tda-2024", "upcards.stud.exposed-two"): "R7 has a dead hand for cash; its rule for tournaments is a misdeal",
    ("wsop-2024", "betting.straddle-big-bet"): "R7 14.15: a straddle belongs to games for money",
    ("wsop-2024", "betting.straddle-limit"): "as above",
    ("wsop-2024", "betting.straddle-doubles"): "as above",
    ("wsop-2024", "betting.straddle-button"): "as above",
    ("wsop-2024", "clock.checks"): "T-80 and T-108 leave it open; TDA's is the reading that is tested",
    ("wsop-2024", "procedure.lowball.entry-post-big-bet"): "who enters posts by L-100.a in every game of a tournament",
    ("wsop-2024", "stub.run-out"): "L-204 is of boards run more than once, which no tournament does; L-228 is left",
    ("wsop-live-2024", "floor.uncalled-back"): "the same house's tournament rule is nearer than R7",
}  # fmt: skip
"""Answers that do not follow the chain, and why."""


def given(book: str) -> dict[str, tuple[str, Rule[object]]]:
    return {
        key: (format_answer(rule, metadata), rule)
        for key, rule, metadata in iter_answers(rulebook_file.load_rulebook(book))
    }


GIVEN = {book: given(book) for book in BOOKS}


def test_TDA_falls_back_on_the_rules_of_the_house_and_WSOP_first_on_its_live_rules_as_it_says_itself() -> None:
    """TDA-intro, WSOP-T-129, WSOP-T-51."""
    chains = {book: rulebook_file.load_rulebook(book).fallback for book in BOOKS}
    assert chains["tda-2024"] == (Fallback("roberts-7", False, ("TDA-intro",), "TDA, Rules, preamble"),)
    live, roberts = chains["wsop-2024"]
    assert live == Fallback("wsop-live-2024", True, ("WSOP-T-129",), "WSOP, Tournament Rule 129")
    assert (roberts.book, roberts.is_binding, roberts.cite) == ("roberts-7", False, ("WSOP-T-51",))
    assert chains["roberts-7"] == ()
    assert all(chains[book][-1].book == "roberts-7" for book in BOOKS if book != "roberts-7")


@pytest.mark.parametrize("book", BOOKS)
def test_a_clause_of_another_book_is_cited_by_default(book: str) -> None:
    """WSOP-T-129: the live rules answer where the tournament's are silent, and that they do is said."""
    foreign = {key for key, (_, rule) in GIVEN[book].items() if not rule.cite[0].startswith(OWN[book])}
    assert foreign <= {key for key, (_, rule) in GIVEN[book].items() if rule.by_default}


@pytest.mark.parametrize("book", BOOKS)
def test_where_a_book_is_silent_the_first_of_its_chain_that_speaks_is_followed(book: str) -> None:
    found = set()
    for key, (answer, rule) in GIVEN[book].items():
        if rule.cite[0].startswith(OWN[book]):
            continue
        for other in (each.book for each in rulebook_file.load_rulebook(book).fallback):
            theirs = GIVEN[other].get(key)
            if theirs is None or theirs[1].by_default:
                continue
            if answer != theirs[0] or not rule.cite[0].startswith(OWN[other]):
                found.add((book, key))
            break
    assert found == {each for each in OTHERWISE if each[0] == book}


@pytest.mark.parametrize("book", BOOKS)
def test_no_book_falls_back_where_it_says_the_same_itself(book: str) -> None:
    """A clause that the catalogue paraphrases word for word as the one that is cited by default is the book's own."""
    rows = {
        row["id"]: row for row in csv.DictReader(rulebook_file.CATALOGUE_FILE.read_text(encoding="utf-8").splitlines())
    }
    own = {(row["trigger"], row["remedy"]): each for each, row in rows.items() if each.startswith(OWN[book])}
    twins = {
        key: own[said]
        for key, (_, rule) in GIVEN[book].items()
        if rule.by_default and (said := (rows[rule.cite[0]]["trigger"], rows[rule.cite[0]]["remedy"])) in own
    }
    assert {key: twin for key, twin in twins.items() if not GIVEN[book][key][1].cite[0].startswith(OWN[book])} == {}


def broken(tmp_path: Path, fallback: str) -> str:
    file = tmp_path / "corner.toml"
    file.write_text(f'based_on = "tda-2024"\nfallback = {fallback}\n')
    with pytest.raises(ConfigError) as refused:
        rulebook_file.read_rulebook(file)
    assert "corner.toml:2" in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(
    ("fallback", "said"),
    [
        ('"roberts-7"', "the first to be asked first"),
        ('[{ book = "hoyle" }]', "not 'hoyle'"),
        ('[{ book = "maryport" }, { book = "maryport" }]', "each once"),
        ('[{ book = "maryport", binds = "yes" }]', "true or false"),
        ('[{ book = "maryport", binds = true }]', "uncited"),
        ('[{ book = "maryport", cite = "MP-99" }]', "MP-99"),
        ('[{ book = "maryport", cites = "MP-1" }]', "no such part `cites`"),
    ],
)
def test_a_chain_that_makes_no_sense_is_refused_with_its_line(tmp_path: Path, fallback: str, said: str) -> None:
    assert said in broken(tmp_path, fallback)


def test_a_house_book_falls_back_as_the_book_that_it_is_based_on_unless_it_says_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "corner.toml"
    file.write_text('based_on = "wsop-2024"\n')
    assert rulebook_file.read_rulebook(file).fallback == rulebook_file.load_rulebook("wsop-2024").fallback
    file.write_text('based_on = "wsop-2024"\nfallback = [{ book = "maryport" }]\n')
    assert [each.book for each in rulebook_file.read_rulebook(file).fallback] == ["maryport"]
