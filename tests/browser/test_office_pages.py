"""The floor's, the technician's and the record's pages in Chromium."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

from controller.runtime.devices.deck_store import STANDARD_DECK, CardMarking, DeckStore
from drivers.simulators.readers.rdm6300_simulator import Rdm6300Simulator, build_frame
from tests.browser.conftest import DEMO
from tests.browser.tables import SIZES, DealersPage, RunningTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

BOTH = pytest.mark.parametrize("dealer", SIZES, indirect=True)
PATHS = ("floor", "technician", "hands", "train")


def open_page(dealer: DealersPage, path: str) -> "Page":
    """Another page of the same table."""
    browser = dealer.page.context.browser
    assert browser is not None
    page = browser.new_page(viewport=dealer.page.viewport_size)
    page.goto(dealer.table.url + path)
    return page


def out_of_turn(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    acting = int(dealer.next_step_text.split()[1])
    other = next(seat for seat in (7, 8, 1, 2, 4, 5) if seat != acting)
    dealer.page.click(f"[data-seat='{other}']")
    dealer.touch("Calls out of turn")


@BOTH
def test_the_floor_decides_with_the_clause_and_the_hand_before_its_eyes(dealer: DealersPage) -> None:
    out_of_turn(dealer)
    floor = open_page(dealer, "floor")
    floor.wait_for_selector("#question.waits")
    assert "out of turn" in floor.inner_text("#question").lower()
    options = floor.locator("#options button")
    assert options.count() >= 2
    floor.click("[data-tab='clause']")
    floor.wait_for_selector("#ground .then")
    assert "Section 3" in floor.inner_text("#ground")
    floor.wait_for_function("() => document.querySelector('.printed').innerText.includes('names no printed text')")
    floor.click("[data-tab='hand']")
    floor.wait_for_selector(".course li.ruled")
    options.first.click()
    floor.wait_for_function("() => !document.querySelector('#question').classList.contains('waits')")
    dealer.page.wait_for_function("() => !document.querySelector('#phase').textContent.includes('floor')")
    floor.close()


def test_to_overrule_wants_a_reason_and_goes_into_the_record(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    floor = open_page(dealer, "floor")
    misdeal = floor.locator("#overrule button", has_text="Misdeal")
    misdeal.click()
    assert "say why" in floor.inner_text("#refusal").lower()
    floor.fill("#why", "cards seen from the rail")
    misdeal.click()
    floor.wait_for_function("() => document.querySelector('#ground').innerText.includes('misdeal')")
    floor.click("[data-tab='hand']")
    floor.wait_for_function("() => document.querySelector('#ground').innerText.includes('cards seen from the rail')")
    floor.close()


def test_the_printed_rulebook_stands_beside_ours(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("SECTION 3\n## IRREGULARITIES\n1. One.\n2. Two.\n", encoding="utf-8")
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    (tmp_path / "table.toml").write_text(text.replace("[page]", '[page]\nrulebook_text = "book.txt"'))
    table = RunningTable(tmp_path / "state", config=tmp_path / "table.toml")
    page = browser.new_page()
    page.goto(table.url)
    found = page.evaluate("fetch('/printed/R7-3.irreg.2').then((answer) => answer.json())")
    assert found == {"first": 4, "last": 4, "text": "2. Two.", "exact": True}
    page.close()
    table.end()


@BOTH
def test_a_hand_is_gone_through_step_by_step(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    dealer.page.get_by_role("button", name="What happened?").click()
    dealer.touch("Exposed")
    entry = dealer.entry
    record = open_page(dealer, "hands")
    record.wait_for_function("() => document.querySelector('#where').textContent.startsWith('1 /')")
    assert "hand starts" in record.inner_text("#told").lower()
    record.keyboard.press("ArrowRight")
    assert record.inner_text("#where").startswith("2 /")
    record.click("#last")
    assert f"Entry {entry}," in record.inner_text("#told")
    assert "Exposed" in record.inner_text("#told .rulings")
    record.locator("#at").fill("0")
    assert record.inner_text("#where").startswith("1 /")
    record.close()


@BOTH
def test_hands_are_looked_for_and_what_is_found_is_exported(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    dealer.page.evaluate(
        """async () => {
          const { post } = await import("/static/session.js");
          const seen = (await (await fetch("/state")).json()).entry;
          await post("/entry", { seen, line: { ev: "floor", decide: "misdeal", who: "Bo", why: "seen" } });
        }"""
    )
    dealer.page.wait_for_function("() => !document.querySelector('#next').textContent.includes('acts')")
    record = open_page(dealer, "hands")
    record.click("#look")
    record.wait_for_selector("#found tr")
    assert record.inner_text("#found td:nth-child(3)") == "in play"
    assert not record.is_visible("#export")
    record.fill("[name=player]", "nobody at all")
    record.keyboard.press("Enter")
    record.wait_for_function("() => document.querySelector('#count').textContent === '0 hands'")
    assert record.evaluate("document.documentElement.scrollWidth <= innerWidth")
    record.close()


@BOTH
def test_what_is_found_is_exported_in_the_format_that_is_chosen(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    while dealer.table.state()["table"]["phase"] != "idle":
        dealer.step()
    record = open_page(dealer, "hands")
    record.click("#look")
    record.wait_for_selector("#export:visible")
    record.wait_for_function("() => document.querySelector('#where').textContent.startsWith('1 /')")
    for form, name in (("phh", "hands.phhs"), ("ohh", "hands.ohh"), ("pokerstars", "hands.txt")):
        record.select_option("#format", form)
        with record.expect_download() as found:
            record.click("#export")
        assert found.value.suggested_filename == name
    assert found.value.path().read_text().startswith("PokerStars Hand #")
    assert record.evaluate("document.documentElement.scrollWidth <= innerWidth")
    record.close()


def test_a_hand_that_began_later_is_in_the_list_when_it_is_looked_at_again(dealer: DealersPage) -> None:
    record = open_page(dealer, "hands")
    record.wait_for_function("() => document.querySelector('#next').textContent === 'No hand yet'")
    dealer.touch("Start the hand")
    record.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    record.wait_for_function("() => document.querySelector('#where').textContent.startsWith('1 /')")
    assert record.locator("#chosen option").count() == 1
    record.close()


def test_the_technician_sees_which_program_runs(dealer: DealersPage) -> None:
    page = open_page(dealer, "technician")
    page.wait_for_function("() => document.querySelector('#program').textContent")
    assert page.inner_text("#program") == f"table-controller {version('table-controller')}"
    page.close()


def test_a_refusal_that_makes_no_entry_is_shown_to_the_technician(dealer: DealersPage) -> None:
    dealer.touch("Start the hand")
    page = open_page(dealer, "technician")
    page.get_by_role("button", name="Take out of service").click()
    page.wait_for_selector("#refusal:visible")
    assert "a hand is being played: finish it first" in page.inner_text("#refusal").lower()
    page.get_by_role("button", name="Self-check").click()
    page.wait_for_selector(".checked li")
    assert "disk" in page.inner_text(".checked")
    page.close()


def test_the_floor_reads_what_the_book_asks_of_people(dealer: DealersPage) -> None:
    page = open_page(dealer, "floor")
    page.get_by_role("tab", name="By people").click()
    page.wait_for_selector("#ground .clause")
    assert page.locator("#ground .clause").count() > 20
    assert "R7-" in page.locator("#ground .clause .section").first.inner_text()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_the_floor_says_that_a_fault_is_over(dealer: DealersPage) -> None:
    page = open_page(dealer, "technician")
    page.get_by_role("button", name="Take out of service").click()
    page.wait_for_function("() => document.querySelector('#next').textContent === 'Stop: out of service'")
    dealer.page.wait_for_function(
        "() => document.querySelector('#now button')?.innerText.startsWith('Back in service')"
    )
    page.goto(dealer.table.url + "floor")
    page.get_by_role("button", name="It is over").click()
    page.wait_for_function("() => document.querySelector('#phase').dataset.phase === 'idle'")
    page.close()


def test_a_key_of_the_technicians_is_there_when_the_table_has_said_how_it_stands(dealer: DealersPage) -> None:
    """A touch says which entry it was made for: before there is one, it would be lost."""
    browser = dealer.page.context.browser
    assert browser is not None
    page, held = browser.new_page(), list["Route"]()

    def hold(route: "Route") -> None:
        held.append(route)

    page.route("**/events", hold)
    page.goto(dealer.table.url + "technician")
    page.wait_for_function("() => document.querySelector('#who').textContent")
    page.wait_for_timeout(500)
    assert page.locator("#service button").count() == 0
    (events,) = held
    events.continue_()
    page.get_by_role("button", name="Take out of service").click()
    page.wait_for_function("() => document.querySelector('#next').textContent === 'Stop: out of service'")
    page.close()


def test_the_showroom_leads_to_the_other_pages(dealer: DealersPage) -> None:
    dealer.page.click("#showroom")
    found = dealer.page.locator(".showroom nav a").evaluate_all("links => links.map((link) => link.pathname)")
    assert found == ["/watch", "/floor", "/technician", "/hands", "/drop", "/train"]
    dealer.page.set_viewport_size({"width": 390, "height": 844})
    body = dealer.page.locator("#sheet-body")
    assert body.evaluate("body => body.scrollWidth <= body.clientWidth"), "the longest name of a book is no wider"


@pytest.mark.parametrize("path", PATHS)
@BOTH
def test_everything_of_the_offices_is_on_the_screen(dealer: DealersPage, path: str) -> None:
    out_of_turn(dealer)
    page = open_page(dealer, path)
    page.wait_for_function("() => !document.querySelector('#next').textContent.includes('…')")
    width, height = page.evaluate("[innerWidth, innerHeight]")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    # In one look: the page draws its buttons anew whenever the table says something.
    boxes = """() => {
      const seen = [...document.querySelectorAll("button")].filter((b) => b.getClientRects().length);
      return seen.length ? seen.map((b) => [b.innerText, b.offsetHeight, b.getBoundingClientRect().right]) : null;
    }"""
    buttons = page.wait_for_function(boxes).json_value()
    assert buttons
    for text, tall, right in buttons:
        assert tall >= 34, text
        assert right <= width + 0.5, text
    parts = page.locator("body > header > :visible:not(.unseen)").all()
    heads = [head.bounding_box() for head in parts if head.inner_text()]
    places = [(head["x"], head["y"], head["x"] + head["width"], head["y"] + head["height"]) for head in heads if head]
    for one, (left, top, right, bottom) in enumerate(places):
        assert right <= width + 0.5
        for other in places[one + 1 :]:
            assert other[0] >= right or other[1] >= bottom or other[2] <= left or other[3] <= top
    cut = "heads => heads.filter((head) => head.scrollWidth > head.clientWidth + 1).map((head) => head.id)"
    assert page.locator("body > header > .flag:visible").evaluate_all(cut) == []
    page.close()


@pytest.mark.parametrize("path", PATHS)
def test_nothing_serious_stands_in_the_offices_way(dealer: DealersPage, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    out_of_turn(dealer)
    page = open_page(dealer, path)
    page.wait_for_function("() => !document.querySelector('#next').textContent.includes('…')")
    found = axe.Axe().run(page).response["violations"]
    serious = [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]
    assert serious == []
    page.close()


LEFT_OFF = 47
"""So many cards were registered before somebody was called away."""

LIVE_TABLE = """
[table]
rulebook = "roberts-7"
game = "holdem"
betting = {{ structure = "no-limit", small_blind = 1, big_blind = 2 }}
places = 8
button = 1
seats = [{{ seat = 1, stack = 200 }}, {{ seat = 2, stack = 200 }}]
sensors = ["identity"]
[state]
directory = "{state}"
[shoe]
deck = "first"
reader = "shoe"
[device.shoe]
driver = "rdm6300"
port = "{port}"
[page]
port = 0
"""


class LiveTable:
    """A live table with a reader on a pseudo-terminal, and the hand that shows it cards."""

    def __init__(self, directory: Path) -> None:
        self._reader, self._port = os.openpty()
        tty.setraw(self._reader)
        tty.setraw(self._port)
        self.tags = [Rdm6300Simulator.nth_tag(number) for number in range(104)]
        config = directory / "table.toml"
        config.write_text(LIVE_TABLE.format(port=os.ttyname(self._port), state=directory / "state"), encoding="utf-8")
        rows = [f"{tag},{card[0]},{card[1]}" for tag, card in zip(self.tags, STANDARD_DECK, strict=False)]
        (directory / "first.csv").write_text("UID,Rank,Suit\n" + "\n".join(rows) + "\n", encoding="utf-8")
        self._run_command(
            "deck", "import", "first", str(directory / "first.csv"), "--config", str(config), "--tags", "hex"
        )
        self._process = subprocess.Popen(
            self._command("run", "--config", str(config)), stderr=subprocess.PIPE, text=True
        )
        self.code, self.url = self._read_announcement()
        self._drain = threading.Thread(target=self._read_on, daemon=True)
        self._drain.start()

    @staticmethod
    def _command(*words: str) -> list[str]:
        return [sys.executable, "-c", "from controller.cli import main; raise SystemExit(main())", *words]

    def _run_command(self, *words: str) -> None:
        done = subprocess.run(self._command(*words), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def _read_announcement(self) -> tuple[str, str]:
        assert self._process.stderr is not None
        code, said = "", []
        for line in self._process.stderr:
            said.append(line)
            if found := re.search(r"one-time code (\S+)", line):
                code = found[1]
            if found := re.search(r"page at (\S+)", line):
                return code, found[1]
        raise AssertionError("".join(said))

    def _read_on(self) -> None:
        assert self._process.stderr is not None
        for _ in self._process.stderr:
            pass

    def show(self, tag: str) -> None:
        """Show the reader a card long enough to be read twice."""
        os.write(self._reader, build_frame(tag, newline=False) * 2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)
        self._drain.join(60)
        assert self._process.stderr is not None
        self._process.stderr.close()
        os.close(self._reader)
        os.close(self._port)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    with LiveTable(tmp_path) as live:
        yield live


def test_a_technician_enrols_and_registers_a_deck_with_its_progress(
    live: LiveTable, browser: "Browser", tmp_path: Path
) -> None:
    kept = {"name": "second", "marks": CardMarking.TAGGED.value, "jokers": 0, "tags": live.tags[52 : 52 + LEFT_OFF]}
    (tmp_path / "state" / "register-second.json").write_text(json.dumps(kept), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(live.url + "sign-in")
    enrolled = page.evaluate(
        """async (wish) => {
          const answer = await fetch("/enrol", {method: "POST", headers: {"Content-Type": "application/json"},
                                                body: JSON.stringify(wish)});
          return [answer.status, await answer.text()];
        }""",
        {"code": live.code, "name": "Cy", "pin": "862075"},
    )
    assert enrolled[0] in (200, 204), enrolled
    page.goto(live.url + "technician")
    page.get_by_role("button", name="Take out of service").click()
    page.wait_for_selector("#deck:visible")
    page.fill("#name", "second")
    page.get_by_role("button", name="Register card by card").click()
    for number in range(LEFT_OFF, 52):
        page.wait_for_function(
            "n => document.querySelector('#progress .count').textContent.includes(`second: ${n} of 52`)", arg=number
        )
        if number == LEFT_OFF:
            live.show(live.tags[0])
            page.wait_for_function(
                "() => document.querySelector('#deck > .said').innerText.includes('belongs to deck')"
            )
        page.wait_for_timeout(600)  # as long as a hand takes for the next card: two at once are refused
        live.show(live.tags[52 + number])
    page.wait_for_function("() => document.querySelector('#deck > .said').innerText.includes('registered second: 52')")
    page.get_by_role("button", name="Put back in service").click()
    page.wait_for_function("() => document.querySelector('#phase').dataset.phase === 'idle'")
    page.close()
    decks = DeckStore(tmp_path / "state" / "table.sqlite")
    assert decks.get("second").card_by_tag == dict(zip(live.tags[52:], STANDARD_DECK, strict=True))
    decks.close()


@BOTH
def test_the_school_teaches_one_lesson_and_keeps_the_score(dealer: DealersPage) -> None:
    school = open_page(dealer, "train")
    school.wait_for_function("() => document.querySelector('#next').textContent.includes('You start')")
    school.click("#on")  # or the first lesson's beginning would be taken for that of the second
    school.wait_for_function("() => !document.querySelector('#next').textContent.includes('You start')")
    school.select_option("#lesson", "boxed-card")
    school.wait_for_function("() => document.querySelector('#next').textContent.includes('You start')")
    school.click("#stop")
    assert "Nothing is amiss" in school.inner_text("#then")
    for _ in range(3):
        school.click("#on")
    assert school.inner_text("#next") == "Card to seat 4", "the words do not say what is amiss"
    assert school.locator("#beside .card").count() == 1, "what is seen does"
    assert "REMEDY" not in school.inner_text("#phase").upper(), "the table would say it before the dealer"
    school.click("#stop")
    assert school.locator("#beside .card").count() == 1
    school.click("#again")
    school.wait_for_function("() => document.querySelector('#next').textContent.includes('You start')")
    assert school.locator("#question").is_hidden()
    for _ in range(3):
        school.click("#on")
    school.click("#stop")
    school.get_by_role("button", name="A card lies face up in the deck", exact=True).click()
    school.locator("#question button", has_text="→ aside").click()
    assert "3 of 3" in school.inner_text("#next")
    assert "R7-3.irreg.7" in school.inner_text("#judged")
    assert "lay boxed in the deck" in school.inner_text("#judged")
    assert "3 of 3" in school.inner_text("#score")
    assert school.evaluate("document.documentElement.scrollWidth <= innerWidth")
    school.close()
