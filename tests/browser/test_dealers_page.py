"""The dealer's page in Chromium: hands by touch and by keyboard, rulings, faults, a server that goes and comes back."""

import json
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import DEMO, disable_tap_guard
from tests.browser.tables import SIZES, DealersPage, RunningTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

BOTH = pytest.mark.parametrize("dealer", SIZES, indirect=True)


@BOTH
def test_a_whole_hand_by_touch(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    for _ in range(120):
        state = dealer.table.state()
        if state["table"]["phase"] == "idle":
            break
        if dealer.page.locator("#now button.main").count():
            main = dealer.page.locator("#now button.main").first
            dealer._act_and_wait(main.click)
        else:
            dealer.step()
    assert state["table"]["hand"] == 1
    assert state["table"]["phase"] == "idle"
    assert sum(state["table"]["stacks"].values()) == 1200
    assert "start" in dealer.next_step_text


def test_an_exposed_card_with_its_remedy(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    for _ in range(3):
        dealer.step()
    dealer.touch("Exposed")
    ruling = dealer.page.locator("#ruling")
    assert "Exposed, seat" in ruling.inner_text()
    verdict = ruling.locator(".verdict").first.inner_text()
    assert verdict in ("replace", "misdeal")
    assert ruling.locator(".steps li").count() >= 2
    assert ruling.locator(".steps li.done").count() == 0
    dealer.page.get_by_role("button", name="§ Clause").click()
    clause = dealer.page.locator("#sheet").inner_text()
    assert "R7: Section 5, Hold'em Rules, rule 1 (R7-5.holdem.1)" in clause
    assert "→" in clause
    dealer.page.keyboard.press("Escape")
    dealer.play_until("acts", moves=60)
    assert ruling.locator(".steps li.done").count() == ruling.locator(".steps li").count()


def test_an_entry_in_error_is_taken_back(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    for _ in range(3):
        dealer.step()
    before = dealer.next_step_text
    dealer.touch("Exposed")
    dealer.touch("Undo")
    assert dealer.next_step_text == before
    assert "TAKEN BACK" in dealer.page.inner_text("#ruling h2").upper()


def test_a_card_to_the_wrong_seat_is_two_touches(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.step()
    dealer.page.get_by_role("button", name="Wrong seat").click()
    dealer._act_and_wait(dealer.page.locator("#sheet button", has_text="Seat 7").click)
    assert "Wrong seat" in dealer.page.inner_text("#ruling")


CUT = """all => all
  .filter((made) => made.scrollWidth > made.clientWidth + 1 || made.scrollHeight > made.clientHeight + 1)
  .map((made) => made.innerText)"""
"""Of some keys, the words of those that have no room for them."""


def test_the_floor_decides_in_simulation(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    acting = int(dealer.next_step_text.split()[1])
    other = next(seat for seat in (7, 8, 1, 2, 4, 5) if seat != acting)
    dealer.page.click(f"[data-seat='{other}']")
    dealer.touch("Calls out of turn")
    assert "floor" in dealer.next_step_text.lower()
    assert dealer.page.inner_text("#phase").lower() == "floor"
    dealer.page.locator("#now button").first.click()
    dealer.page.wait_for_function("() => !document.querySelector('#phase').textContent.includes('floor')")


def read_actions(dealer: DealersPage) -> list[str]:
    """Every act of the hand so far, in the words of the list of entries."""
    with urllib.request.urlopen(f"{dealer.table.url}entries") as answer:
        entries = json.load(answer)["entries"]
    return [f"{each['told']['seat']} {each['told']['do']}" for each in entries if each["told"]["ev"] == "act"]


def test_a_key_of_its_own_folds_those_before_a_seat_and_says_whom(dealer: DealersPage) -> None:
    """By no touch alone: the seat is touched, the key says who folds, and one undo gives all of them back."""
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    page = dealer.page
    queue = sorted((who["turn"], int(seat)) for seat, who in dealer.table.state()["players"].items() if "turn" in who)
    first, second, third, fourth = (seat for _, seat in queue[:4])
    page.click(f"[data-seat='{fourth}']")
    page.wait_for_selector("#sheet[open]")
    assert page.locator("#sheet-body button").first.inner_text().startswith("Folds out of turn")
    assert page.locator("#sheet-body button").evaluate_all(CUT) == []
    assert read_actions(dealer) == []
    entry = dealer.entry
    page.get_by_role("button", name=f"Seats {first}, {second}, {third} fold").click()
    page.wait_for_function("entry => Number(document.body.dataset.entry) === entry", arg=entry + 3)
    assert read_actions(dealer) == [f"{first} fold", f"{second} fold", f"{third} fold"]
    assert dealer.next_step_text == f"Seat {fourth} acts"
    dealer.press("u")
    page.wait_for_function("due => document.querySelector('#next').textContent === due", arg=f"Seat {first} acts")
    assert read_actions(dealer) == []
    last = queue[-1][1]
    page.click(f"[data-seat='{last}']")
    page.get_by_role("button", name=f"the pot is seat {last}'s").click()
    page.wait_for_function("() => document.querySelector('#next').textContent.includes('wins')")
    assert len(read_actions(dealer)) == 5


def test_one_touch_ends_a_round_in_which_all_do_alike(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    page = dealer.page
    first = sorted((who["turn"], int(seat)) for seat, who in dealer.table.state()["players"].items() if "turn" in who)[
        0
    ][1]
    entry = dealer.entry
    page.get_by_role("button", name="All call").click()
    page.wait_for_function("entry => Number(document.body.dataset.entry) === entry", arg=entry + 6)
    assert [each.split()[1] for each in read_actions(dealer)] == ["call"] * 5 + ["check"]
    assert dealer.table.state()["table"]["phase"] == "deal"
    dealer.press("u")
    page.wait_for_function("due => document.querySelector('#next').textContent === due", arg=f"Seat {first} acts")
    entry = dealer.entry
    page.get_by_role("button", name="Call, rest fold").click()
    page.wait_for_function("entry => Number(document.body.dataset.entry) === entry", arg=entry + 6)
    assert [each.split()[1] for each in read_actions(dealer)] == ["call", "fold", "fold", "fold", "fold", "check"]
    dealer.press("u")
    page.wait_for_function("due => document.querySelector('#next').textContent === due", arg=f"Seat {first} acts")
    assert page.locator("#totals button").evaluate_all("all => all.filter((b) => /^[0-9]+$/.test(b.innerText))") == []
    page.locator("#totals [data-letter=A]").click()
    total = page.locator("#sheet .rounds button").nth(2)
    to = int(total.inner_text())
    dealer._act_and_wait(total.click)
    assert read_actions(dealer) == [f"{first} raise"]
    assert dealer.table.state()["table"]["bets"][str(first)] == to
    dealer.touch("All fold")
    page.wait_for_function("() => document.querySelector('#next').textContent.includes('wins')")
    dealer.touch("Pushed, next hand")
    page.wait_for_function("() => document.querySelector('#hand').textContent.startsWith('Hand 2')")


def test_before_a_bet_the_key_says_who_checks(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    dealer.touch("All call")
    dealer.page.wait_for_function("() => !document.querySelector('#next').textContent.includes('acts')")  # all of them
    dealer.play_until("Flop")
    dealer.play_until("acts")
    queue = sorted((who["turn"], int(seat)) for seat, who in dealer.table.state()["players"].items() if "turn" in who)
    first, second, third = (seat for _, seat in queue[:3])
    dealer.page.click(f"[data-seat='{third}']")
    dealer.page.get_by_role("button", name=f"Seats {first}, {second} check").click()
    dealer.page.wait_for_function(
        "due => document.querySelector('#next').textContent === due", arg=f"Seat {third} acts"
    )
    assert {f"{first} check", f"{second} check"} <= set(read_actions(dealer))


def test_chips_of_any_amount_and_names_by_touch(dealer: DealersPage) -> None:
    """Between hands by the pad; in a hand what somebody began it with; nobody is due a card while all go back."""
    page = dealer.page

    def stack(seat: int) -> int:
        return int(dealer.table.state()["table"]["stacks"][str(seat)])

    def pad(figures: str) -> None:
        for figure in figures:
            page.locator("#sheet .pad button", has_text=figure).click()
        dealer._act_and_wait(page.locator("#sheet .main").click)

    page.click("[data-seat='4']")
    page.get_by_role("button", name="Adds chips…").click()
    pad("150")
    assert stack(4) == 350
    page.click("[data-seat='4']")
    page.get_by_role("button", name="Set the stack…").click()
    pad("275")
    assert stack(4) == 275
    page.click("[data-seat='6']")
    page.get_by_role("button", name="Sits down: name, chips…").click()
    assert page.locator("#sheet .letters button").evaluate_all(CUT) == []
    for letter in "JO":
        page.locator(f"#sheet [data-letter={letter}]").click()
    page.locator("#sheet .main").click()
    pad("90")
    assert (dealer.table.state()["players"]["6"]["player"], stack(6)) == ("Jo", 90)
    dealer.touch("Start the hand")
    page.click("[data-seat='8']")
    page.get_by_role("button", name="Starting stack was wrong…").click()
    pad("640")
    assert stack(8) == 640
    report_what_may_stand_behind_a_key(dealer, "Not shuffled")
    assert page.locator(".lamp.deal").count() == 0
    assert page.locator("#ruling .steps li").first.inner_text() == f"☐ {dealer.next_step_text}"


def test_told_rounds_a_hand_takes_few_touches(browser: "Browser", tmp_path: Path) -> None:
    """One key for what is first, one touch on a seat that folds, one for return, shuffle and cut."""
    file = tmp_path / "table.toml"
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    file.write_text(text.replace("button = 1\n", 'button = 1\namounts = "untracked"\nfollow = "rounds"\n', 1))
    running = RunningTable(tmp_path / "state", config=file)
    dealer = DealersPage(browser.new_page(viewport={"width": 800, "height": 480}), running)
    try:
        dealer.page.route("**/static/tap-guard.js", disable_tap_guard)
        dealer.open()
        by_rounds(dealer)
    finally:
        dealer.page.close()
        running.end()


def report_what_may_stand_behind_a_key(dealer: DealersPage, text: str) -> None:
    """Say what happened: six that may have happened now are shown, all others behind one key."""
    dealer.page.get_by_role("button", name="What happened?").click()
    dealer.page.wait_for_selector("#sheet[open]")
    if not dealer.page.locator("#sheet button", has_text=text).count():
        dealer.page.get_by_role("button", name="Something else…").click()
    dealer.touch(text)


def by_rounds(dealer: DealersPage) -> None:
    page = dealer.page
    dealer.press("Enter")
    dealer.step()
    report_what_may_stand_behind_a_key(dealer, "Not shuffled")
    assert dealer.next_step_text == "All cards back into the deck"
    entry = dealer.entry
    page.locator("#now button", has_text="All 3 done: return, shuffle, cut").click()
    page.wait_for_function("entry => Number(document.body.dataset.entry) === entry", arg=entry + 3)
    assert dealer.next_step_text == "Card to seat 2"
    dealer.play_until("Betting")
    first = dealer.table.state()["table"]["next"][0]["seats"]
    dealer._act_and_wait(lambda: page.click(f"[data-seat='{first[1]}']"))
    assert dealer.table.state()["table"]["next"][0]["seats"] == [first[0], *first[2:]]
    presses = 0
    for _ in range(60):
        if dealer.next_step_text == "Shuffle, then start":
            break
        assert page.locator("#now button").evaluate_all(CUT) == []
        if page.locator("#now [data-letter=Enter]").count():
            dealer._act_and_wait(page.locator("#now [data-letter=Enter]").click)
            presses += 1
        elif page.locator("#now[data-kind=answers] button").count():
            dealer._act_and_wait(page.locator("#now button").first.click)
        else:
            dealer.step()
    assert dealer.next_step_text == "Shuffle, then start"
    assert presses <= 6
    assert "winner" not in str(dealer.table.state()["refusal"])


def test_a_double_touch_is_one_touch(dealer: DealersPage) -> None:
    """The same place, and the same letter, take nothing for 300 ms after another acts; a touch after that counts."""
    dealer.page.unroute("**/static/tap-guard.js")
    dealer.page.add_init_script("performance.now = () => window.at; window.at = 1000")  # the page's clock is ours
    dealer.open()
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    page = dealer.page
    fold = page.locator("#now [data-letter=F]").bounding_box()
    assert fold is not None
    place = fold["x"] + fold["width"] / 2, fold["y"] + fold["height"] / 2

    def pass_time(milliseconds: int) -> None:
        page.evaluate("milliseconds => { window.at += milliseconds; }", milliseconds)

    pass_time(300)  # the key that began the hand is near
    for number, milliseconds in enumerate((60, 150, 299), start=1):
        dealer._act_and_wait(lambda: page.mouse.click(*place))
        pass_time(milliseconds)
        page.mouse.click(*place)
        pass_time(300)
        assert len(read_actions(dealer)) == number
    for _ in range(2):
        dealer.press("c")
        pass_time(299)
        page.keyboard.press("c")
        pass_time(1)
    assert [each.split()[1] for each in read_actions(dealer)] == ["fold", "fold", "fold", "call", "call"]


def test_a_refusal_says_what_to_do(dealer: DealersPage) -> None:
    dealer.touch("Undo")
    refusal = dealer.page.locator("#refusal")
    assert refusal.is_visible()
    assert "No entry can be taken back" in refusal.inner_text()
    assert "nothing-to-undo" not in refusal.inner_text()
    assert refusal.get_attribute("title") == "nothing-to-undo", "for who asks by telephone"


@BOTH
def test_faults_are_let_in_and_books_compared(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.step()
    dealer.page.click("#showroom")
    dealer.page.get_by_role("button", name="Expose a downcard").click()
    dealer.page.wait_for_selector("#sheet .message:text('Touch Play or Step')")
    dealer.page.keyboard.press("Escape")
    for _ in range(8):  # a move's entry may be seen only with the next one
        dealer.step()
        if "Exposed" in dealer.page.inner_text("#ruling"):
            break
    assert "Exposed, seat" in dealer.page.inner_text("#ruling")
    dealer.page.click("#showroom")
    dealer.page.get_by_role("button", name="The last ruling by another rulebook").click()
    dealer.page.wait_for_selector(".sides")
    sides = dealer.page.locator(".sides .book")
    assert sides.count() == 2
    assert "Robert" in sides.nth(0).inner_text()
    assert "Robert" not in sides.nth(1).inner_text()


def test_an_unplugged_reader_halts_the_table(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.page.click("#showroom")
    dealer._act_and_wait(lambda: dealer.page.get_by_role("button", name="Unplug the reader").click())
    assert "device lost" in dealer.next_step_text
    dealer.page.wait_for_selector("#sheet:not([open])", state="attached")  # its answer may come after the entry
    dealer._act_and_wait(lambda: dealer.page.locator("#now .main", has_text="Plug the reader in again").click())
    assert dealer.next_step_text == "Card to seat 2"


def test_game_and_rulebook_change_between_hands(dealer: DealersPage) -> None:
    dealer.page.click("#showroom")
    dealer.page.get_by_label("Rulebook").select_option("casino-au")
    dealer.page.get_by_label("Game").select_option("omaha")
    dealer.page.get_by_role("button", name="Play this").click()
    dealer.page.wait_for_function("() => document.querySelector('#game').textContent.startsWith('Omaha')")
    dealer.touch("Start the hand")
    assert dealer.table.state()["setup"]["rulebook"] == "Rules of Poker of the Australian casinos"
    assert len([step for step in dealer.table.state()["table"]["next"] if step["step"] == "deal"]) == 24


def test_the_page_comes_back_after_the_server_was_killed(dealer: DealersPage, table: RunningTable) -> None:
    dealer.touch("Start the hand")
    dealer.step()
    due = dealer.next_step_text
    table.kill()
    dealer.page.wait_for_selector('body[data-link="down"]')
    assert dealer.page.locator("#lost").is_visible()
    again = RunningTable(table.directory, port=table.port, config=table.directory.parent / "table.toml")
    try:
        dealer.page.wait_for_selector('body[data-link="up"]', timeout=60_000)
        dealer.page.wait_for_function("() => document.querySelector('#phase').textContent === 'halted'")
        assert "cut short" in dealer.page.inner_text("aside")
        dealer.page.locator("#now button").first.click()  # the dealer has compared the table with the page
        dealer.page.wait_for_function("due => document.querySelector('#next').textContent === due", arg=due)
    finally:
        again.end()


def test_a_hand_with_the_keyboard_only(dealer: DealersPage) -> None:
    dealer.press("Enter")
    assert dealer.next_step_text == "Card to seat 2"
    for _ in range(20):
        if "acts" in dealer.next_step_text:
            break
        dealer.page.focus("#step")
        dealer._act_and_wait(lambda: dealer.page.keyboard.press("Enter"))
    dealer.page.keyboard.press("Escape")
    dealer.page.evaluate("document.activeElement.blur()")
    dealer.press("f")
    dealer.press("u")
    dealer.press("c")
    dealer.page.keyboard.press("a")
    dealer.page.keyboard.press("1")
    dealer.page.keyboard.press("2")
    dealer.press("Enter")
    assert dealer.table.state()["table"]["bets"]["7"] == 12
    dealer.page.keyboard.press("m")
    dealer.page.wait_for_selector("#sheet[open]")
    dealer.page.keyboard.press("Escape")
    assert dealer.page.locator("#sheet[open]").count() == 0
    dealer.page.keyboard.press("l")
    dealer.page.wait_for_selector("#called", state="visible")
    assert dealer.page.locator("#called").inner_text().startswith("FLOOR, PLEASE (just now)")
    assert dealer.page.title().startswith("☎ FLOOR – ")
    dealer.page.get_by_role("button", name="See the table").click()
    assert not dealer.page.locator("#called").is_visible()
    assert "The floor is here" in dealer.page.inner_text("#answers")
    dealer.page.reload()
    dealer.page.wait_for_selector("#called", state="visible")
    call, ruling, due = (dealer.page.locator(place).bounding_box() for place in ("#called", "#ruling", "#due"))
    assert call is not None
    assert ruling is not None
    assert due is not None
    assert call["x"] + call["width"] <= ruling["x"] + 1, "the case stays to be seen beside the call"
    assert call["y"] + call["height"] <= due["y"]
    dealer.page.keyboard.press("Enter")
    dealer.page.wait_for_selector("#called", state="hidden")
    assert dealer.page.evaluate("document.querySelectorAll('button:not(:disabled), select').length") > 10


PLACES = ", ".join(f"#{place} button" for place in ("keys", "answers", "simulation", "all", "totals"))


@BOTH
def test_everything_is_on_the_screen_and_large_enough(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    width, height = dealer.page.evaluate("[innerWidth, innerHeight]")
    assert dealer.page.evaluate("document.documentElement.scrollWidth") <= width
    assert dealer.page.evaluate("document.documentElement.scrollHeight") <= height
    # In one look: the page draws its buttons anew whenever the table says something.
    boxes = "all => all.map((b) => [b.innerText, b.getBoundingClientRect().toJSON(), b.scrollWidth - b.clientWidth])"
    buttons = dealer.page.locator(PLACES).evaluate_all(boxes)
    assert buttons
    for text, box, cut in buttons:
        assert box["height"] >= 36, text
        assert box["left"] >= 0, text
        assert box["right"] <= width + 0.5, text
        assert box["bottom"] <= height + 0.5, text
        assert cut <= 1, text
    large = dealer.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#next')).fontSize)")
    others = dealer.page.evaluate(
        "Math.max(...[...document.querySelectorAll('main *:not(#pots), #keys *')]"
        ".map(e => parseFloat(getComputedStyle(e).fontSize)))"
    )
    assert large >= 1.49 * others  # a bet and a step can be read from a metre away, too
    pot = dealer.page.evaluate("parseFloat(getComputedStyle(document.querySelector('#pots')).fontSize)")
    capital_mm = 0.73 * pot * 154 / width  # of this typeface, on a screen of seven inches
    assert capital_mm / 1000 * 3438 >= 16, "minutes of arc at one metre"


@pytest.mark.parametrize("path", ["", "watch"])
def test_nothing_serious_stands_in_anybodys_way(dealer: DealersPage, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    dealer.touch("Start the hand")
    dealer.step()
    dealer.touch("Exposed")
    dealer.open(path)
    found = axe.Axe().run(dealer.page).response["violations"]
    serious = [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]
    assert serious == []


def test_spectators_have_nothing_to_touch(browser: "Browser", table: RunningTable) -> None:
    page = browser.new_page(viewport={"width": 800, "height": 480})
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method != "GET" else None)
    page.goto(table.url + "watch")
    page.wait_for_selector(".seat")
    assert page.locator("button, select, input, a").count() == 0
    for key in ("Enter", "f", "x", "u"):
        page.keyboard.press(key)
    assert posted == []
    page.close()


def test_a_touch_is_visible_in_a_tenth_of_a_second(dealer: DealersPage) -> None:
    """The median, in the better of two rounds: what the disk of whoever tests does now and then is not ours.

    On a busy machine the way of a touch to the table and back is measured by that of a question to the page's server.
    """
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    measure = """async () => {
      const took = [], asked = [];
      for (let i = 0; i < 20; i += 1) {
        const asks = performance.now();
        await (await fetch("/who")).text();
        asked.push(performance.now() - asks);
        const before = document.body.dataset.entry, since = performance.now();
        document.querySelector(i % 2 ? '[data-letter="U"]' : '[data-letter="F"]').click();
        await new Promise((done) => {
          const look = new MutationObserver(() => {
            if (document.body.dataset.entry !== before) { look.disconnect(); done(); }
          });
          look.observe(document.body, { attributes: true });
        });
        took.push(performance.now() - since);
      }
      return [took, asked].map((each) => each.sort((a, b) => a - b));
    }"""
    rounds = [dealer.page.evaluate(measure) for _ in range(2)]
    took, asked = min(rounds, key=lambda each: each[0][10])
    assert took[10] < max(100, 10 * asked[10]), f"median {took[10]:.1f} ms, p95 {took[18]:.1f} ms"


def test_the_page_is_light(dealer: DealersPage) -> None:
    weights = dealer.page.evaluate("performance.getEntriesByType('resource').map(e => e.decodedBodySize || 0)")
    assert sum(weights) < 170_000, "in English; another language adds the 50 kB of its texts"


def test_an_act_that_was_entered_wrong_is_put_right_from_the_list_of_entries(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    seat = dealer.table.state()["table"]["next"][0]["seat"]
    dealer.press("f")
    wrong = dealer.entry
    dealer.page.get_by_role("button", name="Put right…").click()
    newest = dealer.page.locator(".entries button").first
    newest.wait_for()
    assert newest.inner_text().split() == [str(wrong), "Seat", str(seat), "folds"]
    width, height = dealer.page.evaluate("[innerWidth, innerHeight]")
    box = newest.bounding_box()
    assert box is not None
    assert box["height"] >= 36
    newest.click()
    dealer._act_and_wait(lambda: dealer.page.locator("#sheet").get_by_role("button", name="Call", exact=False).click())
    table = dealer.table.state()["table"]
    assert table["amended"]["line"] == wrong
    assert table["amended"]["now"] == {"ev": "act", "seat": seat, "do": "call"}
    dealer.page.get_by_role("button", name="Put right…").click()
    struck = dealer.page.locator(".entries s").first
    struck.wait_for()
    assert struck.inner_text() == f"Seat {seat} folds"
    assert dealer.page.evaluate("document.documentElement.scrollWidth") <= width
    dealer.page.locator(".entries button").first.click()
    dealer._act_and_wait(lambda: dealer.page.get_by_role("button", name="Delete this entry").click())
    assert dealer.table.state()["table"]["next"][0]["seat"] == seat
    assert height


def test_what_does_not_fit_is_said_and_nothing_changes(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    seat = dealer.table.state()["table"]["next"][0]["seat"]
    dealer.press("c")
    dealer.press("f")
    before = dealer.table.state()["table"]["next"]
    dealer.page.get_by_role("button", name="Put right…").click()
    dealer.page.locator(".entries button").nth(1).click()
    dealer.page.get_by_role("button", name="Delete this entry", exact=False).first.click()
    dealer.page.wait_for_selector("#refusal", state="visible")
    assert "does not fit then" in dealer.page.inner_text("#refusal")
    assert dealer.table.state()["table"]["next"] == before
    dealer.page.get_by_role("button", name="Put right…").click()
    dealer.page.locator(".entries button").nth(1).click()
    dealer._act_and_wait(lambda: dealer.page.get_by_role("button", name="Delete it and the 1 after it").click())
    assert dealer.table.state()["table"]["next"][0]["seat"] == seat


def test_what_the_table_lets_hear_is_heard_here_and_can_be_off(dealer: DealersPage) -> None:
    page = dealer.page
    page.evaluate(
        """window.played = 0; window.AudioContext = class extends AudioContext {
          createOscillator() { window.played += 1; return super.createOscillator(); }
        }; 0"""
    )
    dealer.touch("Start the hand")
    dealer.play_until("Card to seat")
    dealer.step()
    dealer.touch("Exposed")
    page.wait_for_function("() => (document.body.dataset.heard || '').startsWith('stop')")
    assert page.evaluate("window.played") == 2
    page.click("#dealer")
    page.get_by_role("button", name="Sound: taken back").click()
    page.keyboard.press("Escape")
    dealer.touch("Undo")
    assert page.evaluate("document.body.dataset.heard").startswith("stop")
    dealer.touch("Exposed")
    page.wait_for_function("() => window.played === 4")


def test_the_deck_in_play_is_chosen_where_there_are_two(dealer: DealersPage) -> None:
    """A simulated table has one; what a live one answers is put in."""
    page, sent = dealer.page, list[str]()

    def answer(route: "Route") -> None:
        if route.request.method == "POST":
            sent.append(route.request.post_data or "")
            route.fulfill(status=204)
        else:
            route.fulfill(json={"in_play": "red", "decks": ["blue", "red"]})

    page.click("#dealer")
    page.get_by_role("button", name="Mirrored").wait_for()
    assert page.get_by_role("button", name="Deck in play").count() == 0
    page.keyboard.press("Escape")
    page.route("**/decks", answer)
    page.click("#dealer")
    page.get_by_role("button", name="Deck in play: red").click()
    page.get_by_role("button", name="blue").click()
    page.wait_for_function("() => !document.getElementById('sheet').open")
    assert sent == ['{"deck":"blue"}']


def test_the_page_can_be_mirrored_and_stays_so(dealer: DealersPage) -> None:
    page = dealer.page
    seat = page.locator("[data-seat='1']")
    before = seat.bounding_box()
    aside = page.locator("aside").bounding_box()
    assert before is not None
    assert aside is not None
    page.click("#dealer")
    page.get_by_role("button", name="Mirrored").click()
    page.keyboard.press("Escape")
    mirrored = page.locator("[data-seat='1']").bounding_box()
    table, moved = page.locator("#table").bounding_box(), page.locator("aside").bounding_box()
    assert mirrored is not None
    assert table is not None
    assert moved is not None
    assert moved["x"] < aside["x"]
    left, right = before["x"] + before["width"] / 2, mirrored["x"] + mirrored["width"] / 2 - table["x"]
    assert abs(left + right - table["width"]) < 12
    dealer.open()
    assert page.locator("[data-seat='1']").bounding_box() == mirrored
    page.evaluate("localStorage.clear()")
