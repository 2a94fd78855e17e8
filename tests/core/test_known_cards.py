"""Which cards everybody knows, and what a live table does not answer (docs/known-cards.md)."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from config import rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import FloorDecision, ReportKind
from controller.core.values.piles import ASIDE
from tests.playing import NO_LIMIT, ScriptedTable, play

STUD = {
    "game": "stud-7",
    "button": None,
    "betting": {"structure": "fixed-limit", "small_bet": 4, "big_bet": 8, "bring_in": 1, "ante": 1},
    "seats": 3,
}
EXPOSED = ("report exposed seat=2 nth=1", "card 3c 4c 5c")
ROUND = ("act 4 call", "act 1 call", "act 2 call", "act 3 check")
HELD = "card As Kd Qc 9h 8h 7h 6c 5c"


MOMENTS = (("start", HELD), ("start", HELD, *ROUND, "card Tc 2h 3h 4h"))
"""Before the flop, and after it."""


def turn_up(**where: int | str) -> dict[str, Any]:
    return {"ev": "floor", "decide": "turned-up", **where}


def call_card(seat: int, nth: int, card: str) -> dict[str, Any]:
    return {"ev": "report", "what": "misread", "seat": seat, "nth": nth, "card": card}


def find_known(table: ScriptedTable) -> set[str | None]:
    piles = table.table.outcome.state.hand_in_play.cards.piles.cards_by_place.values()
    return {lying.card for pile in piles for lying in pile if lying.is_known}


def find_known_serials(table: Table) -> frozenset[int]:
    hand = table.outcome.state.hand
    return frozenset() if hand is None else hand.cards.piles.known_serials()


def list_entries(table: ScriptedTable) -> Iterator[dict[str, Any]]:
    """Every report and decision about a card of seat 3, the last card, a burn or the board, and amendments of cards."""
    for where in ({"seat": 3}, {"seat": 3, "nth": 1}, {}, {"where": "burn"}, {"where": "board"}, {"count": 1}):
        for kind in ReportKind:
            for card in ({}, {"card": "2c"}, {"card": "As"}):
                yield {"ev": "report", "what": kind.value, **where, **card}
        for decision in FloorDecision:
            if decision is not FloorDecision.TURNED_UP:
                yield {"ev": "floor", "decide": decision.value, **where}
    for line in range(2, len(table.lines) + 1):
        for to in ({"ev": "card", "card": "2c"}, {"ev": "report", "what": "exposed", "seat": 3, "nth": 1}, None):
            yield {"ev": "amend", "line": line, "to": to}
            yield {"ev": "amend", "before": line, "to": to}


def play_live(book: str, *lines: dict[str, Any] | str, **more: Any) -> ScriptedTable:  # noqa: ANN401 - of the table line
    return play(book, *lines, live=True, **more)


@pytest.mark.parametrize(("book", "moment"), list(zip(rulebook_file.list_rulebooks(), cycle(MOMENTS), strict=False)))
def test_no_report_no_decision_and_no_amendment_makes_a_card_known(book: str, moment: tuple[str, ...]) -> None:
    """Nor does anything that follows: each is tried, tried again after an `undo`, and with the next cards."""
    standing, taken = play_live(book, *moment), 0
    known = find_known_serials(standing.table)
    for line in list_entries(standing):
        table = standing.table.copy()
        for entry in (line, {"ev": "undo"}, line):
            try:
                table.handle(parse_line(entry))
                taken += 1
            except Refused:
                pass
            assert find_known_serials(table) <= known, line
    assert taken > 20


def test_what_is_turned_up_stays_known_through_undo_and_amendments() -> None:
    table = play_live("roberts-7", "start", HELD, "act 4 call")
    table(turn_up(seat=3, nth=2))
    assert find_known(table) == {"7h"}
    table("undo")
    assert find_known(table) == {"7h"}, "what everybody has seen, nobody forgets"
    table({"ev": "amend", "line": 11, "to": {"ev": "act", "seat": 4, "do": "raise", "to": 6}})
    assert "error" not in table.lines[-1]
    assert find_known(table) == {"7h"}
    table("undo", "undo")
    assert find_known(table) == {"7h"}


def test_a_ruling_set_aside_after_a_card_was_turned_up_forgets_nothing() -> None:
    table = play_live("roberts-7", "start", "card As Kd Qc 9h", "report exposed", turn_up(seat=1, nth=1))
    known = find_known(table)
    assert len(known) == 1
    answer = table({"ev": "floor", "decide": "play-on"})
    assert "error" not in answer, answer
    assert find_known(table) == known


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (turn_up(), "key-missing"),
        (turn_up(seat=9), "no-card"),
        (turn_up(seat=3, nth=3), "no-card"),
        (turn_up(where="stub"), "value"),
        (turn_up(where="burn", seat=3), "value"),
        (turn_up(where="burn"), "no-card"),
        ({"ev": "floor", "decide": "play-on", "nth": 1}, "unused-key"),
        ({"ev": "floor", "decide": "misdeal", "where": "board"}, "unused-key"),
    ],
)
def test_what_cannot_be_turned_up_is_said_and_changes_nothing(line: dict[str, Any], code: str) -> None:
    table = play_live("roberts-7", "start", HELD)
    before = table.table.outcome.state
    assert table(line)["error"]["code"] == code
    assert table.table.outcome.state == before
    table(turn_up(seat=3))
    assert table(turn_up(seat=3))["error"]["code"] == "not-so"


@pytest.mark.parametrize("where", [{}, {"seat": 3, "nth": 1}, {"seat": 2}])
@pytest.mark.parametrize("card", ["2c", "As", "8h"])
def test_nobody_names_a_card_that_was_read_and_is_not_known(where: dict[str, int], card: str) -> None:
    """A miss, a name that is out, the right name: one answer. So is it for an amendment of the card's line."""
    table = play_live("roberts-7", "start", HELD)
    answers = [table({"ev": "report", "what": "misread", "card": card, **where})["error"]]
    answers += [table({"ev": "amend", "line": line, "to": {"ev": "card", "card": card}})["error"] for line in (4, 10)]
    assert {answer["code"] for answer in answers} == {"not-known"}
    assert all(card not in answer["message"] for answer in answers)


def test_a_card_that_was_turned_up_may_be_named_and_one_that_nothing_read() -> None:
    table = play_live("roberts-7", "start", "card As Kd Qc 9h - 7h 6c 5c", turn_up(seat=3))
    assert "error" not in table(call_card(3, 1, "2d"))
    assert "error" not in table(call_card(2, 2, "2h"))
    assert find_known(table) == {"2d", "7h"}, "a name makes nothing known"


def test_a_name_that_is_out_face_down_is_answered_like_any_other() -> None:
    """The unread card is called what seat 3 holds, or what nobody does."""
    answers = []
    for card in ("Kd", "2h"):
        table = play_live("roberts-7", "start", "card As Kd Qc 9h - 7h 6c 5c")
        answer = table(call_card(2, 2, card))
        answers.append({key: value for key, value in answer.items() if key != "line"})
    assert answers[0] == answers[1]


def test_two_of_one_name_are_a_duplicate_when_both_are_known() -> None:
    table = play_live("roberts-7", "start", "card As Kd Qc 9h - 7h 6c 5c")
    table(call_card(2, 2, "Kd"), turn_up(seat=2, nth=2))
    assert "duplicate" not in str(table.lines[-1]["rulings"])
    found = table(turn_up(seat=3, nth=1))["rulings"]
    assert [ruling["finding"] for ruling in found] == ["turned-up", "duplicate"]


def test_a_card_dealt_face_down_is_not_compared_with_a_name_that_was_said() -> None:
    table = play_live("roberts-7", "start", "card As Kd - 9h", call_card(4, 1, "8h"))
    assert table("card 8h")["rulings"] == []
    other = play("roberts-7", "start", "card As Kd - 9h", call_card(4, 1, "8h"))
    assert other("card 8h")["rulings"][0]["finding"] == "duplicate", "a script names every card anyway"


def test_an_antenna_corrects_a_name_that_was_said_without_a_word() -> None:
    for said in ("8h", "2h"):
        table = play_live("roberts-7", "start", "card As Kd - 9h 8s 7h 6c 5c", call_card(4, 1, said))
        assert table({"ev": "seen", "at": "seat 4", "card": "8h"})["rulings"] == []
        piles = table.table.outcome.state.hand_in_play.cards.piles
        assert piles.cards_at("seat 4")[0].card == "8h"


@pytest.mark.parametrize("low", ["2s", "Ks"])
def test_an_exposed_downcard_of_stud_decides_only_once_everybody_knows_it(low: str) -> None:
    table = play_live("roberts-7", "start", f"card As {low} Qc 9h 8h 7h", *EXPOSED, **STUD)
    (step,) = table.lines[-1]["next"]
    assert (step["question"], step["options"]) == ("unseen-upcard", ["turned-up", "dead-hand", "misdeal"])
    opened = table(turn_up(seat=2, nth=1))["next"][0]
    assert opened == {**opened, "step": "act", "seat": 3 if low == "2s" else 1}  # [R7-8.stud.2]: the next one opens
    table("undo")
    assert table.lines[-1]["next"] == [step]
    assert table(turn_up(seat=2, nth=1))["next"][0] == opened, "the floor goes on with what everybody knows"


def test_the_floor_may_kill_the_hand_instead_of_having_it_turned_up() -> None:
    table = play_live("roberts-7", "start", "card As 2s Qc 9h 8h 7h", *EXPOSED, **STUD)
    answer = table({"ev": "floor", "decide": "dead-hand", "seat": 2})
    assert answer["next"][0]["step"] == "act"


@pytest.mark.parametrize("card", ["Kd", "2h"])
def test_what_an_antenna_read_is_not_told_again(card: str) -> None:
    """The right name and another have one answer."""
    table = play_live("roberts-7", "start", HELD, {"ev": "seen", "at": "seat 3", "card": "Kd"})
    answer = table({"ev": "amend", "line": len(table.lines), "to": {"ev": "seen", "at": "seat 3", "card": card}})
    assert answer["error"] == {"code": "amend-a-fact", "message": "an antenna did read that card there."}


def play_to_showdown() -> ScriptedTable:
    table = play_live("roberts-7", "start", HELD, *ROUND, "card Tc 2h 3h 4h")
    for street in ("card Td 5h", "card Js 6h", ""):
        table(*({"ev": "act", "seat": seat, "do": "check"} for seat in (2, 3, 4, 1)), *([street] if street else []))
    return table


def test_a_hand_that_is_shown_is_known_and_stays_so() -> None:
    table = play_to_showdown()
    board = find_known(table)
    table("muck 2", "show 3")
    assert find_known(table) == board | {"Kd", "7h"}
    table("undo")
    assert find_known(table) == board | {"Kd", "7h"}
    assert table.lines[-1]["next"][0] == {"step": "show", "seat": 3}


def test_an_amendment_that_would_show_a_hand_is_refused() -> None:
    table = play_to_showdown()
    before = find_known(table)
    answer = table("muck 2", {"ev": "amend", "line": len(table.lines) + 1, "to": {"ev": "show", "seat": 2}})
    assert answer["error"]["code"] == "not-known"
    assert find_known(table) == before


def test_an_antenna_finds_what_was_read_and_not_what_was_said() -> None:
    """Somebody called the unread card of seat 2 what seat 3 holds: the antenna of seat 3 reads it there."""
    table = play_live("roberts-7", "start", "card - Kd Qc 9h 8h 7h 6c 5c", call_card(2, 1, "Kd"))
    assert table({"ev": "seen", "at": "seat 3", "card": "Kd"})["rulings"] == []
    assert table({"ev": "seen", "at": "seat 2", "card": "2d"})["rulings"] == []
    assert table.table.outcome.state.hand_in_play.cards.piles.cards_at("seat 2")[0].card == "2d"


def test_a_board_card_that_is_not_known_decides_no_pot() -> None:
    """No card was burned, and of four that were scrambled a known one became the burn: the other lies on the board."""
    table = play_live("tda-2024", "start", HELD, *ROUND, "card Tc 2h 3h 4h", "report no-burn")
    table({"ev": "done", "card": "2h"})
    for street in ("card Td 5h", "card Js 6h", ""):
        table(*({"ev": "act", "seat": seat, "do": "check"} for seat in (2, 3, 4, 1)), *([street] if street else []))
    table(*(f"show {step['seat']}" for step in table.lines[-1]["next"]))
    assert [step["step"] for step in table.lines[-1]["next"]] == ["award"]
    assert "amounts" not in table.lines[-1]["next"][0], "people say who wins"
    assert table(turn_up(where="board"))["next"][0]["amounts"] == [8], "or all see the card"


@pytest.mark.parametrize("card", ["Tc", "Ah"])
def test_which_of_scrambled_cards_was_picked_is_taken_as_it_is_said(card: str) -> None:
    """The right name and another have one answer; a card that lies open elsewhere it cannot be."""
    table = play_live("tda-2024", "start", HELD, *ROUND, "card Tc 2h 3h 4h", "report no-burn")
    assert table.lines[-1]["next"][0]["step"] == "return"
    assert "error" not in table({"ev": "done", "card": card})


def test_a_script_keeps_its_meaning() -> None:
    table = play("roberts-7", "start", HELD)
    assert "error" not in table(call_card(3, 1, "2c"))
    assert table(call_card(3, 1, "As"))["rulings"][-1]["finding"] == "duplicate"


@pytest.mark.parametrize("value", [1, "yes", None])
def test_live_is_true_or_false(value: object) -> None:
    line = {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "betting": NO_LIMIT, "live": value}
    with pytest.raises(Refused) as why:
        parse_table_line({**line, "seats": [{"seat": 1, "stack": 2}, {"seat": 2, "stack": 2}], "button": 1})
    assert (why.value.code, why.value.message) == ("value", "`live` is true or false.")


def test_a_boxed_card_is_none_of_the_openers_that_are_shown() -> None:
    """The opener shows its hand, not the card that was put aside: that one is forgotten as the hand is over."""
    played = play_live("tda-2024", "start", game="jacks-or-better", stacks={1: 7, 2: 12})
    played("card 2s 5h Qh 4d Tc 8s 3s Jd 4s Qs", "act 1 call", "act 2 check")
    played({"ev": "draw", "seat": 2, "discard": 0}, {"ev": "draw", "seat": 1, "discard": 0})
    played("act 1 check", "act 2 check", "report boxed seat=1 nth=1", "done", "card Jh", "show 1", "show 2", "done")
    assert played.lines[-1]["phase"] == "idle"
    played("undo")
    hand = played.table.outcome.state.hand
    assert hand is not None
    assert [card.card for card in hand.cards.piles.cards_at(ASIDE)] == [None]
    assert [card.card for card in hand.cards.piles.cards_at("seat 1")] == ["4d", "8s", "Jd", "Qs", "Jh"]
