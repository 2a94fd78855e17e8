"""Shuffle watch: fair shuffles are not blamed, bad ones are found, and of a journal only the auditor learns it."""

import json
import math
import re
from collections.abc import Callable
from itertools import islice, permutations
from pathlib import Path

import pytest
from nacl.public import PrivateKey

from config.setup import open_table
from controller.cli import main
from controller.cli.journal.shuffles import Deals
from controller.core.values.cards import CARDS
from controller.records.dealt import DealReader
from controller.records.shuffles import ALARM, MOST_STREAMS, ODDS, Alarm, Deal, ShuffleWatch, settle
from controller.runtime.journal.archive import Archive
from tests.app.rig import Rig
from tests.playing import play, spoken
from tests.records.shuffling import deals

SMALL = ("Ac", "2c", "3c", "4c", "5c", "6c", "7c")


def small(order: tuple[str, ...], gathered: tuple[str, ...] = ()) -> Deal:
    return Deal(1, 1, "Ada", "red", len(SMALL), order, gathered)


@pytest.mark.parametrize("gathered", [SMALL[:4], (*SMALL[4:], *SMALL[:2]), SMALL[:1], SMALL])
def test_over_all_orders_every_test_returns_exactly_what_it_bets(gathered: tuple[str, ...]) -> None:
    """So no fair shuffle can be blamed more often than is said; also where the play decides how many cards are seen."""
    before = small(SMALL[:4], gathered)
    sums = {False: dict.fromkeys(ODDS, 0.0), True: dict.fromkeys(ODDS, 0.0)}
    hits, expected = dict.fromkeys(ODDS, 0), dict.fromkeys(ODDS, 0.0)
    for order in permutations(SMALL):
        stop = 3 if order[1] > order[0] else 6  # as a hand goes on or ends by what the cards are
        for early in (False, True):
            for test, tally in settle(before, small(order[:stop] if early else order)).items():
                sums[early][test] += tally.returned
                if early:
                    hits[test] += tally.hits
                    expected[test] += tally.expected
    count = math.factorial(len(SMALL))
    for early in (False, True):
        assert {test: round(total / count, 12) for test, total in sums[early].items()} == dict.fromkeys(ODDS, 1.0)
    for test in ODDS:
        assert hits[test] == pytest.approx(expected[test])


def alarms(watch: ShuffleWatch, riffles: int | None, count: int, *, tidy: bool, seed: int = 1) -> list[Alarm]:
    return [alarm for deal in islice(deals(riffles, seed, tidy=tidy), count) for alarm in watch.add(deal)]


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
    stream = watch.streams["deck", "red"]
    assert stream.evidence < 100_000
    assert all(abs(tally.deviation) < 4.5 for tally in stream.tallies.values())


def test_a_deck_that_comes_back_as_it_was_is_found_at_once() -> None:
    first = next(deals(None, 1))
    watch = ShuffleWatch()
    found = [alarm for _ in range(4) for alarm in watch.add(first)]
    assert [alarm.test for alarm in found[:1]] == ["position"]


def test_after_an_alarm_it_is_counted_anew() -> None:
    watch = ShuffleWatch()
    found = [alarm for alarm in alarms(watch, 1, 60, tidy=True) if alarm.kind == "deck"]
    assert sum(alarm.shuffles for alarm in found) <= 59
    assert len(found) > 3
    assert watch.streams["deck", "red"].evidence < ALARM


def test_decks_and_dealers_are_told_apart_and_bounded() -> None:
    watch = ShuffleWatch()
    one = next(deals(None, 1))
    for number in range(2 * MOST_STREAMS):
        list(watch.add(Deal(1, number, f"dealer {number}", "red", 52, one.order, one.gathered)))
    assert len(watch.streams) <= MOST_STREAMS + 2
    assert watch.streams["dealer", "others"].shuffles >= MOST_STREAMS - 2
    assert list(watch.add(Deal(1, 1, "Ada", "blue", 52, one.order, one.gathered))) == [], "the first of its deck"


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
        rig.loop.signed_in("Ada", "dealer", "key")
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
    assert all(test in out for test in ODDS)
    assert not set(re.findall(r"\b[2-9TJQKA][cdhs]\b", out)) & CARDS


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

    archive = Archive.open(state / "journal.sqlite")
    try:
        found = list(Deals(archive, open_table, PrivateKey(bytes.fromhex(key.read_text().split()[1]))))
    finally:
        archive.close()
    assert len(found) >= 4
    for deal in found:
        assert any(list(deal.order) == dealt[: len(deal.order)] for dealt in hands), deal
        assert set(deal.order) <= set(deal.gathered) | set(deal.order)
        assert len(set(deal.gathered)) == len(deal.gathered)
    assert max(len(deal.order) for deal in found) >= 12


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
        for event in [line] if isinstance(line, dict) else spoken(line):
            assert "error" not in played(event), event
            found.append(reader.take(played.table.outcome, 1, "Ada", "red"))
    return [deal for deal in (*found, reader.end()) if deal is not None]


EIGHT = "card As Kd 7h 2c 9d 3s Jh 4d"


def test_a_misdeal_ends_a_deal() -> None:
    first, second = read_deals("start", "card As Kd 7h", {"ev": "floor", "decide": "misdeal"}, "done 3", EIGHT)
    assert first.order == ("As", "Kd", "7h")
    assert set(first.gathered) == {"As", "Kd", "7h"}
    assert (first.session, first.hand) == (second.session, second.hand)
    assert second.order == tuple(EIGHT.split()[1:])


def test_the_order_ends_at_a_card_that_was_not_read_or_is_of_another_deck() -> None:
    (unread,) = read_deals("start", "card As Kd - 2c")
    assert unread.order == ("As", "Kd")
    assert set(unread.gathered) == {"As", "Kd", "2c"}
    (foreign,) = read_deals("start", "card As Kd", {"ev": "card", "card": None, "foreign": True})
    assert foreign.order == ("As", "Kd")
    (joker,) = read_deals("start", "card As Kd joker")
    assert (joker.order, set(joker.gathered)) == (("As", "Kd"), {"As", "Kd"})


def test_cards_that_went_to_the_same_hand_lie_side_by_side() -> None:
    (deal,) = read_deals("start", EIGHT, "act 4 fold", "act 1 fold")
    assert deal.order == tuple(EIGHT.split()[1:])
    place = {card: index for index, card in enumerate(deal.gathered)}
    pairs = [(deal.order[seat], deal.order[seat + 4]) for seat in range(4)]
    assert all(abs(place[one] - place[two]) == 1 for one, two in pairs)


ROW = re.compile(r"^\| (\d) \| \d+ \((\d+), (\d+)\) \| (?:\d+ \((\d+), (\d+)\)|none)", re.MULTILINE)
PAGE = Path(__file__).parents[2] / "docs/shuffle-watch.md"


@pytest.mark.parametrize("row", ROW.findall(PAGE.read_text(encoding="utf-8"))[:5], ids=lambda row: row[0])
def test_bad_shuffles_are_found_as_soon_as_the_page_says(row: tuple[str, ...]) -> None:
    riffles, *bounds = (int(cell) for cell in row if cell)
    for tidy, within in ((True, bounds[:2]), (False, bounds[2:])):
        for seed in range(3 if within else 0):
            watch = ShuffleWatch()
            until = (n for n, deal in enumerate(deals(riffles, seed, tidy=tidy)) if list(watch.add(deal)))
            assert within[0] <= next(until) <= within[1]


@pytest.mark.slow
def test_of_many_fair_shuffles_none_is_blamed() -> None:
    watch = ShuffleWatch()
    assert alarms(watch, None, 30_000, tidy=False, seed=4) == []
    assert all(abs(tally.deviation) < 4.5 for tally in watch.streams["deck", "red"].tallies.values())
