"""What rulings say, on pages in other languages: the sentences of the core, known again; their clauses as printed."""

import ast
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
    "why": "nothing said",
    "game": "7-card stud 4/8",
    "place": "seat 4",
    "mixture": "muck-and-burns",
    "piles": "3 at burn, 2 at seat 4",
    "owners": "2 and 3",
    "stacks": "seat 1 2,500, seat 4 300",
    "coloured": "all 25s and half of the chips that the director names",
    "chips": "1,000",
    "old": "25",
    "new": "1,000",
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
    text = "Seat 2 was entitled to a hand and got none: misdeal. The moon is full (TDA, Rule 35-A 4)."
    assert translate(text, language) == text
    assert translate("No clause at all.", language) == "No clause at all."


def test_in_english_a_ruling_is_as_the_table_says_it() -> None:
    text = "Seat 2 was entitled to a hand and got none: misdeal (TDA, Rule 35-A 4)."
    assert translate_ruling({"text": text}, ENGLISH)["text"] == text


def test_the_numbers_and_words_of_a_sentence_come_over() -> None:
    text = "No card was burned. River: burn 2, then turn 1 (R7, Section 5, Hold'em Rules, rule 5)."
    assert translate(text, "de") == (
        "Es wurde keine Karte gebrannt. River: 2 brennen, dann 1 aufdecken (R7, Section 5, Hold'em Rules, rule 5)."
    )
    act = "Seat 4 is bound by its raise out of turn, unless the action to it is changed (FC, Section 3, rule 7)."
    assert translate(act, "de") == (
        "Platz 4 ist an seine Aktion außer der Reihe (Raise) gebunden, außer die Action vor ihm ändert sich "
        "(FC, Section 3, rule 7)."
    )
    name = "Pay 5 from the pot to J. (Jo) Bo. Jr, who left seat 2 (AU, 1.1)."
    assert translate(name, "es") == ("Pagar 5 del bote a J. (Jo) Bo. Jr, que dejó el 2 (AU, 1.1).")


def test_a_sentence_has_at_most_25_words() -> None:
    said_in_all = (sentence for template in TEMPLATES for sentence in template.split(". "))
    assert [sentence for sentence in said_in_all if len(sentence.split()) > 25] == []


def test_a_sentence_inside_of_a_sentence_is_said_too() -> None:
    text = "seat 4: raise was said: brought down to 50 (TDA, Rule 43)."
    assert translate(text, "de") == "Platz 4: angesagt: Raise: auf 50 gesenkt (TDA, Rule 43)."
    assert translate(text.replace("raise was said", "the moon is full"), "de").startswith("seat 4: the moon")


def test_piles_and_chips_in_a_sentence_are_said_by_their_names() -> None:
    out = "gather the 20 cards of the stub, shuffle and cut them; outside it lie 3 at burn, 2 at seat 4"
    assert "Burns: 3, Platz 4: 2 (AU, 1.1)" in translate(f"play the hand to the end: {out} (AU, 1.1).", "de")
    chips = translate("coloured up in this break: all 25s and half 1,000s (AU, 1.1).", "es")
    assert chips == "En este descanso se cambian: todas las fichas de 25, la mitad de las fichas de 1,000 (AU, 1.1)."


def is_ruled_by(call: ast.Call) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] in ("build_ruling", "build_ask_ruling", "ask_floor")


def find_unlisted_sentences(code: str) -> list[str]:
    """Literals of more than one word that a function hands to a ruling, in its call or by a name."""
    found = []
    for function in (each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.FunctionDef)):
        ruled = [call for call in ast.walk(function) if isinstance(call, ast.Call) and is_ruled_by(call)]
        parts: list[ast.AST] = [arg for call in ruled for arg in call.args]
        names = {each.id for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)}
        for given in (each for each in ast.walk(function) if isinstance(each, ast.Assign)):
            if names & {each.id for target in given.targets for each in ast.walk(target) if isinstance(each, ast.Name)}:
                parts.append(given.value)
        words = (each.value for part in parts for each in ast.walk(part) if isinstance(each, ast.Constant))
        found += [word for word in words if isinstance(word, str) and re.search(r"[a-z] [a-z]", word)]
    return found


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: path.stem)
def test_a_ruling_says_nothing_but_listed_sentences(path: Path) -> None:
    assert find_unlisted_sentences(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "body",
    [
        'return build_ruling("floor", PLAY_ON, rule, "the hand goes on")',
        'sentence = f"seat {seat} is out"\n    return build_ruling("floor", PLAY_ON, rule, sentence)',
        'return build_ask_ruling("floor", f"what of seat {seat} is so")',
    ],
)
def test_a_sentence_beside_the_list_is_found(body: str) -> None:
    assert find_unlisted_sentences(f"def rule_on_it(seat, rule):\n    {body}\n") != []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_of_any_module_has_its_word(language: str) -> None:
    named = re.findall(r'FINDING\w* = "([a-z-]+)"', "\n".join(path.read_text("utf-8") for path in CORE.rglob("*.py")))
    texts = load_language(language).texts
    assert {"clock-expired", "penalty"} & set(named) != set()
    assert [name for name in named if name.replace("-", " ") not in texts] == []
    assert {"undercall", "chips", "clock expired"} <= set(texts)


def test_the_core_says_every_sentence() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in CORE.rglob("*.py"))
    used = set(re.findall(r"\b(?:said|ruling_sentences)\.(\w+)", code))
    unsaid = [name for name in vars(said) if name.isupper() and name not in used]
    assert unsaid == []
