"""The floor decides: questions that a book leaves open, and rulings that a person sets aside."""

import pytest

from controller.core.protocol.script_lines import format_line, parse_line
from tests.playing import play
from tests.rules.deals import on_flop

DOWN = "card" + " -" * 8
BOOKS = {
    "roberts-7": "R7-2.decision.1",
    "house-rules": "R7-2.decision.1",
    "fish-n-chips": "FC-2.decision.1",
    "maryport": "MP-2.decision.1",
    "casino-au": "R7-2.decision.1",
}


def decide(word: str, **more: object) -> dict[str, object]:
    return {"ev": "floor", "decide": word, **more}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("word", "verdict"), [("misdeal", "misdeal"), ("void", "void-hand")])
def test_the_floor_calls_a_misdeal_late(book: str, word: str, verdict: str) -> None:
    """In the interest of fairness the letter is set aside: all cards and all money go back, whatever has happened."""
    table = play(book, "start", DOWN, "act 4 raise 20", "act 1 call", "act 2 fold")
    line = table(decide(word, who="Mae", why="a card was marked"))
    (ruling,) = line["rulings"]
    assert (ruling["finding"], ruling["verdict"], ruling["cite"][0]) == ("floor", verdict, BOOKS[book])
    assert [step["step"] for step in line["next"][:3]] == ["return", "shuffle", "cut"]
    assert line["stacks"] == {"1": 200, "2": 199, "3": 198, "4": 200}
    assert table("done", "done", "done")["hand"] == 1


@pytest.mark.parametrize("book", BOOKS)
def test_the_floor_declares_a_hand_dead(book: str) -> None:
    """A hand that the floor declares dead goes to the muck; its wagers stay."""
    table = play(book, "start", DOWN, "act 4 raise 20")
    line = table(decide("dead-hand", seat=4))
    assert (line["rulings"][0]["verdict"], line["rulings"][0]["seat"]) == ("dead-hand", 4)
    assert (line["bets"]["4"], line["piles"]["muck"], line["next"][0]["seat"]) == (20, 2, 1)


def test_dead_hands_are_refused_where_they_make_no_sense() -> None:
    """It needs the seat of a live hand, and the last live hand takes the pot."""
    table = play("roberts-7", "start", DOWN, "act 4 fold")
    assert table(decide("dead-hand"))["error"]["code"] == "key-missing"
    assert table(decide("dead-hand", seat=4))["error"]["code"] == "no-live-hand"
    table("act 1 fold", "act 2 fold")
    assert table(decide("dead-hand", seat=3))["error"]["code"] == "nobody-else"


def test_the_floor_takes_back_a_ruling() -> None:
    """`play-on` right after a ruling undoes what it put on the plan."""
    table = play("roberts-7", "start", "card - - - - -", "report exposed seat=3 nth=1")
    assert table.lines[-1]["rulings"][0]["verdict"] == "misdeal"
    line = table(decide("play-on"))
    assert (line["rulings"][0]["verdict"], line["next"][0]["step"], line["piles"]["stub"]) == ("play-on", "deal", 47)


def test_the_floor_lets_a_boxed_card_play() -> None:
    """A card that the shoe found boxed lies where the plan sends it."""
    table = play("roberts-7", "start", "card - -", {"ev": "card", "card": "5s", "face": "up"})
    assert table.lines[-1]["rulings"][0]["verdict"] == "scrap"
    line = table(decide("play-on"))
    assert line["piles"]["seats"] == {"2": 1, "3": 1, "4": 1}
    assert line["next"][0] == {"step": "deal", "seat": 1, "face": "down"}


def test_only_the_ruling_of_the_line_before_is_taken_back() -> None:
    """Once its steps are carried out a ruling stands; without one there is nothing to set aside."""
    table = play("roberts-7", "start", "card - -", {"ev": "card", "card": "5s", "face": "up"}, "done")
    assert table(decide("play-on"))["error"]["code"] == "nothing-to-overrule"
    assert table("card - -", decide("play-on"))["error"]["code"] == "nothing-to-overrule"


def test_a_question_takes_only_its_own_answers() -> None:
    """The step lists the legal decisions; another is refused and changes nothing."""
    table = play("roberts-7", "start", DOWN, "act 1 call")
    line = table(decide("misdeal"))
    assert line["error"]["code"] == "not-an-option"
    assert line["phase"] == "floor"
    assert table(decide("bind", seat=2))["error"]["code"] == "other-seat"
    assert table(decide("bind", seat=1))["phase"] == "bet"


@pytest.mark.parametrize("book", ["fish-n-chips", "maryport"])
def test_the_floor_releases_what_the_book_binds(book: str) -> None:
    """An act out of turn that the book binds is let go, and bound again."""
    table = play(book, "start", DOWN, "act 1 fold")
    table(decide("release"), "act 4 fold")
    assert "raise" in table.lines[-1]["next"][0]["options"]
    assert table(decide("bind", seat=1))["next"][0]["options"] == ["fold"]


def test_the_floor_lifts_the_restriction_after_a_check_out_of_turn() -> None:
    """`release` names the seat that checked; there must be one."""
    table = play("roberts-7", "start", DOWN, "act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -")
    assert table(decide("release"))["error"]["code"] == "key-missing"
    table("act 3 check", decide("release"), "act 2 check")
    assert "bet" in table.lines[-1]["next"][0]["options"]
    assert table(decide("bind", seat=4))["error"]["code"] == "nothing-to-bind"


def test_a_hand_dies_at_the_showdown() -> None:
    """All have shown and the pots are settled: without the dead hand they are settled anew."""
    table = play(
        "roberts-7",
        "start",
        "card 2c As Kd 7h 3d Ah Kc 8h",
        *("act 4 call", "act 1 fold", "act 2 call", "act 3 check"),
        "card - Qs Jd 4c",
        *("act 2 check", "act 3 check", "act 4 check"),
        "card - 9c",
        *("act 2 check", "act 3 check", "act 4 check"),
        "card - 9d",
        *("act 2 check", "act 3 check", "act 4 check", "show 2", "show 3", "show 4"),
    )
    assert table.lines[-1]["next"] == [{"step": "award", "pot": 0, "seats": [3], "amounts": [6]}]
    line = table(decide("dead-hand", seat=3))
    assert line["next"] == [{"step": "award", "pot": 0, "seats": [4], "amounts": [6]}]
    assert table(decide("dead-hand", seat=2))["next"] == [{"step": "award", "pot": 0, "seats": [4], "amounts": [6]}]
    assert table("done")["phase"] == "idle"


def test_between_hands_there_is_nothing_to_decide() -> None:
    """Without a hand the floor's word has no place."""
    assert play("roberts-7")(decide("misdeal"))["error"]["code"] == "not-now"


@pytest.mark.parametrize(
    ("book", "late"),
    [
        ("roberts-7", "must-keep"),
        ("house-rules", "must-keep"),
        ("fish-n-chips", "must-keep"),
        ("maryport", "must-keep"),
    ],
)
def test_a_late_report_is_ruled_differently(book: str, late: str) -> None:
    """An error must be raised when it happens or as soon as it is seen: lateness may change the ruling.

    Covers: R7-2.decision.3, HR-decide.2, FC-2.decision.2, MP-2.decision.3
    """
    early = play(book, "start", "card -", "report exposed")
    assert early.lines[-1]["rulings"][0]["verdict"] == "misdeal"
    table = play(book, "start", DOWN, "act 4 call", "act 1 call", "act 2 call")
    assert table("report exposed seat=2 nth=1")["rulings"][0]["verdict"] == late


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_who_should_have_got_a_pot_is_asked_before_the_next_deal(book: str) -> None:
    """A claim on a pot is heard until the next deal begins: the award can be taken back till then, and not after it.

    Covers: R7-2.decision.5, HR-decide.4, FC-2.decision.3, MP-2.decision.5
    """
    table = play(book, "start", DOWN, "act 4 fold", "act 1 fold", "act 2 fold", "done")
    assert table.lines[-1]["phase"] == "idle"
    assert table("undo")["next"][0]["step"] == "award"
    table("done", "start", "card -")
    assert table("undo")["error"]["code"] == "nothing-to-undo"


def test_who_decided_and_why_are_on_record() -> None:
    """A decision is read and written back with both, so that the journal has them; no display repeats the reason."""
    line = decide("dead-hand", seat=4, who="Mae", why="seat 4 showed the king of clubs")
    assert format_line(parse_line(line)) == line
    answer = play("roberts-7", "start", DOWN)(line)
    assert "king of clubs" not in str(answer)


def test_the_last_to_show_dies_and_the_others_divide() -> None:
    """Two have shown, the third hand is declared dead before it is shown: the pot is settled among the two."""
    table = play(
        "maryport",
        "start",
        "card 2c As Kd 7h 3d Ah Kc 8h",
        *("act 4 call", "act 1 fold", "act 2 call", "act 3 check", "card - Qs Jd 4c"),
        *("act 2 check", "act 3 check", "act 4 check", "card - 9c", "act 2 check", "act 3 check", "act 4 check"),
        *("card - 9d", "act 2 check", "act 3 check", "act 4 check", "show 2", "show 4"),
    )
    assert table(decide("dead-hand", seat=3))["next"] == [{"step": "award", "pot": 0, "seats": [4], "amounts": [6]}]


def test_play_on_takes_no_regular_entry_back() -> None:
    """An act in turn that releases another seat stands, whatever the floor thinks of it; `undo` is for that."""
    table = play("fish-n-chips", "start", DOWN, "act 1 fold", "act 4 raise 10")
    assert table.lines[-1]["rulings"][0]["verdict"] == "play-on"
    assert table(decide("play-on"))["error"]["code"] == "nothing-to-overrule"
    assert table("act 1 call", "act 1 call", decide("play-on"))["next"][0]["seat"] == 2


@pytest.mark.parametrize("book", BOOKS)
def test_R7_2_decision_1_nobody_has_to_call_a_dead_hand(book: str) -> None:
    """The last bettor's hand is dead: its bet stays in the pot, those who have not called it owe nothing."""
    played = on_flop(book, "act 2 bet 10")
    answer = played(decide("dead-hand", seat=2))
    step = answer["next"][0]
    assert (step["seat"], step["to_call"], step["options"][:2]) == (3, 0, ["fold", "check"])
    assert answer["bets"] == {"2": 10}
    answer = played("act 3 check", "act 4 check", "act 1 check")
    assert answer["pots"] == [{"amount": 18, "seats": [1, 3, 4]}]


def test_R7_2_decision_1_a_dead_bet_that_was_called() -> None:
    """One has called it: that wager is a live hand's, and the others call it or fold."""
    played = on_flop("roberts-7", "act 2 bet 10", "act 3 call")
    step = played(decide("dead-hand", seat=2))["next"][0]
    assert (step["seat"], step["to_call"]) == (4, 10)
