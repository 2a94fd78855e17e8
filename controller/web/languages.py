"""In which language a browser is served, and the pages in it (docs/languages.md).

Pages are written in English; whatever is said on them is looked up in the catalogue of the language as they are served:
their text here, what their scripts say in `static/language.js`, which has its texts from `catalogue_script`.
"""

import html
import json
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from config.language_file import ENGLISH, Language, load, marked, names
from controller.web.serving import errors

COOKIE = "language"
"""In which a browser keeps its own choice."""

TEXTS = re.compile(
    r"<(code|kbd|script|style|pre)\b.*?</\1>|(?<=>)(?P<text>[^<>]+)(?=<)|"
    r' (?:aria-label|title|placeholder|alt)="(?P<label>[^"]*)"',
    re.DOTALL,
)
"""What is said in a page, as text or as the label of something; what stands in `code` and `kbd` is typed, not said."""

OWN_NAMES = {"en": marked("English"), "de": marked("Deutsch"), "es": marked("Español")}
"""What a language is called by those who speak it; one that is missing is called by its letters."""


def language_of(request: Request) -> Language:
    """The language in which a request is answered: the browser's own choice, or else the house's."""
    chosen = request.cookies.get(COOKIE)
    if chosen is not None and chosen in names():
        return load(chosen)
    house: Language = getattr(request.app.state, "language", ENGLISH)
    return house


def page(request: Request, path: Path) -> Response:
    """Answer with a page of the folder `static`."""
    return HTMLResponse(_page(path, language_of(request)))


def script(request: Request) -> Response:
    """Answer with the texts of the pages' scripts."""
    return Response(catalogue_script(language_of(request)), media_type="text/javascript")


def said_in(text: str) -> list[str]:
    """The English texts of a page, in order."""
    found = (match["text"] or match["label"] or "" for match in TEXTS.finditer(text))
    return [html.unescape(" ".join(each.split())) for each in found if any(map(str.isalpha, each))]


def translated(text: str, language: Language) -> str:
    """Put a page into a language."""
    return TEXTS.sub(lambda match: _put(match, language), text).replace('lang="en"', f'lang="{language.name}"', 1)


def _put(match: re.Match[str], language: Language) -> str:
    whole, english = match[0], match["text"] or match["label"]
    if not english or not english.strip():
        return whole
    text = language.text(html.unescape(" ".join(english.split())))
    return whole.replace(english.strip(), html.escape(text, quote=match["label"] is not None))


@cache
def _page(path: Path, language: Language) -> str:
    return translated(path.read_text(encoding="utf-8"), language)


@cache
def catalogue_script(language: Language) -> str:
    """A module of JavaScript with the texts of a language; and what stands for the reasons of refusals, by their code.

    In English a refusal says more than its code does, so there is no reason to look up.
    """
    entries = errors.catalogue()
    by_code = {text for entry in entries.values() for text in entry.texts}
    texts = {english: said[0] if len(said) == 1 else said for english, said in language.texts.items()}
    reasons: dict[str, str] = {}
    if language != ENGLISH:
        asked = (entry for entry in entries.values() if entry.kind in ("page", "refusal"))
        reasons = {entry.code: language.text(entry.cause) for entry in asked}
    exported = {
        "language": language.name,
        "languages": [[name, OWN_NAMES.get(name, name)] for name in names()],
        "texts": {english: said for english, said in texts.items() if english not in by_code},
        "reasons": reasons,
    }
    return "".join(
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in exported.items()
    )
