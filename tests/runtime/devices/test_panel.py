"""Keys mean lines of the table script, completed by what stands on the table."""

from collections.abc import Mapping

import pytest

from controller.core.protocol import script_lines
from controller.core.protocol.events import (
    Event,
    HandMucked,
    HandStarted,
    HandTabled,
    PlayerActed,
    PlayerSeated,
    Report,
    RoundClosed,
    StepConfirmed,
)
from controller.core.protocol.steps import AwardStep, CollectStep, Step
from controller.core.protocol.vocabulary import ActionType, ExposedBy, ReportKind
from controller.runtime.devices.panel_translator import FloorCallKeyPressed, KeyMapError, PanelTranslator
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import KeyPressed
from tests.playing import play

KEYS: Mapping[str, Mapping[str, object]] = {
    "done": {"ev": "done"},
    "call": {"ev": "act", "do": ["check", "call", "all-in"], "seat": "turn"},
    "raise": {"ev": "act", "do": ["bet", "raise"], "to": "least", "seat": "turn"},
    "pot": {"ev": "act", "do": ["bet", "raise"], "to": "most", "seat": "turn"},
    "fold4": {"ev": "act", "do": "fold", "seat": 4},
    "show": {"ev": "show", "seat": "turn"},
    "muck": {"ev": "muck", "seat": "turn"},
    "exposed": {"ev": "report", "what": "exposed", "by": "player"},
    "new": {"ev": "sit", "seat": "empty", "stack": 100},
    "fold": {"ev": "act", "do": "fold", "seat": "turn"},
    "next": {"ev": "next"},
    "floor": {"ev": "call-floor"},
}


@pytest.fixture
def panel() -> PanelTranslator:
    return PanelTranslator("panel", KEYS, places=4)


def press_key(
    panel: PanelTranslator, key: str, *steps: Mapping[str, object], taken: tuple[int, ...] = ()
) -> Event | Notice | FloorCallKeyPressed:
    (meaning,) = panel.translate(KeyPressed("panel", key), {"next": list(steps)}, taken)
    return meaning


def act(*options: str, **amounts: int) -> Mapping[str, object]:
    return {"step": "act", "seat": 3, "options": list(options), **amounts}


@pytest.mark.parametrize(
    ("key", "step", "meaning"),
    [
        ("done", act("fold"), StepConfirmed()),
        ("call", act("check", "bet"), PlayerActed(3, ActionType.CHECK)),
        ("call", act("fold", "call"), PlayerActed(3, ActionType.CALL)),
        ("call", act("fold", "all-in"), PlayerActed(3, ActionType.ALL_IN)),
        ("raise", act("fold", "call", "raise", min_to=8, max_to=90), PlayerActed(3, ActionType.RAISE, 8)),
        ("raise", act("check", "bet", min_to=2, max_to=90), PlayerActed(3, ActionType.BET, 2)),
        ("pot", act("check", "bet", min_to=2, max_to=90), PlayerActed(3, ActionType.BET, 90)),
        ("raise", act("fold", "raise"), PlayerActed(3, ActionType.RAISE)),
        ("fold4", act("fold", "call"), PlayerActed(4, ActionType.FOLD)),
        ("show", {"step": "show", "seat": 2}, HandTabled(2)),
        ("muck", {"step": "show", "seat": 2}, HandMucked(2)),
        ("exposed", {"step": "burn"}, Report(ReportKind.EXPOSED, exposed_by=ExposedBy.PLAYER)),
    ],
)
def test_a_key_means_its_line(panel: PanelTranslator, key: str, step: Mapping[str, object], meaning: Event) -> None:
    assert press_key(panel, key, step) == meaning


def test_the_turn_is_that_of_the_first_seat_that_acts_even_while_cards_are_due(panel: PanelTranslator) -> None:
    assert press_key(panel, "call", {"step": "deal", "seat": 1}, act("call")) == PlayerActed(3, ActionType.CALL)


@pytest.mark.parametrize("step", [{"step": "deal", "seat": 2}, act("fold"), {"step": "floor", "options": ["misdeal"]}])
def test_the_floor_is_called_whatever_the_table_waits_for(panel: PanelTranslator, step: Mapping[str, object]) -> None:
    assert press_key(panel, "floor", step) == FloorCallKeyPressed("panel")
    assert press_key(panel, "floor") == FloorCallKeyPressed("panel")


DROP = CollectStep(4, ((0, 4),))
PUSH = AwardStep(0, (2,), (96,))
UNREAD = AwardStep(0, (2, 3), None, is_unread=True)
CHARGE = CollectStep(6, seat=2)


@pytest.mark.parametrize("key", ["done", "next"])
@pytest.mark.parametrize(
    ("steps", "count"),
    [
        ([DROP, PUSH], 2),
        ([DROP, PUSH, PUSH], 2),
        ([CollectStep(None), AwardStep(0, (2,), None)], 2),
        ([DROP, UNREAD], 1),
        ([CollectStep(None), UNREAD, PUSH], 1),
        ([DROP], 1),
        ([PUSH, PUSH], 1),
        ([CHARGE, CHARGE], 1),
        ([CHARGE, PUSH], 1),
    ],
)
def test_what_the_house_takes_is_dropped_by_the_press_that_pushes_the_pot(
    key: str, steps: list[Step], count: int
) -> None:
    """Covers: AU-8.2(a)(ii), AU-8.2(b)(iv)."""
    panel = PanelTranslator("panel", {key: {"ev": key}}, places=4)
    output = {"next": [{"step": "collect" if isinstance(step, CollectStep) else "award"} for step in steps]}
    assert panel.translate(KeyPressed("panel", key), output, (), steps) == (StepConfirmed(),) * count


def test_the_lowest_empty_chair(panel: PanelTranslator) -> None:
    assert press_key(panel, "new", taken=(1, 2, 4)) == PlayerSeated(3, stack=100)


@pytest.mark.parametrize(
    ("key", "steps"),
    [("call", []), ("show", [act("fold")]), ("unknown", []), ("new", [])],
)
def test_a_key_that_means_nothing_now_is_a_notice(
    panel: PanelTranslator, key: str, steps: list[Mapping[str, object]]
) -> None:
    meaning = press_key(panel, key, *steps, taken=(1, 2, 3, 4))
    assert isinstance(meaning, Notice)
    assert meaning.code is NoticeCode.KEY_WITHOUT_MEANING


@pytest.mark.parametrize(
    ("meaning", "why"),
    [
        ({}, "want a line of the table script"),
        ({"ev": "dun"}, "`ev` cannot be 'dun'"),
        ({"ev": "act", "do": ["chek", "call"], "seat": "turn"}, "cannot be 'chek'"),
        ({"ev": "act", "do": "call", "seat": "somebody"}, "`seat`"),
        ({"ev": "done", "seet": 3}, "has no key `seet`"),
        ({"ev": "call-floor", "seat": 3}, "stands alone; take seat out"),
    ],
)
def test_a_misspelt_meaning_is_found_at_the_start(meaning: Mapping[str, object], why: str) -> None:
    with pytest.raises(KeyMapError, match=why) as error:
        PanelTranslator("panel", {"key": meaning}, places=4)
    assert error.value.key == "key"


@pytest.mark.parametrize(
    ("step", "meaning"),
    [
        ("bet", RoundClosed()),
        *((step, StepConfirmed()) for step in ("show", "award", "return", "shuffle", "cut", "move", "discard", "post")),
    ],
)
def test_one_key_says_that_what_is_first_is_done(panel: PanelTranslator, step: str, meaning: Event) -> None:
    assert press_key(panel, "next", {"step": step}) == meaning
    assert press_key(panel, "next") == HandStarted()


@pytest.mark.parametrize("step", ["deal", "burn", "board", "act", "draw", "floor", "say"])
def test_one_key_says_nothing_of_what_needs_a_card_an_act_or_an_answer(panel: PanelTranslator, step: str) -> None:
    notice = press_key(panel, "next", {"step": step, "seat": 3, "options": []})
    assert isinstance(notice, Notice)
    assert notice.code is NoticeCode.KEY_WITHOUT_MEANING


def test_of_a_round_that_is_told_as_a_whole_the_first_seat_folds_and_nobody_calls(panel: PanelTranslator) -> None:
    step = {"step": "bet", "street": "flop", "seats": [4, 2]}
    assert press_key(panel, "fold", step) == PlayerActed(4, ActionType.FOLD)
    assert isinstance(press_key(panel, "call", step), Notice)


def test_a_whole_holdem_hand_takes_at_most_seven_presses_of_one_key(panel: PanelTranslator) -> None:
    """Four players, a fold that the antenna of the muck reads, a showdown: nobody looks at the screen."""
    seats = dict.fromkeys(range(1, 5))
    table = play("roberts-7", stacks=seats, amounts="untracked", follow="rounds")
    folded = {"ev": "seen", "at": "muck", "card": "9c"}
    presses = 0
    for between in (
        ("card Ad 9c Tc 5d 6c 4d Qh 6d", folded),
        ("card 8h 2s 4s Qd",),
        ("card 3h Ks",),
        ("card 7h Kd",),
        (),
        (),
    ):
        table(script_lines.format_line(expect_event(press_key(panel, "next", *table.lines[-1]["next"]))), *between)
        presses += 1
    assert table.lines[-1]["phase"] == "idle"
    assert "error" not in str(table.lines)
    assert presses <= 7


def expect_event(meaning: Event | Notice | FloorCallKeyPressed) -> Event:
    assert not isinstance(meaning, Notice | FloorCallKeyPressed), meaning
    return meaning
