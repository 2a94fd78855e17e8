"""The deal, the blinds and straddles, the order of action, and what lies on the table. Seat 1 has the button."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

Stacks = dict[int, int | None]

BIG = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
LIMIT = {"structure": "fixed-limit", "small_blind": 10, "big_blind": 20, "small_bet": 20, "big_bet": 40}
BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
GAMES = {"holdem": 2, "omaha": 4}
BUTTON_GAMES = [(book, game) for book in BOOKS for game in GAMES if (book, game) != ("maryport", "omaha")]


def begun(
    book: str,
    game: str = "holdem",
    stacks: Stacks | None = None,
    betting: dict[str, Any] | None = None,
    **table: Any,  # noqa: ANN401
) -> ScriptedTable:
    """The blinds are posted, the first card is due."""
    chips = stacks or dict.fromkeys(range(1, 5), 2000)
    return play(book, "start", game=game, stacks=chips, betting=betting or BIG, **table)


def dealt(book: str, game: str = "holdem", stacks: Stacks | None = None, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """All hands are dealt."""
    played = begun(book, game, stacks, **table)
    played("card" + " -" * (GAMES[game] * len(stacks or range(4))))
    return played


def turns(played: ScriptedTable, word: str) -> list[int]:
    """Who acts, one after the other, until the street is over, each with `word` (or a call)."""
    order: list[int] = []
    while (step := played.lines[-1]["next"][0])["step"] == "act":
        order.append(step["seat"])
        played(f"act {step['seat']} {word if word in step['options'] else 'call'}")
    return order


def options(line: dict[str, Any]) -> list[str]:
    found: list[str] = line["next"][0]["options"]
    return found


@pytest.mark.parametrize(("book", "game"), BUTTON_GAMES)
def test_cards_go_clockwise_and_the_button_gets_the_last(book: str, game: str) -> None:
    """One card at a time, face down, from the left of the button until everybody has a whole hand.

    Covers: R7-4.intro#a, R7-5.intro#a, R7-6.omaha.1, FC-4.intro#a, FC-5.intro#a, FC-7.omaha, MP-4.intro#a,
    MP-5.intro#a, HR-omaha, AU-16.1(b)#a, AU-17.1(b)#a, AU-16.1(d), AU-17.1(d)
    """
    table = begun(book, game)
    deals = table.lines[-1]["next"][:-1]
    assert [step["seat"] for step in deals] == [2, 3, 4, 1] * GAMES[game]
    assert {step["step"] for step in deals} == {"deal"}
    assert {step["face"] for step in deals} == {"down"}
    table("card" + " -" * len(deals))
    for street, n in (("flop", 3), ("turn", 1), ("river", 1)):
        turns(table, "check")
        assert table.lines[-1]["next"][:2] == [{"step": "burn"}, {"step": "board", "street": street, "n": n}]
        table("card" + " -" * (n + 1))
    turns(table, "check")
    assert [step["step"] for step in table.lines[-1]["next"]] == ["show"] * 4


@pytest.mark.parametrize(("book", "game"), BUTTON_GAMES)
def test_blinds_are_posted_left_of_the_button_before_any_card(book: str, game: str) -> None:
    """Small blind the first seat clockwise from the button, big blind the second; they are part of the bet.

    Covers: R7-4.intro#c, FC-4.intro#c, MP-4.intro#c, AU-16.1(c)(i), AU-16.1(c)(ii), AU-17.1(c)(i), AU-17.1(c)(ii)
    """
    table = begun(book, game)
    line = table.lines[-1]
    assert line["bets"] == {"2": 50, "3": 100}
    assert (line["lamps"]["small_blind"], line["lamps"]["big_blind"]) == ([2], [3])
    assert (line["lamps"]["deal"], line["lamps"]["act"]) == ([2], [])
    assert sum(line["piles"]["seats"].values()) == 0
    table("card" + " -" * (4 * GAMES[game]), "act 4 fold", "act 1 fold")
    assert table.lines[-1]["next"][0]["to_call"] == 50


@pytest.mark.parametrize(("book", "game"), BUTTON_GAMES)
def test_who_opens_each_street(book: str, game: str) -> None:
    """First left of the blinds, later left of the button, clockwise; who is left alone wins.

    Covers: R7-4.intro#d, FC-4.intro#d, MP-4.intro#d, AU-16.2(a), AU-16.2(b), AU-16.2(c), AU-16.3(b), AU-16.3(c),
    AU-16.4(b), AU-16.4(c), AU-16.5(b), AU-16.5(c), AU-17.2(a), AU-17.2(b), AU-17.2(c), AU-17.3(b), AU-17.3(c),
    AU-17.4(b), AU-17.4(c), AU-17.5(b), AU-17.5(c)
    """
    seats = dict.fromkeys(range(1, 6), 2000)
    table = dealt(book, game, dict(seats))
    assert "check" not in options(table.lines[-1])
    assert table("act 4 fold")["next"][0]["seat"] == 5
    assert turns(table, "check") == [5, 1, 2, 3]
    for cards in ("card - - - -", "card - -", "card - -"):
        table(cards)
        assert turns(table, "check") == [2, 3, 5, 1]
    for cards, left in (("", [5, 1, 2, 3]), ("card - - - -", [2, 3, 5, 1]), ("card - -", [2, 3, 5, 1])):
        alone = dealt(book, game, dict(seats))
        alone("act 4 fold")
        for street in ("card - - - -", "card - -") if cards == "card - -" else (cards,) if cards else ():
            turns(alone, "check")
            alone(street)
        if cards:
            alone(f"act {left[0]} bet 100")
            line = alone(*(f"act {seat} fold" for seat in left[1:]))
            winner = left[0]
        else:
            line = alone("act 5 fold", "act 1 fold", "act 2 fold")
            winner = 3
        assert line["next"][0]["step"] == "award"
        assert line["next"][0]["seats"] == [winner]


@pytest.mark.parametrize(
    ("book", "mode"),
    [
        ("roberts-7", "cash"),
        ("roberts-7", "tournament"),
        ("house-rules", "cash"),
        ("fish-n-chips", "cash"),
        ("fish-n-chips", "tournament"),
        ("maryport", "cash"),
        ("maryport", "tournament"),
    ],
)
def test_heads_up_the_small_blind_is_on_the_button(book: str, mode: str) -> None:
    """With two players the small blind is on the button and acts first before the flop, last after it.

    Covers: R7-4.blinds.4, R7-15.tourn.31, HR-blinds.3, FC-4.blinds.3#a, FC-10.play.11#a, MP-4.blinds.3, MP-7.tourn.27
    """
    table = dealt(book, stacks={1: 2000, 2: 2000}, mode=mode)
    assert table.lines[1]["lamps"]["button"] == [1]
    assert table.lines[1]["bets"] == {"1": 50, "2": 100}
    assert [step["seat"] for step in table.lines[1]["next"][:4]] == [2, 1, 2, 1]
    assert turns(table, "check") == [1, 2]
    table("card - - - -")
    assert turns(table, "check") == [2, 1]


@pytest.mark.parametrize("mode", ["cash", "tournament"])
def test_who_had_the_big_blind_last_gets_the_button_heads_up(mode: str) -> None:
    """When play becomes heads-up the player who last had the big blind gets the button, the other the big blind.

    Covers: FC-4.blinds.3#b, FC-10.play.11#b
    """
    table = dealt("fish-n-chips", stacks={1: 2000, 2: 2000, 3: 2000}, mode=mode)
    table("act 1 fold", "act 2 fold", "done", "leave 1", "start")
    line = table.lines[-1]
    assert (line["lamps"]["button"], line["lamps"]["small_blind"], line["lamps"]["big_blind"]) == ([3], [3], [2])


@pytest.mark.parametrize("book", BOOKS)
def test_a_blind_may_raise_at_its_first_turn(book: str) -> None:
    """The big blind is that player's opening bet: called round, he has the option to raise; a raise is two blinds.

    Covers: R7-4.blinds.3, R7-4.blinds.9, HR-blinds.2, HR-blinds.8, FC-4.blinds.4, FC-4.blinds.5, MP-4.blinds.4,
    MP-4.blinds.5
    """
    table = dealt(book)
    assert table.lines[-1]["next"][0]["min_to"] == 200
    line = table("act 4 call", "act 1 call", "act 2 call")
    assert (line["next"][0]["seat"], options(line)) == (3, ["fold", "check", "raise", "all-in"])
    assert table("act 3 raise 300")["next"][0]["seat"] == 4


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips", "maryport"])
def test_the_option_survives_a_short_all_in(book: str) -> None:
    """The option to raise is not taken away by an all-in of less than a minimum raise."""
    table = dealt(book, stacks={1: 2000, 2: 2000, 3: 2000, 4: 150})
    line = table("act 4 all-in", "act 1 call", "act 2 fold")
    assert "raise" in options(line)


@pytest.mark.parametrize(
    ("book", "clause"),
    [("roberts-7", "R7, Section 4"), ("house-rules", "rule 15"), ("casino-au", "AU, clause 1.1")],
)
def test_no_straddle_at_limit(book: str, clause: str) -> None:
    """At limit a live straddle is refused.

    Covers: R7-4.blinds.16, HR-blinds.15
    """
    line = begun(book, betting=LIMIT)("act 4 straddle")
    assert line["error"]["code"] == "straddle-not-allowed"
    assert clause in line["error"]["message"]


@pytest.mark.parametrize(("book", "again"), [("roberts-7", False), ("house-rules", True)])
def test_a_straddle(book: str, again: bool) -> None:
    """Left of the big blind, twice its size; it sets the bring-in, is no raise, and acts last. HR lets it go on.

    Covers: R7-14.nl.3, R7-14.nl.15, HR-nl.2#b, HR-nl.11
    """
    table = begun(book, stacks=dict.fromkeys(range(1, 6), 2000))
    assert table("act 5 straddle")["error"]["code"] == "straddle-not-allowed"
    line = table("act 4 straddle")
    assert (line["bets"]["4"], line["next"][-1]["seat"]) == (200, 5)
    assert (line["next"][-1]["to_call"], line["next"][-1]["min_to"]) == (200, 400)
    refused = "error" in table("act 5 straddle")
    assert refused == (not again)
    last = 5 if again else 4
    assert table.lines[-1]["bets"].get("5") == (400 if again else None)
    table("card" + " -" * 10)
    order = turns(table, "check")
    assert order[-1] == last
    tournament = begun(book, mode="tournament", stacks=dict.fromkeys(range(1, 6), 2000))
    assert "error" in tournament("act 4 straddle")


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips", "maryport"])
def test_a_player_short_of_the_blind_gets_action_on_what_is_left(book: str) -> None:
    """He wins what his chips are worth from each, and need not make up the blind.

    Covers: R7-15.tourn.20, FC-10.play.3, MP-7.tourn.18
    """
    table = begun(book, stacks={1: 2000, 2: 2000, 3: 30, 4: 2000}, mode="tournament")
    assert (table.lines[-1]["bets"]["3"], table.lines[-1]["stacks"]["3"]) == (30, 0)
    table("card 2c As 3d 7h 2d Ah 4s 7d", "act 4 fold", "act 1 fold")
    assert [step["step"] for step in table.lines[-1]["next"][:2]] == ["show", "show"]
    table("show 2", "show 3", "card - Kc Qd 9s", "card - 5c", "card - 5d")
    line = table.lines[-1]
    assert line["next"] == [{"step": "award", "pot": 0, "seats": [3], "amounts": [60]}]
    assert line["stacks"]["2"] == 1970


@pytest.mark.parametrize(("book", "dead"), [("roberts-7", True), ("fish-n-chips", True), ("maryport", False)])
def test_an_absent_tournament_player_posts(book: str, dead: bool) -> None:
    """He is always dealt a hand, and his stack posts the blinds; what becomes of the hand each book says.

    Covers: R7-15.tourn.6, FC-4.blinds.6, FC-10.absent.intro#b, MP-7.tourn.7
    """
    table = play(book, "away 2", "start", stacks=dict.fromkeys(range(1, 5), 2000), betting=BIG, mode="tournament")
    assert table.lines[-1]["bets"]["2"] == 50
    line = table("card" + " -" * 8)
    assert line["piles"]["muck"] == (2 if dead else 0)
    assert line["stacks"]["2"] == 1950


@pytest.mark.parametrize("book", BOOKS)
def test_only_chips_that_lay_there_when_the_deal_began_play(book: str) -> None:
    """Nobody adds or removes chips while a hand is on; a wager is bounded by what is in front of the player.

    Covers: R7-2.proc.6, HR-general.3, MP-2.proc.7, AU-1.1#tablestakes, AU-7.5
    """
    table = dealt(book, stacks={1: 2000, 2: 2000, 3: 2000, 4: 700})
    line = table({"ev": "stack", "seat": 4, "stack": 5000})
    assert line["error"]["code"] == "not-now"
    assert line["next"][0]["max_to"] == 700
    assert "error" in table("act 4 raise 800")
    table("act 4 fold", "act 1 fold", "act 2 fold", "done", {"ev": "stack", "seat": 4, "stack": 5000}, "start")
    assert table.lines[-1]["stacks"]["4"] + table.lines[-1]["bets"]["4"] == 5000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("book", "refused"), [("casino-au", True), ("roberts-7", False)])
def test_the_last_blind_is_the_minimum_at_least(book: str, refused: bool, game: str) -> None:
    """AU: the last compulsory blind is at least the table minimum for the first round; elsewhere the house sets it.

    Covers: AU-16.6(b), AU-17.6(b)
    """
    seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 3)]
    line = {"ev": "table", "rulebook": book, "game": game, "betting": LIMIT | {"big_blind": 15}, "seats": seats}
    answer = ScriptedTable()(line | {"button": 1})
    assert (answer.get("error", {}).get("code") == "value") == refused
    assert "error" not in ScriptedTable()(line | {"button": 1, "betting": LIMIT})


@pytest.mark.parametrize(("book", "clause"), [("roberts-7", "R7-14.nl.3"), ("house-rules", "HR-nl.2#b")])
def test_R7_14_nl_2_a_straddle_is_the_minimum_of_every_round(book: str, clause: str) -> None:
    """It sets a new minimum bring-in, and that is the smallest bet on all rounds.

    Covers: R7-14.nl.3, HR-nl.2#b
    """
    table = play(book, "start", "act 4 straddle", "card - - - - - - - -")
    table("act 1 call", "act 2 call", "act 3 call", "act 4 check")
    step = table("card 2c 3c 4c 5d")["next"][0]
    assert (step["options"], step["min_to"]) == (["fold", "check", "bet", "all-in"], 4), clause
    assert table("act 2 bet 2")["error"]["code"] == "amount"


def test_R7_14_nl_15_a_straddle_of_the_wrong_size_is_refused() -> None:
    """It is twice the big blind: another size is named in the refusal and nothing is posted."""
    table = play("roberts-7", "start", "act 4 straddle 5")
    assert table.lines[-1]["error"] == {
        "code": "amount",
        "message": "a straddle of seat 4 is 4, not 5; leave `to` out.",
    }
    assert table.lines[-1]["bets"] == {"2": 1, "3": 2}
    assert table("act 4 straddle 4")["bets"] == {"2": 1, "3": 2, "4": 4}
