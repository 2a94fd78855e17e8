"""A ruling in another language: its sentences are known again by their templates, its clause stays as printed.

The text of a ruling is English wherever it is written down (`controller.core.rules.ruling_sentences`); a page says it
in its own language. A text of which one sentence is not known stays as it is: half of a sentence helps nobody.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from config.language_file import ENGLISH, Language, mark_for_translation
from controller.core.engine.output.amendment_sentence import describe_amendment
from controller.core.rules import ruling_sentences

TEMPLATES = tuple(
    sorted((text for name, text in vars(ruling_sentences).items() if name.isupper()), key=len, reverse=True)
)
"""Every sentence, the longest first: one may begin as another does."""
BY_DEFAULT = mark_for_translation("{clause}, by default")
CLAUSE = re.compile(r"^(.*) \(((?:[^()]|\([^()]*\))*?)(, by default)?\)\.$")
PLACE = re.compile(r"\{(\w+)\}")
PATTERN_BY_PLACE = {
    "street": r"[\w-]+", "act": r"[\w-]+", "seats": r"[\d, ]+", "moves": r"[\d, →]+", "player": r".+?",
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
        return text if asked is None else f"{asked}."
    _, clause, default = found.groups()
    source = language.translate(BY_DEFAULT, clause=clause) if default else clause
    return f"{translated} ({source})."


def _translate_sentences(said: str, language: Language) -> str | None:
    """All of it sentence by sentence; `None` where one is not known."""
    for template in TEMPLATES:
        found = _compile(template).match(said)
        if found is None or template not in language.texts:
            continue
        first = language.translate(
            template, **{key: _translate_value(each, language) for key, each in found.groupdict().items()}
        )
        rest = said[found.end() :].removeprefix(". ")
        translated = _translate_sentences(rest, language) if rest else ""
        if translated is not None:
            return f"{first}. {translated}" if translated else first
    return None


def _translate_value(value: str, language: Language) -> str:
    """A number as it is, or a word of the table script."""
    if value.lower() in language.texts:
        word = language.translate(value.lower())
        return word[:1].upper() + word[1:] if value[:1].isupper() else word
    return value
