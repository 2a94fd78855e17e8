"""Hands in the formats of trackers: other programs read them to the same acts, chips and winners."""

import json
import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory

from config.config_error import ConfigError
from config.table_file import CURRENCIES, load_table_file
from config.table_line import parse_table_line
from controller.app.commissioning.table_file_schema import make_table_schema
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line as line_read
from controller.core.protocol.steps import ActStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.records import export_formats, ohh, phh, pokerstars
from controller.records.action_history import NotRepresentableError, build_action_history
from controller.records.export_formats import ExportFormat
from controller.records.hand_record import HandRecord, HandRecorder
from tests.conformance.real_hands import checker
from tests.records.readers import of_ohh, of_text
from tests.records.simulated import Room
from tests.records.test_phh import LIMIT, NO_LIMIT, POT, STUD, deal_downcards, finish_hand, room

PLACE = phh.Provenance(session=3, began_at=datetime(2026, 11, 22, 18, 30, 15, 250_000, tzinfo=UTC), program="1.2.3")

PLAYED: dict[str, dict[str, Any]] = {
    "holdem": NO_LIMIT,
    "omaha": POT,
    "omaha-8": LIMIT,
    "omaha-5": POT,
    "omaha-5-8": POT,
    "stud-7": STUD,
    "stud-8": STUD,
    "razz": STUD,
    "draw-high": LIMIT,
    "lowball-27": NO_LIMIT,
    "triple-draw-27": LIMIT,
    "badugi": LIMIT,
}

WORDS = {
    ActionType.FOLD: ("fold", "folds"),
    ActionType.CHECK: ("check", "checks"),
    ActionType.CALL: ("call", "calls"),
    ActionType.BET: ("bet", "bets"),
    ActionType.RAISE: ("raise", "raises"),
    ActionType.BRING_IN: ("", "brings in for"),
}


def read_back(record: HandRecord) -> list[ExportFormat]:
    """Read a record, in each format that can say it, by a reader that is not ours, and compare; which they are."""
    course = build_action_history(record)
    acts = [(deed.seat, deed.action_type, deed.chips_paid) for stretch in course.streets for deed in stretch.actions]
    shown = {card for cards in record.tabled_cards_by_seat.values() for card in cards or ()}
    shown |= {card for cards in (*record.upcards_by_seat.values(), record.board) for card in cards if card}
    told = []
    with suppress(NotRepresentableError):
        text = export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)
        account = of_text(text)
        seats = dict(zip(account.stacks, sorted(record.dealing_order), strict=True))
        assert {seats[name]: stack for name, stack in account.stacks.items()} == record.finishing_stack_by_seat
        wanted = [(seat, WORDS[do][1], paid) for seat, do, paid in acts]
        assert [(seats[name], word, paid) for name, word, paid in account.acts] == wanted
        assert account.cards <= shown
        pokerkit_reads(text, record)
        told.append(ExportFormat.POKERSTARS)
    with suppress(NotRepresentableError):
        account = of_ohh(ohh.build_fields(record, PLACE))
        assert account.stacks == record.finishing_stack_by_seat
        wanted = [(seat, WORDS[do][0], paid) for seat, do, paid in acts]
        first = len(course.streets[0].actions)
        wanted[:first] = [(seat, "raise" if word == "bet" else word, paid) for seat, word, paid in wanted[:first]]
        assert account.acts == wanted
        assert account.cards <= shown
        told.append(ExportFormat.OHH)
    return told


def pokerkit_reads(text: str, record: HandRecord) -> None:
    """PokerKit reads no-limit hold'em of two blinds, no antes, dead posts, straddles; none folds out of turn there."""
    if (record.setup.game.name, record.setup.stakes.structure.value) != ("holdem", "no-limit"):
        return
    course = build_action_history(record)
    if course.has_showdown and any(stretch.uncalled for stretch in course.streets):
        return  # nor does anybody raise there whom nobody left can call
    if (
        record.ante_by_seat
        or record.setup.stakes.middle_blinds
        or record.non_opening_seats
        or record.killed_hands
        or record.button_seat not in record.dealing_order
    ):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (history,) = HandHistory.from_pokerstars(text, error_status=True)
        *_, last = history
    told = dict(zip(record.dealing_order, last.stacks, strict=True))
    assert sorted(history.seats or ()) == sorted(record.dealing_order)
    shared = [pushed.seat for pushed in record.pot_pushes]
    for seat, stack in told.items():
        odd_chips = (
            len(record.pot_pushes) // 2 if seat in shared else 0
        )  # whose they are, PokerKit knows by its own rule
        raked = course.total_taken if seat in shared else 0  # PokerKit takes nothing of a pot that it reads as text
        assert -odd_chips <= stack - record.finishing_stack_by_seat[seat] <= odd_chips + raked
    assert sum(told.values()) == sum(record.finishing_stack_by_seat.values()) + course.total_taken
    assert history.hand == int(PLACE.make_hand_id(record.number))


@pytest.mark.parametrize("game", PLAYED)
def test_other_readers_find_the_same_acts_chips_and_winners(game: str) -> None:
    known = [ExportFormat.POKERSTARS, ExportFormat.OHH] if game in ohh.GAME_TYPE_BY_NAME else [ExportFormat.POKERSTARS]
    for seed in range(4):
        assert read_back(room(seed, game, PLAYED[game]).hand()) == known


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_other_readers_find_the_same_in_many_hands(game: str) -> None:
    for seed in range(4, 28):
        assert read_back(room(seed, game, PLAYED[game]).hand())


def test_a_tournament_with_antes_is_read_back() -> None:
    betting = {**NO_LIMIT, "ante": 2, "ante_by": "big-blind"}
    for seed in range(5):
        record = room(seed, "holdem", betting, mode="tournament", rulebook="tda-2024").hand()
        assert read_back(record) == [ExportFormat.POKERSTARS, ExportFormat.OHH]
        hand = ohh.build_fields(record, PLACE)["ohh"]
        assert [hand["tournament"], hand["tournament_info"]["tournament_number"]] == [True, "3"]
        head = export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE).splitlines()[0]
        assert "Tournament #3, Freeroll  Hold'em No Limit - Level I (1/2) - 2026/11/22 18:30:15 UTC" in head
        assert head.endswith("[2026/11/22 13:30:15 ET]")


@pytest.mark.parametrize("word", ["all-in", "bring-in"])
@pytest.mark.parametrize("stack", [2, 3])
def test_all_that_the_opener_has_is_its_bring_in_where_it_makes_no_more(word: str, stack: int) -> None:
    """Whatever word it came in with, the others raise from the whole bring-in."""
    seats = [{"seat": seat, "stack": stack} for seat in (1, 2, 3)]
    played = Room(1, rulebook="roberts-7", game="razz", betting=STUD | {"bring_in": 2, "small_bet": 4}, seats=seats)
    played.start()
    deal_downcards(played)
    opener = played.table.outcome.plan[0]
    assert isinstance(opener, ActStep)
    played.say(ev="act", seat=opener.seat, do=word)
    record = finish_hand(played)
    assert read_back(record) == [ExportFormat.POKERSTARS]
    assert build_action_history(record).streets[0].actions[0].action_type is ActionType.BRING_IN
    assert "_regular = true" in phh.render_text(phh.build_fields(record))


def test_what_a_unit_is_is_said_where_it_is_known() -> None:
    record = room(3, "holdem", NO_LIMIT).hand()
    head, table, first = export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE, "EUR").splitlines()[:3]
    assert "Hold'em No Limit (€1/€2 EUR)" in head
    assert "Play Money" not in table
    assert first.endswith("(€77 in chips)")
    assert ohh.build_fields(record, PLACE, "EUR")["ohh"]["currency"] == "EUR"
    assert ohh.build_fields(record, PLACE)["ohh"]["currency"] == "XPM"
    assert "(Play Money)" in export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)


def test_a_table_says_what_a_unit_is(tmp_path: Path) -> None:
    demo = (Path(__file__).parents[2] / "config" / "tables" / "demo.toml").read_text(encoding="utf-8")
    file = tmp_path / "table.toml"
    file.write_text(f'{demo}\n[records]\ncurrency = "EUR"\n')
    assert load_table_file(file).currency == "EUR"
    assert make_table_schema()["properties"]["records"]["properties"]["currency"]["enum"] == list(CURRENCIES)
    assert tuple(pokerstars.SYMBOL_BY_CURRENCY) == CURRENCIES
    file.write_text(f'{demo}\n[records]\ncurrency = "chips"\n')
    with pytest.raises(ConfigError, match="must be USD, EUR, GBP, not 'chips'"):
        load_table_file(file)


def test_rulings_stand_beside_the_hand_and_a_killed_hand_folds() -> None:
    played = room(3, "holdem", NO_LIMIT)
    played.start()
    deal_downcards(played)
    played.say(ev="act", seat=played.table.outcome.state.find_lamps().act[0], do="call")
    victim = played.table.outcome.state.find_lamps().act[0]
    played.say(ev="floor", decide="dead-hand", seat=victim, who="Floor", why="talked")
    record = finish_hand(played)
    assert read_back(record) == [ExportFormat.POKERSTARS, ExportFormat.OHH]
    content = ohh.build_fields(record, PLACE)
    assert content["_table_controller"]["rulings"][0]["verdict"] == "dead-hand"
    assert content["_table_controller"]["decisions"][0]["why"] == "talked"
    assert f"Player {victim}: folds" in export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)


def test_no_name_breaks_a_line() -> None:
    names = ["Ana: folds", "Ben [Ah Kh]", "Twin", "Twin"]
    seats = [{"seat": seat, "player": name, "stack": 100} for seat, name in enumerate(names, 1)]
    played = Room(4, rulebook="roberts-7", game="holdem", betting=NO_LIMIT, seats=seats, button=1)
    record = played.hand()
    assert read_back(record) == [ExportFormat.POKERSTARS, ExportFormat.OHH]
    text = export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)
    assert {"Ana; folds", "Ben (Ah Kh)", "Twin seat 3", "Twin seat 4"} == set(of_text(text).stacks)


def test_what_a_format_cannot_say_is_refused_with_the_reason() -> None:
    untracked = Room(
        1,
        rulebook="roberts-7",
        game="holdem",
        betting=NO_LIMIT,
        amounts="untracked",
        seats=[{"seat": 1, "player": "Ana"}, {"seat": 2, "player": "Ben"}],
        button=1,
    ).hand()
    bomb = room(3, "holdem", NO_LIMIT, rulebook="wsop-live-2024")
    bomb.say(ev="start", bomb_pot=10)
    bomb.stub = list(bomb.cards)
    for record, why in (
        (untracked, "amounts were not tracked"),
        (finish_hand(bomb), "the betting began on the flop"),
        (room(3, "badeucey", LIMIT).hand(), "has no"),
    ):
        for form in (ExportFormat.OHH, ExportFormat.POKERSTARS):
            with pytest.raises(NotRepresentableError, match=why):
                export_formats.write_hand(form, record, PLACE)
    with pytest.raises(NotRepresentableError, match="OHH has no words for fixed-limit stud-7"):
        export_formats.write_hand(ExportFormat.OHH, room(3, "stud-7", STUD).hand(), PLACE)


def test_the_page_of_records_lists_the_games_of_each_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    for game, name in pokerstars.GAME_NAME_BY_GAME.items():
        assert f"`{game}` | {name}" in page
    for game, name in ohh.GAME_TYPE_BY_NAME.items():
        assert any(line.startswith(f"| `{game}` ") and name in line for line in page.splitlines())


@pytest.mark.parametrize("form", ExportFormat)
def test_an_export_says_whether_it_is_what_the_journal_says(form: ExportFormat) -> None:
    records = [room(seed, "holdem", NO_LIMIT).hand() for seed in (3, 4)]
    content = "".join(export_formats.write_hand(form, record, PLACE, None, n) for n, record in enumerate(records, 1))
    first, second = export_formats.read_hands(content)
    assert first.format is form
    assert [first.is_hand(record, PLACE) for record in records] == [True, True]  # both are hand 1 of the session
    assert [first.is_identical(record, PLACE) for record in records] == [True, False]
    assert second.is_identical(records[1], PLACE)
    (changed, _) = export_formats.read_hands(content.replace("Player 4", "Player 5", 1))
    assert not changed.is_identical(records[0], PLACE)
    signed = phh.Provenance(PLACE.session, PLACE.began_at, PLACE.program, journal_signature={"upto": 9, "chain": "ab"})
    assert first.is_identical(records[0], signed)
    if form is not ExportFormat.POKERSTARS:
        (later,) = export_formats.read_hands(export_formats.write_hand(form, records[0], signed))
        assert later.is_identical(records[0], signed)
        assert not later.is_identical(records[0], PLACE)


def test_a_forged_export_is_never_what_the_journal_says() -> None:
    """Other readers than this one take the first of two keys, or a comment, or `true`, for what is true."""
    record = room(3, "holdem", NO_LIMIT).hand()
    lines = {form: export_formats.write_hand(form, record, PLACE, None, 1).strip("\n") for form in ExportFormat}
    ohh_line, phh_hand = lines[ExportFormat.OHH], lines[ExportFormat.PHH]
    (name,) = re.findall(r'"name": "Player 4"', ohh_line)
    for forged in (
        ohh_line.replace('"amount": 2,', '"amount": 2.0,', 1),
        ohh_line.replace('"hand": 1', '"hand": 1, "more": []', 1),
        ohh_line.replace('"id": 1,', '"id": true,', 1),
        ohh_line.replace('"XPM"', '"the dealer stole 500"'),
        ohh_line.replace('"XPM"', '"EUR "'),
        ohh_line.replace(name, name.replace("P", r"\u0050")),
        ohh_line + " ",
        phh_hand.replace("antes = [0,", "antes = [false,", 1),
        phh_hand.replace("\n", "\n# Player 4 cheated\n", 2),
        phh_hand + "\nmore = 1",
        phh_hand + "\n[more]\nstrange = 1",
        lines[ExportFormat.POKERSTARS] + "\nPlayer 4 cheated",
    ):
        assert forged not in lines.values()
        (found,) = export_formats.read_hands(forged)
        assert not found.is_identical(record, PLACE), forged
    (right,) = export_formats.read_hands(export_formats.write_hand(ExportFormat.OHH, record, PLACE, "EUR"))
    assert (right.is_identical(record, PLACE), right.currency) == (True, "EUR")
    for forged, why in (
        ('{"ohh": {}, ' + ohh_line[1:], "stands twice"),
        (ohh_line.replace(name, f'"name": "Player 5", {name}'), "stands twice"),
        (ohh_line.replace('"hand": 1', '"hand": true', 1), "has no number"),
        (ohh_line.replace('"session": 3', '"session": "3-1\\tas in the journal"', 1), "has no number"),
        (f"# forged\n{phh_hand}", "before its first hand"),
        (f"more = 1\n{phh_hand}", "before its first hand"),
        (f"{phh_hand}\n{phh_hand}", "two hands of it have one number"),
        (phh_hand.replace("[1]", "[1]\nhand = 2"), "overwrite"),
        (lines[ExportFormat.POKERSTARS].replace("#", "#1\tas in the journal\n", 1), "has no number"),
        ('{"ohh": ' + "[" * 200_000, "deeper"),
        ("hand = " + "[" * 200_000, "deeper"),
    ):
        with pytest.raises(ValueError, match=why):
            export_formats.read_hands(forged)


@pytest.mark.parametrize("content", ["", "PokerStars", "{}\n", "[]", "hand", "x = 1\n", '{"ohh": 1}\n'])
def test_what_is_no_export_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        export_formats.read_hands(content)


def test_what_was_written_is_toml_json_or_text() -> None:
    record = room(3, "holdem", NO_LIMIT).hand()
    assert tomllib.loads(export_formats.write_hand(ExportFormat.PHH, record, PLACE))["hand"] == 1
    line, empty = export_formats.write_hand(ExportFormat.OHH, record, PLACE).removesuffix("\n").split("\n")
    assert (json.loads(line)["ohh"]["game_number"], empty) == ("1795372215250", "")
    assert export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE).startswith(
        "PokerStars Hand #1795372215250:  "
    )


def records_of(events: list[dict[str, Any]]) -> Iterator[HandRecord]:
    """The finished hands of a script; a refused line leaves the table as it was."""
    table, recorder = Table(), HandRecorder()
    for number, line in enumerate(events, 1):
        try:
            event = parse_table_line(line) if line.get("ev") == "table" else line_read(line)
            if line.get("ev") == "table":
                yield from recorder.finished_records
                recorder = HandRecorder()
            outcome = table.handle(event, number)
        except (Refused, ConfigError):
            continue
        recorder.receive_event(event, outcome, number, table.history)
    yield from recorder.finished_records


SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"


@pytest.mark.slow
def test_the_hands_of_every_scenario_are_read_back() -> None:
    """Irregular hands, too: a format says them as they came to be, or says why not."""
    hands = told = 0
    why: Counter[str] = Counter()
    for path in sorted(SCENARIOS.rglob("*.jsonl")):
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for record in records_of([{k: v for k, v in event.items() if k != "expect"} for event in events]):
            hands += 1
            try:
                told += bool(read_back(record))
            except NotRepresentableError as reason:
                why[str(reason)] += 1
    assert hands > 30
    assert told > hands // 3, why


REAL_HANDS = Path(__file__).parents[3] / "shared" / "phh"
EVERY = 3
"""Every so many hands are played; all of them take half a minute."""
VERBS = {"folds": "f", "checks": "cc", "calls": "cc", "bets": "cbr", "raises": "cbr", "brings in for": "pb"}
VERBS |= {"fold": "f", "check": "cc", "call": "cc", "bet": "cbr", "raise": "cbr"}


@pytest.mark.slow
@pytest.mark.skipif(not REAL_HANDS.is_dir(), reason="no real hands beside the checkout")
def test_real_hands_are_the_same_after_this_table_and_either_format() -> None:
    """PHH, played at this table, written, read by the reader of the format: the acts and chips of the PHH."""
    check = checker(REAL_HANDS)
    compared: Counter[str] = Counter()
    for name, raw in islice(check.hands([REAL_HANDS]), 0, None, EVERY):
        try:
            history = check.load(raw)
            script = check.Script(history)
        except check.Skip:
            compared["skipped"] += 1
            continue
        (record,) = records_of([line.event for line in script.lines])
        actions = [action.split() for action in history.actions]
        acted = [(int(player[1:]), verb) for player, verb, *_ in actions if verb in VERBS.values()]
        for form in read_back(record):
            text = export_formats.write_hand(form, record, PLACE)
            account = of_text(text) if form is ExportFormat.POKERSTARS else of_ohh(json.loads(text))
            seats = dict(zip(account.stacks, sorted(record.dealing_order), strict=True))
            told = [(seats[who], VERBS[word]) for who, word, _ in account.acts]
            assert told == acted[: len(told)], name
            assert all(verb == "cc" for _, verb in acted[len(told) :]), name  # checks that nobody was left to make
            stacks = [account.stacks[who] for who in sorted(account.stacks, key=lambda who: seats[who])]
            assert sum(abs(a - b) for a, b in zip(stacks, script.stacks, strict=True)) <= 2 * script.odd_chips, name
            compared[form.value] += 1
    assert compared[ExportFormat.POKERSTARS.value] > 100
    assert compared[ExportFormat.OHH.value] > 100


@pytest.mark.slow
@pytest.mark.skipif(not REAL_HANDS.is_dir(), reason="no real hands beside the checkout")
def test_real_hands_have_a_regular_part_and_one_file_of_all_is_read_to_the_stacks() -> None:
    check = checker(REAL_HANDS)
    sections: list[str] = []
    for _, raw in islice(check.hands([REAL_HANDS]), 0, None, EVERY):
        with suppress(check.Skip):
            script = check.Script(check.load(raw))
            (record,) = records_of([line.event for line in script.lines])
            assert phh.build_fields(record)["_regular"]
            sections.append(export_formats.write_hand(ExportFormat.PHH, record, PLACE, None, len(sections) + 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        histories = list(HandHistory.loads_all("".join(sections)))
        assert len(histories) == len(sections) > 150
        for history in histories:
            *_, last = history
            assert list(last.stacks) == history.finishing_stacks
