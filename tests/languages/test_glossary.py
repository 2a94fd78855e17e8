"""The terms of the table are the same in every text: those that docs/glossary-de.md and docs/glossary-es.md name."""

import re
from functools import cache

import pytest

from config.language_file import Language, load_language
from tests.languages.catalogues import ROOT, texts

PLACE = re.compile(r"\{street\} street|\{\w+\}")

Terms = dict[str, tuple[str, ...]]
"""The English forms of a term, as they stand in the first column -> what a translation has one of."""

MIN_TERM_COUNT = 40

OTHERWISE_SAID = {
    "bet, bets": ("The blinds may not take", "only called a short all-in bet"),
    "board": ("Find reader and board", "Board at", "on the table's board"),
    "calls, called": (
        "calls the floor", "calls.", "ime is called", "ime was called", "to be called", "nobody has called", "Calls",
    ),
    "chips": ("Adds chips", "A rebuy or an add-on was announced"),
    "cut": ("was cut short",),
    "dealer": ("Dealer's Choice",),
    "deck": ("deck count", "deck duplicate", "Short deck"),
    "draw, draws": ("Draw again", "Draw seats", "5-card draw", "triple draw"),
    "exposed": ("exposed cutting", "two exposed"),
    "floor": ("lies on the floor",),
    "fold, folds, folded": ("Call, rest fold", "hand was to be given back", "on which the hand was folded"),
    "kill, kills": ("or kills the hand",),
    "pot": ("opened the pot", "kill the pot", "pot was opened", "pot is killed", "bomb pot",
            "Side pot {n}: {chips}"),
    "rulebook": ("where the rulebook turns all hands up",),
    "shoe": (
        "shoe did not read", "the shoe read", "if the shoe was wrong", "nobody has said where it lies",
        "was read once more", "covered once", "the shoe unread",
    ),
    "showdown": ("The cards named at the showdown",),
}  # fmt: skip
"""Term -> parts of texts with another meaning of the word, or whose translation says it in fewer words."""


def read_terms(page: str) -> Terms:
    """The rows of the first table of a page."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", page.partition("## Sources")[0], re.MULTILINE)
    return {english: tuple(forms.split(", ")) for english, forms in rows if english != "English"}


@cache
def list_english_texts() -> tuple[str, ...]:
    return tuple(text if isinstance(text, str) else text[0] for text in texts())


def find_missing_terms(terms: Terms, language: Language) -> dict[tuple[str, str], str]:
    """Term and English text -> a translation that has no form of the term."""
    missing = {}
    for english in list_english_texts():
        said = " ".join(language.texts.get(english, ())).lower()
        for term, forms in terms.items():
            own = "|".join(re.escape(form).replace("\\ …\\ ", ".*") for form in term.split(", "))
            if re.search(rf"(?<![\w-])(?:{own})(?![\w-])", PLACE.sub("", english), re.IGNORECASE) and not any(
                form.lower() in said for form in forms
            ):
                missing[term, english] = said
    return missing


def read_page(name: str) -> str:
    return (ROOT / "docs" / f"glossary-{name}.md").read_text(encoding="utf-8")


def is_said_otherwise(term: str, english: str) -> bool:
    return any(part.lower() in english.lower() for part in OTHERWISE_SAID.get(term, ()))


@pytest.mark.parametrize("name", ["de", "es"])
def test_a_term_is_said_as_the_glossary_says_it(name: str) -> None:
    terms = read_terms(read_page(name))
    assert len(terms) >= MIN_TERM_COUNT
    missing = find_missing_terms(terms, load_language(name))
    assert {key: said for key, said in missing.items() if not is_said_otherwise(*key)} == {}


def test_every_exception_is_needed() -> None:
    found = (find_missing_terms(read_terms(read_page(name)), load_language(name)) for name in ("de", "es"))
    missing = [key for each in found for key in each]
    idle = [
        part
        for term, parts in OTHERWISE_SAID.items()
        for part in parts
        if not any(key[0] == term and part.lower() in key[1].lower() for key in missing)
    ]
    assert idle == []


def test_both_pages_have_the_same_terms() -> None:
    assert list(read_terms(read_page("de"))) == list(read_terms(read_page("es")))


def test_a_word_beside_the_glossary_is_found() -> None:
    terms: Terms = {"stub": ("mazo",)}
    wrong = Language("xx", {english if isinstance(english, str) else english[0]: ("el resto",) for english in texts()})
    right = Language("xx", dict.fromkeys(wrong.texts, ("en el Mazo",)))
    assert ("stub", "Joker in the stub") in find_missing_terms(terms, wrong)
    assert find_missing_terms(terms, right) == {}


@pytest.mark.parametrize("name", ["de", "es"])
def test_every_source_that_is_cited_is_named(name: str) -> None:
    page = read_page(name)
    table, _, sources = page.partition("## Sources")
    named = set(re.findall(r"^\| ([A-Z]\w+) \|", sources, re.MULTILINE))
    printed = re.findall(r"\| ([^|]+) \|$", table, re.MULTILINE)
    assert {code for code in named if not any(re.search(rf"\b{code}\b", row) for row in printed)} == set()
    unnamed = [row for row in printed if row not in ("printed in", "no printed source found", "---|---|---")]
    assert [row for row in unnamed if not any(re.search(rf"\b{code}\b", row) for code in named)] == []
    assert f"glossary-{name}.md" in (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
