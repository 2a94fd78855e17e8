"""A card that is turned up with everybody looking: the floor's keys for it, and what the dealer is asked instead."""

from typing import TYPE_CHECKING

import pytest

from config.language_file import load_language
from tests.browser.alone import WHO, page_alone
from tests.browser.publications import of_lines
from tests.browser.test_floors_keys import DEALT, Line, PageOf, ShownTable, make_table_line, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["page_of"]

STUD: Line = {
    **make_table_line("roberts-7"), "game": "stud-7", "live": True,
    "betting": {"structure": "fixed-limit", "small_bet": 4, "big_bet": 8, "ante": 1, "bring_in": 2},
}  # fmt: skip
CARDS = ("Ad", "9c", "4d", "Kh", "Ks", "2c", "7h", "3d", "8s", "5c", "Js", "Qd")
EXPOSED: list[Line] = [{"ev": "card", "card": "Ad"}, {"ev": "report", "what": "exposed"}]
ASKING: list[Line] = [
    {key: value for key, value in STUD.items() if key != "button"},
    {"ev": "start"}, *EXPOSED, *({"ev": "card", "card": card} for card in CARDS[1:]),
]  # fmt: skip
"""Seat 1 keeps a card that was dealt face down and is said to lie open: it may decide who brings it in."""
LOWBALL: Line = {
    **make_table_line("roberts-7"), "game": "lowball-27", "live": True,
    "betting": {"structure": "fixed-limit", "small_bet": 4, "big_bet": 8, "small_blind": 2, "big_blind": 4},
}  # fmt: skip


def list_keys(shown: ShownTable, selector: str) -> list[str]:
    return [text.split("\n")[0] for text in shown.page.locator(f"{selector} button").all_inner_texts()]


def fits(shown: ShownTable) -> bool:
    """Nothing of the page or of the sheet is beyond the screen's width, and no key's words are cut."""
    return bool(
        shown.page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth && "
            "[...(document.querySelector('#sheet[open]') || document).querySelectorAll('button')]"
            ".every((key) => !key.getClientRects().length || (key.scrollWidth <= key.clientWidth + 1"
            " && key.getBoundingClientRect().right <= innerWidth))"
        )
    )


def test_the_card_that_the_table_asks_about_is_turned_up_by_one_touch(page_of: PageOf) -> None:
    floor = page_of(["floor"], "/floor")
    floor.play(*ASKING)
    keys = list_keys(floor, "#options")
    assert keys == ["Card 1 of seat 1 is turned up", "Another card…", "Dead hand: seat 1", "Misdeal"]
    assert fits(floor)
    floor.touch("Card 1 of seat 1 is turned up")
    assert floor.entered == [{"ev": "floor", "decide": "turned-up", "seat": 1, "nth": 1}]
    assert list_keys(floor, "#options") == [], "the question is answered"


def test_instead_of_it_the_whole_hand_can_be_turned_up(page_of: PageOf) -> None:
    floor = page_of(["floor"], "/floor")
    floor.play(*ASKING)
    floor.touch("Another card…", "Seat 1", "The whole hand")
    assert floor.entered == [{"ev": "floor", "decide": "turned-up", "seat": 1}]


def test_at_any_time_in_a_hand_a_card_a_burn_or_the_board_is_turned_up_without_a_reason(page_of: PageOf) -> None:
    floor = page_of(["floor"], "/floor")
    table = {**make_table_line("roberts-7"), "live": True}
    floor.play(table)
    assert "Turned up…" not in list_keys(floor, "body"), "no card is out"
    floor.play({"ev": "start"}, *({"ev": "card", "card": card} for card in CARDS[:8]))
    floor.touch("Turned up…", "Seat 3", "Card 2")
    floor.play(*({"ev": "act", "seat": seat, "do": do} for seat, do in ((4, "call"), (1, "call"), (2, "call"))))
    floor.play({"ev": "act", "seat": 3, "do": "check"}, *({"ev": "card", "card": card} for card in CARDS[8:]))
    floor.touch("Turned up…", "Burn", "Card 1")
    assert floor.entered == [
        {"ev": "floor", "decide": "turned-up", "seat": 3, "nth": 2},
        {"ev": "floor", "decide": "turned-up", "where": "burn", "nth": 1},
    ]
    assert fits(floor)


@pytest.mark.parametrize("roles", [["dealer", "floor"], ["dealer"]])
def test_at_the_dealers_own_screen_it_is_a_key_of_the_floor_alone(page_of: PageOf, roles: list[str]) -> None:
    dealer = page_of(roles, "/")
    dealer.play(*ASKING)
    if roles == ["dealer"]:
        dealer.page.get_by_role("button", name="The floor decides…").wait_for()
        assert "Floor: turned up" not in list_keys(dealer, "body")
        return
    assert "?" in dealer.page.inner_text("[data-seat='1']"), "not everybody knows it yet"
    dealer.touch("Floor: turned up")
    assert dealer.entered == [{"ev": "floor", "decide": "turned-up", "seat": 1, "nth": 1}]
    dealer.looks_right()


def test_the_floor_turns_a_card_up_in_the_sheet_over_the_dealers_screen(page_of: PageOf) -> None:
    dealer = page_of(["dealer", "floor"], "/")
    dealer.play({**make_table_line("wsop-2024"), "live": True}, {"ev": "hand-for-hand", "on": True}, *DEALT)
    acts = ((4, "all-in"), (1, "call"), (2, "fold"), (3, "fold"))
    dealer.play(*({"ev": "act", "seat": seat, "do": do} for seat, do in acts))
    dealer.touch("The floor decides…", "Turned up…", "Seat 4", "Card 2")
    assert dealer.entered == [{"ev": "floor", "decide": "turned-up", "seat": 4, "nth": 2}]
    assert "Card 2 of seat 4 was turned up" in dealer.page.inner_text("#ruling")


def test_who_reports_a_card_whose_rank_decides_is_asked_which_it_is(page_of: PageOf) -> None:
    dealer = page_of(["dealer"], "/")
    dealer.play(LOWBALL, {"ev": "start"}, *({"ev": "card", "card": card} for card in CARDS[:5]))
    dealer.page.get_by_role("button", name="Exposed").click()
    report = {"ev": "report", "what": "exposed"}
    dealer.page.wait_for_function("window.entered && window.entered.length === 1")
    assert dealer.entered == [report]
    *_, refused = of_lines([*dealer.lines, report])
    assert '"card-unread"' in refused
    dealer.page.evaluate("text => window.tell(text)", refused)
    assert dealer.page.inner_text("#sheet-title") == "Which card did everybody see?"
    assert fits(dealer)
    dealer.page.set_viewport_size({"width": 390, "height": 844})
    assert fits(dealer), "a telephone shows the whole pack, too"
    dealer.page.click("#sheet [aria-label='Ks']")
    dealer.page.wait_for_function("window.entered && window.entered.length === 2")
    assert dealer.entered[1] == {**report, "card": "Ks"}
    dealer.play(dealer.entered[1])
    assert not dealer.page.evaluate("document.getElementById('sheet').open")


def test_an_open_card_that_nothing_read_is_named_where_the_table_asks(page_of: PageOf) -> None:
    dealer = page_of(["dealer"], "/")
    dealer.play(
        *({**line, "card": None} if line.get("card") == "Js" else line for line in ASKING if line not in EXPOSED[1:])
    )
    dealer.page.get_by_role("button", name="The open card of seat 3 is…").click()
    dealer.page.click("#sheet [aria-label='Js']")
    dealer.page.wait_for_function("window.entered && window.entered.length === 1")
    assert dealer.entered == [{"ev": "report", "what": "misread", "seat": 3, "card": "Js"}]
    dealer.play(dealer.entered[0])
    assert dealer.page.inner_text("[data-seat='3']").count("?") == 0


@pytest.mark.parametrize("language", ["de", "es"])
@pytest.mark.parametrize("path", ["dealer.html", "floor.html"])
def test_no_key_is_cut_in_another_language(
    browser: "Browser", monkeypatch: pytest.MonkeyPatch, language: str, path: str
) -> None:
    monkeypatch.setitem(WHO, "roles", ["dealer", "floor"])
    page = page_alone(browser, path, load_language(language))
    page.wait_for_function("() => window.tell")
    *_, last = of_lines(ASKING, load_language(language))
    page.evaluate("text => window.tell(text)", last)
    keys = page.locator("#now button, #options button")
    keys.nth(3).wait_for()
    assert (
        keys.evaluate_all(
            "all => all.filter((key) => key.scrollWidth > key.clientWidth + 1).map((key) => key.innerText)"
        )
        == []
    )
    page.close()
