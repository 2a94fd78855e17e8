"""`/errors` is a page: a title, a language, headings in order, and every code with what each person does."""

import re
from html.parser import HTMLParser

import pytest

from config import language_file
from controller.web.access.authenticator import Authenticator
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.site import make_app
from controller.web.wording.error_catalogue import HEADING_BY_KIND, load_catalogue
from controller.web.wording.error_page import TITLE_BY_KIND, render_error_page
from tests.web.test_pages import NAMES, Client, Wishes


class Outline(HTMLParser):
    """The tags of a page that are open, its headings in order, and its ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.levels: list[int] = []
        self.ids: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "!doctype"):
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def get_page(language: str = "en") -> str:
    house = language_file.load_language(language)
    app = make_app(PageStateHub({}), NAMES, Wishes(), door=Authenticator(is_demo=True), language=house)
    answer = Client(app).get("/errors")
    assert answer.headers["content-type"].startswith("text/html")
    return answer.text


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_the_catalogue_is_a_page_with_a_title_a_language_and_headings(language: str) -> None:
    text = get_page(language)
    page = Outline(text)
    assert page.open == []
    assert f'<html lang="{language}">' in text
    assert re.search(r"<title>[^<]+</title>", text)
    assert page.levels[0] == 1
    assert page.levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(page.levels, page.levels[1:], strict=False))
    assert page.levels.count(3) == len(load_catalogue())
    assert len(set(page.ids)) == len(page.ids)
    assert "|---|" not in text
    assert "`" not in page.words


def test_every_code_stands_on_it_with_what_each_person_does() -> None:
    words = " ".join(Outline(get_page()).words.split())
    for entry in load_catalogue().values():
        for said in (entry.code, *entry.texts):
            assert " ".join(said.replace("`", "").split()) in words


def test_it_speaks_the_language_of_the_browser_and_says_what_it_says_in_english() -> None:
    german = get_page("de")
    assert "Error catalogue" not in german
    assert "Tun, was die große Zeile sagt." in german
    assert "<dt>Technik</dt>" in german
    assert '<dd lang="en">' in german, "what ends a command is said in English"
    assert '<dd lang="en">' not in get_page()


def test_its_headings_are_the_kinds_of_the_catalogue_in_their_order() -> None:
    assert list(TITLE_BY_KIND) == list(HEADING_BY_KIND)
    assert {kind: title for kind, (title, _) in HEADING_BY_KIND.items()} == TITLE_BY_KIND
    assert render_error_page(language_file.ENGLISH).count("<section") == len(TITLE_BY_KIND)
