"""What the showroom lets go wrong is ruled on; other games are played to the end; rulebooks answer side by side."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config import game_file, rulebook_file
from config.rulebook_file import list_rulebooks
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller.app.simulation import simulation_runner
from controller.app.simulation.mishaps import make_mishap_move
from controller.app.simulation.simulated_move import SimulatedMove
from controller.app.simulation.simulated_people import SimulatedPeople
from controller.app.simulation.simulation_controls import TABLE_CHANGE_REASON, SimulationControls, make_table_line
from controller.app.simulation.simulation_runner import MAX_TRIES, SimulationRunner
from controller.app.table.session_start import restore_table_line
from controller.core.engine import other_rulebook
from controller.core.model.setup import TableOpened
from controller.core.protocol import script_lines
from controller.core.protocol.events import DeviceChanged
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import DeviceChange
from controller.core.values import cards
from controller.web.pages.dealer_page import MISHAPS
from tests.app import rig as rigs
from tests.app.rig import Rig, demo, demo_deck
from tests.playing import play
from tests.web.test_pages import standing

OLD = demo_deck()


@pytest.fixture(autouse=True)
def deck_with_an_older_one(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """An older copy of every card, whose tags are withdrawn; returns tag -> the older tag of its face."""
    older = {card: f"{number:010X}" for number, card in enumerate(sorted(OLD.card_by_tag.values()), start=1)}
    withdrawn = {tag: card for card, tag in older.items()}
    monkeypatch.setattr(rigs, "demo_deck", lambda: replace(OLD, retired_card_by_tag=withdrawn))
    return {tag: older[card] for tag, card in OLD.card_by_tag.items()}


def room_of(rig: Rig, spares: Mapping[str, str]) -> SimulatedPeople:
    setup = rig.loop.outcome.state.setup
    in_play = cards.build_deck(setup.deck_size, setup.has_joker)
    return SimulatedPeople(
        rig.bench.reader("shoe"),
        rig.bench.panel("panel"),
        rig.bench.gate("gate"),
        tuple(tag for tag, card in rig.deck.card_by_tag.items() if card in in_play),
        seed=3,
        mistakes=0.0,
        touch=lambda line: rig.loop.submit_entry(script_lines.parse_line(line), "page"),
        spares=spares,
    )


FINDINGS = {"foreign": {"foreign-back", "foreign", "card-not-due"}}


@pytest.mark.parametrize("fault", [fault for fault in MISHAPS if fault not in ("plug", "unplug")])
def test_what_is_let_go_wrong_is_ruled_on(
    tmp_path: Path, fault: str, deck_with_an_older_one: Mapping[str, str]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        room = room_of(rig, deck_with_an_older_one)
        rig.live(room, 4)
        room.cause_mishap(fault)
        wanted: str | None = room.next_mishap
        assert wanted == fault
        found: set[str] = set()
        for _ in range(60):
            rig.live(room, 2)
            found |= {str(ruling["finding"]) for standing in rig.standings for ruling in standing.rulings}
            if room.next_mishap is None and found & FINDINGS.get(fault, {fault}):
                break
        assert found & FINDINGS.get(fault, {fault}), found
        for _ in range(300):
            if rig.output["phase"] == "idle":
                break
            rig.live(room, 1)
        assert rig.output["phase"] == "idle"


@pytest.mark.parametrize(
    ("game", "told"),
    [("omaha-8", {}), ("stud-7", {}), ("draw-high", {}), ("lowball-27", {})]
    + [(game, {"amounts": "untracked", "follow": "rounds"}) for game in ("holdem", "stud-7", "jacks-or-better")],
)
def test_the_room_plays_other_games_to_the_end(
    tmp_path: Path, game: str, told: Mapping[str, str], deck_with_an_older_one: Mapping[str, str]
) -> None:
    line = {key: value for key, value in make_table_line(demo().table_line, game, "roberts-7").items() if key != "ev"}
    file = replace(demo(), table_line={"ev": "table", **line, **told})
    with Rig(tmp_path, file=file, lossless=True) as rig:
        room = room_of(rig, deck_with_an_older_one)
        for _ in range(300):
            rig.live(room, 1)
            if rig.output["hand"] and rig.output["phase"] == "idle":
                break
        assert rig.output["hand"] == 1
        assert rig.output["phase"] == "idle"


def every_pair() -> list[tuple[str, str]]:
    return [(book, game) for book in rulebook_file.list_rulebooks() for game in rulebook_file.load_rulebook(book).games]


@pytest.mark.parametrize(("book", "game"), every_pair())
def test_every_game_of_every_book_can_be_chosen(book: str, game: str) -> None:
    line = make_table_line(demo().table_line, game, book)
    try:
        opened = parse_table_line(line)
    except Refused as why:
        pytest.fail(f"{book} {game}: {why}")
    assert isinstance(opened, TableOpened)
    assert game in game_file.list_games()


class Hall:
    """A showroom over a rig, and what it told."""

    def __init__(self, rig: Rig, spares: Mapping[str, str]) -> None:
        self.told: list[Mapping[str, Any]] = []
        self.showroom = SimulationControls(self.told.append, playing=False)
        room = room_of(rig, spares)
        player = SimulationRunner(room, speed=2.0, playing=False, status=self.showroom.on_pace_changed)
        self.showroom.attach_session(player, room, rig.loop, rig.bench, "shoe", rig.file)


def test_another_table_is_set_between_hands_only(tmp_path: Path, deck_with_an_older_one: Mapping[str, str]) -> None:
    with Rig(tmp_path) as rig:
        hall = Hall(rig, deck_with_an_older_one)
        assert "rulebooks" in str(hall.showroom.set_table("bridge", "roberts-7"))
        assert "no rules for" in str(hall.showroom.set_table("razz", "fish-n-chips"))
        rig.press("start")
        assert "between hands" in str(hall.showroom.set_table("omaha", "roberts-7"))
        assert hall.showroom.take_next_table_line() is None


def test_another_table_ends_the_loop_with_its_line(tmp_path: Path, deck_with_an_older_one: Mapping[str, str]) -> None:
    with Rig(tmp_path) as rig:
        hall = Hall(rig, deck_with_an_older_one)
        assert hall.showroom.set_table("stud-8", "roberts-7") is None
        rig.drain()
        assert rig.loop._stop_reason == TABLE_CHANGE_REASON
        wanted = hall.showroom.take_next_table_line()
        assert wanted is not None
        assert (wanted["game"], "button" in wanted) == ("stud-8", False)
        assert hall.showroom.take_next_table_line() is None


def test_the_reader_is_unplugged_and_plugged_in_again(
    tmp_path: Path, deck_with_an_older_one: Mapping[str, str]
) -> None:
    with Rig(tmp_path) as rig:
        hall = Hall(rig, deck_with_an_older_one)
        hall.showroom.cause_mishap("unplug")
        assert not rig.bench.find_or_add_port(rig.urls["shoe"]).is_plugged_in()
        assert "plug" in hall.told[-1]["faults"]
        assert "unplug" not in hall.told[-1]["faults"]
        hall.showroom.cause_mishap("plug")
        assert rig.bench.find_or_add_port(rig.urls["shoe"]).is_plugged_in()


def test_every_rulebook_answers_the_event_that_was_ruled_on(
    tmp_path: Path, deck_with_an_older_one: Mapping[str, str]
) -> None:
    with Rig(tmp_path) as rig:
        hall = Hall(rig, deck_with_an_older_one)
        assert hall.showroom.compare_rulings() == []
        rig.press("start")
        rig.card("As")
        rig.card("Kd")
        rig.press("exposed")
        answers = hall.showroom.compare_rulings()
        assert [answer["own"] for answer in answers] == [True, *[False] * (len(list_rulebooks()) - 1)]
        verdicts = {answer["code"]: [ruling["verdict"] for ruling in answer["rulings"]] for answer in answers}
        assert verdicts["R7"] == ["misdeal"]
        assert verdicts["AU"] == ["replace"]
        assert all("As" not in str(answer) and "Kd" not in str(answer) for answer in answers)
        assert rig.output["rulings"][0]["verdict"] == "misdeal"


def test_the_own_book_gives_the_answer_that_it_gave() -> None:
    played = play("roberts-7", "start", "card As Kd 9h", "report exposed")
    previous = played.table.outcome.state.undo.previous
    assert previous is not None
    again = other_rulebook.handle_under_rulebook(
        rulebook_file.load_rulebook("roberts-7"), previous.state, previous.event
    )
    assert again.rulings == played.table.outcome.rulings
    assert again.plan == played.table.outcome.plan


def test_a_table_of_the_showroom_goes_on_after_a_restart(tmp_path: Path) -> None:
    file = load_table_file(DEMO_FILE)
    chosen = replace(file, table_line=make_table_line(file.table_line, "omaha", "casino-au"))
    with Rig(tmp_path, file=chosen) as rig:
        assert restore_table_line(rig.journal, file).table_line["game"] == "omaha"
        assert restore_table_line(rig.journal, replace(file, sha256="another")).table_line["game"] == "holdem"


def test_nothing_goes_wrong_where_it_cannot() -> None:
    output = play("roberts-7", "start").lines[-1]
    assert make_mishap_move("double-burn", output) is None
    assert make_mishap_move("premature", output) is None
    assert make_mishap_move("exposed", output) is not None


def test_simulated_people_leave_a_table_that_is_out_of_service_to_the_technician(
    tmp_path: Path, deck_with_an_older_one: Mapping[str, str]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        room = room_of(rig, deck_with_an_older_one)
        rig.loop.submit_entry(DeviceChanged("fault:in-service", DeviceChange.LOST), "page")
        rig.run(0.1)
        standing = rig.standing
        assert (standing.output_line["phase"], [fault.code for fault in standing.faults]) == ("halted", ["in-service"])
        assert room.choose_move(standing.output_line, False, standing.faults) is None
        rig.loop.submit_entry(DeviceChanged("fault:in-service", DeviceChange.BACK), "page")
        rig.run(0.1)
        assert room.choose_move(rig.standing.output_line, False, rig.standing.faults) is not None


@pytest.mark.parametrize("undone", [False, True], ids=["started", "started, undone, started"])
def test_whoever_starts_a_hand_it_is_dealt_from_a_whole_deck(
    tmp_path: Path, deck_with_an_older_one: Mapping[str, str], undone: bool
) -> None:
    """In the fifth hand that a person started, the simulated shoe was empty and nothing moved for ever."""
    with Rig(tmp_path, lossless=True) as rig:
        room = room_of(rig, deck_with_an_older_one)
        for _ in range(6):
            for word in ("start", "undo", "start") if undone else ("start",):
                rig.enter({"ev": word})
            while rig.output["next"][0]["step"] == "deal":
                before = rig.output["piles"]["stub"]
                rig.live(room, 1)
                assert rig.output["piles"]["stub"] < before, "a card is dealt"
            rig.play_out()
            assert not room.lacks_card(rig.output)
        assert not rig.standing.faults


def test_a_simulated_shoe_without_a_card_says_so_in_a_hand_and_not_before(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        people = SimulatedPeople(rig.bench.reader("shoe"), rig.bench.panel("panel"), None, (), seed=1, mistakes=0.0)
        said: list[Mapping[str, object]] = []
        is_empty = threading.Event()

        def hear(status: Mapping[str, object]) -> None:
            said.append(status)
            if status["empty"]:
                is_empty.set()

        player = SimulationRunner(people, speed=20.0, playing=False, status=hear)
        assert not people.lacks_card(rig.output)
        rig.enter({"ev": "start"})
        player.on_view_published(rig.standing)
        player.start()
        player.step()
        assert is_empty.wait(30)
        player.end()
    assert [each["empty"] for each in said].count(True) == 1


def test_at_a_tournaments_table_nobody_sits_down_or_begins_by_themselves(tmp_path: Path) -> None:
    """The desk gives the chairs; a hand begins while the timer runs and two have one; hand for hand the floor says."""
    with Rig(tmp_path) as rig:
        announced: list[bool] = []
        people = SimulatedPeople(
            rig.bench.reader("shoe"), rig.bench.panel("panel"), None, tuple(rig.deck.card_by_tag), seed=1,
            newcomers=False,
            hand_for_hand=lambda: bool(announced),
        )  # fmt: skip
        shown = {
            "phase": "idle", "hand": 1, "next": [], "stacks": {"1": 2000, "2": 2000}, "timer": {"running": True},
            "piles": {"stub": 52},
        }  # fmt: skip

        def choose_move_kind(refused: bool = False, **more: Any) -> str | None:  # noqa: ANN401 (JSON)
            move = people.choose_move({**shown, **more}, refused)
            return None if move is None else move.kind

        assert choose_move_kind() == "start"
        assert choose_move_kind(timer={}) is None
        assert choose_move_kind(timer={"running": False}) is None
        assert choose_move_kind(stacks={"1": 4000}) is None
        assert choose_move_kind(stacks={}) is None
        assert choose_move_kind(refused=True) is None
        assert choose_move_kind(next=[{"step": "hold"}]) is None
        assert choose_move_kind(phase="dealing", next=[{"step": "hold"}]) is None
        announced.append(True)
        assert choose_move_kind(timer={"running": False}) == "start", "it stands still for hand for hand"
        assert choose_move_kind(timer={}) is None
        assert choose_move_kind(timer={"running": False}, next=[{"step": "hold"}]) is None


class RoomWithOneMove:
    """People who make the same move again and again; the table notices each only when `notice` is set."""

    def __init__(self, move: SimulatedMove) -> None:
        self.move = move
        self.made_count = 0
        self.made = threading.Semaphore(0)

    def choose_move(self, *_: object) -> SimulatedMove:
        return self.move

    def make_move(self, *_: object) -> None:
        self.made_count += 1
        self.made.release()

    def clear_reader(self, _noticed: bool) -> None: ...

    def lacks_card(self, _output: object) -> bool:
        return False


@pytest.mark.parametrize(("key", "made_count"), [(None, 1), ("call", MAX_TRIES)])
def test_a_card_that_is_noticed_late_leaves_the_shoe_once(
    monkeypatch: pytest.MonkeyPatch, key: str | None, made_count: int
) -> None:
    """A key that nobody notices is pressed again; a card is waited for, as a busy machine may notice it late."""
    monkeypatch.setattr(simulation_runner, "REACTION_TIMEOUT_S", 0.01)
    monkeypatch.setattr(simulation_runner, "CARD_REACTION_TIMEOUT_S", 60.0)
    monkeypatch.setattr(simulation_runner, "MIN_KEY_INTERVAL_S", 0.01)
    room: Any = RoomWithOneMove(SimulatedMove("deal", 0.0, key=key))
    runner = SimulationRunner(room, speed=1, playing=False, status=lambda _: None)
    runner.on_view_published(standing(1))
    runner.start()
    runner.step()
    for _ in range(made_count):
        assert room.made.acquire(timeout=60)
    runner.on_view_published(standing(2))
    runner.end()
    runner.join(60)
    assert room.made_count == made_count
