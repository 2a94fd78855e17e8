"""A page without a table: its files from the folder, and what the table says given to it screen by screen."""

from typing import TYPE_CHECKING

from config.language_file import ENGLISH, Language
from controller.web import STATIC_FOLDER
from controller.web.wording.page_translation import render_catalogue_script, render_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

NO_SERVER = """
  window.EventSource = class { constructor() { window.tell = (data) => this.onmessage({ data }); } };
"""

WHO = {"mode": "live", "name": "Jo", "roles": ["dealer"], "showroom": False, "seconds": 600}


def give(route: "Route", asked: str, language: Language = ENGLISH) -> None:
    """Answer with a file of the folder, as it is in a language, or with the texts of the scripts."""
    if asked == "catalogue.js":
        route.fulfill(body=render_catalogue_script(language), content_type="text/javascript")
    elif asked.endswith(".html"):
        route.fulfill(body=render_page(STATIC_FOLDER / asked, language), content_type="text/html")
    elif (file := STATIC_FOLDER / asked).is_file():
        route.fulfill(path=file)
    else:
        route.fulfill(status=404)


def page_alone(
    browser: "Browser", path: str = "dealer.html", language: Language = ENGLISH, *, signed_in: str = "Jo"
) -> "Page":
    """Open a page at 800x480 in a language; `window.tell` gives it a publication, where it takes any."""

    def answer(route: "Route") -> None:
        asked = route.request.url.removeprefix("http://table.test").removeprefix("/static").lstrip("/")
        if asked == "who":
            route.fulfill(json={**WHO, "name": signed_in})
        else:
            give(route, asked, language)

    page = browser.new_page(viewport={"width": 800, "height": 480})
    page.route("**/*", answer)
    page.add_init_script(NO_SERVER)
    page.goto(f"http://table.test/{path}")
    if path == "dealer.html":
        page.wait_for_function("() => window.tell")
    return page
