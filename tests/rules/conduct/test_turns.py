"""Acts out of turn, string raises, and a player whom the action passes. Seat 1 has the button, seat 4 opens."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

DOWN = "card" + " -" * 8
BINDING = ("fish-n-chips", "maryport")
ASKING = ("roberts-7", "house-rules", "casino-au")
ALL = (*BINDING, *ASKING)


def dealt(book: str, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Four hands are dealt, seat 4 is to act."""
    return play(book, "start", DOWN, **table)


def on_the_flop(book: str) -> ScriptedTable:
    """Everybody has called, seat 2 is to act."""
    return play(book, "start", DOWN, "act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")


def ruling(line: dict[str, Any]) -> tuple[str, str, int | None]:
    (only,) = line["rulings"]
    return only["finding"], only["verdict"], only.get("seat")


def turn(line: dict[str, Any]) -> tuple[int, list[str]]:
    return line["next"][0]["seat"], line["next"][0]["options"]


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("roberts-7", "R7-3.betting.10"),
        ("house-rules", "HR-betting.8"),
        ("fish-n-chips", "FC-3.betting.7"),
        ("maryport", "MP-3.betting.7"),
        ("casino-au", "R7-3.betting.10"),
    ],
)
def test_a_check_out_of_turn_forbids_bet_and_raise(book: str, cite: str) -> None:
    """A player who checks out of turn may not bet or raise on the next turn to act.

    Covers: R7-3.betting.10#a, HR-betting.8#a, FC-3.betting.7#a, MP-3.betting.7#a
    """
    table = on_the_flop(book)
    line = table("act 4 check")
    assert ruling(line) == ("out-of-turn", "restrict-bet", 4)
    assert line["rulings"][0]["cite"][0] == cite
    assert ("by default" in line["rulings"][0]["text"]) == (book == "casino-au")
    assert turn(line) == (2, ["fold", "check", "bet", "all-in"])
    assert turn(table("act 2 check", "act 3 check")) == (4, ["fold", "check"])
    assert turn(table("act 4 check", "act 1 bet 10", "act 2 call", "act 3 call")) == (
        4,
        ["fold", "call", "raise", "all-in"],
    )


def test_a_check_out_of_turn_lets_a_short_stack_call_all_in() -> None:
    """What is forbidden is bet and raise: an all-in that only calls is open, and so is one that raises no more."""
    stacks: dict[int, int | None] = {1: 200, 2: 200, 3: 200, 4: 9}
    table = play(
        "maryport",
        "start",
        DOWN,
        "act 4 call",
        "act 1 call",
        "act 2 call",
        "act 3 check",
        "card - - - -",
        stacks=stacks,
    )
    table("act 4 check")
    assert turn(table("act 2 bet 40", "act 3 fold")) == (4, ["fold", "call", "all-in"])


def test_a_check_out_of_turn_counts_on_the_next_street_too() -> None:
    """The next turn may come on the next street: a seat that has acted already and checks once more."""
    table = on_the_flop("roberts-7")
    table("act 2 check", "act 3 check", "act 4 check")
    assert ruling(table("act 2 check"))[1] == "restrict-bet"
    assert turn(table("act 1 check", "card - -")) == (2, ["fold", "check"])
    assert "bet" in turn(table("act 2 check"))[1]


def test_untracked_a_check_out_of_turn_forbids_all_in_but_as_a_call() -> None:
    """Where only kinds of action are entered, all-in is a raise unless it calls."""
    untracked: dict[int, int | None] = dict.fromkeys(range(1, 5))
    table = play(
        "maryport",
        "start",
        DOWN,
        *("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -"),
        amounts="untracked",
        stacks=untracked,
    )
    table("act 4 check", "act 3 check")
    assert turn(table("act 2 check"))[1] == ["fold", "check"]
    assert turn(table("act 3 check"))[1] == ["fold", "check"]


@pytest.mark.parametrize(("book", "cite"), [("fish-n-chips", "FC-3.betting.7"), ("maryport", "MP-3.betting.7")])
@pytest.mark.parametrize(
    ("said", "left", "amount"),
    [
        ("call", "call", None),
        ("fold", "fold", None),
        ("raise 30", "raise", 30),
        ("bet 30", "raise", 30),
        ("raise 3", "raise", 4),
        ("all-in", "all-in", 200),
    ],
)
def test_an_act_out_of_turn_binds(book: str, cite: str, said: str, left: str, amount: int | None) -> None:
    """An action out of turn is binding unless the action to that player is subsequently changed by a bet or raise.

    It moves no chips; at the seat's turn nothing else is open, after everybody in between has folded.

    Covers: FC-3.betting.7#b, MP-3.betting.7#b
    """
    table = dealt(book)
    line = table(f"act 2 {said}")
    assert ruling(line) == ("out-of-turn", "bind", 2)
    assert line["rulings"][0]["cite"] == [cite]
    assert line["stacks"]["2"] == 199
    assert turn(line)[0] == 4
    step = table("act 4 fold", "act 1 fold")["next"][0]
    assert (step["seat"], step["options"]) == (2, [left])
    assert (step.get("min_to"), step.get("max_to")) == (amount, amount)
    refused = table("act 2 call" if left != "call" else "act 2 fold")
    assert refused["error"]["code"] == "act-not-open"
    after = table(f"act 2 {left}")
    assert "error" not in after


@pytest.mark.parametrize("book", BINDING)
def test_a_bet_or_raise_in_between_releases(book: str) -> None:
    """The action has changed: the fold out of turn binds no longer, nor does the raise."""
    table = dealt(book)
    table("act 1 fold", "act 2 raise 20")
    line = table("act 4 raise 6")
    assert [(r["verdict"], r["seat"]) for r in line["rulings"]] == [("play-on", 1), ("play-on", 2)]
    assert turn(line) == (1, ["fold", "call", "raise", "all-in"])
    assert turn(table("act 1 call")) == (2, ["fold", "call", "raise", "all-in"])


@pytest.mark.parametrize(
    ("book", "between", "answer"),
    [
        ("fish-n-chips", "raise 6", None),
        ("maryport", "raise 6", None),
        ("roberts-7", "raise 6", "bind"),
        ("roberts-7", "raise 6", "release"),
        ("roberts-7", "call", "bind"),
        ("roberts-7", "call", "release"),
        ("casino-au", "raise 6", "bind"),
    ],
)
def test_a_call_out_of_turn_never_becomes_a_raise(book: str, between: str, answer: str | None) -> None:
    """A player who has called out of turn may not change his wager to a raise, whether it binds or not.

    Covers: R7-3.betting.10#c, FC-3.betting.7#c, MP-3.betting.7#c
    """
    table = dealt(book)
    table("act 1 call")
    if answer:
        table({"ev": "floor", "decide": answer})
    assert turn(table(f"act 4 {between}")) == (1, ["fold", "call"])
    table("act 1 call", "act 2 raise 20", "act 3 fold", "act 4 call")
    assert turn(table.lines[-1]) == (1, ["fold", "call", "raise", "all-in"])


@pytest.mark.parametrize("book", BINDING)
@pytest.mark.parametrize(("answer", "left"), [("bind", ["call"]), ("release", ["fold", "call"])])
def test_after_a_call_in_between_the_floor_is_asked(book: str, answer: str, left: list[str]) -> None:
    """If there is an intervening call, an action may be ruled binding: the floor says, when the turn has come."""
    table = dealt(book)
    table("act 2 call")
    assert turn(table("act 4 call"))[0] == 1
    line = table("act 1 fold")
    assert ruling(line) == ("out-of-turn", "floor", 2)
    assert line["phase"] == "floor"
    assert line["next"][0] == {"step": "floor", "question": "out-of-turn", "options": ["bind", "release"]}
    assert line["lamps"]["attention"] == [2]
    assert turn(table({"ev": "floor", "decide": answer})) == (2, left)


def test_where_a_call_in_between_changes_nothing_the_act_binds_still() -> None:
    """No book that ships answers so, a house can."""
    table = play("maryport", "start", DOWN, house={"turns.call-between": "stands"})
    table("act 2 call", "act 4 call")
    assert turn(table("act 1 fold")) == (2, ["call"])


@pytest.mark.parametrize("book", BINDING)
def test_after_a_call_a_raise_still_releases(book: str) -> None:
    """A raise after the call settles the question: nobody is asked."""
    table = dealt(book)
    table("act 2 fold", "act 4 call")
    assert turn(table("act 1 raise 8")) == (2, ["fold", "call", "raise", "all-in"])


@pytest.mark.parametrize(
    ("book", "cite"),
    [("roberts-7", "R7-3.betting.10"), ("house-rules", "HR-betting.8"), ("casino-au", "R7-3.betting.10")],
)
@pytest.mark.parametrize(
    ("said", "word"), [("call", "call"), ("fold", "fold"), ("raise 30", "raise"), ("all-in", "all-in")]
)
@pytest.mark.parametrize("answer", ["bind", "release"])
def test_the_floor_says_whether_an_act_out_of_turn_binds(
    book: str, cite: str, said: str, word: str, answer: str
) -> None:
    """It may be ruled binding; under the house rules any live player yet to act may declare it binding.

    Covers: HR-betting.8#b
    """
    table = dealt(book)
    line = table(f"act 1 {said}")
    assert ruling(line) == ("out-of-turn", "floor", 1)
    assert line["rulings"][0]["cite"] == [cite]
    assert (line["phase"], line["next"][0]["step"], line["stacks"]["1"]) == ("floor", "floor", 200)
    assert "error" in table("act 4 fold")
    decided = table({"ev": "floor", "decide": answer, "why": "it changed the play behind", "who": "Mae"})
    assert decided["phase"] == "bet"
    assert ruling(decided)[1] == ("bind" if answer == "bind" else "play-on")
    seat, words = turn(table("act 4 fold"))
    assert seat == 1
    assert (words == [word]) == (answer == "bind")


@pytest.mark.parametrize("book", ASKING)
@pytest.mark.parametrize("between", ["call", "raise 6"])
def test_any_wager_in_between_releases(book: str, between: str) -> None:
    """It may only bind if there is no bet, call or raise by an intervening player; the others fall back on that."""
    table = dealt(book)
    table("act 1 fold", {"ev": "floor", "decide": "bind"})
    line = table(f"act 4 {between}")
    assert ruling(line) == ("out-of-turn", "play-on", 1)
    assert ("by default" in line["rulings"][0]["text"]) == (book != "roberts-7")
    assert turn(line) == (1, ["fold", "call", "raise", "all-in"])


@pytest.mark.parametrize("book", BINDING)
def test_the_first_act_out_of_turn_stands(book: str) -> None:
    """Twice out of turn: a seat is bound by what it did first."""
    table = dealt(book)
    table("act 1 call")
    assert ruling(table("act 1 raise 20")) == ("out-of-turn", "bind", 1)
    assert turn(table("act 4 fold")) == (1, ["call"])


@pytest.mark.parametrize("book", ALL)
def test_a_bet_out_of_turn_after_a_check_out_of_turn_stays_forbidden(book: str) -> None:
    """Who has checked out of turn may neither bet nor raise: saying bet next changes nothing."""
    table = on_the_flop(book)
    table("act 4 check")
    assert ruling(table("act 4 bet 10")) == ("out-of-turn", "restrict-bet", 4)
    assert turn(table("act 2 check", "act 3 check")) == (4, ["fold", "check"])


@pytest.mark.parametrize("book", ALL)
def test_seats_that_have_nothing_to_act_with_are_refused(book: str) -> None:
    """A folded, an empty and an all-in seat cannot act, in turn or out of it."""
    table = dealt(book)
    table("act 4 fold", "act 1 all-in")
    for seat, code in ((4, "no-live-hand"), (9, "no-live-hand"), (1, "all-in")):
        line = table(f"act {seat} call")
        assert line["error"]["code"] == code
        assert turn(line)[0] == 2


@pytest.mark.parametrize("book", BINDING)
def test_when_all_others_fold_a_bound_seat_wins(book: str) -> None:
    """Everybody before it folds: the fold out of turn has no turn any more."""
    table = dealt(book)
    table("act 3 fold", "act 4 fold", "act 1 fold")
    line = table("act 2 fold")
    assert line["next"] == [{"step": "award", "pot": 0, "seats": [3], "amounts": [2]}]


def test_the_misdeal_window_does_not_count_acts_out_of_turn() -> None:
    """Two players must act in turn [R7-3.misdeals.1]: two acts out of turn leave the misdeal open."""
    table = dealt("maryport")
    table("act 1 call", "act 2 call")
    table({"ev": "floor", "decide": "misdeal"})
    assert table.lines[-1]["next"][0] == {"step": "return", "what": "hands", "from": "all", "to": "stub", "count": 8}


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("roberts-7", "R7-3.betting.14"),
        ("house-rules", "HR-betting.12"),
        ("fish-n-chips", "FC-3.betting.10"),
        ("maryport", "MP-3.betting.10"),
        ("casino-au", "R7-3.betting.14"),
    ],
)
@pytest.mark.parametrize("mode", ["cash", "tournament"])
def test_a_string_raise_is_a_call(book: str, cite: str, mode: str) -> None:
    """String raises are not allowed: what was put in after the call, without a word, goes back.

    Entered as two acts the second counts for nothing; entered as a raise and reported, it is a call.

    Covers: R7-3.betting.14, R7-15.tourn.24, HR-betting.12, FC-3.betting.10, FC-8.nl.4, FC-10.play.6, MP-3.betting.10
    """
    twice = dealt(book, mode=mode)
    line = twice("act 4 call", "act 4 raise 20")
    assert ruling(line) == ("string-bet", "play-on", 4)
    assert line["rulings"][0]["cite"][0] == cite
    assert (line["bets"]["4"], turn(line)[0]) == (2, 1)
    reported = dealt(book, mode=mode)
    line = reported("act 4 raise 20", "report string-bet")
    assert ruling(line) == ("string-bet", "correct", 4)
    assert (line["bets"]["4"], line["next"][0]["to_call"]) == (2, 2)


def test_a_string_bet_can_only_be_said_of_the_raise_just_made() -> None:
    """A report that fits no raise is refused: no act before it, a call, a bet that nobody had made."""
    table = dealt("roberts-7")
    assert table("report string-bet")["error"]["code"] == "no-wager"
    assert table("act 4 call", "report string-bet")["error"]["code"] == "no-raise"
    assert table("act 1 raise 10", "report string-bet seat=2")["error"]["code"] == "other-seat"


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("roberts-7", "R7-3.betting.11"),
        ("house-rules", "HR-betting.9"),
        ("fish-n-chips", "FC-3.betting.8"),
        ("maryport", "MP-3.betting.8"),
    ],
)
def test_three_acts_behind_may_cost_the_right_to_act(book: str, cite: str) -> None:
    """Three players act behind one who did not stop the action: the right to act may be lost; it is not lost by itself.

    It concerns nobody but the seat whose turn it is: who waits for someone ahead forfeits nothing.

    Covers: R7-3.betting.11, HR-betting.9, FC-3.betting.8, MP-3.betting.8
    """
    table = on_the_flop(book)
    table("act 3 check", "act 4 check")
    line = table("act 1 check")
    assert [(r["finding"], r["verdict"], r["seat"]) for r in line["rulings"]] == [
        ("out-of-turn", "restrict-bet", 1),
        ("acted-behind", "play-on", 2),
    ]
    assert line["rulings"][1]["cite"] == [cite]
    assert turn(line)[0] == 2
    assert turn(table({"ev": "floor", "decide": "dead-hand", "seat": 2}))[0] == 3
