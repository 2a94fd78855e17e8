"""R11: what was settled at a table stays, though a start can play the hand before no more, or to other chips now.

The snapshot has the table at rest beside the state from which that hand is played again.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.app.table.session_start import resume_or_begin
from controller.core.engine import table as table_module
from controller.core.engine.amendments.undo_stack import UndoStack
from controller.core.engine.table import Table
from controller.core.engine.table_standing import TableStanding
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent
from controller.core.protocol.events import Event
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.values import value
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal import system_clocks
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery import journal_replay
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from controller.runtime.loop.table_view import SIMULATION
from tests.app.rig import Rig, demo
from tests.app.table.test_amend_over_restarts import deal, enter, get_first_step, list_deck_cards, stacks

SAID = "the table is taken up at rest after entry"
LEADS_ELSEWHERE, UNREADABLE = "leads to another table now", "cannot be read or played any more"


@pytest.fixture
def pay_otherwise(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on the program gives a chip of the richest to the poorest when a hand ends."""
    apply = table_module._apply_event

    def apply_event(standing: TableStanding, event: Event) -> tuple[Outcome, UndoStack]:
        was_on = standing.outcome.state.is_hand_on
        outcome, undo_stack = apply(standing, event)
        if was_on and not outcome.state.is_hand_on:
            chairs = outcome.state.seating.state_by_seat
            poor, *_, rich = sorted(chairs, key=lambda seat: (chairs[seat].stack or 0, seat))
            other = {
                seat: value.replace(chairs[seat], stack=(chairs[seat].stack or 0) + change)
                for seat, change in ((poor, 1), (rich, -1))
            }
            seating = value.replace(outcome.state.seating, state_by_seat={**chairs, **other})
            outcome = value.replace(outcome, state=value.replace(outcome.state, seating=seating))
        return outcome, undo_stack

    return lambda: monkeypatch.setattr(table_module, "_apply_event", apply_event)


def play_hands(rig: Rig, hands: int) -> None:
    """Play so many hands to their end, the table at rest for a moment after each."""
    room = rig.room(3)
    for hand in range(rig.output["hand"] + 1, rig.output["hand"] + hands + 1):
        while rig.output["hand"] < hand or rig.output["next"]:
            rig.live(room, 1)
        rig.run(IDLE_DELAY_S + 0.1)


def begin_hand(rig: Rig) -> None:
    """Deal a hand, and let somebody act."""
    deal(rig, list_deck_cards())
    enter(rig, ev="act", seat=get_first_step(rig)["seat"], do="call")


def is_in_doubt(rig: Rig) -> bool:
    """Whether a notice says that the stacks are to be compared."""
    return any(notice.code is NoticeCode.RESULT_DIFFERS for notice in rig.standing.notices)


def find_refusal(rig: Rig, line: dict[str, object]) -> str | None:
    """Enter a line; return why it was refused."""
    rig.loop.submit_entry(parse_line(line), "page")
    rig.drain()
    return None if rig.standing.refusal is None else rig.standing.refusal.code


def require_nothing_taken_back(rig: Rig) -> None:
    """Nothing of the hand before can be taken back or amended."""
    assert rig.loop.list_amendable_entries() == []
    assert find_refusal(rig, {"ev": "undo"}) == "nothing-to-undo"


def test_another_program_keeps_what_was_settled(
    tmp_path: Path, pay_otherwise: Callable[[], None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also at its second start, of what was refused at the first, and when the program of before is back."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        stood, rested = rig.read_lasting_state(), rig.standing.entry
    pay_otherwise()
    for is_first in (True, False):
        caplog.clear()
        with Rig(tmp_path, lossless=True) as rig:
            assert rig.read_lasting_state() == stood
            assert is_in_doubt(rig) == is_first
            assert (f"{SAID} {rested}: what was entered before {LEADS_ELSEWHERE}" in caplog.text) == is_first
            assert len(rig.journal.list_sessions()) == 2
            require_nothing_taken_back(rig)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        play_hands(rig, 1)
        stood, reach = rig.read_lasting_state(), rig.loop.list_amendable_entries()
    caplog.clear()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        assert rig.loop.list_amendable_entries() == reach != []
        assert SAID not in caplog.text
        assert not is_in_doubt(rig)
    monkeypatch.undo()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        assert is_in_doubt(rig)


def test_another_program_goes_on_with_the_hand_that_is_on(tmp_path: Path, pay_otherwise: Callable[[], None]) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        begin_hand(rig)
        stood = rig.read_lasting_state()
    pay_otherwise()
    for _ in range(2):
        with Rig(tmp_path, lossless=True) as rig:
            assert rig.read_lasting_state() == stood
            assert is_in_doubt(rig)
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(4)
        while rig.output["next"]:
            rig.live(room, 1)
        rig.run(IDLE_DELAY_S + 0.1)
        stood = rig.read_lasting_state()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        assert not is_in_doubt(rig)


def test_a_hand_that_is_given_up_leaves_what_was_settled_before_it(
    tmp_path: Path, pay_otherwise: Callable[[], None]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        settled = stacks(rig)
        begin_hand(rig)
    pay_otherwise()
    with Rig(tmp_path, lossless=True, void_hand=True) as rig:
        assert (rig.output["phase"], stacks(rig)) == ("idle", settled)
    with Rig(tmp_path, lossless=True) as rig:
        assert stacks(rig) == settled
        play_hands(rig, 1)


def test_a_hand_that_was_opened_again_since_is_played_from_before_it(
    tmp_path: Path, pay_otherwise: Callable[[], None]
) -> None:
    """The table at rest cannot take that back; what was entered since would be lost."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        enter(rig, ev="away", seat=1)
        enter(rig, ev="undo")
        settled = rig.read_lasting_state()
    with Rig(tmp_path, lossless=True) as rig:
        enter(rig, ev="undo")
        assert rig.output["next"]
        stood = rig.read_lasting_state()
        assert stood != settled
    pay_otherwise()
    for _ in range(2):
        with Rig(tmp_path, lossless=True) as rig:
            assert rig.read_lasting_state() == stood
            assert is_in_doubt(rig)


def test_what_was_taken_back_of_before_its_rest_alone_is_taken_back_again(
    tmp_path: Path, pay_otherwise: Callable[[], None]
) -> None:
    """And what was refused then reaches behind nothing."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        settled = stacks(rig)
        enter(rig, ev="stack", seat=1, stack=999)
        enter(rig, ev="undo")
        assert find_refusal(rig, {"ev": "away", "seat": 3}) is not None
        enter(rig, ev="away", seat=1)
    pay_otherwise()
    with Rig(tmp_path, lossless=True) as rig:
        assert stacks(rig) == settled
        assert rig.loop.outcome.state.seating.state_by_seat[1].is_away
        assert is_in_doubt(rig)
        require_nothing_taken_back(rig)


def test_what_another_program_refuses_in_the_hand_that_is_on_reaches_behind_nothing(
    tmp_path: Path, pay_otherwise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        begin_hand(rig)
        enter(rig, ev="away", seat=1)
        stood = rig.read_lasting_state()
    pay_otherwise()
    handle = Table.handle

    def handle_or_refuse(table: Table, event: AnyEvent, line: int | None = None) -> Outcome:
        if event == parse_line({"ev": "away", "seat": 1, "t": event.time_s}):
            raise Refused("not-now", "not any more")
        return handle(table, event, line)

    monkeypatch.setattr(Table, "handle", handle_or_refuse)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood


def test_an_entry_that_can_be_played_no_more_stops_the_start_where_the_table_did_not_rest_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        rested = rig.standing.entry
        enter(rig, ev="away", seat=1)
        stood = rig.read_lasting_state()

    def fail_at(number: int) -> None:
        def handle_or_fail(table: Table, event: AnyEvent, entry: int) -> EntryResult:
            if entry == number:
                raise ValueError
            return handle_entry(table, event, entry)

        monkeypatch.setattr(journal_replay, "handle_entry", handle_or_fail)

    fail_at(rested + 1)
    with closing(Journal(tmp_path / "journal.sqlite")) as journal, pytest.raises(RecoveryError, match="cannot be read"):
        resume_or_begin(journal, demo(), SIMULATION)
    fail_at(rested - 1)
    with Rig(tmp_path, lossless=True) as rig:
        assert f"{SAID} {rested}: what was entered before {UNREADABLE}" in caplog.text
        assert rig.read_lasting_state() == stood
        assert is_in_doubt(rig)


def load_house_table(directory: Path, half: int) -> TableFile:
    """The demo table with a book in which so many percent of a raise are one."""
    house = directory / f"house-{half}"  # a book that was read is not read again
    (house / "rulebooks").mkdir(parents=True, exist_ok=True)
    book = (DEMO_FILE.parent.parent / "rulebooks/roberts-7.toml").read_text()
    assert "half = { is = 50," in book
    (house / "rulebooks/corner.toml").write_text(book.replace("half = { is = 50,", f"half = {{ is = {half},"))
    text = DEMO_FILE.read_text().replace('rulebook = "roberts-7"', 'rulebook = "corner"')
    text = text.replace('deck_list = "demo-deck.csv"', "")
    path = directory / "table.toml"
    path.write_text(f'{text}\n[house]\ndirectory = "{house.name}"\n')
    file, simulation = load_table_file(path), load_table_file(DEMO_FILE).simulation
    return replace(file, simulation=simulation)


def test_another_rulebook_keeps_what_was_settled_by_the_one_of_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A raise of half as much as it must be is completed by the one, and a call by the other."""
    state = tmp_path / "state"
    state.mkdir()
    with Rig(state, lossless=True, file=load_house_table(tmp_path, 50)) as rig:
        play_hands(rig, 1)
        cards = list_deck_cards()
        deal(rig, cards)
        enter(rig, ev="act", seat=get_first_step(rig)["seat"], chips=[1, 1, 1])
        enter(rig, ev="act", seat=get_first_step(rig)["seat"], do="call")
        while get_first_step(rig)["step"] == "act":
            enter(rig, ev="act", seat=get_first_step(rig)["seat"], do="fold")
        while rig.output["next"]:
            step = get_first_step(rig)
            if step["step"] in ("deal", "burn", "board"):
                rig.card(cards.pop())
            elif step["step"] == "act":
                enter(rig, ev="act", seat=step["seat"], do="fold")
            else:
                enter(rig, ev="done")
        rig.run(IDLE_DELAY_S + 0.1)
        settled, button = stacks(rig), rig.output["lamps"]["button"]
    other = load_house_table(tmp_path, 100)
    with Rig(state, lossless=True, file=other) as rig:
        assert (stacks(rig), rig.output["lamps"]["button"]) == (settled, button)
        assert len(rig.journal.list_sessions()) == 2
        assert is_in_doubt(rig)
        assert LEADS_ELSEWHERE in caplog.text
        require_nothing_taken_back(rig)
    with Rig(state, lossless=True, file=load_house_table(tmp_path, 50)) as rig:
        assert stacks(rig) == settled
        play_hands(rig, 1)
        settled = stacks(rig)
    with Rig(state, lossless=True, file=load_house_table(tmp_path, 50)) as rig:
        assert stacks(rig) == settled
        assert not is_in_doubt(rig)


@pytest.fixture
def after_midnight(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    real = system_clocks.format_wall_time
    return lambda: monkeypatch.setattr(system_clocks, "format_wall_time", lambda: f"2099{real()[4:]}")


@pytest.mark.parametrize("hand_on", [False, True])
def test_a_closed_file_that_was_moved_away_takes_nothing_with_it(
    tmp_path: Path, after_midnight: Callable[[], None], caplog: pytest.LogCaptureFixture, *, hand_on: bool
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        after_midnight()
        play_hands(rig, 1)
        rested = rig.standing.entry
        if hand_on:
            begin_hand(rig)
        stood = rig.read_lasting_state()
    (closed,) = tmp_path.glob("journal-*.sqlite")
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        assert not is_in_doubt(rig)
    closed.unlink()
    for is_first in (True, False):
        caplog.clear()
        with Rig(tmp_path, lossless=True) as rig:
            assert rig.read_lasting_state() == stood
            assert (f"{SAID} {rested}: what was entered before {UNREADABLE}" in caplog.text) == (is_first or hand_on)
            assert is_in_doubt(rig) == (is_first or hand_on)
            if not hand_on:
                require_nothing_taken_back(rig)
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(4)
        while rig.output["next"]:
            rig.live(room, 1)
        play_hands(rig, 1)
        stood = rig.read_lasting_state()
    caplog.clear()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stood
        assert SAID not in caplog.text
        assert not is_in_doubt(rig)
        assert rig.loop.list_amendable_entries() != []


def test_a_hand_that_was_opened_again_before_a_file_was_moved_away_is_over(
    tmp_path: Path, after_midnight: Callable[[], None]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 1)
        after_midnight()
        play_hands(rig, 1)
        stood = rig.read_lasting_state()
        enter(rig, ev="undo")
    next(tmp_path.glob("journal-*.sqlite")).unlink()
    for is_first in (True, False):
        with Rig(tmp_path, lossless=True) as rig:
            assert rig.read_lasting_state() == stood
            assert is_in_doubt(rig) == is_first


def test_a_session_that_was_cut_off_as_it_began_is_begun_again_with_the_table_that_it_took_over(
    tmp_path: Path, pay_otherwise: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice, and whatever it was begun for."""
    with Rig(tmp_path, lossless=True) as rig:
        play_hands(rig, 2)
        stood = rig.read_lasting_state()
    pay_otherwise()

    def cut(*_: object) -> int:
        raise KeyboardInterrupt

    for _ in range(2):
        with monkeypatch.context() as at_the_cut, closing(Journal(tmp_path / "journal.sqlite")) as journal:
            journal.begin_run("boot", "test")
            at_the_cut.setattr(Journal, "append_entry", cut)
            with pytest.raises(KeyboardInterrupt):
                resume_or_begin(journal, demo(), SIMULATION)
    for _ in range(2):
        with Rig(tmp_path, lossless=True) as rig:
            assert rig.read_lasting_state() == stood
            assert len(rig.journal.list_sessions()) == 4
            play_hands(rig, 1)
            stood = rig.read_lasting_state()
