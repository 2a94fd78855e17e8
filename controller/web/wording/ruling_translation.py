"""A ruling in another language: its sentences are known again by their templates, its clause stays as printed.

The text of a ruling is English wherever it is written down (`controller.core.rules.ruling_sentences`); a page says it
in its own language. A text of which one sentence is not known stays as it is: half of a sentence helps nobody.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from config.language_file import ENGLISH, Language, mark_for_translation
from controller.core.engine.output.amendment_sentence import describe_amendment
from controller.core.rules import ruling_sentences
from controller.web.wording.pile_names import format_pile

TEMPLATES = tuple(
    sorted(
        (text for name, text in vars(ruling_sentences).items() if name.isupper()),
        key=lambda text: (text.startswith(("{player}", "{why}")), -len(text)),
    )
)
"""Every sentence, the longest first: one may begin as another does. What begins with any words at all comes last."""
BY_DEFAULT = mark_for_translation("{clause}, by default")
CLAUSE = re.compile(r"^(.*) \(((?:[^()]|\([^()]*\))*?)(, by default)?\)\.$")
PLACE = re.compile(r"\{(\w+)\}")
PATTERN_BY_PLACE = {
    "street": r"[\w-]+", "act": r"[\w-]+", "seats": r"[\d, ]+", "moves": r"[\d, →]+", "player": r".+?", "game": r".+?",
    "why": r"[^.]+?", "place": r"seat \d+|[\w-]+", "mixture": r"[\w-]+", "piles": r"[\w ,-]+",
    "owners": r"\d+(?: and \d+)*", "stacks": r"[\w ,]+", "coloured": r"[\w ,]+",
    "chips": r"[\d,]+", "old": r"[\d,]+", "new": r"[\d,]+",
}  # fmt: skip
NUMBER = r"\d+"


def translate_ruling(ruling: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """A ruling of an output line as a page shows it, its text in the language of that page."""
    shown = {key: value for key, value in ruling.items() if key != "put_right"}
    return {**shown, "text": _translate_text(str(ruling["text"]), language, ruling.get("put_right"))}


@cache
def _compile(template: str) -> re.Pattern[str]:
    """The pattern of what a template says, with a group for each of its places; one that comes again is the same."""
    parts, seen = PLACE.split(template), set[str]()
    pattern = ""
    for at, part in enumerate(parts):
        if at % 2 == 0:
            pattern += re.escape(part)
        elif part in seen:
            pattern += f"(?P={part})"
        else:
            seen.add(part)
            pattern += f"(?P<{part}>{PATTERN_BY_PLACE.get(part, NUMBER)})"
    return re.compile(rf"{pattern}(?=\. |$)")


def _translate_text(text: str, language: Language, put_right: Mapping[str, Any] | None) -> str:
    """`put_right`: what the sentence of an amendment is made of; it is made anew, for it quotes an entry."""
    if language.name == ENGLISH.name:
        return text
    found = CLAUSE.match(text)
    translated: str | None = None
    if found is not None and put_right is not None:
        translated = describe_amendment(put_right["amended"], put_right["due"], language.translate)
    elif found is not None:
        translated = _translate_sentences(found[1], language)
    if found is None or translated is None:
        asked = _translate_sentences(text.removesuffix("."), language)  # a question of the table has no clause
        return text if asked is None else f"{_capitalize(asked)}."
    _, clause, default = found.groups()
    source = language.translate(BY_DEFAULT, clause=clause) if default else clause
    return f"{_capitalize(translated)} ({source})."


def _translate_sentences(said: str, language: Language) -> str | None:
    """All of it sentence by sentence; `None` where one is not known."""
    for template in TEMPLATES:
        found = _compile(template).match(said)
        if found is None or template not in language.texts:
            continue
        values = {key: _translate_value(key, each, language) for key, each in found.groupdict().items()}
        if None in values.values():
            continue
        first = language.translate(template, **values)
        rest = said[found.end() :].removeprefix(". ")
        translated = _translate_sentences(rest, language) if rest else ""
        if translated is not None:
            return f"{first}. {translated}" if translated else first
    return None


def _translate_value(place: str, value: str, language: Language) -> str | None:
    """What stands in a place; `None` for a sentence inside of the sentence that is not known."""
    translate = TRANSLATOR_BY_PLACE.get(place)
    return _translate_word(value, language) if translate is None else translate(value, language)


def _translate_word(value: str, language: Language) -> str:
    """A number as it is, or a word of the table script."""
    if value.lower() in language.texts:
        word = language.translate(value.lower())
        return _capitalize(word) if value[:1].isupper() else word
    return value


def _keep_name(value: str, _: Language) -> str:
    return value


def _translate_mixture(value: str, language: Language) -> str:
    return ", ".join(format_pile({"burns": "burn"}.get(name, name), language) for name in value.split("-and-"))


def _translate_piles(value: str, language: Language) -> str:
    """Piles with what lies there, such as "3 at burn, 2 at seat 4"."""
    told = (each.partition(" at ") for each in value.split(", "))
    return ", ".join(f"{format_pile(place, language)}: {count}" for count, _, place in told)


def _translate_stacks(value: str, language: Language) -> str:
    """Seats with their stacks, such as "seat 1 2,500, seat 4 300"."""
    return re.sub(r"seat (\d+) ", lambda found: f"{language.translate('seat {seat}', seat=found[1])}: ", value)


def _translate_coloured_chips(value: str, language: Language) -> str | None:
    """Chips that leave the table, such as "all 25s and half 100s"."""
    told = [_translate_sentences(each, language) for each in value.split(" and ")]
    return None if None in told else ", ".join(filter(None, told))


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


TRANSLATOR_BY_PLACE: dict[str, Callable[[str, Language], str | None]] = {
    "why": _translate_sentences,
    "player": _keep_name,
    "game": _keep_name,
    "place": format_pile,
    "mixture": _translate_mixture,
    "piles": _translate_piles,
    "owners": lambda value, _: value.replace(" and ", ", "),
    "stacks": _translate_stacks,
    "coloured": _translate_coloured_chips,
}
"""How what is neither a number nor one word is said."""
