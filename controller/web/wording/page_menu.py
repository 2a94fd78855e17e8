"""The menu of a table's pages, the same on each: where a page is, the others are."""

from config.language_file import mark_for_translation

MENU_MARK = "<!-- pages -->"
"""Where a page has its menu."""

TITLE_BY_PATH = {
    "/": mark_for_translation("Dealer"),
    "/floor": mark_for_translation("Floor"),
    "/technician": mark_for_translation("Technician"),
    "/hands": mark_for_translation("Hands"),
    "/drop": mark_for_translation("The drop"),
    "/train": mark_for_translation("School"),
    "/watch": mark_for_translation("Spectators"),
    "/errors": mark_for_translation("Error catalogue"),
}


def insert_menu(text: str, path: str) -> str:
    """Put the menu into a page that has a place for it; `path`: the page's own, which names the key that opens it.

    A popover needs no script, closes by a touch beside it, and takes no room of a small screen. A browser that does not
    know it (before 2024) shows the links at once.
    """
    if MENU_MARK not in text:
        return text
    label = mark_for_translation("Pages")
    links = "".join(_make_link(each, title, is_shown=each == path) for each, title in TITLE_BY_PATH.items())
    menu = (
        f'<button type="button" class="pages" popovertarget="pages" title="{label}">'
        f"{TITLE_BY_PATH[path]}</button>"
        f'<nav id="pages" popover aria-label="{label}">{links}</nav>'
    )
    return text.replace(MENU_MARK, menu)


def _make_link(path: str, title: str, *, is_shown: bool) -> str:
    mark = ' aria-current="page"' if is_shown else ""
    return f'<a href="{path}"{mark}>{title}</a>'
