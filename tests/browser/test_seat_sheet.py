"""What may be said of a seat and of the moment, by touch: each key is taken by a table of the core as it stands.

The pages' files are served from the folder; every line that is touched goes to the table, as at `test_floors_keys`.
"""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from config.language_file import load_language
from controller.core.engine.report_offers import describe_seat_offers, describe_table_offers
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.vocabulary import ReportKind
from tests.browser.alone import page_alone
from tests.browser.conftest import disable_tap_guard
from tests.browser.publications import SCENARIOS, of_lines, read_lines
from tests.browser.test_dealers_page import CUT
from tests.browser.test_floors_keys import DEALT, Line, PageOf, ShownTable, make_table_line, page_of, play_lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

__all__ = ["page_of"]

FIXED = {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
BUTTONLESS = {
    key: value for key, value in make_table_line("roberts-7", game="stud-7", betting=FIXED).items() if key != "button"
}
NO_CARDS = [{"ev": "card", "card": None}]
GAMES: dict[str, list[Line]] = {
    "holdem": [make_table_line("roberts-7"), *DEALT],
    "tournament": [make_table_line("wsop-2024"), *DEALT],
    "omaha": [make_table_line("roberts-7", game="omaha"), {"ev": "start"}, *NO_CARDS * 16],
    "draw": [make_table_line("roberts-7", game="jacks-or-better"), {"ev": "start"}, *NO_CARDS * 20],
    "stud": [
        BUTTONLESS,
        {"ev": "start"}, *NO_CARDS * 8, *[{"ev": "card", "card": card} for card in ("2c", "9h", "Kd", "7s")],
    ],
}  # fmt: skip
BY_GAME = pytest.mark.parametrize("game", GAMES)
FLOP: list[Line] = [
    *({"ev": "act", "seat": seat, "do": "call"} for seat in (4, 1, 2)),
    {"ev": "act", "seat": 3, "do": "check"},
    {"ev": "card", "card": None},
    *({"ev": "card", "card": card} for card in ("2c", "9h", "Kd")),
]


WORDS = """all => all.map((key) => [...key.childNodes]
  .filter((part) => part.nodeName !== "KBD").map((part) => part.textContent).join(""))"""


def list_keys(shown: ShownTable) -> list[str]:
    """The words of the sheet's keys, without their letters."""
    shown.page.wait_for_selector("#sheet[open]")
    texts: list[str] = shown.page.locator("#sheet-body button").evaluate_all(WORDS)
    return texts


def find_other_seat(shown: ShownTable) -> int:
    """A seat that is not due, the last that acts."""
    state = play_lines(shown.lines).outcome.state
    assert state.hand is not None
    assert state.hand.round is not None
    return state.hand.round.queue[-1]


SHEET_TEXT = "() => document.querySelector('#sheet[open]')?.innerText || ''"
ENTERED_OR_ASKED = f"""([posted, text]) => {{
  const now = ({SHEET_TEXT})();
  return (window.posted || 0) > posted || now && now !== text;
}}"""
"""A key has entered its line, or the sheet asks for more; the sheet that was open before may stand a moment longer."""


def touch_key(page: "Page", key: "Locator") -> None:
    """Touch a key of the open sheet, and wait until it has entered its line or asks for more."""
    before = [page.evaluate("window.posted || 0"), page.evaluate(SHEET_TEXT)]
    key.click()
    page.wait_for_function(ENTERED_OR_ASKED, arg=before)


def touch_seat(shown: ShownTable, seat: int) -> None:
    shown.page.click(f"[data-seat='{seat}']")
    shown.page.wait_for_selector("#sheet[open]")


@BY_GAME
def test_what_a_seat_did_before_its_turn_is_its_first_key_and_two_touches(page_of: PageOf, game: str) -> None:
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES[game])
    seat = find_other_seat(shown)
    touch_seat(shown, seat)
    keys = list_keys(shown)
    assert keys[0] == "Folds out of turn"
    before = [text for text in keys if text.startswith("Seat")]
    assert len(before) == (game != "stud"), "who is to bring it in can neither check nor fold"
    assert all(keys.index(text) > 1 for text in before), "never as the first key"
    assert shown.page.locator("#sheet-body button").evaluate_all(CUT) == []
    shown.touch("Folds out of turn")
    assert shown.entered[-1] == {"ev": "act", "seat": seat, "do": "fold"}
    shown.looks_right()


@BY_GAME
def test_every_key_of_a_seat_and_of_the_moment_is_taken(page_of: PageOf, game: str) -> None:
    """Every key that enters something at once, of a seat that is not due, and of `What happened?`."""
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES[game])
    seat, table = find_other_seat(shown), play_lines(shown.lines)
    for opens in (f"[data-seat='{seat}']", "#always button >> nth=0", "rest"):
        index = 0
        while True:
            if opens == "rest":
                shown.page.click("#always button >> nth=0")
                shown.page.get_by_role("button", name="Something else…").click()
            else:
                shown.page.click(opens)
            shown.page.wait_for_selector("#sheet[open]")
            keys = shown.page.locator("#sheet-body button")
            if index >= keys.count():
                break
            text = keys.nth(index).inner_text()
            count = len(shown.posted)
            touch_key(shown.page, keys.nth(index))
            index += 1
            if shown.page.locator("#sheet[open]").count():
                shown.page.keyboard.press("Escape")
                continue
            shown.page.wait_for_function("before => window.posted > before", arg=count)
            trial = table.copy()
            for line in shown.posted[-1]:
                trial.handle(parse_line(line))
            assert "openers" not in text or game == "draw"
        assert index
        shown.page.keyboard.press("Escape")


def test_a_bet_before_its_turn_is_told_with_its_amount(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES["holdem"], *FLOP)
    touch_seat(shown, 1)
    assert list_keys(shown)[:4] == [
        "Folds out of turn",
        "Checks out of turn",
        "Bets out of turn…",
        "All-in out of turn",
    ]
    shown.touch("Bets out of turn…", "1", "2", "Bet")
    assert shown.entered[-1] == {"ev": "act", "seat": 1, "do": "bet", "to": 12}


def test_a_bet_before_its_turn_has_its_round_totals(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES["holdem"], *FLOP)
    touch_seat(shown, 1)
    shown.page.get_by_role("button", name="Bets out of turn…").click()
    totals = [int(text) for text in shown.page.locator("#sheet .rounds button").all_inner_texts()]
    assert len(totals) > 1
    shown.touch(str(totals[-1]))
    assert shown.entered[-1] == {"ev": "act", "seat": 1, "do": "bet", "to": totals[-1]}


def test_a_bound_seat_reads_what_it_must_do_and_no_more(page_of: PageOf) -> None:
    lines = read_lines(SCENARIOS / "tda-wsop/out-of-turn/tda-2024-raise-out-of-turn-binds.jsonl")
    shown = page_of(["dealer"], "/")
    shown.play(*lines[:-1])
    assert shown.page.locator("#now button").evaluate_all(WORDS) == ["Raise800"]
    assert "to call" not in shown.page.inner_text("body")
    shown.play({"ev": "act", "seat": 6, "do": "raise", "to": 800})
    assert "500 to call" in shown.page.inner_text("body"), "and who is not bound reads what a call costs"


def test_a_raise_to_all_that_a_seat_has_is_one_key(page_of: PageOf) -> None:
    """Two keys for one act make whoever is in a hurry look for the difference."""
    shown = page_of(["dealer"], "/")
    game = make_table_line("roberts-7")
    game["seats"] = [{**seat, "stack": 15} if seat["seat"] == 3 else seat for seat in game["seats"]]
    acts: list[Line] = [{"ev": "act", "seat": 4, "do": "raise", "to": 10}]
    acts += [{"ev": "act", "seat": seat, "do": "fold"} for seat in (1, 2)]
    shown.play(game, *DEALT)
    assert {"Raise4", "All-in"} <= {*shown.page.locator("#now button").evaluate_all(WORDS)}
    shown.play(*acts)
    assert shown.page.locator("#now button").evaluate_all(WORDS) == ["Fold", "Call8", "All-in15"]
    shown.touch("All-in")
    assert shown.entered[-1] == {"ev": "act", "seat": 3, "do": "all-in"}


def test_all_fold_to_two_big_blinds_and_those_check(page_of: PageOf) -> None:
    """A seat that came in and posted owes nothing: it checks, and the round is over by one touch."""
    shown = page_of(["dealer"], "/")
    comes = {"ev": "sit", "seat": 5, "player": "Eve", "stack": 200, "post": True}
    hand: list[Line] = [
        {"ev": "start"},
        *NO_CARDS * 8,
        *({"ev": "act", "seat": seat, "do": "fold"} for seat in (3, 4, 1)),
    ]
    shown.play(make_table_line("roberts-7", button=4), *hand, {"ev": "done"}, comes, {"ev": "start"}, *NO_CARDS * 10)
    before = list(shown.lines)
    shown.page.get_by_role("button", name="All fold").click()
    shown.page.wait_for_function("() => window.posted")
    acts = shown.posted[-1]
    assert sorted(line["seat"] for line in acts) == [1, 2, 3, 4, 5]
    assert [line["do"] for line in acts].count("check") == 2, "the big blind and who posted"
    assert json.loads(list(of_lines([*before, *acts]))[-1])["table"]["phase"] == "deal"


def test_what_the_table_takes_at_this_moment_alone_comes_first(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    acts = [(4, "all-in"), (1, "fold"), (2, "fold"), (3, "all-in")]
    shown.play(*GAMES["holdem"], *({"ev": "act", "seat": seat, "do": do} for seat, do in acts))
    shown.page.click("#always button >> nth=0")
    assert list_keys(shown)[:3] == ["All-in: deal the rest twice", "All-in: deal the rest 3 times", "Boxed"]
    shown.touch("All-in: deal the rest twice")
    assert shown.entered[-1]["ev"] == "twice"


def test_in_a_limit_game_the_amount_is_in_the_key(page_of: PageOf) -> None:
    limit = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    shown = page_of(["dealer"], "/")
    shown.play(make_table_line("roberts-7", betting=limit), *DEALT)
    touch_seat(shown, 2)
    shown.touch("Raises out of turn: 4")
    assert shown.entered[-1] == {"ev": "act", "seat": 2, "do": "raise", "to": 4}


def test_on_an_open_pair_there_are_two_bets_and_no_others(page_of: PageOf) -> None:
    """Covers: R7-8.stud.7."""
    cards = ("9c", "Kh", "7d", "7h")
    fourth: list[Line] = [{"ev": "card", "card": None}, *({"ev": "card", "card": card} for card in cards)]
    acts: list[Line] = [
        {"ev": "act", "seat": 1, "do": "bring-in"},
        *({"ev": "act", "seat": s, "do": "call"} for s in (2, 3, 4)),
    ]
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES["stud"], *acts, *fourth)
    assert "Bet2" in shown.page.locator("#now button").evaluate_all(WORDS)
    assert shown.page.locator("#totals button").evaluate_all(WORDS) == ["Double bet4"]
    assert "bet 2 or 4" in shown.page.inner_text("body")
    touch_seat(shown, find_other_seat(shown))
    assert [text for text in list_keys(shown) if text.startswith("Bets")] == [
        "Bets out of turn: 2",
        "Bets out of turn: 4",
    ]
    shown.touch("Bets out of turn: 4")
    assert shown.entered[-1]["to"] == 4


def test_those_before_a_seat_fold_by_a_key_that_says_whom(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES["holdem"])
    touch_seat(shown, 2)
    with shown.page.expect_request("**/entry") as asked:
        shown.page.get_by_role("button", name="Seats 4, 1 fold").click()
    posted: Any = asked.value.post_data_json
    assert posted["lines"] == [{"ev": "act", "seat": seat, "do": "fold"} for seat in (4, 1)]
    touch_seat(shown, 4)
    assert not [text for text in list_keys(shown) if "fold" in text.lower() or "turn" in text], "it is its turn"


def test_a_player_comes_and_goes_by_two_touches(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES["holdem"])
    touch_seat(shown, 6)
    shown.touch("Sits down with 200")
    touch_seat(shown, 1)
    shown.touch("Sits out hands")
    touch_seat(shown, 1)
    shown.touch("Is back")
    assert [line["ev"] for line in shown.entered] == ["sit", "away", "back"]


def test_after_undo_the_same_is_offered(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    shown.play(*GAMES["holdem"])

    def look() -> tuple[list[str], list[str]]:
        touch_seat(shown, 2)
        of_seat = list_keys(shown)
        shown.page.keyboard.press("Escape")
        shown.page.click("#always button >> nth=0")
        of_moment = list_keys(shown)
        shown.page.keyboard.press("Escape")
        return of_seat, of_moment

    before = look()
    shown.play({"ev": "act", "seat": 4, "do": "raise", "to": 6})
    assert "String bet" in look()[1]
    shown.play({"ev": "undo"})
    assert look() == before


def test_six_may_have_happened_and_one_key_has_the_rest(page_of: PageOf) -> None:
    shown = page_of(["dealer"], "/")
    for lines in (*GAMES.values(), [*GAMES["holdem"], *FLOP], [*GAMES["holdem"][:4]]):
        shown.lines = []
        shown.play(*lines)
        shown.page.click("#always button >> nth=0")
        keys = list_keys(shown)
        assert len(keys) == 7
        assert keys[-1] == "Something else…"
        assert shown.page.locator("#sheet-body button").evaluate_all(CUT) == []
        shown.page.keyboard.press("Escape")


@pytest.fixture(params=["de", "es"])
def page_in_language(request: pytest.FixtureRequest, browser: "Browser") -> "Iterator[tuple[Page, str]]":
    page = page_alone(browser, language=load_language(request.param))
    yield page, request.param
    page.close()


@pytest.mark.parametrize(("width", "height"), [(800, 480), (390, 844)])
def test_no_key_is_cut_in_another_language(page_in_language: "tuple[Page, str]", width: int, height: int) -> None:
    page, name = page_in_language
    page.set_viewport_size({"width": width, "height": height})
    table: list[Table] = []

    def answer(route: "Route") -> None:
        state = table[-1].outcome.state
        offers = describe_seat_offers(state, 2) if "seat" in route.request.url else describe_table_offers(state)
        route.fulfill(json={"seen": 0, **offers})

    page.route("**/offers*", answer)
    for lines in (*GAMES.values(), [*GAMES["holdem"], *FLOP]):
        table.append(play_lines(lines))
        *_, last = of_lines(lines, load_language(name))
        page.evaluate("text => window.tell(text)", last)
        for opens in ("[data-seat='2']", "#always button >> nth=0"):
            page.click(opens)
            page.wait_for_selector("#sheet[open]")
            assert page.locator("#sheet-body button").evaluate_all(CUT) == []
            assert page.evaluate(
                "(sheet => sheet.scrollWidth <= sheet.clientWidth + 1)(document.querySelector('#sheet-body'))"
            )
            page.keyboard.press("Escape")


def test_a_page_whose_table_does_not_say_what_it_takes_has_every_report_of_the_contract(browser: "Browser") -> None:
    """All that anybody may report unasked is at most three touches away; the rest answers a question of the table."""
    asked = {ReportKind.ACTED, ReportKind.OPENED, ReportKind.PASSED_OUT}
    page = page_alone(browser)
    entered: set[str] = set()

    def keep(route: "Route") -> None:
        line = json.loads(route.request.post_data or "")["line"]
        entered.add(line.get("what", line["ev"]))
        page.evaluate("window.posted = (window.posted || 0) + 1")
        route.fulfill(status=202)

    page.route("**/entry", keep)
    page.route("**/tap-guard.js", disable_tap_guard)
    page.reload()
    page.wait_for_function("() => window.tell")
    for lines in (GAMES["holdem"], [*GAMES["holdem"], *FLOP]):
        *_, last = of_lines(lines)
        page.evaluate("text => window.tell(text)", last)
        for way in (["#always button >> nth=0"], ["#always button >> nth=0", "#sheet .group"], [".seat.act"]):
            index = 0
            while True:
                for step in way:
                    page.click(step)
                page.wait_for_selector("#sheet[open]")
                keys = page.locator("#sheet-body button:not(.group)")
                if index >= keys.count():
                    break
                touch_key(page, keys.nth(index))
                index += 1
                if page.locator("#sheet[open] .pad .main").count():
                    page.locator("#sheet .pad button").first.click()
                    page.locator("#sheet .pad .main").click()
                elif page.locator("#sheet[open] #sheet-body button").count():
                    touch_key(page, page.locator("#sheet-body button").first)
                if page.locator("#sheet[open]").count():
                    page.keyboard.press("Escape")
            page.keyboard.press("Escape")
    page.close()
    assert {kind.value for kind in ReportKind if kind not in asked} - entered == set()
