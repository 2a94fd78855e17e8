"""What a table plays and how it stands is said as people say it, never as a file or the table script names it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from config import game_file, language_file
from tests.browser.alone import page_alone
from tests.browser.publications import SCENARIOS, read_publications

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BETWEEN_HANDS = SCENARIOS / "collection" / "roberts-7-run-it-twice-raked-once.jsonl"

SAY = """async (texts) => {
  const { formatGameName } = await import("/static/language.js");
  const { formatLabel } = await import("/static/labels.js");
  return [texts.map(formatGameName), formatLabel("idle")];
}"""


def test_every_game_has_a_name_that_people_say(browser: "Browser") -> None:
    page = page_alone(browser)
    games = game_file.list_games()
    names, phase = page.evaluate(SAY, games)
    assert [game for game, name in zip(games, names, strict=True) if name in (game, "") or "-8" in name] == []
    said, _ = page.evaluate(
        SAY, ["omaha-8", "triple-draw-27", "stud-7 4/8 ante 1", "our-game 1/2", "Hold'em", "constructor"]
    )
    assert said == [
        "Omaha hi-lo",
        "2-7 triple draw",
        "7-card stud 4/8, ante 1",
        "Our game 1/2",
        "Hold'em",
        "Constructor",
    ]
    assert phase == "between hands"
    page.close()


@pytest.mark.parametrize("path", ["dealer.html", "watch.html"])
def test_the_header_says_the_game_and_that_no_hand_is_played(browser: "Browser", path: str) -> None:
    last = read_publications(Path(BETWEEN_HANDS))[-1]
    page = page_alone(browser, path)
    page.wait_for_function("() => window.tell")
    page.evaluate("text => window.tell(text)", json.dumps(last))
    assert page.inner_text("#phase").lower() == "between hands"
    assert page.inner_text("#game").startswith("Hold'em")
    page.close()


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 800), (390, 844)])
@pytest.mark.parametrize("name", ["en", "de", "es"])
def test_a_signed_in_header_keeps_game_name_and_phase(browser: "Browser", name: str, size: tuple[int, int]) -> None:
    """Whoever is signed in has a long name, and a long game is played, of a book with a long title."""
    state = read_publications(Path(BETWEEN_HANDS))[-1]
    state["setup"]["game"] = "triple-draw-27"
    language = language_file.load_language(name)
    page = page_alone(browser, language=language, signed_in="Maximiliane")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("() => document.querySelector('#who button')")
    for phase in ("idle", "showdown", "remedy", "halted"):
        state["table"]["phase"] = phase
        page.evaluate("text => window.tell(text)", json.dumps(state))
        assert page.evaluate(HEADER) == [], phase
        assert language.translate("2-7 triple draw") in page.inner_text("#game")
        assert "Maximiliane" in page.inner_text("#who")
    page.close()


HEADER = """() => [...document.querySelectorAll("body > header, body > header *")]
  .filter((each) => each.getClientRects().length && (each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1
    || each.getBoundingClientRect().right > innerWidth || each.getBoundingClientRect().bottom > innerHeight / 6))
  .map((each) => each.id || each.className || each.tagName)"""
"""What of the header is cut, or further down than a sixth of the screen."""
