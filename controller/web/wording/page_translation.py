"""In which language a browser is served, and the pages in it (docs/languages.md).

Pages are written in English; whatever is said on them is looked up in the catalogue of the language as they are served:
their text here, what their scripts say in `static/language.js`, which has its texts from `render_catalogue_script`.
"""

import html
import json
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from config.file_library import Library
from config.language_file import ENGLISH, Language, list_languages, load_language, mark_for_translation
from controller.web.wording import error_catalogue
from controller.web.wording.game_names import list_game_names
from controller.web.wording.page_menu import insert_menu

LANGUAGE_COOKIE = "language"
"""In which a browser keeps its own choice."""

PAGE_TEXT_PATTERN = re.compile(
    r"<(code|kbd|script|style|pre)\b.*?</\1>|(?<=>)(?P<text>[^<>]+)(?=<)|"
    r' (?:aria-label|title|placeholder|alt)="(?P<label>[^"]*)"',
    re.DOTALL,
)
"""What is said in a page, as text or as the label of something; what stands in `code` and `kbd` is typed, not said."""

OWN_NAME_BY_LANGUAGE = {
    "en": mark_for_translation("English"),
    "de": mark_for_translation("Deutsch"),
    "es": mark_for_translation("Español"),
}
"""What a language is called by those who speak it; one that is missing is called by its letters."""


def choose_language(request: Request) -> Language:
    """The language in which a request is answered: the browser's own choice, or else the house's."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    if chosen is not None and chosen in list_languages():
        return load_language(chosen)
    house: Language = getattr(request.app.state, "language", ENGLISH)
    return house


def make_page_response(request: Request, path: Path) -> Response:
    """Answer with a page of the folder `static`."""
    return HTMLResponse(render_page(path, choose_language(request)))


def make_script_response(request: Request) -> Response:
    """Answer with the texts of the pages' scripts."""
    library: Library | None = getattr(request.app.state, "library", None)
    return Response(render_catalogue_script(choose_language(request), library), media_type="text/javascript")


def find_texts(text: str) -> list[str]:
    """The English texts of a page, in order."""
    found = (match["text"] or match["label"] or "" for match in PAGE_TEXT_PATTERN.finditer(text))
    return [html.unescape(" ".join(each.split())) for each in found if any(map(str.isalpha, each))]


def translate_page(text: str, language: Language) -> str:
    """Put a page into a language."""
    return PAGE_TEXT_PATTERN.sub(lambda match: _translate_match(match, language), text).replace(
        'lang="en"', f'lang="{language.name}"', 1
    )


def _translate_match(match: re.Match[str], language: Language) -> str:
    whole, english = match[0], match["text"] or match["label"]
    if not english or not english.strip():
        return whole
    text = language.translate(html.unescape(" ".join(english.split())))
    return whole.replace(english.strip(), html.escape(text, quote=match["label"] is not None))


@cache
def render_page(path: Path, language: Language) -> str:
    """A page of the folder `static` as a browser gets it: with its menu, in a language."""
    return translate_page(insert_menu(path.read_text(encoding="utf-8"), f"/{path.stem}"), language)


@cache
def render_catalogue_script(language: Language, library: Library | None = None) -> str:
    """A module of JavaScript with the texts of a language; and what stands for the reasons of refusals, by their code.

    `games` are the names of games by their code, those of the house's own library among them.

    In English a refusal says more than its code does, so there is no reason to look up.
    """
    entries = error_catalogue.load_catalogue()
    by_code = {text for entry in entries.values() for text in entry.texts}
    texts = {english: said[0] if len(said) == 1 else said for english, said in language.texts.items()}
    reasons: dict[str, str] = {}
    if language != ENGLISH:
        asked = (entry for entry in entries.values() if entry.kind in ("page", "refusal"))
        reasons = {entry.code: language.translate(entry.cause) for entry in asked}
    exported = {
        "language": language.name,
        "languages": [[name, OWN_NAME_BY_LANGUAGE.get(name, name)] for name in list_languages()],
        "texts": {english: said for english, said in texts.items() if english not in by_code},
        "reasons": reasons,
        "games": list_game_names(language, library),
    }
    return "".join(
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in exported.items()
    )
