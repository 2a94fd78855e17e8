"""What rulings say, on pages in other languages: the sentences of the core, known again; their clauses as printed."""

import re
from pathlib import Path

import pytest

from config.language_file import ENGLISH, load_language
from controller.core.rules import ruling_sentences as said
from controller.web.wording.ruling_translation import TEMPLATES, translate_ruling

CORE = Path(__file__).parents[2] / "controller" / "core"
VALUES = {
    "street": "river",
    "act": "call",
    "player": "Bo",
    "seats": "2, 3",
    "moves": "1 → 2, 2 → 3",
}
CLAUSES = (
    "TDA, Rule 39-B",
    "AU, clause 19.1(h)",
    "R7, Section 5, Hold'em Rules, rule 4, by default",
    "HR, [Hold'em] list, rule 4",
)
LANGUAGES = ("de", "es")


def fill(template: str) -> str:
    places = re.findall(r"\{(\w+)\}", template)
    return template.format(**{place: VALUES.get(place, str(number)) for number, place in enumerate(places, 11)})


def translate(text: str, language: str) -> str:
    return str(translate_ruling({"finding": "exposed", "text": text}, load_language(language))["text"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_alone_and_before_any_other_is_said_in_the_language_of_the_page(language: str) -> None:
    for number, template in enumerate(TEMPLATES):
        first, second = fill(template), fill(TEMPLATES[-1 - number])
        clause = CLAUSES[number % len(CLAUSES)]
        alone = translate(f"{first} ({clause}).", language)
        assert not alone.startswith(first), first
        printed, default = clause.removesuffix(", by default"), clause.endswith(", by default")
        source = load_language(language).translate("{clause}, by default", clause=printed) if default else printed
        assert alone.endswith(f"({source}).")
        assert translate(f"{first}.", language) == f"{alone.removesuffix(f' ({source}).')}.", "a question has no clause"
        both = translate(f"{said.join_sentences(first, second)} ({clause}).", language)
        assert both.startswith(alone.split(" (")[0]), both
        assert second not in both or second == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_with_a_sentence_that_is_not_known_stays_as_it_is(language: str) -> None:
    text = "Seat 2 was dealt out: misdeal. The moon is full (TDA, Rule 35-A 4)."
    assert translate(text, language) == text
    assert translate("No clause at all.", language) == "No clause at all."


def test_in_english_a_ruling_is_as_the_table_says_it() -> None:
    text = "Seat 2 was dealt out: misdeal (TDA, Rule 35-A 4)."
    assert translate_ruling({"text": text}, ENGLISH)["text"] == text


def test_the_numbers_and_words_of_a_sentence_come_over() -> None:
    text = "No card was burned. River: burn 2, then turn 1 (R7, Section 5, Hold'em Rules, rule 5)."
    assert translate(text, "de") == (
        "Es wurde keine Karte gebrannt. River: 2 brennen, dann 1 aufdecken (R7, Section 5, Hold'em Rules, rule 5)."
    )
    act = "Seat 4 is bound by its raise out of turn, unless the action to it is changed (FC, Section 3, rule 7)."
    assert translate(act, "de") == (
        "Platz 4 ist an seine Handlung außer der Reihe (Raise) gebunden, außer die Action vor ihm ändert sich "
        "(FC, Section 3, rule 7)."
    )
    name = "The player (J. (Jo) Bo. Jr) who has left seat 2 gets 5 back out of the pot and takes them along (AU, 1.1)."
    assert translate(name, "es") == (
        "El jugador (J. (Jo) Bo. Jr) que dejó el 2 recupera 5 del bote y se las lleva (AU, 1.1)."
    )


def test_a_sentence_has_at_most_25_words() -> None:
    said_in_all = (sentence for template in TEMPLATES for sentence in template.split(". "))
    assert [sentence for sentence in said_in_all if len(sentence.split()) > 25] == []


def test_the_core_says_every_sentence() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in CORE.rglob("*.py"))
    unsaid = [name for name in vars(said) if name.isupper() and f"said.{name}" not in code]
    assert unsaid == []
