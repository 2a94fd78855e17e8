"""The house's money in Chromium: the floor changes it, everybody sees its sign, a raked hand costs no touch more."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.alone import page_alone
from tests.browser.conftest import DEMO, disable_tap_guard
from tests.browser.publications import SCENARIOS, of_lines, read_publications
from tests.browser.tables import SIZES, DealersPage, RunningTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RAKE = '[collection]\nkind = "rake"\npercent = 5\ncap = 4\ncaps = [{ dealt = 3, cap = 2 }]\n'


@pytest.fixture
def collection() -> str:
    """The section of the table's file; a test may have another."""
    return RAKE


@pytest.fixture
def table(tmp_path: Path, collection: str) -> Iterator[RunningTable]:
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    config = tmp_path / "table.toml"
    config.write_text(f"{text}\n{collection}".replace("speed = 1", "speed = 20\nmistakes = 0"))
    running = RunningTable(tmp_path / "state", config=config)
    yield running
    running.end()


def open_page(dealer: DealersPage, path: str) -> "Page":
    """Another page of the same table."""
    browser = dealer.page.context.browser
    assert browser is not None
    page = browser.new_page(viewport=dealer.page.viewport_size)
    page.goto(dealer.table.url + path)
    return page


def wait_for_sign(page: "Page", words: str, place: str = ".sign") -> None:
    page.wait_for_function(
        "([place, words]) => document.querySelector(place).innerText.includes(words)", arg=[place, words]
    )


@pytest.mark.parametrize("dealer", SIZES, indirect=True)
def test_the_floor_changes_it_between_hands_and_the_signs_with_it(dealer: DealersPage) -> None:
    """Covers: AU-8.1#sign, AU-8.3, AU-8.4."""
    floor, watch, notice = (open_page(dealer, path) for path in ("floor", "watch", "notice"))
    for page, place in ((floor, "#money"), (watch, "#sign"), (notice, "#rows")):
        wait_for_sign(page, "Rake: 5 % of each pot", place)
        wait_for_sign(page, "At least 0, at most 4 a hand", place)
    floor.click("#terms")
    floor.select_option("[data-key='kind'] select", "time")
    assert floor.locator(".terms label:visible").count() == 3
    floor.fill("[data-key='fee'] input", "6")
    floor.fill("[data-key='minutes'] input", "30")
    floor.click(".terms .main")
    floor.wait_for_selector("#sheet:not([open])", state="attached")
    for page, place in ((floor, "#money"), (watch, "#sign"), (notice, "#rows")):
        wait_for_sign(page, "Time charge: at most 12 an hour for each player", place)
    floor.click("#terms")
    floor.select_option("[data-key='kind'] select", "none")
    floor.click(".terms .main")
    wait_for_sign(watch, "The house takes nothing", "#sign")
    floor.wait_for_selector("#sheet:not([open])", state="attached")
    floor.click("#terms")
    floor.get_by_role("button", name="As in the table's file").click()
    wait_for_sign(watch, "Rake: 5 % of each pot", "#sign")
    floor.wait_for_selector("#sheet:not([open])", state="attached")
    dealer.touch("Start the hand")
    floor.wait_for_selector("#over:not([hidden])")
    floor.click("#terms")
    floor.fill("[data-key='cap'] input", "6")
    floor.click(".terms .main")
    wait_for_sign(floor, "what the house takes changes between hands", ".terms .refused")
    assert floor.input_value("[data-key='cap'] input") == "6", "what was typed is still there"
    wait_for_sign(watch, "at most 4 a hand", "#sign")
    for page in (floor, watch, notice):
        page.close()


def test_the_notice_is_a_sheet_of_paper(dealer: DealersPage) -> None:
    """Covers: AU-7.2."""
    page = open_page(dealer, "notice")
    wait_for_sign(page, "Minimum buy-in", "#rows")
    page.emulate_media(media="print")
    assert not page.is_visible("#print")
    assert len(page.pdf(format="A4", prefer_css_page_size=True)) > 1000
    assert page.evaluate("() => document.body.scrollWidth <= innerWidth")
    page.close()


DONE = {"ev": "done"}


SHEET_ELSE_KEYS = "#sheet[open] button, body:not(:has(#sheet[open])) #keys button"
"""The keys that can be touched now: an open sheet's, else the page's."""


class Keys:
    """The dealer's page without a table: it is shown publications, and tells which lines a key enters."""

    def __init__(self, browser: "Browser") -> None:
        self.page = page_alone(browser)
        self.shown = 0
        self.page.route("**/tap-guard.js", disable_tap_guard)
        self.page.route("**/entry", lambda route: route.fulfill(status=202))
        self.page.reload()
        self.page.wait_for_function("() => window.tell")

    def show(self, publication: dict[str, Any]) -> None:
        self.shown += 1
        self.page.evaluate("text => window.tell(text)", json.dumps(publication | {"entry": self.shown}))

    def touch_seat(self, seat: int) -> None:
        """Open a seat's sheet; it stands once the table has said what may be reported there."""
        self.page.click(f"[data-seat='{seat}']")
        self.page.wait_for_selector("#sheet[open]")

    def touch(self, *names: str) -> list[dict[str, Any]]:
        """Touch these keys one after the other; returns the lines that the last one enters."""
        with self.page.expect_request("**/entry") as entered:
            for name in names:
                self.page.locator(SHEET_ELSE_KEYS, has_text=name).first.click()
        content: Any = entered.value.post_data_json
        lines: list[dict[str, Any]] = content["lines"] if "lines" in content else [content["line"]]
        return lines


@pytest.fixture
def keys(browser: "Browser") -> Iterator[Keys]:
    made = Keys(browser)
    yield made
    made.page.close()


def list_collections(*, is_charge: bool) -> Iterator[dict[str, Any]]:
    """Of every scenario the first showing at which seats are charged, or something is dropped."""
    for file in sorted((SCENARIOS / "collection").glob("*.jsonl")):
        for shown in read_publications(file):
            first = next(iter(shown["table"]["next"]), {"step": ""})
            if first["step"] == "collect" and ("seat" in first) == is_charge:
                yield shown
                break


def test_a_raked_pot_costs_no_touch_more(keys: Keys) -> None:
    """One touch drops the house's part and pushes the first pot, and one does all; as many as without rake.

    Covers: AU-8.2(a)(ii), AU-8.2(b)(iv).
    """
    pushed = 0
    for shown in list_collections(is_charge=False):
        steps = shown["table"]["next"]
        awards = [step for step in steps if step["step"] == "award"]
        keys.show(shown)
        if not awards or "seats" not in awards[0]:
            assert keys.touch("Dropped") == [DONE]
            continue
        assert keys.touch("Dropped, pot pushed") == [DONE, DONE]
        if len(awards) == len(steps) - 1:
            assert keys.touch("next hand") == [DONE] * (1 + len(awards)) + [{"ev": "start"}]
        pushed += 1
    assert pushed > 10


def show_last(keys: Keys, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Show what comes of these lines of a table script."""
    *_, last = (json.loads(text) for text in of_lines(lines))
    keys.show(last)
    shown: dict[str, Any] = last
    return shown


def list_a_walk(collection: dict[str, Any]) -> list[dict[str, Any]]:
    """All fold to the big blind of a table that takes this."""
    table = {
        "ev": "table", "rulebook": "maryport", "game": "holdem", "button": 1,
        "betting": {"structure": "no-limit", "small_blind": 10, "big_blind": 20},
        "seats": [{"seat": seat, "stack": 1000} for seat in (1, 2, 3)], "collection": collection,
    }  # fmt: skip
    cards = [{"ev": "card", "card": card} for card in ("As", "Kd", "Qh", "2c", "7d", "9s")]
    return [table, {"ev": "start"}, *cards, *({"ev": "act", "seat": seat, "do": "fold"} for seat in (1, 2))]


def test_what_lies_on_the_slide_and_is_not_taken_goes_back_to_the_pot(keys: Keys) -> None:
    """Covers: AU-8.6."""
    lines = list_a_walk({"kind": "rake", "percent": 10, "cap": 50})
    assert show_last(keys, lines)["table"]["next"][0]["step"] == "award"
    assert keys.page.inner_text("#slide") == "Back to the pot: 2"
    assert keys.touch("Done: pot pushed") == [DONE]
    show_last(keys, list_a_walk({"kind": "hand", "fee": 5}))
    assert keys.page.inner_text("#slide") == "Drop slide 5", "all of it is dropped"


def test_a_fee_that_is_the_whole_pot_begins_the_next_hand_by_one_touch(keys: Keys) -> None:
    show_last(keys, list_a_walk({"kind": "hand", "fee": 20}))
    assert keys.touch("Dropped, next hand") == [DONE, {"ev": "start"}]


def test_where_nobody_can_read_the_hands_a_touch_drops_and_the_winner_is_named(keys: Keys) -> None:
    """The drop and a pot that the table cannot push were confirmed by one touch: refused, and half of it was done."""
    table, start, *_ = list_a_walk({"kind": "rake", "percent": 10, "cap": 50})
    unread: dict[str, Any] = {"ev": "card", "card": None}
    acts = [{"ev": "act", "seat": seat, "do": word} for seat, word in ((1, "fold"), (2, "call"), (3, "check"))]
    checks = [{"ev": "act", "seat": seat, "do": "check"} for seat in (2, 3)]
    streets = [*[unread] * 4, *checks, *[unread] * 2, *checks, *[unread] * 2, *checks]
    shown = [{"ev": "show", "seat": seat} for seat in (2, 3)]
    lines = [table, start, *[unread] * 6, *acts, *streets, *shown]
    steps = show_last(keys, lines)["table"]["next"]
    assert [step["step"] for step in steps] == ["collect", "award"]
    assert keys.touch("Dropped") == [DONE]
    assert [line["ev"] for line in keys.touch("Winner…", "Seat 2")] == ["done", "won"]


def test_the_winner_of_a_raked_pot_is_named_before_it_is_dropped_as_of_any_other(keys: Keys) -> None:
    named = 0
    for shown in list_collections(is_charge=False):
        award = shown["table"]["next"][1:2]
        if not award or award[0]["step"] != "award" or "seats" not in award[0]:
            continue
        keys.show(shown)
        (won,) = keys.touch("Winner…", f"Seat {award[0]['seats'][0]}")
        assert (won["ev"], won["pot"]) == ("won", award[0]["pot"])
        named += 1
    assert named > 10


def test_each_seat_pays_or_declines_and_all_by_one_touch(keys: Keys) -> None:
    """Covers: AU-8.2(c)(iv), R7-2.proc.2#b."""
    asked = set()
    for shown in list_collections(is_charge=True):
        due = [step["seat"] for step in shown["table"]["next"] if step["step"] == "collect"]
        keys.show(shown)
        assert keys.touch(f"Seat {due[0]} has paid") == [DONE]
        if len(due) > 1:
            assert keys.touch(f"All {len(due)} have paid") == [DONE] * len(due)
        line = {"ev": "collect", "seat": due[-1], "paid": False}
        if shown["notice"]["most_waiting"] is None:
            assert keys.touch("Declines…", f"Seat {due[-1]}") == [line]
        else:
            assert keys.touch("Declines…", f"Seat {due[-1]}", "1 waits") == [line | {"waiting": 1}]
            assert keys.touch("Declines…", f"Seat {due[-1]}", "More wait") == [line | {"waiting": 2}]
        asked.add(shown["notice"]["most_waiting"])
        keys.touch_seat(due[-1])
        assert keys.touch("Pays its time") == [{"ev": "collect", "seat": due[-1]}]
    assert asked == {None, 1}


def test_who_was_dealt_out_pays_and_may_post(keys: Keys) -> None:
    table = {
        "ev": "table", "rulebook": "casino-au", "game": "holdem", "button": 1,
        "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
        "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3, 4)],
        "collection": {"kind": "time", "fee": 6, "minutes": 30},
    }  # fmt: skip
    cards = [{"ev": "card", "card": card} for card in ("As", "Kd", "Qh", "2c", "7d", "9s")]
    folds = [{"ev": "act", "seat": seat, "do": "fold"} for seat in (1, 2)]
    charged: list[dict[str, Any]] = [{"ev": "collect", "seat": 3, "paid": False}, DONE, DONE, DONE]
    lines: list[dict[str, Any]] = [table, {"ev": "start", "t": 1}, *charged, *cards, *folds, DONE]
    *_, shown = (json.loads(text) for text in of_lines(lines))
    assert shown["players"]["3"]["unpaid"]
    assert shown["table"]["phase"] == "idle"
    keys.show(shown)
    keys.touch_seat(3)
    assert keys.touch("Has paid its time") == [{"ev": "collect", "seat": 3}]
    keys.touch_seat(3)
    posts = keys.touch("Has paid its time, and posts")
    assert [line["ev"] for line in posts] == ["collect", "away", "back"]
    *_, shown = (json.loads(text) for text in of_lines([*lines, *posts]))
    assert (shown["refusal"], "unpaid" in shown["players"]["3"], shown["players"]["3"]["away"]) == (None, False, False)


TEN_PERCENT = '[collection]\nkind = "rake"\npercent = 10\n'
EVERYBODYS_ACTS = "CCCCCC" + "R" + "FFFFF"
"""All call for 12 chips in the pot, and fold to the first bet on the flop."""


@pytest.mark.parametrize("collection", [TEN_PERCENT, ""], ids=["raked", "without"])
def test_touches_and_undo_of_an_ordinary_hand(dealer: DealersPage, collection: str) -> None:
    """A hand with rake and one without: one touch pushes the pot, one takes it back, one begins anew."""
    dealer.touch("Start the hand")
    acts = iter(EVERYBODYS_ACTS)
    while (due := dealer.table.state()["table"]["next"])[0]["step"] in ("deal", "burn", "board", "act"):
        if due[0]["step"] == "act":
            dealer.press(next(acts))
        else:
            dealer.step()
    assert [step["step"] for step in due] == ([*(["collect"] if collection else []), "award"])
    hand = dealer.table.state()["table"]["hand"]
    dealer.touch("Dropped, pot pushed" if collection else "Done: pot pushed")
    dealer.page.wait_for_selector("#phase[data-phase='idle']")
    dealer.touch("Undo")
    large = due[0]["text"]
    dealer.page.wait_for_function("large => document.querySelector('#next').textContent === large", arg=large)
    assert dealer.table.state()["table"]["next"] == due
    dealer.press("A")
    dealer.page.wait_for_function("hand => document.title.includes(`hand ${hand}`)", arg=hand + 1)
