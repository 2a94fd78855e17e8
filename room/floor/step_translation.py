"""The steps of a table in the language of whoever looks.

A table says its steps in English, and beside each the words of the table script that it is made of.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from config.language_file import ENGLISH, Language
from controller.web.wording.step_instructions import format_instruction


def translate_steps(steps: Iterable[Mapping[str, Any]], language: Language) -> list[dict[str, Any]]:
    """Each step with its `text` in a language, and without its `words`."""
    return [
        {key: value for key, value in step.items() if key != "words"} | {"text": _translate_step(step, language)}
        for step in steps
    ]


def _translate_step(step: Mapping[str, Any], language: Language) -> str:
    """What is said of a step; as the table said it where this program would say something else in English.

    A newer table has steps and words that are not known here, and the winner's hand is named at the table alone.
    """
    words, told = step.get("words"), str(step["text"])
    if language is ENGLISH or not words:
        return told
    try:
        return format_instruction(words, language) if format_instruction(words) == told else told
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # whatever a newer table may say
        return told
