"""A card that nobody has seen is nowhere to be read, and nothing that the table says depends on it."""

import json
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol.events import CardDealt, EntryUndone, HandStarted
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.values.cards import ALL_CARDS
from controller.runtime.journal.entry_result import handle_entry
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.output_digest import compute_output_digest
from controller.runtime.journal.recovery.journal_replay import RecoveredTable, make_snapshot
from controller.runtime.journal.sealing.hand_reader import HandReader
from controller.runtime.journal.sealing.hand_seal import (
    MAX_SAID_NAMES,
    CardKnowledge,
    HandKeyFile,
    HandSeal,
    is_hidden_card,
    make_hand_key,
)
from controller.runtime.journal.sealing.stand_ins import StandInRules
from controller.runtime.storage.sqlite_database import DatabaseError
from tests.core import arbitrary
from tests.core.kept_scripts import write_script
from tests.core.test_any_order import iter_random_numbers
from tests.runtime.conftest import begin_journal
from tests.runtime.journal.sealed_stories import AnyFree, Line, read_again, written_by_the_hand

HIDDEN = CardKnowledge(True, cards_outside_stub=frozenset({"As"}))
OPEN = CardKnowledge(True, frozenset(ALL_CARDS), frozenset({"As"}), frozenset({"As"}), frozenset({"As"}))


def readable(line: Line) -> bool:
    try:
        parse_line(line)
    except Refused:
        return False
    return True


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> list[list[Line]]:
    """The script of every story that is told."""
    told: list[list[Line]] = []

    class ScriptCollector(arbitrary.WatchedTable):
        def __init__(self, line: dict[str, Any]) -> None:
            super().__init__(line)
            told.append(self.script)

    monkeypatch.setattr(arbitrary, "WatchedTable", ScriptCollector)
    return told


def slow(*seeds: int) -> Iterator[pytest.ParameterSet]:
    """Further stories, for the long run."""
    return (pytest.param(seed, marks=pytest.mark.slow) for seed in seeds)


@pytest.mark.parametrize("block", [0, *slow(1, 2, 3)])
def test_no_output_depends_on_a_card_that_nobody_has_seen(scripts: list[list[Line]], block: int) -> None:
    """Any story of any game, played again with other cards for those that were never shown, says the same."""
    for seed in range(9000 + block * 8, 9008 + block * 8):
        arbitrary.story(iter_random_numbers(seed), 100)
    hidden = 0
    for number, script in enumerate(scripts):
        lines = [script[0], *(line for line in script[1:] if readable(line))]
        hands, outputs = written_by_the_hand(lines)
        hidden += sum(len(hand.seal._sealed_aliases - hand.disclosed.keys()) for hand in hands if hand.seal is not None)
        AnyFree.chance = random.Random(number)
        for reader in (HandReader, AnyFree):
            assert list(read_again(hands, reader)) == outputs, lines[0]
    assert hidden > 50


def test_openers_that_were_misread_are_judged_and_disclosed_as_what_they_are() -> None:
    """And no card of another hand under the name that one of them had first: its player has shown nothing."""
    opened_on, others = ("Js", "4d", "3d", "Kd", "8c"), ("2h", "6d", "Th", "Qc", "5c")
    dealt = [card for pair in zip(opened_on, others, strict=True) for card in pair]
    for right, verdict in (("Jd", "award"), ("9d", "void-hand")):
        jacks: list[Line] = [
            table("roberts-7", "jacks-or-better", LIMIT, button=1), {"ev": "start"},
            *({"ev": "card", "card": card} for card in dealt),
            {"ev": "act", "seat": 2, "do": "bet"}, {"ev": "act", "seat": 1, "do": "call"},
            {"ev": "report", "what": "misread", "seat": 2, "nth": 2, "card": right},
            {"ev": "draw", "seat": 2, "discard": 5},
            *({"ev": "card", "card": card} for card in ("Ac", "2s", "5h", "6h", "7h")),
            {"ev": "draw", "seat": 1, "discard": 1},
            *({"ev": "card", "card": card} for card in ("4d", "9h")),
            {"ev": "act", "seat": 2, "do": "bet"}, {"ev": "act", "seat": 1, "do": "fold"}, {"ev": "show", "seat": 2},
        ]  # fmt: skip
        hands, outputs = written_by_the_hand(jacks)
        assert verdict in outputs[-1], outputs[-1]
        disclosed = {*hands[-1].disclosed.values()}
        assert {"Js", right, "3d", "Kd", "8c"} <= disclosed
        assert not {"4d", *others} & disclosed
        assert list(read_again(hands, HandReader)) == outputs


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("half", range(2))
def test_many_stories_that_nobody_amended_are_read_again_alike(scripts: list[list[Line]], half: int) -> None:
    """A twentieth of `STORIES`. Where one was amended, stand-ins that answer as the cards did are not always found."""
    count = max(1, int(os.environ.get("STORIES", "100000")) // 40)
    failed = []
    for seed in arbitrary.list_night_seeds(100_000, half, count):
        scripts.clear()
        with arbitrary.use_vocabulary(seed // 100):
            arbitrary.story(iter_random_numbers(seed), 60 + seed % 100)
        for script in scripts:
            lines = [script[0], *(line for line in script[1:] if readable(line))]
            hands, outputs = written_by_the_hand(lines)
            told = [compute_output_digest(json.loads(output)) for output in outputs]
            amended = next((number for number, line in enumerate(lines) if "amended" in outputs[number]), len(lines))
            found = [compute_output_digest(json.loads(output)) for output in read_again(hands, HandReader)]
            if found[:amended] != told[:amended]:
                failed.append(f"{seed}: {write_script(script, f'sealed-story-{seed}')}")
    assert not failed, f"{len(failed)} of {count}: " + "; ".join(failed)


@pytest.fixture
def live_scripts(monkeypatch: pytest.MonkeyPatch) -> list[list[Line]]:
    """The script of every story that is told at a live table."""
    told: list[list[Line]] = []

    class LiveScriptCollector(arbitrary.WatchedTable):
        def __init__(self, line: dict[str, Any]) -> None:
            super().__init__({**line, "live": True})
            told.append(self.script)

    monkeypatch.setattr(arbitrary, "WatchedTable", LiveScriptCollector)
    return told


def is_live_story_read_alike(live_scripts: list[list[Line]], seed: int) -> bool:
    """Whether a story of a live table is answered without a key as it was with it, also where it was amended."""
    live_scripts.clear()
    arbitrary.story(iter_random_numbers(seed), 60 + seed % 100)
    for script in live_scripts:
        lines = [script[0], *(line for line in script[1:] if readable(line))]
        hands, outputs = written_by_the_hand(lines)
        told = [compute_output_digest(json.loads(output)) for output in outputs]
        if [compute_output_digest(json.loads(output)) for output in read_again(hands, HandReader)] != told:
            return False
    return True


@pytest.mark.parametrize("seed", [1014, 1096, 2267])
def test_a_story_of_a_live_table_is_read_again_alike(live_scripts: list[list[Line]], seed: int) -> None:
    """A card that came to an open hand, and what an antenna read, said once more by an amendment."""
    assert is_live_story_read_alike(live_scripts, seed)


@pytest.mark.parametrize("ranks", ["3", "K", "3K", "K3", "33K", "KKK3"])
def test_a_ruling_by_the_name_that_somebody_says_is_read_again(ranks: str) -> None:
    """Whether a player keeps an exposed card of lowball goes by its rank, which is said [R7-11.lowball.8]."""
    lines: list[Line] = [{**table("roberts-7", "lowball-27", LIMIT, button=1), "live": True}, {"ev": "start"}]
    lines += ({"ev": "card", "card": card} for card in ("2c", "4c", "5c", "6c"))
    for rank in ranks:
        lines += [{"ev": "report", "what": "exposed", "seat": 1, "card": f"{rank}d"}, {"ev": "undo"}]
    hands, outputs = written_by_the_hand(lines)
    verdicts = [ruling["verdict"] for output in outputs for ruling in json.loads(output)["rulings"]]
    assert verdicts == [{"3": "must-keep", "K": "replace"}[rank] for rank in ranks]
    assert list(read_again(hands, HandReader)) == outputs


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("half", range(2))
def test_many_stories_of_a_live_table_are_read_again_alike(live_scripts: list[list[Line]], half: int) -> None:
    """A twentieth of `STORIES`, amended ones too: a live table rules by what whoever has no key knows as well."""
    count = max(1, int(os.environ.get("STORIES", "100000")) // 40)
    failed = []
    for seed in arbitrary.list_night_seeds(200_000, half, count):
        with arbitrary.use_vocabulary(seed // 100):
            if not is_live_story_read_alike(live_scripts, seed):
                failed.append(f"{seed}: {write_script(live_scripts[-1], f'live-story-{seed}')}")
    assert not failed, f"{len(failed)} of {count}: {failed}"


@pytest.mark.parametrize("seed", [30122, 30312, *slow(30315, 30386)])
def test_where_a_card_comes_that_stood_in_for_another_the_hand_is_read_again(
    scripts: list[list[Line]], seed: int, mocker: MockerFixture
) -> None:
    """Draws with a shuffle in them: nearly every card of the deck has been out, and some were shown at the end."""
    again = mocker.spy(HandReader, "restart")
    arbitrary.story(iter_random_numbers(seed), 160)
    (script,) = scripts
    lines = [script[0], *(line for line in script[1:] if readable(line))]
    hands, outputs = written_by_the_hand(lines)
    assert list(read_again(hands, HandReader)) == outputs
    assert again.call_count > 0


def test_a_deck_that_was_nearly_all_out_is_named_again_in_a_few_tries(mocker: MockerFixture) -> None:
    """Three draws of six players, the discards shuffled in: to swap two stand-ins at a time led around in a circle."""
    again = mocker.spy(HandReader, "restart")
    text = Path(__file__).with_name("stand_ins_that_clash.jsonl").read_text(encoding="utf-8")
    hands, outputs = written_by_the_hand([json.loads(line) for line in text.splitlines()])
    assert list(read_again(hands, HandReader)) == outputs
    assert 0 < again.call_count < 20


@pytest.mark.parametrize("seed", range(12))
def test_stand_ins_are_found_wherever_the_true_cards_are_some(seed: int) -> None:
    """The whole deck comes out three times, with a half of it shuffled in between; a third is known in the end."""
    chance = random.Random(seed)
    rules, true_by_alias, out = StandInRules(), dict[int, str](), list[int]()
    known = {alias for alias in range(104) if chance.random() < 0.33}
    for alias in range(104):
        if len(out) == len(ALL_CARDS):
            out = chance.sample(out, 26)
        card = chance.choice(sorted(ALL_CARDS - {true_by_alias[each] for each in out}))
        unknown = {each for each in out if each not in known}
        if alias in known:
            rules.add_known_card(card, unknown)
        else:
            rules.add_unknown_card(alias, {true_by_alias[each] for each in out if each in known}, unknown)
        out.append(alias)
        true_by_alias[alias] = card
    named = rules.assign_names({alias: "As" for alias in true_by_alias if alias not in known}, sorted(ALL_CARDS))
    assert named is not None
    for alias, card in named.items():
        others = {named[each] for each in rules.neighbours_by_alias[alias]}
        assert card not in rules.excluded_by_alias[alias] | others
    assert rules.assign_names(named, sorted(ALL_CARDS)) == named, "what fits stays"
    alike = StandInRules()
    alike.add_unknown_card(1, {*ALL_CARDS} - {"Kd"}, set())
    alike.add_unknown_card(2, {*ALL_CARDS} - {"Kd"}, {1})
    assert alike.assign_names({1: "2c", 2: "2c"}, sorted(ALL_CARDS)) is None


def test_a_card_that_lay_open_for_an_instant_and_one_that_ends_the_hand_are_disclosed() -> None:
    """A door card that decides the bring-in and goes with its absent player; openers that are none [R7-12.jacks.2]."""
    stud: list[Line] = [
        table("wsop-2024", "stud-hi-lo", {**LIMIT, "bring_in": 2}, mode="tournament"),
        {"ev": "away", "seat": 2}, {"ev": "start"},
        *({"ev": "card", "card": card} for card in ("6h", "4s", "Qd", "9s", "Kh", "3d")),
    ]  # fmt: skip
    hands, outputs = written_by_the_hand(stud)
    assert "3d" in hands[-1].disclosed.values(), "it lay open as it was dealt"
    assert list(read_again(hands, HandReader)) == outputs
    jacks: list[Line] = [
        table("roberts-7", "jacks-or-better", LIMIT, button=1), {"ev": "start"},
        *({"ev": "card", "card": card} for card in ("2h", "4s", "6d", "9s", "Th", "3d", "Qc", "Kd", "5c", "8c")),
        {"ev": "act", "seat": 2, "do": "bet"}, {"ev": "act", "seat": 1, "do": "fold"}, {"ev": "show", "seat": 2},
    ]  # fmt: skip
    hands, outputs = written_by_the_hand(jacks)
    assert "void-hand" in outputs[-1]
    assert len(hands[-1].disclosed) == 5, "what ended the hand was seen by everybody"
    assert list(read_again(hands, HandReader)) == outputs


@pytest.mark.parametrize("opened_on", [("4s", "9s", "3d", "Kd", "8c"), ("Js", "Jd", "3d", "Kd", "8c")])
def test_openers_that_were_thrown_away_are_disclosed_with_the_show_that_ends_the_hand(
    opened_on: tuple[str, ...],
) -> None:
    """The verdict rests on them, and no start may judge by other cards: crash campaign, seed 1 [R7-12.jacks.2]."""
    others, drawn = ("2h", "6d", "Th", "Qc", "5c"), ("Ac", "2s", "5h", "6h", "7h", "Ts")
    dealt = [card for pair in zip(opened_on, others, strict=True) for card in pair]
    jacks: list[Line] = [
        table("roberts-7", "jacks-or-better", LIMIT, button=1), {"ev": "start"},
        *({"ev": "card", "card": card} for card in dealt),
        {"ev": "act", "seat": 2, "do": "bet"}, {"ev": "act", "seat": 1, "do": "call"},
        {"ev": "draw", "seat": 2, "discard": 5},
        *({"ev": "card", "card": card} for card in drawn[:5]),
        {"ev": "draw", "seat": 1, "discard": 0}, *({"ev": "card", "card": card} for card in drawn[5:]),
        {"ev": "act", "seat": 2, "do": "bet"}, {"ev": "act", "seat": 1, "do": "fold"}, {"ev": "show", "seat": 2},
    ]  # fmt: skip
    hands, outputs = written_by_the_hand(jacks)
    assert ("void-hand" in outputs[-1]) == ("4s" in opened_on), outputs[-1]
    assert {*opened_on} <= {*hands[-1].disclosed.values()}
    assert not {*others} & {*hands[-1].disclosed.values()}
    assert list(read_again(hands, HandReader)) == outputs


@pytest.mark.parametrize("seed", [40257, 40273, *slow(40318, 40787)])
def test_an_amendment_that_names_a_card_nobody_saw_is_answered_as_it_was(
    scripts: list[list[Line]], seed: int, mocker: MockerFixture
) -> None:
    """What stands in for the card must clash, or not, with others of the amended hand as the card itself did."""
    again = mocker.spy(HandReader, "choose_other_stand_ins")
    arbitrary.story(iter_random_numbers(seed), 160)
    (script,) = scripts
    lines = [script[0], *(line for line in script[1:] if readable(line))]
    hands, outputs = written_by_the_hand(lines)
    found = [compute_output_digest(json.loads(output)) for output in read_again(hands, HandReader)]
    assert found == [compute_output_digest(json.loads(output)) for output in outputs]
    assert again.call_count > 0


def test_a_card_that_an_amendment_brings_back_is_disclosed_as_it_is_shown() -> None:
    """Named twice, and the second name taken out again: what is tabled then is the first."""
    seal = HandSeal(1, make_hand_key())
    seal.hide_cards({"ev": "card", "card": "Ah"}, CardKnowledge(True))
    seal.disclose_public_cards(CardKnowledge(True, cards_outside_stub=frozenset({"Ah"})))
    seal.hide_cards({"ev": "card", "card": "Qs"}, CardKnowledge(True, cards_outside_stub=frozenset({"Ah"})))
    assert seal.disclose_public_cards(CardKnowledge(True, cards_outside_stub=frozenset({"Qs"}))) == {}
    assert seal.disclose_public_cards(CardKnowledge(True, cards_outside_stub=frozenset({"Ah"}))) == {}, "an amendment"
    assert seal.disclose_public_cards(
        CardKnowledge(
            True,
            cards_outside_stub=frozenset({"Ah"}),
            public_cards=frozenset({"Ah"}),
            public_read_cards=frozenset({"Ah"}),
        )
    ) == {1: "Ah"}


LIMIT = {"structure": "fixed-limit", "ante": 1, "small_bet": 4, "big_bet": 8}


def table(book: str, game: str, betting: dict[str, Any], **more: object) -> Line:
    seats = [{"seat": seat, "player": f"P{seat}", "stack": 100} for seat in (1, 2)]
    return {"ev": "table", "rulebook": book, "game": game, "betting": betting, "seats": seats, **more}


def test_a_card_keeps_its_alias_while_it_is_out_and_has_another_when_it_comes_back() -> None:
    seal = HandSeal(1, make_hand_key())
    first = seal.hide_cards({"ev": "card", "card": "As"}, CardKnowledge(True))["card"]
    seal.disclose_public_cards(HIDDEN)
    assert seal.hide_cards({"ev": "seen", "at": "seat 3", "card": "As"}, HIDDEN)["card"] == {"alias": 1}
    assert seal.disclose_public_cards(CardKnowledge(True)) == {}
    second = seal.hide_cards({"ev": "card", "card": "As"}, CardKnowledge(True))["card"]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert (first["alias"], second["alias"]) == (1, 2)
    assert first["sealed"] != second["sealed"]


def test_what_lies_open_is_disclosed_once_and_then_written_in_clear() -> None:
    seal = HandSeal(1, make_hand_key())
    seal.hide_cards({"ev": "card", "card": "As"}, CardKnowledge(True))
    assert seal.disclose_public_cards(OPEN) == {1: "As"}
    assert seal.disclose_public_cards(OPEN) == {}
    assert seal.hide_cards({"ev": "report", "what": "misread", "card": "As"}, OPEN)["card"] == "As"
    shown = seal.hide_cards({"ev": "show", "seat": 1, "cards": ["As", "Kd"]}, OPEN)["cards"]
    assert isinstance(shown, list)
    assert shown[0] == "As"
    assert is_hidden_card(shown[1])


def test_every_card_is_as_long_as_any_other_when_it_is_sealed() -> None:
    seal = HandSeal(1, make_hand_key())
    sealed = [seal.hide_cards({"card": card}, CardKnowledge(True))["card"] for card in ("As", "joker", "2c")]
    assert {len(card["sealed"]) for card in sealed if isinstance(card, dict)} == {60}


def test_no_card_of_a_hand_in_progress_is_in_any_file_and_its_key_goes_with_the_hand(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    journal.record_result(journal.append_entry({"ev": "start"}, "panel"), "d" * 64, None, CardKnowledge(True))
    for card in ("joker", "As"):
        journal.record_result(journal.append_entry({"ev": "card", "card": card}, "shoe"), "d" * 64, None, HIDDEN)
    key = journal.read_hand_key()
    assert key is not None
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name, data in files.items():
        assert b"joker" not in data
        assert b'"As"' not in data
        assert key[1].hex().encode() not in data or name == "hand.key"
    assert (tmp_path / "hand.key").stat().st_mode & 0o777 == 0o600
    journal.record_result(journal.append_entry({"ev": "done"}, "panel"), "d" * 64, None, CardKnowledge())
    assert (tmp_path / "hand.key").read_bytes() == b""
    assert journal.read_hand_key() is None
    journal.record_result(journal.append_entry({"ev": "start"}, "panel"), "d" * 64, None, CardKnowledge(True))
    other = journal.read_hand_key()
    assert other is not None
    assert other[0] == 2
    assert other[1] != key[1]
    journal.close()


def test_a_card_that_comes_before_any_hand_is_sealed_too(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    session = journal.list_sessions()[-1]
    journal.record_result(
        journal.append_entry({"ev": "card", "card": "As"}, "shoe"), "d" * 64, "not-now", CardKnowledge()
    )
    assert all('"As"' not in entry.script_line for entry in journal.read_entries(session))
    assert journal.read_hand_key() is None
    journal.close()


def test_a_key_that_is_half_written_counts_as_none_and_an_auditor_that_is_none_is_refused(tmp_path: Path) -> None:
    file = HandKeyFile(tmp_path)
    assert file.read() is None
    for text in ("", "1", "1 abc", "x " + "0" * 64, "1 " + "z" * 64, "1 " + "0" * 63):
        (tmp_path / "hand.key").write_text(text)
        assert file.read() is None
    (tmp_path / "auditor.pub").write_text("beef")
    journal = begin_journal(tmp_path)
    with pytest.raises(DatabaseError, match="is no public key of an auditor"):
        journal.append_entry({"ev": "start"}, "panel")
    journal.close()


def test_when_the_hand_is_over_the_table_knows_no_card_that_was_not_shown(scripts: list[list[Line]]) -> None:
    """Neither in its state, nor in anything that `undo` or the floor could bring back.

    A card that was dealt open, or a hand that was tabled, has been seen by all, though it may be thrown away since. A
    joker is left out: that is a word of findings, too.
    """
    first, count = int(os.environ.get("SEED", "9100")), int(os.environ.get("SEEDS", "16"))
    for seed in range(first, first + count):
        arbitrary.story(iter_random_numbers(seed), 150)
    ended = 0
    for script in scripts:
        table, dealt, ever_shown, seen_open = Table(), set[str](), set[str | None](), set[str | None]()
        found, opened = RecoveredTable(table), parse_table_line(script[0])
        found.add_entry(opened, handle_entry(table, opened, 1), 0.0)
        for line in script[1:]:
            if not readable(line):
                continue
            event = parse_line(line)
            in_hand = bool(table.outcome.plan)
            given = handle_entry(table, event, found.entry_count + 1)
            found.add_entry(event, given, 0.0)
            if given.error is not None:
                continue
            state = given.outcome.state
            if isinstance(event, HandStarted):
                dealt.clear()
                seen_open.clear()
            if state.hand is not None:
                piles = state.hand.cards.piles.cards_by_place.values()
                seen_open |= {one.card for pile in piles for one in pile if one.is_known}
                tabled = state.hand.showdown.tabled_cards_by_seat.values()
                seen_open |= {card for cards in tabled for card in cards or ()}
            if isinstance(event, CardDealt) and event.card not in (None, "joker"):
                assert event.card is not None
                dealt.add(event.card)
            if in_hand and not state.plan and state.hand is not None:
                ended += 1
                shown = {
                    one.card
                    for pile in state.hand.cards.piles.cards_by_place.values()
                    for one in pile
                    if one.is_face_up
                }
                shown |= {card for cards in state.hand.showdown.tabled_cards_by_seat.values() for card in cards or ()}
                shown |= seen_open
                known = names_in([table.outcome, *list_states_by_undo(table)], set())
                assert not (known & dealt) - shown
                assert not (names_in(make_snapshot(found).memory, set()) & ALL_CARDS) - ever_shown
                ever_shown |= shown
    assert ended > 10


def list_states_by_undo(table: Table) -> list[TableState]:
    """How the table stands each time that the last entry is taken back."""
    again, found = table.copy(), []
    with suppress(Refused):
        while True:
            found.append(again.handle(EntryUndone()).state)
    return found


def names_in(found: object, seen: set[int]) -> set[str]:
    """Every text in a value, however deep, but for its set-up."""
    if isinstance(found, str):
        return {found}
    if id(found) in seen or type(found).__name__ in ("Setup", "Rulebook"):
        return set()
    seen.add(id(found))
    if isinstance(found, dict):
        parts: list[object] = [*found.keys(), *found.values()]
    elif isinstance(found, list | tuple | set | frozenset):
        parts = list(found)
    else:
        names = {*getattr(type(found), "__slots__", ()), *getattr(found, "__dict__", {})}
        before = {"state_before_hand"}  # the hand before was looked at in its time
        parts = [getattr(found, name, None) for name in names - before]
    return {text for part in parts for text in names_in(part, seen)}


def test_a_reader_without_the_key_says_nothing_of_what_was_never_shown(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    session = journal.list_sessions()[-1]
    journal.record_result(journal.append_entry({"ev": "card", "card": "As"}, "shoe"), "d" * 64, None, HIDDEN)
    journal.close()
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    (entry,) = archive.read_entries(session)
    archive.close()
    assert '"As"' not in entry.script_line
    assert is_hidden_card({"alias": 1})


def test_a_name_that_somebody_says_is_like_no_other_in_the_journal() -> None:
    """Hit, miss, twice in a line or a hand: each is sealed under its own alias, before a restart and after."""
    key, out = make_hand_key(), CardKnowledge(True, cards_outside_stub=frozenset({"Ah"}), is_live=True)
    seal, again = HandSeal(1, key), HandSeal(1, key)
    seen = seal.hide_cards({"ev": "card", "card": "Ah"}, CardKnowledge(True, is_live=True))["card"]
    said = [
        seal.hide_cards({"ev": "report", "what": "misread", "card": "Ah"}, out)["card"],
        seal.hide_cards({"ev": "report", "what": "misread", "card": "Qs"}, out)["card"],
        *seal.hide_cards({"ev": "show", "seat": 1, "cards": ["Ah", "Ah"]}, out)["cards"],  # type: ignore[misc]
        seal.hide_cards({"ev": "amend", "line": 1, "to": {"ev": "card", "card": "Ah"}}, out)["to"]["card"],  # type: ignore[index]
    ]
    for alias, card in ((1, "Ah"), *((each["alias"], "Ah") for each in said)):
        again.restore_alias(alias, card)
    said.append(again.hide_cards({"ev": "done", "card": "Ah"}, out)["card"])
    assert [each["alias"] for each in said] == [-1, -2, -3, -4, -5, -6]
    assert {len(each["sealed"]) for each in said} == {len(seen["sealed"])}  # type: ignore[index]
    assert again.hide_cards({"ev": "seen", "at": "seat 1", "card": "Ah"}, out)["card"] == {"alias": 1}
    known = CardKnowledge(
        True,
        cards_outside_stub=frozenset({"Ah"}),
        public_cards=frozenset({"Ah"}),
        public_read_cards=frozenset({"Ah"}),
        is_live=True,
    )
    assert seal.disclose_public_cards(known) == {1: "Ah", -1: "Ah", -3: "Ah", -4: "Ah", -5: "Ah"}
    assert seal.hide_cards({"ev": "done", "card": "Ah"}, known)["card"] == "Ah"


def test_a_name_that_is_open_discloses_no_card_that_was_read_under_it() -> None:
    """Somebody calls an open card what lies face down elsewhere."""
    seal = HandSeal(1, make_hand_key())
    seal.hide_cards({"ev": "card", "card": "Ah"}, CardKnowledge(True))
    out = CardKnowledge(True, cards_outside_stub=frozenset({"Ah"}), public_cards=frozenset({"Ah"}), is_live=True)
    assert seal.disclose_public_cards(out) == {}
    assert seal.hide_cards({"ev": "seen", "at": "seat 1", "card": "Ah"}, out)["card"] == {"alias": 1}


def test_names_that_are_said_without_end_are_bounded() -> None:
    seal, out = HandSeal(1, make_hand_key()), CardKnowledge(True, is_live=True)
    for _ in range(MAX_SAID_NAMES + 20):
        seal.hide_cards({"ev": "report", "what": "misread", "card": "Ah"}, out)
    known = CardKnowledge(True, public_cards=frozenset({"Ah"}), is_live=True)
    told = seal.disclose_public_cards(known)
    assert len(told) == MAX_SAID_NAMES
    assert -1 not in told, "the oldest stays sealed"
