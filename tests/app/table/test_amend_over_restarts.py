"""What was put right at a table outlasts every restart, and what was entered before one can be put right after it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.core.engine import table as table_module
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent
from controller.runtime.journal import journal as journal_module
from tests.app.rig import Rig


def enter(rig: Rig, **line: Any) -> int:  # noqa: ANN401 - keys of a script line
    """Enter a line on the page; returns the number of its entry."""
    rig.enter(line)
    assert rig.standing.refusal is None, rig.standing.refusal
    return rig.standing.entry


def get_first_step(rig: Rig) -> dict[str, Any]:
    """The first step of the plan."""
    steps: list[dict[str, Any]] = rig.output["next"]
    return steps[0] if steps else {"step": "over"}


def deal(rig: Rig, cards: list[str]) -> None:
    """Start a hand, and deal until somebody is to act; "" is a card that nothing reads."""
    enter(rig, ev="start")
    while get_first_step(rig)["step"] == "deal":
        card = cards.pop()
        rig.card(card) if card else enter(rig, ev="card", card=None)


def fold_to_the_raiser(rig: Rig) -> tuple[int, int]:
    """Let the first seat raise and all others fold; returns its seat and the entry of the raise."""
    step = get_first_step(rig)
    raised = enter(rig, ev="act", seat=step["seat"], do="raise", to=step["min_to"])
    while get_first_step(rig)["step"] == "act":
        enter(rig, ev="act", seat=get_first_step(rig)["seat"], do="fold")
    enter(rig, ev="done")
    assert get_first_step(rig)["step"] == "over"
    return step["seat"], raised


def list_deck_cards() -> list[str]:
    return [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]


def stacks(rig: Rig) -> dict[str, int]:
    found: dict[str, int] = rig.output["stacks"]
    return found


def test_the_hand_in_play_is_put_right_from_its_start_after_a_restart(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        deal(rig, list_deck_cards())
        step = get_first_step(rig)
        folded = enter(rig, ev="act", seat=step["seat"], do="fold")
        before = stacks(rig)[str(step["seat"])]
        start = next(each["entry"] for each in rig.loop.list_amendable_entries() if each["told"]["ev"] == "start")
    with Rig(tmp_path, lossless=True) as rig:
        enter(rig, ev="amend", line=folded, to={"ev": "act", "seat": step["seat"], "do": "call"})
        enter(rig, ev="amend", before=start, to={"ev": "stack", "seat": step["seat"], "stack": before + 77})
        shown = dict(rig.output)
        assert stacks(rig)[str(step["seat"])] == before + 77 - step["to_call"]
        told = rig.standing.rulings
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.standing.rulings == told
        assert told[0]["put_right"] == {"amended": shown["amended"], "due": shown["next"][:1]}
        for key in ("stacks", "bets", "next", "piles", "board"):
            assert rig.output[key] == shown[key]
        assert next(each for each in rig.loop.list_amendable_entries() if "was" in each)["entry"] == folded


def test_an_entry_that_was_refused_as_the_power_went_takes_no_past_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No result says that it was refused."""
    monkeypatch.setattr(journal_module, "SNAPSHOT_INTERVAL_ENTRIES", 2)
    with Rig(tmp_path, lossless=True) as rig:
        wrong = enter(rig, ev="stack", seat=1, stack=241)
        rig.enter({"ev": "away", "seat": 9})
        assert rig.standing.refusal is not None
        rig.journal._pending_result = None
    with Rig(tmp_path, lossless=True) as rig:
        for stack in (151, 152):
            enter(rig, ev="stack", seat=2, stack=stack)
    with Rig(tmp_path, lossless=True) as rig:
        enter(rig, ev="amend", line=wrong, to={"ev": "stack", "seat": 1, "stack": 220})
        assert stacks(rig)["1"] == 220


def test_what_can_be_put_right_is_the_same_after_starts_however_long_no_hand_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base moves on as the table forgets its oldest entries, and to no place behind which something was changed."""
    monkeypatch.setattr(journal_module, "SNAPSHOT_INTERVAL_ENTRIES", 2)
    monkeypatch.setattr(table_module, "MAX_ENTRIES", 20)
    monkeypatch.setattr(table_module, "MAX_UNDO_ENTRIES", 4)
    played: list[int | None] = []
    handle = Table.handle

    def handle_and_count(self: Table, event: AnyEvent, line: int | None = None) -> Outcome:
        played.append(line)
        return handle(self, event, line)

    monkeypatch.setattr(Table, "handle", handle_and_count)
    lines: list[int] = []
    for _ in range(3):
        with Rig(tmp_path, lossless=True) as rig:
            for stack in range(200, 225):
                lines.append(enter(rig, ev="stack", seat=1, stack=stack))
                enter(rig, ev="stack", seat=2, stack=stack)
                enter(rig, ev="undo")
            stood, reach = stacks(rig), [each["entry"] for each in rig.loop.list_amendable_entries()]
        played.clear()
        with Rig(tmp_path, lossless=True) as rig:
            assert len(played) < 100
            assert stacks(rig) == stood
            assert [each["entry"] for each in rig.loop.list_amendable_entries()] == reach
            enter(rig, ev="undo")
            enter(rig, ev="amend", line=lines[-5], to={"ev": "stack", "seat": 1, "stack": 7})
            enter(rig, ev="undo")
            with pytest.raises(AssertionError, match="amend-too-late"):
                enter(rig, ev="amend", line=lines[0], to={"ev": "stack", "seat": 1, "stack": 220})


def test_a_table_that_was_taken_over_into_a_new_session_can_put_right_what_came_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "SNAPSHOT_INTERVAL_ENTRIES", 2)
    with Rig(tmp_path, lossless=True) as rig:
        for stack in range(200, 230):
            enter(rig, ev="stack", seat=1, stack=stack)
        deal(rig, list_deck_cards())
    with Rig(tmp_path, lossless=True, void_hand=True) as rig:
        wrong = enter(rig, ev="stack", seat=1, stack=241)
        enter(rig, ev="stack", seat=2, stack=151)
        enter(rig, ev="stack", seat=2, stack=152)
    with Rig(tmp_path, lossless=True) as rig:
        enter(rig, ev="amend", line=wrong, to={"ev": "stack", "seat": 1, "stack": 220})
        assert stacks(rig)["1"] == 220


def test_a_card_that_an_amendment_named_is_sealed_and_known_again_after_a_restart(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        deal(rig, [*list_deck_cards(), ""])
        cards = [each["entry"] for each in rig.loop.list_amendable_entries() if each["told"]["ev"] == "card"]
        enter(rig, ev="amend", line=cards[0], to={"ev": "card", "card": "As"})
        rig.enter({"ev": "amend", "line": cards[1], "to": {"ev": "card", "card": "Ks"}})
        assert rig.standing.refusal is not None
        assert rig.standing.refusal.code == "not-known", "the shoe has read this one"
        hand = rig.loop.outcome.state.hand_in_play
        held = {card.serial: card.card for pile in hand.cards.piles.cards_by_place.values() for card in pile}
        assert held[1] == "As"
    for path in tmp_path.iterdir():
        assert b'"As"' not in path.read_bytes(), path.name
    with Rig(tmp_path, lossless=True) as rig:
        hand = rig.loop.outcome.state.hand_in_play
        assert {card.serial: card.card for pile in hand.cards.piles.cards_by_place.values() for card in pile} == held
        enter(rig, ev="amend", line=cards[0], to={"ev": "card", "card": None})


def test_a_hand_that_is_over_is_put_right_and_stays_so_over_a_restart(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        cards = list_deck_cards()
        deal(rig, cards)
        fold_to_the_raiser(rig)
        deal(rig, cards)
        folder = get_first_step(rig)["seat"]
        enter(rig, ev="act", seat=folder, do="call")
        seat, raised = fold_to_the_raiser(rig)
        before = stacks(rig)
        fold = {"ev": "act", "seat": folder, "do": "fold"}
        again = next(each["entry"] for each in rig.loop.list_amendable_entries() if each["told"] == fold)
        enter(rig, ev="amend", line=raised - 1, to=fold, drop=[again])
        right = stacks(rig)
        assert right[str(folder)] > before[str(folder)]
        assert right[str(seat)] < before[str(seat)]
    with Rig(tmp_path, lossless=True) as rig:
        assert stacks(rig) == right
        assert rig.recovered.doubtful_entry is None
        enter(rig, ev="undo")
        assert stacks(rig) == before
        line = enter(rig, ev="amend", line=raised - 1, to=fold, drop=[again])
        assert stacks(rig) == right
    with Rig(tmp_path, lossless=True) as rig:
        assert stacks(rig) == right
        assert line <= rig.standing.entry
        deal(rig, list_deck_cards())


def test_hands_shows_what_was_entered_struck_through_and_what_took_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        deal(rig, list_deck_cards())
        step = get_first_step(rig)
        folded = enter(rig, ev="act", seat=step["seat"], do="fold")
        by = enter(rig, ev="amend", line=folded, to={"ev": "act", "seat": step["seat"], "do": "call"})
        fold_to_the_raiser(rig)
        rig.journal.end_run("test")
    assert main(["hands", "show", "1", "--state", str(tmp_path)]) == 0
    shown = capsys.readouterr().out.splitlines()
    seat = step["seat"]
    struck = f"  ! ~~act seat {seat} fold~~ act seat {seat} call (entry {folded}, put right by entry {by})"
    assert shown[shown.index(struck) + 1].split() == ["seat", str(seat), "call"]
    assert any(line.startswith("  * amended: correct") for line in shown)
    assert main(["hands", "export", "1", "--state", str(tmp_path)]) == 0
    assert tomllib.loads(capsys.readouterr().out)["_put_right"][0]["entry"] == folded


def test_hands_shows_that_a_folded_hand_was_given_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its fold and its later act both stand in the record, and between them who gave it back by which rule."""
    with Rig(tmp_path, lossless=True) as rig:
        deal(rig, list_deck_cards())
        seat = get_first_step(rig)["seat"]
        enter(rig, ev="act", seat=seat, do="fold")
        enter(rig, ev="floor", decide="revive", seat=seat)
        enter(rig, ev="done")
        enter(rig, ev="act", seat=seat, do="call")
        fold_to_the_raiser(rig)
        rig.journal.end_run("test")
    assert main(["hands", "show", "1", "--state", str(tmp_path)]) == 0
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    ruled = next(line for line in shown if line.startswith("* revive: correct [R7-3.dead.2]"))
    assert f"seat {seat} gets its hand back" in ruled
    place = shown.index(ruled)
    assert shown[place - 1] == f"seat {seat} fold"
    assert shown[place + 1] == f"* the floor, unnamed, decided revive for seat {seat}"
    assert shown[place + 2] == f"seat {seat} call"
