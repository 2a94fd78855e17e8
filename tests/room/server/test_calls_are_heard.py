"""Whoever calls the floor is heard: a sound, a note of the browser, and both again when nobody goes in time."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from controller.room_contract.subjects import TableTopic
from tests.room.server.served import ServedRoom, evening, make_table_state

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opened = Callable[..., "Page"]

RECORDED = """
window.notes = [];
window.tones = [];
const RealNotification = window.Notification;
window.Notification = class extends RealNotification {
  static get permission() { return "granted"; }  // a browser without a window grants it when asked, and denies it later
  constructor(title, options) { super(title, options); notes.push([title, options.renotify]); }
};
const RealAudio = window.AudioContext;
window.AudioContext = class extends RealAudio {
  createOscillator() {
    const made = super.createOscillator(), start = made.start.bind(made);
    made.start = (at) => { tones.push(made.frequency.value); start(at); };
    return made;
  }
};
"""
"""Writes down what goes out at the page's edge: notes, and tones in hertz; both go out as ever."""

TOUCHED, CALLS, STILL_WAITS = [880], [660, 880, 660, 660, 880, 660], [220, 220]


def take_notes_and_tones(page: "Page") -> Any:  # noqa: ANN401 - JSON
    """What has gone out since it was asked last."""
    return page.evaluate("() => [notes.splice(0), tones.splice(0)]")


def listening(room: ServedRoom, opened: Opened) -> "Page":
    """The floor's page with sound and notes on; nobody calls."""
    evening(room)
    page = opened(room, first=RECORDED)
    page.clock.install()
    page.reload()
    page.locator(".call").nth(1).wait_for()
    page.click("#sound")
    page.click("#notify")
    page.wait_for_selector("#notify[aria-pressed=true]")
    assert take_notes_and_tones(page) == [[], TOUCHED], "who stood there before is not sounded for"
    return page


def calls(room: ServedRoom, page: "Page", number: int) -> None:
    there = page.locator(".call").count()
    room.say(f"table-{number:02}", TableTopic.STATE, make_table_state(number, floor_called=True))
    page.locator(".call").nth(there).wait_for()


def test_a_call_sounds_and_is_noted_once_and_again_when_nobody_goes_in_time(
    room: ServedRoom, open_page: Opened
) -> None:
    page = listening(room, open_page)
    for waiting in (1, 0):
        page.locator(".call button.main").first.click()
        page.locator(".call.waits").nth(waiting).wait_for(state="detached")
    calls(room, page, 12)
    assert take_notes_and_tones(page) == [[["table-12 calls the floor", False]], CALLS]
    page.clock.run_for(3_000)
    assert take_notes_and_tones(page) == [[], []]
    assert page.locator(".call.late").count() == 0
    page.clock.fast_forward(int(room.room.file.escalate_after_s * 1000))
    page.clock.run_for(1_000)
    assert take_notes_and_tones(page) == [[["table-12 still waits", True]], STILL_WAITS], (
        "and those to which somebody goes do not"
    )
    assert page.locator(".call.late").count() == 1
    page.clock.run_for(5_000)
    assert take_notes_and_tones(page) == [[], []]


def test_a_browser_that_wants_neither_sound_nor_notes_gets_neither_and_keeps_that(
    room: ServedRoom, open_page: Opened
) -> None:
    page = listening(room, open_page)
    page.click("#sound")
    page.click("#notify")
    calls(room, page, 12)
    assert take_notes_and_tones(page) == [[], []]
    page.reload()
    page.locator(".call").nth(2).wait_for()
    calls(room, page, 10)
    assert take_notes_and_tones(page) == [[], []]
    page.click("#sound")
    page.reload()
    page.locator(".call").nth(3).wait_for()
    calls(room, page, 7)
    assert take_notes_and_tones(page) == [[], CALLS], "what was chosen is kept"
