"""What chips pushed forward, and words, come to: TDA 40 to 61, WSOP 60 and 90 to 99, and the older books."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

NO_LIMIT = {"structure": "no-limit", "small_blind": 250, "big_blind": 500}
POT_LIMIT = NO_LIMIT | {"structure": "pot-limit"}
EIGHT = "card " + "- " * 8
FLOP = ("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
TDA, WSOP, LIVE, R7 = "tda-2024", "wsop-2024", "wsop-live-2024", "roberts-7"
TOURNAMENTS = (TDA, WSOP)


def seated(
    book: str,
    *lines: str | dict[str, Any],
    stacks: dict[int, int | None] | None = None,
    betting: dict[str, Any] | None = None,
    **setup: Any,  # noqa: ANN401
) -> ScriptedTable:
    """Four players with 20,000 each, blinds 250 and 500, seat 4 to act first."""
    chips = stacks or dict.fromkeys((1, 2, 3, 4), 20_000)
    return play(book, "start", EIGHT, *lines, stacks=chips, betting=betting or NO_LIMIT, **setup)


def pushes(seat: int, *chips: int, **more: object) -> dict[str, Any]:
    return {"ev": "act", "seat": seat, "chips": list(chips), **more}


def says(seat: int, *amounts: int, word: str | None = None) -> dict[str, Any]:
    said: object = word or (amounts[0] if len(amounts) == 1 else list(amounts))
    return {"ev": "act", "seat": seat, "said": said}


def ruled(played: ScriptedTable) -> tuple[str, str, str]:
    """Finding, verdict and first clause of the last line."""
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    found = played.lines[-1]["rulings"][0]
    return found["finding"], found["verdict"], found["cite"][0]


def bets(played: ScriptedTable) -> dict[str, int]:
    found: dict[str, int] = played.lines[-1]["bets"]
    return found


@pytest.mark.parametrize(
    ("chips", "to", "clause"),
    [
        ([2000], 1100, "TDA-44"),
        ([1000, 500], 1100, "TDA-45-A"),
        ([1000, 100, 100, 100], 1100, "TDA-45-B"),
        ([1000, 100, 100, 100, 100], 1700, "TDA-45-B"),
        ([1000, 100, 100, 100, 100, 100], 1700, "TDA-45-B"),
        ([1000, 500, 500], 2000, "TDA-45-B"),
    ],
)
def test_TDA_45_silent_chips_facing_a_raise_to_1100(chips: list[int], to: int, clause: str) -> None:
    """Addendum 45: one overchip, or chips of which each is needed, call; else from half a raise of 600 it is a raise.

    Covers: TDA-44 TDA-45-A TDA-45-B TDA-43-A#half TDA-41
    """
    played = seated(TDA, "act 4 raise 1100", pushes(1, *chips))
    assert (bets(played)["1"], ruled(played)) == (to, ("chips", "bind", clause))
    assert played.lines[-1]["next"][0]["seat"] == 2
    assert played.lines[-1]["stacks"]["1"] == 20_000 - to


@pytest.mark.parametrize(("book", "clause"), [(WSOP, "WSOP-T-97"), (LIVE, "WSOP-L-178"), (R7, "R7-3.betting.15")])
def test_WSOP_T_97_one_larger_chip_is_a_call(book: str, clause: str) -> None:
    """Covers: WSOP-T-97 WSOP-L-178 WSOP-T-93"""
    played = seated(book, "act 4 raise 1100", pushes(1, 5000))
    assert (bets(played)["1"], ruled(played)[2]) == (1100, clause)


@pytest.mark.parametrize(("book", "to"), [(WSOP, 1100), (R7, 1700)])
def test_WSOP_T_92_chips_each_of_which_is_needed(book: str, to: int) -> None:
    """R7-3.betting.14 knows only half a bet, which 400 beyond 1,100 are.

    Covers: WSOP-T-92 WSOP-T-95
    """
    assert bets(seated(book, "act 4 raise 1100", pushes(1, 1000, 500)))["1"] == to


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-45-B"), (WSOP, "WSOP-T-95"), (LIVE, "WSOP-L-179")])
def test_TDA_61_more_than_intended_for_change(book: str, clause: str) -> None:
    """525 at an opening bet of 325 is a raise to 650.

    Covers: TDA-61 WSOP-T-99 WSOP-L-179
    """
    blinds = NO_LIMIT | {"small_blind": 25, "big_blind": 50}
    played = seated(book, *FLOP, "act 2 bet 325", pushes(3, 500, 25), betting=blinds)
    assert (bets(played), ruled(played)[2]) == ({"2": 325, "3": 650}, clause)


def test_TDA_45_B_the_last_chips_are_all_in() -> None:
    """Addendum 45, example 4: not every chip is needed: all-in, half a raise or not; each needed: a call."""
    short: dict[int, int | None] = {1: 1300, 2: 20_000, 3: 20_000, 4: 20_000}
    played = seated(TDA, "act 4 raise 1100", pushes(1, 1000, 100, 100, 100), stacks=short)
    assert (bets(played)["1"], played.lines[-1]["stacks"]["1"]) == (1300, 0)
    short[1] = 1500
    played = seated(TDA, "act 4 raise 1100", pushes(1, 1000, 500), stacks=short)
    assert (bets(played)["1"], played.lines[-1]["stacks"]["1"]) == (1100, 400)


@pytest.mark.parametrize("book", TOURNAMENTS)
def test_TDA_44_raise_was_said_before_the_chip(book: str) -> None:
    """The most that the chip allows; several chips short of a raise are made the smallest one."""
    assert bets(seated(book, pushes(4, 1000, said="raise")))["4"] == 1000
    assert bets(seated(book, pushes(4, 5000, said="raise")))["4"] == 5000
    assert bets(seated(book, "act 4 raise 1100", pushes(1, 1000, 200, said="raise")))["1"] == 1700


@pytest.mark.parametrize("book", [TDA, WSOP, R7])
def test_TDA_44_one_chip_without_a_bet_to_face(book: str) -> None:
    """It is a bet of the chip; below the minimum it is brought up to it.

    Covers: TDA-52-A WSOP-T-90.e.1
    """
    assert bets(seated(book, *FLOP, pushes(2, 1000)))["2"] == 1000
    played = seated(book, *FLOP, pushes(2, 100))
    assert (bets(played)["2"], ruled(played)[:2]) == (500, ("underbet", "bind"))


@pytest.mark.parametrize(("amount", "to"), [(1100, 1100), (1300, 1100), (1400, 1700), (2000, 2000), (1200, 1100)])
def test_TDA_40_C_an_amount_alone_is_as_if_pushed_out(amount: int, to: int) -> None:
    """Covers: TDA-40-C WSOP-T-90.c"""
    for book in TOURNAMENTS:
        assert bets(seated(book, "act 4 raise 1100", says(1, amount)))["1"] == to


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-57"), (WSOP, "WSOP-T-60")])
def test_TDA_57_the_largest_meaning_not_above_the_pot(book: str, clause: str) -> None:
    """Covers: TDA-57 WSOP-T-60"""
    played = seated(book, *FLOP, says(2, 500, 5000))
    assert bets(played)["2"] == 500
    assert clause in played.lines[-1]["rulings"][0]["cite"]
    big = ("act 4 raise 2000", "act 1 call", "act 2 call", "act 3 call", "card - - - -")
    assert bets(seated(book, *big, says(2, 500, 5000)))["2"] == 5000


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-55"), (WSOP, "WSOP-T-90.b.1"), (R7, "TDA-55")])
def test_TDA_55_words_that_do_not_fit(book: str, clause: str) -> None:
    """A call without a bet is a check, a raise a bet; who says check facing a bet may call or fold.

    Covers: TDA-55 WSOP-T-90.b.1
    """
    played = seated(book, *FLOP, says(2, word="call"))
    assert (ruled(played)[2], bets(played), played.lines[-1]["next"][0]["seat"]) == (clause, {}, 3)
    played(pushes(3, 700, said="raise"))
    assert bets(played)["3"] == 700
    played(says(4, word="check"))
    assert ruled(played) == ("chips", "restrict-bet", clause)
    assert (played.lines[-1]["next"][0]["seat"], played.lines[-1]["next"][0]["options"]) == (4, ["fold", "call"])
    played("act 4 call", "act 1 fold", "act 2 raise 2000", "act 3 fold")
    assert played.lines[-1]["next"][0]["options"] == ["fold", "call"]


@pytest.mark.parametrize(
    ("book", "misnamed", "chip", "said"),
    [
        (TDA, "TDA-55", "TDA-44", "TDA-40-A"),
        (WSOP, "WSOP-T-90.b.1", "WSOP-T-97", "WSOP-T-90.a"),
        (R7, "R7-14.nl.9", "R7-3.betting.15", "R7-14.nl.9"),
    ],
)
def test_TDA_55_a_raise_said_where_no_bet_is_faced(book: str, misnamed: str, chip: str, said: str) -> None:
    """It is a bet, by the clause that says so; the big blind's raise before the flop is one.

    Covers: TDA-55 WSOP-T-90.b.1
    """
    played = seated(book, *FLOP, pushes(2, 500, 500, said="raise"))
    assert (*ruled(played), bets(played)) == ("chips", "bind", misnamed, {"2": 1000})
    played = seated(book, *FLOP, pushes(2, 1000, said="raise"))
    cites = played.lines[-1]["rulings"][0]["cite"]
    assert (ruled(played)[2], chip in cites) == (chip if book == R7 else misnamed, True)
    played = seated(book, "act 4 call", "act 1 call", "act 2 call", pushes(3, 500, 500, said="raise"))
    assert (*ruled(played), bets(played)["3"]) == ("chips", "bind", said, 1500)


def test_TDA_54_D_the_pot_in_no_limit() -> None:
    """It binds to the smallest bet, or raise; in pot-limit it is the pot.

    Covers: TDA-54-D
    """
    assert bets(seated(TDA, *FLOP, says(2, word="pot")))["2"] == 500
    assert bets(seated(TDA, "act 4 raise 1100", says(1, word="pot")))["1"] == 1700
    assert bets(seated(TDA, *FLOP, says(2, word="pot"), betting=POT_LIMIT))["2"] == 2000


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-52-B"), (WSOP, "WSOP-T-90.e.2"), (LIVE, "WSOP-L-184")])
def test_TDA_52_B_more_than_the_pot(book: str, clause: str) -> None:
    played = seated(book, *FLOP, pushes(2, 1000, 1000, 500), betting=POT_LIMIT)
    assert (bets(played)["2"], ruled(played)) == (2000, ("overpot", "bind", clause))


BIG_BLIND = {"ev": "act", "seat": 3, "chips": [500, 100]}


@pytest.mark.parametrize(
    ("chips", "prior", "to"),
    [
        ([1000], "left", 600),
        ([500, 500], "left", 600),
        ([100, 500], "left", 600),
        ([1000, 500], "left", 1550),
        ([1000], "pulled", 600),
        ([1000, 500], "pulled", 1500),
        ([25, 1000], "part", 1150),
    ],
)
@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-46"), (WSOP, "WSOP-T-98"), (LIVE, "WSOP-L-137")])
def test_TDA_46_chips_of_an_earlier_bet(book: str, clause: str, chips: list[int], prior: str, to: int) -> None:
    """Addendum 46, situations 1 to 3: two 25s lie there as the big blind, the button has raised to 600.

    Covers: TDA-46 WSOP-T-98 WSOP-L-137
    """
    blinds = NO_LIMIT | {"small_blind": 25, "big_blind": 50}
    acts = ("act 4 fold", "act 1 raise 600", "act 2 fold")
    played = seated(book, *acts, pushes(3, *chips, prior=prior), betting=blinds)
    assert clause in played.lines[-1]["rulings"][0]["cite"]
    found = played.lines[-1]
    assert (20_000 - found["stacks"]["3"], found["stacks"]["1"]) == (to, 19_400)


@pytest.mark.parametrize(("book", "clause"), [
    (TDA, "TDA-51-B"), (WSOP, "WSOP-T-93.f"), (LIVE, "WSOP-L-138"), (R7, "R7-3.betting.13"),
])  # fmt: skip
def test_TDA_51_B_an_undercall_of_the_opening_bet(book: str, clause: str) -> None:
    """It is made a full call; before the flop the big blind is the opener.

    Covers: TDA-51-B WSOP-T-93.f WSOP-L-138
    """
    played = seated(book, *FLOP, "act 2 bet 8000", pushes(3, 1000, 1000))
    assert (bets(played)["3"], ruled(played)) == (8000, ("undercall", "bind", clause))
    played = seated(book, pushes(4, 100, 100))
    assert (bets(played)["4"], ruled(played)[0]) == (500, "undercall")


@pytest.mark.parametrize(("book", "clause"), [(LIVE, "WSOP-L-138"), (R7, "R7-3.betting.13")])
def test_WSOP_L_138_an_undercall_of_a_raise_is_brought_up_at_live_tables(book: str, clause: str) -> None:
    """Calls of an improperly low amount are brought up to the proper size, whoever raised, and nobody is asked.

    Covers: WSOP-L-138
    """
    played = seated(book, *FLOP, "act 2 bet 2000", "act 3 raise 8000", pushes(4, 1000, 1000))
    assert (bets(played)["4"], ruled(played)) == (8000, ("undercall", "bind", clause))


def test_WSOP_L_137_several_chips_that_are_all_needed_are_a_call_at_live_tables() -> None:
    """Two chips of 5,000 and 4,000 facing 8,000: without the smaller it would be less than the call.

    Covers: WSOP-L-137
    """
    played = seated(LIVE, *FLOP, "act 2 bet 8000", pushes(3, 5000, 4000))
    assert bets(played)["3"] == 8000
    assert played.lines[-1]["rulings"][0]["cite"] == ["WSOP-L-137"]


@pytest.mark.parametrize("book", TOURNAMENTS)
def test_TDA_51_B_an_undercall_of_a_raise(book: str) -> None:
    """Heads-up a full call; multi-way the floor decides: a call, or the chips stay and the hand is folded."""
    raised = (*FLOP, "act 2 bet 2000", "act 3 raise 8000", pushes(4, 1000, 1000))
    played = seated(book, *raised)
    assert (ruled(played)[:2], played.lines[-1]["phase"]) == (("undercall", "floor"), "floor")
    assert played.lines[-1]["next"][0]["options"] == ["bind", "forfeit"]
    played({"ev": "floor", "decide": "bind"})
    assert (bets(played)["4"], played.lines[-1]["next"][0]["seat"]) == (8000, 1)
    played = seated(book, *raised, {"ev": "floor", "decide": "forfeit", "seat": 4})
    assert (bets(played)["4"], played.lines[-1]["stacks"]["4"]) == (2000, 17_500)
    assert "4" not in played.lines[-1]["piles"]["seats"]
    played("act 1 fold", "act 2 call", "card - -", "act 2 check", "act 3 check", "card - -", "act 2 check")
    assert played.lines[-1]["pots"] == [{"amount": 20_000, "seats": [2, 3]}]
    played = seated(book, *FLOP, "act 2 bet 2000", "act 3 fold", "act 4 fold", "act 1 raise 8000", pushes(2, 1000))
    assert (ruled(played)[:2], played.lines[-1]["pots"][0]["amount"]) == (("undercall", "bind"), 18_000)


@pytest.mark.parametrize("book", [TDA, WSOP, LIVE, R7])
def test_TDA_51_A_a_word_in_turn_binds(book: str) -> None:
    """A call is the full call, whatever chips come with it.

    Covers: TDA-51-A TDA-40-A WSOP-T-90.a WSOP-L-176
    """
    assert bets(seated(book, "act 4 raise 1100", pushes(1, 500, said="call")))["1"] == 1100
    played = seated(book, "act 4 raise 1100", pushes(1, 5000, 5000, said="call"))
    assert bets(played)["1"] == 1100
    assert "1" not in seated(book, "act 4 raise 1100", pushes(1, said="fold")).lines[-1]["piles"]["seats"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (pushes(4), "key-missing"),
        (pushes(4, said="raise"), "key-missing"),
        (pushes(4, 0), "value"),
        (pushes(4, *[1] * 101), "value"),
        (pushes(4, 50_000), "value"),
        (pushes(4, said="five"), "value"),
        (pushes(4, said=[]), "value"),
        (pushes(4, 500, do="call"), "unknown-key"),
        (pushes(1, 500), "not-your-turn"),
    ],
)
def test_a_motion_that_cannot_be_read_is_refused(line: dict[str, Any], code: str) -> None:
    played = seated(TDA)
    before = {key: played.lines[-1][key] for key in ("next", "stacks", "bets")}
    played(line)
    assert played.lines[-1]["error"]["code"] == code
    assert {key: played.lines[-1][key] for key in before} == before


def test_a_motion_is_refused_where_no_amounts_are_kept() -> None:
    played = seated(TDA, pushes(4, 500), amounts="untracked", stacks=dict.fromkeys((1, 2, 3, 4)))
    assert played.lines[-1]["error"]["code"] == "amount"


def test_a_motion_is_put_right_and_taken_back_like_an_act() -> None:
    """Seat 1 had said raise: what the small blind put out then is less than a call of it, and the floor decides."""
    played = seated(TDA, "act 4 raise 1100", pushes(1, 2000), pushes(2, 1000))
    line, before = len(played.lines) - 1, played.lines[-1]["next"]
    assert (bets(played)["1"], bets(played)["2"]) == (1100, 1100)
    played({"ev": "amend", "line": line, "to": pushes(1, 2000, said="raise")})
    assert (bets(played)["1"], played.lines[-1]["phase"]) == (2000, "floor")
    assert played("undo")["next"] == before
    assert played("undo", "undo")["next"][0]["seat"] == 1


def test_chips_that_are_just_those_of_the_act_are_not_ruled_on() -> None:
    played = seated(TDA, "act 4 raise 1100", pushes(1, 1000, 100))
    assert (bets(played)["1"], played.lines[-1]["rulings"]) == (1100, [])
    played = seated(TDA, *FLOP, pushes(2, 500, 500))
    assert (bets(played)["2"], played.lines[-1]["rulings"]) == (1000, [])


@pytest.mark.parametrize(("book", "clause"), [(TDA, "TDA-51-C"), (WSOP, "WSOP-T-93.f")])
def test_TDA_51_C_undercalls_in_a_row(book: str, clause: str) -> None:
    """Play goes back to the first, who corrects the bet; then the next acts, as the floor says.

    Covers: TDA-51-C, WSOP-T-93.f
    """
    raised = (*FLOP, "act 2 bet 2000", "act 3 raise 8000", pushes(4, 1000, 1000))
    played = seated(book, *raised, pushes(1, 1000))
    assert ruled(played) == ("undercall", "floor", clause)
    assert (played.lines[-1]["rulings"][0]["seat"], "1" in bets(played)) == (1, False)
    assert played.lines[-1]["next"][0] == {"step": "floor", "question": "undercall", "options": ["bind", "forfeit"]}
    answer = played({"ev": "floor", "decide": "bind"})
    assert (bets(played)["4"], answer["next"][0]["seat"]) == (8000, 1)
    played(pushes(1, 1000))
    assert ruled(played)[:2] == ("undercall", "floor")
    played({"ev": "floor", "decide": "forfeit", "seat": 1})
    assert (bets(played)["1"], "1" in played.lines[-1]["piles"]["seats"]) == (1000, False)


@pytest.mark.parametrize("line", [pushes(1, 5000, 5000), {"ev": "act", "seat": 1, "do": "call"}, pushes(4, 1000)])
def test_nothing_but_an_undercall_comes_before_the_floors_answer(line: dict[str, Any]) -> None:
    """A call, an act that is no motion, and the seat that is asked about: refused, and nothing has changed."""
    played = seated(TDA, *FLOP, "act 2 bet 2000", "act 3 raise 8000", pushes(4, 1000, 1000))
    before = played.lines[-1]
    answer = played(line)
    assert (answer["error"]["code"], answer["next"], answer["bets"]) == ("not-now", before["next"], before["bets"])
