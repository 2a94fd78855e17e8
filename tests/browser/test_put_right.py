"""*Put right…* on the dealer's and the floor's page: entries in one, at the end, and what the floor alone enters."""

from typing import TYPE_CHECKING

from tests.browser.tables import DealersPage
from tests.browser.test_office_pages import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page


def put_right(page: "Page", *names: str) -> None:
    """Open the list of entries and touch these keys."""
    page.get_by_role("button", name="Put right…").click()
    page.locator(".entries button").first.wait_for()
    for name in names:
        touch(page, name)


def touch(page: "Page", name: str) -> None:
    page.locator("#sheet").get_by_role("button", name=name, exact=False).first.click()


def start_hand_and_press(dealer: DealersPage, keys: str) -> list[int]:
    """A hand is on, and these keys were pressed for the seats that were to act, which it returns."""
    dealer.touch("Start the hand")
    dealer.play_until("acts")
    seats = []
    for key in keys:
        seats.append(dealer.table.state()["table"]["next"][0]["seat"])
        dealer.press(key)
    return seats


def test_entries_that_belong_together_are_put_right_in_one(dealer: DealersPage) -> None:
    """Two acts had been entered the other way round: the list stays until both are said."""
    seats = start_hand_and_press(dealer, "fc")
    put_right(dealer.page, "Several together…")
    assert dealer.page.get_by_role("button", name="Put 0 right together").is_disabled()
    for number, (seat, word) in enumerate(zip(seats, ("Call", "Fold"), strict=True), start=1):
        dealer.page.locator(".entries button", has_text=f"Seat {seat} ").first.click()
        touch(dealer.page, word)
        dealer.page.get_by_role("button", name=f"Put {number} right together").wait_for()
    dealer._act_and_wait(lambda: touch(dealer.page, "Put 2 right together"))
    table = dealer.table.state()["table"]
    assert table["amended"]["now"] == {"ev": "act", "seat": seats[0], "do": "call"}
    assert str(seats[1]) not in table["piles"]["seats"]
    assert dealer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_was_forgotten_last_is_put_in_at_the_end(dealer: DealersPage) -> None:
    start_hand_and_press(dealer, "")
    seat = dealer.table.state()["table"]["next"][0]["seat"]
    put_right(dealer.page, "At the end…", "an act…", f"Seat {seat}")
    dealer._act_and_wait(lambda: touch(dealer.page, "Call"))
    table = dealer.table.state()["table"]
    assert table["amended"]["now"] == {"ev": "act", "seat": seat, "do": "call"}
    assert table["next"][0]["seat"] != seat


def test_the_floor_puts_an_act_right_on_its_own_page(dealer: DealersPage) -> None:
    seat = start_hand_and_press(dealer, "f")[0]
    floor = open_page(dealer, "floor")
    put_right(floor)
    floor.locator(".entries button", has_text=f"Seat {seat} folds").first.click()
    dealer._act_and_wait(lambda: touch(floor, "Call"))
    table = dealer.table.state()["table"]
    assert table["amended"]["now"] == {"ev": "act", "seat": seat, "do": "call"}
    put_right(floor)
    assert floor.locator(".entries s").first.inner_text() == f"Seat {seat} folds"
    floor.close()
