"""The error catalogue as a page: every code with its cause and what each person does, in the language wanted."""

import html
from functools import cache

from config.language_file import ENGLISH, Language, mark_for_translation
from controller.web import STATIC_FOLDER
from controller.web.wording.error_catalogue import CatalogueEntry, load_catalogue
from controller.web.wording.page_menu import insert_menu
from controller.web.wording.page_translation import translate_page

PAGE_FILE = STATIC_FOLDER / "errors.html"
PLACE = "<!-- catalogue -->"
"""Where the entries go in the page's file."""

TITLE_BY_KIND = {
    "refusal": mark_for_translation("Refusals"),
    "notice": mark_for_translation("Notices"),
    "fault": mark_for_translation("Faults"),
    "page": mark_for_translation("Answers of the page"),
    "error": mark_for_translation("Errors that end a command or stop a device"),
}
"""The headings of the catalogue, in its order."""


@cache
def render_error_page(language: Language) -> str:
    """Write the page in a language; a code stands as it is, and is where a link to it leads."""
    links, parts = [], []
    for kind, title in TITLE_BY_KIND.items():
        said = html.escape(language.translate(title))
        entries = sorted((each for each in load_catalogue().values() if each.kind == kind), key=lambda each: each.code)
        links.append(f'<a href="#kind-{kind}">{said}</a>')
        rendered = "".join(_render_entry(entry, language) for entry in entries)
        parts.append(f'<section aria-labelledby="kind-{kind}"><h2 id="kind-{kind}">{said}</h2>\n{rendered}</section>\n')
    listed = f'<nav class="kinds" aria-label="{html.escape(language.translate("Kinds"))}">{" ".join(links)}</nav>\n'
    page = translate_page(insert_menu(PAGE_FILE.read_text(encoding="utf-8"), "/errors"), language)
    return page.replace(PLACE, listed + "".join(parts))


def _render_entry(entry: CatalogueEntry, language: Language) -> str:
    advice = (("Dealer", entry.dealer_advice), ("Floor", entry.floor_advice), ("Technician", entry.technician_advice))
    rows = "".join(
        f"<dt>{html.escape(language.translate(who))}</dt>{_render_text('dd', text, language)}" for who, text in advice
    )
    name = f" {html.escape(entry.class_name)}" if entry.class_name not in ("", entry.code) else ""
    return (
        f'<article id="{html.escape(entry.kind)}-{html.escape(entry.code)}"><h3><code>{html.escape(entry.code)}</code>'
        f"{name}</h3>{_render_text('p', entry.cause, language)}<dl>{rows}</dl></article>\n"
    )


def _render_text(tag: str, english: str, language: Language) -> str:
    """Write a text of the catalogue; what stands between backticks is typed, and what has no translation is English."""
    text = language.translate(english)
    parts = html.escape(text, quote=False).split("`")
    said = "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
    is_english = language != ENGLISH and text == english
    spoken = ' lang="en"' if is_english else ""
    return f"<{tag}{spoken}>{said}</{tag}>"
