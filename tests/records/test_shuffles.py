"""Shuffle watch: fair shuffles are not blamed, bad ones are found, and of a journal only the auditor learns it."""

import json
import math
import re
from collections.abc import Callable
from itertools import islice, permutations
from pathlib import Path

import pytest
from nacl.public import PrivateKey

from config.table_line import parse_table_line
from controller.cli import main
from controller.cli.journal.shuffles_command import JournalDeals
from controller.core.values.cards import ALL_CARDS
from controller.records.deal_reader import DealReader
from controller.records.shuffle_watch import (
    ALARM_THRESHOLD,
    MAX_SERIES,
    ODDS_BY_TEST,
    Deal,
    ShuffleAlarm,
    ShuffleWatch,
    settle_bets,
)
from controller.runtime.journal.journal_reader import JournalReader
from tests.app.rig import Rig
from tests.playing import parse_phrase, play
from tests.records.shuffling import deals

SMALL = ("Ac", "2c", "3c", "4c", "5c", "6c", "7c")


def small(order: tuple[str, ...], gathered: tuple[str, ...] = ()) -> Deal:
    return Deal(1, 1, "Ada", "red", len(SMALL), order, gathered)


@pytest.mark.parametrize("gathered", [SMALL[:4], (*SMALL[4:], *SMALL[:2]), SMALL[:1], SMALL])
def test_over_all_orders_every_test_returns_exactly_what_it_bets(gathered: tuple[str, ...]) -> None:
    """So no fair shuffle can be blamed more often than is said; also where the play decides how many cards are seen."""
    before = small(SMALL[:4], gathered)
    sums = {False: dict.fromkeys(ODDS_BY_TEST, 0.0), True: dict.fromkeys(ODDS_BY_TEST, 0.0)}
    hits, expected = dict.fromkeys(ODDS_BY_TEST, 0), dict.fromkeys(ODDS_BY_TEST, 0.0)
    for order in permutations(SMALL):
        stop = 3 if order[1] > order[0] else 6  # as a hand goes on or ends by what the cards are
        for early in (False, True):
            for test, tally in settle_bets(before, small(order[:stop] if early else order)).items():
                sums[early][test] += tally.returned_odds
                if early:
                    hits[test] += tally.hit_count
                    expected[test] += tally.expected_hits
    count = math.factorial(len(SMALL))
    for early in (False, True):
        assert {test: round(total / count, 12) for test, total in sums[early].items()} == dict.fromkeys(
            ODDS_BY_TEST, 1.0
        )
    for test in ODDS_BY_TEST:
        assert hits[test] == pytest.approx(expected[test])


def alarms(watch: ShuffleWatch, riffles: int | None, count: int, *, tidy: bool, seed: int = 1) -> list[ShuffleAlarm]:
    return [alarm for deal in islice(deals(riffles, seed, tidy=tidy), count) for alarm in watch.add_deal(deal)]


@pytest.mark.parametrize(("riffles", "tidy", "within"), [(1, False, 25), (3, True, 40), (3, False, 120)])
def test_a_few_riffles_are_found_soon(riffles: int, tidy: bool, within: int) -> None:
    found = alarms(ShuffleWatch(), riffles, within, tidy=tidy)
    assert {alarm.kind for alarm in found} == {"dealer", "deck"}


def test_seven_riffles_of_cards_that_were_scooped_up_are_not_blamed_and_three_are() -> None:
    assert alarms(ShuffleWatch(), 7, 1000, tidy=False) == []
    assert len(alarms(ShuffleWatch(), 3, 1000, tidy=False)) > 20


def test_fair_shuffles_are_not_blamed() -> None:
    watch = ShuffleWatch()
    assert alarms(watch, None, 2000, tidy=True) == []
    stream = watch.series_by_name["deck", "red"]
    assert stream.evidence < 100_000
    assert all(abs(tally.deviation) < 4.5 for tally in stream.tally_by_test.values())


def test_a_deck_that_comes_back_as_it_was_is_found_at_once() -> None:
    first = next(deals(None, 1))
    watch = ShuffleWatch()
    found = [alarm for _ in range(4) for alarm in watch.add_deal(first)]
    assert [alarm.test for alarm in found[:1]] == ["position"]


def test_after_an_alarm_it_is_counted_anew() -> None:
    watch = ShuffleWatch()
    found = [alarm for alarm in alarms(watch, 1, 60, tidy=True) if alarm.kind == "deck"]
    assert sum(alarm.shuffle_count for alarm in found) <= 59
    assert len(found) > 3
    assert watch.series_by_name["deck", "red"].evidence < ALARM_THRESHOLD


def test_decks_and_dealers_are_told_apart_and_bounded() -> None:
    watch = ShuffleWatch()
    one = next(deals(None, 1))
    for number in range(2 * MAX_SERIES):
        list(watch.add_deal(Deal(1, number, f"dealer {number}", "red", 52, one.dealt_cards, one.gathered_cards)))
    assert len(watch.series_by_name) <= MAX_SERIES + 2
    assert watch.series_by_name["dealer", "others"].shuffle_count >= MAX_SERIES - 2
    assert list(watch.add_deal(Deal(1, 1, "Ada", "blue", 52, one.dealt_cards, one.gathered_cards))) == [], (
        "the first of its deck"
    )


def test_no_deal_shows_a_card_by_its_repr() -> None:
    assert repr(next(deals(None, 1))) == "<Deal 1/1>"


Tablectl = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with an auditor that has played four hands."""
    directory = tmp_path_factory.mktemp("table")
    assert main(["journal", "auditor", "new", str(directory / "auditor.key")]) == 0
    assert main(["journal", "auditor", "enrol", str(directory / "auditor.key.pub"), "--state", str(directory)]) == 0
    with Rig(directory, lossless=True) as rig:
        rig.loop.record_sign_in("Ada", "dealer", "key")
        room = rig.room(7)
        while rig.output["hand"] < 5:
            rig.live(room, 5)
        rig.journal.end_run("test")
    return directory


def test_the_auditor_is_told_of_every_shuffle_and_sees_no_card(state: Path, tablectl: Tablectl) -> None:
    status, out, err = tablectl("journal", "shuffles", "--key", state / "auditor.key", "--state", state, "--quiet")
    assert (status, err) == (0, "")
    assert "dealer Ada: " in out
    assert "deck unnamed: " in out
    assert all(test in out for test in ODDS_BY_TEST)
    assert not set(re.findall(r"\b[2-9TJQKA][cdhs]\b", out)) & ALL_CARDS


def test_the_deals_are_the_cards_as_they_left_the_shoe(state: Path, tablectl: Tablectl) -> None:
    export, key = state / "export.jsonl", state / "auditor.key"
    export.write_text(tablectl("journal", "export", "--state", state)[1])
    lines = [json.loads(line) for line in tablectl("journal", "open", export, "--key", key, "--script")[1].splitlines()]
    hands: list[list[str | None]] = []
    for line in lines:
        if line["ev"] == "start":
            hands.append([])
        elif line["ev"] == "card":
            hands[-1].append(line["card"])

    archive = JournalReader.open(state / "journal.sqlite")
    try:
        found = list(JournalDeals(archive, parse_table_line, PrivateKey(bytes.fromhex(key.read_text().split()[1]))))
    finally:
        archive.close()
    assert len(found) >= 4
    for deal in found:
        assert any(list(deal.dealt_cards) == dealt[: len(deal.dealt_cards)] for dealt in hands), deal
        assert set(deal.dealt_cards) <= set(deal.gathered_cards) | set(deal.dealt_cards)
        assert len(set(deal.gathered_cards)) == len(deal.gathered_cards)
    assert max(len(deal.dealt_cards) for deal in found) >= 12


def test_another_key_tells_nothing_of_the_shuffles(state: Path, tmp_path: Path, tablectl: Tablectl) -> None:
    other = tmp_path / "other.key"
    assert tablectl("journal", "auditor", "new", other)[0] == 0
    status, out, err = tablectl("journal", "shuffles", "--key", other, "--state", state, "--quiet")
    assert (status, out) == (0, "nothing to compare: it takes two deals of one deck\n")
    assert "sealed to another auditor or to none" in err
    status, out, err = tablectl("journal", "shuffles", "--key", state / "export.jsonl", "--state", state, "--quiet")
    assert (status, out) == (2, "")


def read_deals(*lines: dict[str, object] | str) -> list[Deal]:
    """The deals that are read off a table while lines are played at it."""
    played, reader = play("roberts-7"), DealReader()
    found: list[Deal | None] = []
    for line in lines:
        for event in [line] if isinstance(line, dict) else parse_phrase(line):
            assert "error" not in played(event), event
            found.append(reader.receive_outcome(played.table.outcome, 1, "Ada", "red"))
    return [deal for deal in (*found, reader.finish_deal()) if deal is not None]


EIGHT = "card As Kd 7h 2c 9d 3s Jh 4d"


def test_a_misdeal_ends_a_deal() -> None:
    first, second = read_deals("start", "card As Kd 7h", {"ev": "floor", "decide": "misdeal"}, "done 3", EIGHT)
    assert first.dealt_cards == ("As", "Kd", "7h")
    assert set(first.gathered_cards) == {"As", "Kd", "7h"}
    assert (first.session, first.hand) == (second.session, second.hand)
    assert second.dealt_cards == tuple(EIGHT.split()[1:])


def test_the_order_ends_at_a_card_that_was_not_read_or_is_of_another_deck() -> None:
    (unread,) = read_deals("start", "card As Kd - 2c")
    assert unread.dealt_cards == ("As", "Kd")
    assert set(unread.gathered_cards) == {"As", "Kd", "2c"}
    (foreign,) = read_deals("start", "card As Kd", {"ev": "card", "card": None, "foreign": True})
    assert foreign.dealt_cards == ("As", "Kd")
    (joker,) = read_deals("start", "card As Kd joker")
    assert (joker.dealt_cards, set(joker.gathered_cards)) == (("As", "Kd"), {"As", "Kd"})


def test_cards_that_went_to_the_same_hand_lie_side_by_side() -> None:
    (deal,) = read_deals("start", EIGHT, "act 4 fold", "act 1 fold")
    assert deal.dealt_cards == tuple(EIGHT.split()[1:])
    place = {card: index for index, card in enumerate(deal.gathered_cards)}
    pairs = [(deal.dealt_cards[seat], deal.dealt_cards[seat + 4]) for seat in range(4)]
    assert all(abs(place[one] - place[two]) == 1 for one, two in pairs)


ROW = re.compile(r"^\| (\d) \| \d+ \((\d+), (\d+)\) \| (?:\d+ \((\d+), (\d+)\)|none)", re.MULTILINE)
PAGE = Path(__file__).parents[2] / "docs/shuffle-watch.md"


@pytest.mark.parametrize("row", ROW.findall(PAGE.read_text(encoding="utf-8"))[:5], ids=lambda row: row[0])
def test_bad_shuffles_are_found_as_soon_as_the_page_says(row: tuple[str, ...]) -> None:
    riffles, *bounds = (int(cell) for cell in row if cell)
    for tidy, within in ((True, bounds[:2]), (False, bounds[2:])):
        for seed in range(3 if within else 0):
            watch = ShuffleWatch()
            until = (n for n, deal in enumerate(deals(riffles, seed, tidy=tidy)) if list(watch.add_deal(deal)))
            assert within[0] <= next(until) <= within[1]


@pytest.mark.slow
def test_of_many_fair_shuffles_none_is_blamed() -> None:
    watch = ShuffleWatch()
    assert alarms(watch, None, 30_000, tidy=False, seed=4) == []
    assert all(abs(tally.deviation) < 4.5 for tally in watch.series_by_name["deck", "red"].tally_by_test.values())
