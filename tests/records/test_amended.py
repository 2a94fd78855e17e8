"""What was put right is recorded as it was played again, and what stood before it is struck through."""

import json
import tomllib
from dataclasses import replace
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.events import AmendmentMade, CardDetected, Entry, PlayerActed, StackChanged
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.piles import hand_place
from controller.records import phh
from controller.records.hand_record import HandRecord, HandRecorder
from controller.records.public_view import find_open_cards, list_amendable_entries
from tests.core.arbitrary import story
from tests.core.test_any_order import iter_random_numbers
from tests.records.simulated import Room

NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}


def room(seed: int, **line: Any) -> Room:  # noqa: ANN401 - keys of the table line
    seats = [{"seat": seat, "player": f"Player {seat}", "stack": 100} for seat in (1, 2, 4, 5)]
    table = {"rulebook": "roberts-7", "game": "holdem", "betting": NO_LIMIT, "button": 1, "seats": seats}
    return Room(seed, **{**table, **line})


def strip_amendments(record: HandRecord) -> HandRecord:
    """The record but for where it stands in the journal, and for what was put right."""
    acts = tuple(replace(act, entry=0) for act in record.actions)
    rulings = tuple(each for each in record.rulings if each.ruling.finding != "amended")
    return replace(record, actions=acts, rulings=rulings, amendments=(), first_entry=0, last_entry=0)


def entered_so_at_once(played: Room) -> HandRecord:
    """The record of a table that was told the truth from the beginning."""
    again = room(0)
    for entry in played.table.history.entries:
        again.take(entry.event)
    return again.records[-1]


def try_amendment(played: Room, line: int, to: Entry | None, **more: Any) -> bool:  # noqa: ANN401 - fields of the event
    try:
        played.take(AmendmentMade(to, line=line, **more))
    except Refused:
        return False
    return True


def play_until_actions(played: Room, acts: int) -> None:
    """Play until so many acts have been made on the hand, or it is over."""
    while (
        played.table.outcome.plan and sum(isinstance(e.event, PlayerActed) for e in played.table.history.entries) < acts
    ):
        played.move()


@pytest.mark.parametrize("seed", range(12))
def test_the_record_is_that_of_a_hand_which_was_entered_so_at_once(seed: int) -> None:
    played = room(seed)
    played.start()
    play_until_actions(played, 3 + seed % 5)
    tried = 0
    for entry in played.table.history.entries:
        if isinstance(entry.event, PlayerActed):
            for do in (ActionType.FOLD, ActionType.CALL, ActionType.CHECK, ActionType.ALL_IN):
                tried += try_amendment(played, entry.line, PlayerActed(entry.event.seat, do))
    while played.table.outcome.plan:
        played.move()
    for entry in played.table.history.entries:
        if isinstance(entry.event, PlayerActed):
            tried += try_amendment(played, entry.line, PlayerActed(entry.event.seat, ActionType.CALL))
    while played.table.outcome.plan:
        played.move()
    record = played.records[-1]
    assert len(played.records) == 1
    assert tried
    assert strip_amendments(record) == strip_amendments(entered_so_at_once(played))
    assert sum(record.starting_stack_by_seat.values()) == sum(record.finishing_stack_by_seat.values())
    assert sum(each.ruling.finding == "amended" for each in record.rulings) <= tried
    for struck in record.amendments:
        assert struck.original != struck.replacement
        assert record.first_entry <= struck.at_entry <= record.last_entry


def play_to_wrong_fold() -> Room:
    """Seat 5 called and was entered as folded; it is noticed on the flop."""
    played = room(1)
    played.start()
    while type(played.table.outcome.plan[0]).__name__ == "DealStep":
        played.card()
    played.say(ev="act", seat=5, do="fold")
    played.say(ev="act", seat=1, do="call")
    played.say(ev="act", seat=2, do="call")
    played.say(ev="act", seat=4, do="check")
    for _ in range(4):
        played.card()
    return played


def fold_of(played: Room) -> int:
    return next(
        e.line
        for e in played.table.history.entries
        if isinstance(e.event, PlayerActed) and e.event.action_type is ActionType.FOLD
    )


def to_the_end(played: Room) -> HandRecord:
    while played.table.outcome.plan:
        played.move()
    return played.records[-1]


def test_the_entry_that_was_put_right_is_struck_through_and_the_new_one_stands_beside_it() -> None:
    played = play_to_wrong_fold()
    line = fold_of(played)
    assert try_amendment(played, line, PlayerActed(5, ActionType.CALL))
    by = played.entry
    record = to_the_end(played)
    (struck,) = record.amendments
    assert (struck.entry, struck.at_entry, struck.amending_entry) == (line, line, by)
    assert struck.original == {"ev": "act", "seat": 5, "do": "fold"}
    assert struck.replacement == {"ev": "act", "seat": 5, "do": "call"}
    assert [(act.seat, act.action_type) for act in record.actions[:4]] == [
        (5, ActionType.CALL), (1, ActionType.CALL), (2, ActionType.CALL), (4, ActionType.CHECK),
    ]  # fmt: skip
    assert [(each.ruling.finding, each.action_count) for each in record.rulings if each.action_count == 4] == [
        ("amended", 4)
    ]
    content = tomllib.loads(phh.render_text(phh.build_fields(record)))
    (told,) = content["_put_right"]
    assert json.loads(told["was"]) == struck.original
    assert json.loads(told["now"]) == struck.replacement
    assert (told["entry"], told["by"]) == (line, by)


def test_an_amendment_that_was_taken_back_was_never_made() -> None:
    played = play_to_wrong_fold()
    assert try_amendment(played, fold_of(played), PlayerActed(5, ActionType.CALL))
    played.say(ev="undo")
    record = to_the_end(played)
    assert record.amendments == ()
    assert not record.rulings
    assert record.actions[0].action_type is ActionType.FOLD
    assert strip_amendments(record) == strip_amendments(entered_so_at_once(played))


def test_what_was_forgotten_or_should_not_have_been_stands_at_its_place() -> None:
    played = play_to_wrong_fold()
    line = fold_of(played)
    start = next(e.line for e in played.table.history.entries if type(e.event).__name__ == "HandStarted")
    played.say(ev="amend", before=start, to={"ev": "stack", "seat": 5, "stack": 500})
    by = played.entry
    flop = view_of(played)
    played.say(ev="act", seat=flop, do="bet", to=10)
    wrong = played.entry
    played.say(ev="amend", line=wrong, to={"ev": "act", "seat": flop, "do": "check"})
    played.say(ev="amend", line=wrong, to=None)
    record = to_the_end(played)
    bet = {"ev": "act", "seat": flop}
    told = [
        (each.entry, each.at_entry, each.amending_entry, each.original, each.replacement) for each in record.amendments
    ]
    assert told == [
        (by, start, by, None, {"ev": "stack", "seat": 5, "stack": 500}),
        (wrong, wrong, by + 2, {**bet, "do": "bet", "to": 10}, {**bet, "do": "check"}),
        (wrong, wrong, by + 3, {**bet, "do": "check"}, None),
    ]
    assert record.starting_stack_by_seat[5] == 500
    assert line < wrong
    assert strip_amendments(record) == strip_amendments(entered_so_at_once(played))


def view_of(played: Room) -> int:
    """Who is to act."""
    (seat,) = played.table.outcome.state.find_lamps().act
    return seat


def test_after_the_last_award_the_record_is_made_anew() -> None:
    played = room(4)
    played.start()
    while len(played.table.outcome.state.plan) and not played.records:
        if type(played.table.outcome.plan[0]).__name__ == "ActStep":
            played.say(ev="act", seat=view_of(played), do="fold")
        else:
            played.move()
    folded = next(e for e in reversed(played.table.history.entries) if isinstance(e.event, PlayerActed))
    played.say(ev="stack", seat=5, stack=150)
    bought, first = played.entry, played.records
    assert try_amendment(played, bought, StackChanged(seat=5, stack=160))
    assert played.records == first, "what is entered between hands is none of the hand before"
    assert not try_amendment(played, folded.line, PlayerActed(2, ActionType.CALL))
    assert try_amendment(played, folded.line, PlayerActed(2, ActionType.CALL), dropped_lines=(bought - 1, bought))
    assert not list(played.records), "the hand is on again"
    again = to_the_end(played)
    assert len(played.records) == 1
    assert again.amendments
    played.hand()
    assert [record.number for record in played.records] == [1, 2]
    assert played.records[0] == again


def test_no_card_that_an_amendment_names_is_told_before_it_is_seen() -> None:
    played = room(6)
    played.start()
    played.card()
    line = played.entry
    name = "2c" if played.stub[-1] != "2c" else "2d"
    if name in played.stub:
        played.stub.remove(name)
    played.say(ev="amend", line=line, to={"ev": "card", "card": name})
    while played.table.outcome.plan:
        played.move()
        shown = view_options(played)
        if "fold" in shown:
            played.say(ev="act", seat=view_of(played), do="fold")
    record = played.records[-1]
    assert record.amendments
    assert all(
        "card" not in (each.original or {}) and "card" not in (each.replacement or {}) for each in record.amendments
    )
    assert name not in phh.render_text(phh.build_fields(record))


def view_options(played: Room) -> set[str]:
    """What whoever is to act may do."""
    first = played.table.outcome.plan[:1]
    return {"fold"} if first and type(first[0]).__name__ == "ActStep" else set()


def test_what_was_entered_is_told_with_what_was_put_right_and_without_hidden_cards() -> None:
    played = play_to_wrong_fold()
    line = fold_of(played)
    flop = view_of(played)
    played.say(ev="act", seat=flop, do="bet", to=10)
    wrong = played.entry
    assert try_amendment(played, line, PlayerActed(5, ActionType.CALL))
    assert try_amendment(played, wrong, None)
    found = list_amendable_entries(played.table.history)
    assert [each["entry"] for each in found] == list(range(2, wrong + 1))
    told = {each["entry"]: each for each in found}
    assert told[line]["told"] == {"ev": "act", "seat": 5, "do": "call"}
    assert told[line]["was"] == {"ev": "act", "seat": 5, "do": "fold"}
    assert told[wrong]["out"]
    assert [each["entry"] for each in found if each["floor"]] == list(range(2, wrong - 1))
    named = [each["told"]["card"] for each in found if "card" in each["told"]]
    assert named == [lying.card for lying in played.table.outcome.state.hand_in_play.cards.piles.cards_at("board")]
    assert len(json.dumps(found)) < 8_000


def test_a_true_name_told_after_the_last_award_is_recorded_like_an_amendment() -> None:
    played = room(3)
    played.start()
    while played.table.outcome.plan:
        acts = isinstance(played.table.outcome.plan[0], ActStep)
        if acts:
            options = outcome_rendering.render_outcome(played.table.outcome, 0)["next"][0]["options"]
            played.say(ev="act", seat=view_of(played), do="check" if "check" in options else "call")
        else:
            played.move()
    river, number = played.records[-1].board[-1], len(played.records)
    free = next(card for card in played.stub if card != river)
    played.say(ev="report", what="misread", where="board", nth=5, card=free)
    assert len(played.records) == number
    record = played.records[-1]
    assert record.board[-1] == free
    (struck,) = record.amendments
    assert struck.original == {"ev": "card", "card": river}
    assert struck.replacement == {"ev": "card", "card": free}


def test_any_story_is_recorded_hand_by_hand_and_tells_no_hidden_card() -> None:
    put_right = 0
    for seed in range(5000, 5016):
        script = story(iter_random_numbers(seed), 100).script
        table, recorder, ever_open = Table(), HandRecorder(), set[str]()
        for number, line in enumerate(script, start=1):
            try:
                event = parse_table_line(line) if line["ev"] == "table" else parse_line(line)
                outcome = table.handle(event, number)
            except Refused:
                continue
            recorder.receive_event(event, outcome, number, table.history)
            named = {card for each in list_amendable_entries(table.history) for card in cards_in(each)}
            ever_open |= find_open_cards(table.outcome.state)
            assert named <= ever_open
        numbers = [record.number for record in recorder.finished_records]
        assert numbers == sorted(set(numbers))
        put_right += sum(bool(record.amendments) for record in recorder.finished_records)
        for record in recorder.finished_records:
            tomllib.loads(phh.render_text(phh.build_fields(record)))
    assert put_right


def cards_in(told: object) -> set[str]:
    """Every card that is named in what is told."""
    if isinstance(told, dict):
        named = {told["card"]} if isinstance(told.get("card"), str) else set[str]()
        return named.union(told.get("cards") or (), *(cards_in(value) for value in told.values()))
    return set()


def test_a_fold_that_the_antenna_of_the_muck_read_is_on_record() -> None:
    played = room(5)
    played.start()
    while not isinstance(played.table.outcome.plan[0], ActStep):
        played.move()
    step, hand = played.table.outcome.plan[0], played.table.outcome.state.hand
    assert isinstance(step, ActStep)
    assert hand is not None
    for lying in hand.cards.piles.cards_at(hand_place(step.seat)):
        assert lying.card is not None
        played.take(CardDetected("muck", lying.card))
    while played.table.outcome.plan:
        played.move()
    assert next((act.seat, act.action_type) for act in played.records[-1].actions) == (step.seat, ActionType.FOLD)
