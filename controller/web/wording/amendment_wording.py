"""The sentence of an amendment in another language than the table's own."""

from collections.abc import Mapping
from typing import Any

from config.language_file import ENGLISH, Language
from controller.core.engine.output.amendment_sentence import describe_amendment


def translate_ruling(ruling: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """A ruling as a page shows it; where it is an amendment's its sentence is made anew, before the clause."""
    shown = {key: value for key, value in ruling.items() if key != "put_right"}
    made_of = ruling.get("put_right")
    if made_of is None or language is ENGLISH:
        return shown
    english = describe_amendment(made_of["amended"], made_of["due"])
    if not ruling["text"].startswith(english):
        return shown
    told = describe_amendment(made_of["amended"], made_of["due"], language.translate)
    return {**shown, "text": told + ruling["text"].removeprefix(english)}
