"""Each page leads to all the others, by the same menu."""

import re

from config.language_file import load_language
from controller.web import STATIC_FOLDER
from controller.web.wording.error_page import render_error_page
from controller.web.wording.page_menu import MENU_MARK, TITLE_BY_PATH
from controller.web.wording.page_translation import render_page

GERMAN = load_language("de")


def test_a_page_with_a_menu_leads_to_every_page_and_marks_itself() -> None:
    files = [path for path in STATIC_FOLDER.glob("*.html") if MENU_MARK in path.read_text(encoding="utf-8")]
    assert sorted(path.stem for path in files) == ["drop", "errors", "floor", "hands", "technician", "train"]
    for path in files:
        page = render_error_page(GERMAN) if path.stem == "errors" else render_page(path, GERMAN)
        menu = page[page.index('<nav id="pages"') :].partition("</nav>")[0]
        links = re.findall(r'<a href="(/[a-z]*)"( aria-current="page")?>([^<]+)</a>', menu)
        titles = {address: title for address, _, title in links}
        assert titles == {address: GERMAN.translate(title) for address, title in TITLE_BY_PATH.items()}
        assert [address for address, is_shown, _ in links if is_shown] == [f"/{path.stem}"]
        key = GERMAN.translate(TITLE_BY_PATH[f"/{path.stem}"])
        assert f">{key}</button>" in page, "its key says which page this is"
