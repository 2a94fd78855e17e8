"""What an amendment answers: rulings compared by everything they say, what disappeared, and the sentence of it."""

from typing import Any

import pytest

from controller.core.engine.output import outcome_rendering
from tests.playing import ScriptedTable, play

DEAL = "card - - - - - - - -"
BLINDS = {"structure": "no-limit", "small_blind": 250, "big_blind": 500, "chip": 25}
STACKS: dict[int, int | None] = dict.fromkeys(range(1, 5), 20000)


def open_tournament_hand(*lines: dict[str, Any] | str) -> ScriptedTable:
    """Four with 20,000 each at 250/500, seat 4 to act, then the lines from 11 on."""
    return play("tda-2024", "start", DEAL, *lines, betting=BLINDS, stacks=STACKS)


def put_chips_out(*chips: int, said: str | None = None) -> dict[str, Any]:
    return {"ev": "act", "seat": 4, "chips": list(chips)} | ({} if said is None else {"said": said})


def amend(line: int, to: dict[str, Any] | None, **more: object) -> dict[str, Any]:
    return {"ev": "amend", "line": line, "to": to, **more}


def read_sentence(answer: dict[str, Any]) -> str:
    """What the first ruling of an answer says, without its clause."""
    first = answer["rulings"][0]
    assert first["finding"] == "amended", answer
    sentence, _, clause = first["text"].rpartition(" (")
    assert clause.endswith(").")
    return str(sentence)


def act(seat: int, do: str, to: int | None = None) -> dict[str, Any]:
    return {"ev": "act", "seat": seat, "do": do} | ({} if to is None else {"to": to})


def test_a_ruling_in_other_words_is_among_the_answers_and_the_old_one_withdrawn() -> None:
    played = open_tournament_hand(put_chips_out(1000))
    stood = played.lines[-1]["rulings"]
    answer = played(amend(11, put_chips_out(1000, said="raise")))
    assert [ruling["finding"] for ruling in answer["rulings"]] == ["amended", "chips"]
    assert answer["amended"]["withdrawn"] == stood
    assert answer["amended"]["gone"] == []
    assert answer["amended"]["act"] == {"do": "raise", "to": 1000}


def test_a_second_amendment_and_its_undo_compare_with_what_stood_before_them() -> None:
    played = open_tournament_hand(put_chips_out(1000))
    first = played(amend(11, put_chips_out(1000, said="raise")))
    second = played(amend(11, put_chips_out(5000, said="raise")))
    assert second["amended"]["withdrawn"] == first["rulings"][1:]
    assert "raise to 5000" in second["rulings"][1]["text"]
    played("undo")
    again = played(amend(11, put_chips_out(1000)))
    assert again["amended"]["withdrawn"] == first["rulings"][1:]
    assert "is a call" in again["rulings"][1]["text"]


def test_what_is_ruled_as_before_is_not_told_again() -> None:
    played = open_tournament_hand(act(4, "call"), act(2, "call"))
    assert [ruling["finding"] for ruling in played.lines[-1]["rulings"]] == ["out-of-turn"]
    answer = played(amend(11, act(4, "raise", 1500)))
    assert [ruling["finding"] for ruling in answer["rulings"]] == ["amended"]
    assert answer["amended"]["withdrawn"] == []


def test_a_ruling_whose_steps_alone_change_is_told() -> None:
    """A misdeal takes all cards back: one more is out than was known."""
    played = play("roberts-7", "start", "card - - -", "report exposed seat=2 nth=1")
    (misdeal,) = played.lines[-1]["rulings"]
    answer = played({"ev": "amend", "before": 5, "to": {"ev": "card", "card": None}})
    assert answer["rulings"][1:] == answer["amended"]["withdrawn"] == [misdeal]
    assert (played.lines[-2]["next"][0]["count"], answer["next"][0]["count"]) == (3, 4)


@pytest.mark.parametrize(
    ("before", "line", "sentence"),
    [
        (
            [put_chips_out(1000)],
            amend(11, put_chips_out(1000, said="raise")),
            "Put right: seat 4 said raise: raise to 1000. Seat 1 to act, 1000 to call. "
            "Line 11 was: seat 4 put out 1000",
        ),
        (
            [put_chips_out(1000, said="raise")],
            amend(11, put_chips_out(5000, said="raise")),
            "Put right: seat 4 said raise: raise to 5000. Seat 1 to act, 5000 to call. Line 11 was: seat 4 said raise, "
            "seat 4 put out 1000",
        ),
        (
            [act(4, "raise", 1500)],
            amend(11, act(4, "call")),
            "Put right: seat 4 calls. Seat 1 to act, 500 to call. Line 11 was: seat 4 raises to 1500",
        ),
        (
            [act(4, "fold")],
            amend(11, None),
            "Put right: line 11 is taken out (seat 4 folds). Seat 4 to act, 500 to call",
        ),
        (
            [act(4, "fold")],
            {"ev": "amend", "before": 12, "to": act(1, "fold")},
            "Put right: seat 1 folds. Seat 2 to act, 250 to call. It was forgotten",
        ),
        (
            [act(4, "fold")],
            {"ev": "amend", "before": 2, "to": {"ev": "stack", "seat": 1, "stack": 9000}},
            "Put right: seat 1 has 9000. Seat 1 to act, 500 to call. It was forgotten before line 2",
        ),
        (
            [act(4, "fold"), act(1, "call")],
            amend(11, act(4, "call"), drop=[12]),
            "Put right: seat 4 calls. Seat 1 to act, 500 to call. Line 11 was: seat 4 folds. Line 12 is taken out, too "
            "(seat 1 calls)",
        ),
        (
            [act(4, "call"), act(1, "call")],
            amend(11, act(4, "fold"), also=[{"line": 12, "to": act(1, "fold")}]),
            "Put right: seat 4 folds. Seat 2 to act, 250 to call. Line 11 was: seat 4 calls. Line 12, too: seat 1 "
            "folds; it was: seat 1 calls",
        ),
        (
            ["act 4 fold", "act 1 fold", "act 2 call", "act 3 check", "card - 5h 6h 7h"],
            amend(18, {"ev": "card", "card": "8h"}),
            "Put right: the card 8h. Seat 2 to act. Line 18 was: the card 7h",
        ),
        (
            ["act 4 fold"],
            amend(3, {"ev": "card", "card": "8h"}),
            "Put right: line 3 (a card that lies face down). Seat 1 to act, 500 to call",
        ),
    ],
)
def test_the_sentence_says_what_instead_of_what_and_what_follows(
    before: list[dict[str, Any] | str], line: dict[str, Any], sentence: str
) -> None:
    answer = open_tournament_hand(*before)(line)
    assert read_sentence(answer) == sentence


def test_a_confirmation_that_goes_with_an_amendment_is_told_and_the_cards_that_it_moved() -> None:
    played = play(
        "wsop-2024", "start", DEAL, "act 4 fold", "act 1 fold", "act 2 call", "act 3 check", "card - 5h joker"
    )
    assert played.lines[-1]["rulings"]
    played("done")
    answer = played(amend(17, {"ev": "card", "card": "6h"}))
    assert answer["amended"]["dropped"] == [18]
    assert read_sentence(answer) == (
        "Put right: line 17 (a card that lies face down). Move card: muck → board. Turn the flop. Line 18 goes with it"
    )


def test_no_sentence_and_no_live_answer_names_a_card_that_somebody_need_only_say_lies_open() -> None:
    """An antenna at the muck reads a folded hand; a dealer only says that a card is exposed."""
    seen = play("roberts-7", "start", "card 2c 3c 4c 5c 6c 7c 8c 9c", {"ev": "seen", "at": "muck", "card": "5c"},
                sensors=["identity", "face", "muck"])  # fmt: skip
    said = play("roberts-7", "start", "card 2c 3c 4c 5c 6c 7c 8c 9c", "report exposed seat=4 nth=2")
    for played, line in ((seen, amend(11, None)), (said, amend(9, {"ev": "card", "card": "8d"}))):
        answer = played(line)
        assert not {"5c", "8c", "8d"} & set(read_sentence(answer).replace(".", " ").replace(")", " ").split())
        live = render_live(played)
        assert "card" not in live["amended"]["was"], live["amended"]
        assert "card" not in (live["amended"]["now"] or {})


def render_live(played: ScriptedTable) -> dict[str, Any]:
    """The last answer as a live table publishes it."""
    return outcome_rendering.render_outcome(played.table.outcome, len(played.lines), live=True)


def void_and_put_right(confirmed_moves: int) -> ScriptedTable:
    """Eight cards are dealt and taken back, the misdeal is put right, and so many cards moved where they lay."""
    played = play("roberts-7", "start", DEAL, {"ev": "floor", "decide": "misdeal"}, "done", amend(11, None))
    assert played.lines[-1]["next"][0] == {"step": "move", "what": "card", "from": "stub", "to": "seat 2", "count": 1}
    if confirmed_moves:
        played(f"done {confirmed_moves}")
    return played


@pytest.mark.parametrize("moved", [0, 3, 8])
def test_a_hand_that_is_void_again_takes_back_the_cards_that_are_out(moved: int) -> None:
    played = void_and_put_right(moved)
    answer = played({"ev": "floor", "decide": "void"})
    assert answer["next"][0] == {"step": "return", "what": "hands", "from": "all", "to": "stub", "count": moved}
    assert played("done")["piles"]["stub"] == 52


@pytest.mark.parametrize("what", ["extra-card", "exposed", "boxed", "short-hand", "wrong-seat", "skipped"])
def test_nothing_is_reported_of_cards_that_are_still_to_be_moved_out_of_the_stub(what: str) -> None:
    """One report would send a card back from a seat that has none yet."""
    played = void_and_put_right(7)
    answer = played({"ev": "report", "what": what, "seat": 1})
    assert answer["error"]["code"] == "not-now"
    assert "is to move from stub to seat 1" in answer["error"]["message"]
    assert "error" not in play_on(played)("report missing-card")


def play_on(played: ScriptedTable) -> ScriptedTable:
    """The same table, which the next report does not change."""
    again = ScriptedTable()
    again.table, again.lines = played.table.copy(), list(played.lines)
    return again


def test_a_confirmed_award_confirms_no_card_of_a_hand_that_turns_out_void() -> None:
    """The `done` was said of the pot: the cards still lie where they lay, and go back by a step of their own."""
    stacks: dict[int, int | None] = {1: 40, 2: 40}
    dealt = ("card 2s 3h 8d 4c", "act 1 all-in", "act 2 call", "show 2", "show 1", "card 7h 5c As Ad 7d Ks 7c 8s")
    played = play("roberts-7", "start", *dealt, stacks=stacks, mode="tournament")
    over = played("done")
    assert over["phase"] == "idle", over
    amended = played({"ev": "amend", "line": 18, "to": {"ev": "card", "card": "As"}})
    assert [ruling["finding"] for ruling in amended["rulings"]] == ["amended", "duplicate"]
    assert amended["amended"]["dropped"] == [19]
    assert amended["next"][0] == {"step": "return", "what": "hands", "from": "all", "to": "stub", "count": 11}
    assert amended["piles"]["board"] == 5
    assert played("undo")["stacks"] == over["stacks"]
