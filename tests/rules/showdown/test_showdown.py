"""Who shows first, who wins, how pots are split, and who gets the odd chip. Seat 1 has the button."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

Stacks = dict[int, int | None]

BIG = {"structure": "no-limit", "small_blind": 5, "big_blind": 10}
BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
CASH = {"mode": "cash"}


def hands(
    book: str,
    held: dict[int, str],
    game: str = "holdem",
    stacks: Stacks | None = None,
    **table: Any,  # noqa: ANN401
) -> ScriptedTable:
    """The hands are dealt as `held` says (seat -> its cards), the seat left of the blinds is to act."""
    order = [seat for seat in sorted(held) if seat > 1] + [1]
    cards = {seat: held[seat].split() for seat in order}
    dealt = [cards[seat][nth] for nth in range(len(cards[1])) for seat in order]
    setup: dict[str, Any] = {"betting": BIG} | CASH | table
    chips = stacks or dict.fromkeys(sorted(held), 1000)
    return play(book, "start", "card " + " ".join(dealt), game=game, stacks=chips, **setup)


def act(played: ScriptedTable, word: str = "check") -> None:
    """Everybody acts until the street is over: `word`, or a call."""
    while played.lines[-1]["next"] and (step := played.lines[-1]["next"][0])["step"] == "act":
        played(f"act {step['seat']} {word if word in step['options'] else 'call'}")


def board(played: ScriptedTable, cards: str) -> None:
    """The betting is called and checked down on these five cards."""
    flop, turn, river = cards[:8], cards[9:11], cards[12:]
    for street in (f"card - {flop}", f"card - {turn}", f"card - {river}"):
        act(played)
        played(street)
    act(played)


def shows(line: dict[str, Any]) -> list[int]:
    return [step["seat"] for step in line["next"] if step["step"] == "show"]


def show_all(played: ScriptedTable) -> list[tuple[int, list[int], list[int]]]:
    """All hands are shown as listed; the awards: pot, seats, amounts."""
    for seat in shows(played.lines[-1]):
        played(f"show {seat}")
    return [(step["pot"], step["seats"], step["amounts"]) for step in played.lines[-1]["next"]]


def awards(book: str, held: dict[int, str], on: str, **table: Any) -> list[tuple[int, list[int], list[int]]]:  # noqa: ANN401
    """Checked down and shown."""
    played = hands(book, held, **table)
    board(played, on)
    return show_all(played)


@pytest.mark.parametrize("book", BOOKS)
def test_checked_through_the_first_to_act_shows_first(book: str) -> None:
    """If everybody checks on the last round, who acted first on it shows first, the others clockwise.

    Covers: R7-3.showdown.8#a, HR-showdown.8#a, FC-3.showdown.8#a, MP-3.showdown.6#a
    """
    table = hands(book, dict.fromkeys(range(1, 5), "- -"))
    table("act 4 call", "act 1 call", "act 2 fold", "act 3 check")
    board(table, "2c 7d 9h Js Qc")
    assert shows(table.lines[-1]) == [3, 4, 1]


@pytest.mark.parametrize("book", BOOKS)
def test_the_last_to_bet_or_raise_shows_first(book: str) -> None:
    """With wagering on the last round the last aggressor, the player who was called, shows first.

    Covers: R7-3.showdown.8#b, HR-showdown.8#b, FC-3.showdown.8#b, MP-3.showdown.6#b
    """
    table = hands(book, dict.fromkeys(range(1, 5), "- -"))
    for cards in ("card - - - -", "card - -", "card - -"):
        act(table)
        table(cards)
    table("act 2 check", "act 3 bet 20", "act 4 raise 60", "act 1 call", "act 2 call", "act 3 call")
    assert shows(table.lines[-1]) == [4, 1, 2, 3]


def test_those_in_a_side_pot_show_before_who_is_in_the_main_pot_only() -> None:
    """HR: players involved in the side pot should show before anyone who is all-in for only the main pot.

    Covers: HR-showdown.8#c
    """
    for book, order in (("house-rules", [3, 1, 4]), ("roberts-7", [3, 4, 1])):
        table = hands(book, dict.fromkeys(range(1, 5), "- -"), stacks={1: 1000, 2: 1000, 3: 1000, 4: 40})
        table("act 4 all-in", "act 1 call", "act 2 fold", "act 3 call")
        board(table, "2c 7d 9h Js Qc")
        assert shows(table.lines[-1]) == [3, 4, 1], "nothing in a side pot"
        table = hands(book, dict.fromkeys(range(1, 5), "- -"), stacks={1: 1000, 2: 1000, 3: 1000, 4: 40})
        table("act 4 all-in", "act 1 raise 100", "act 2 fold", "act 3 call")
        board(table, "2c 7d 9h Js Qc")
        assert shows(table.lines[-1]) == order


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_a_claim_of_the_pot_tables_every_card(book: str) -> None:
    """To win any part of a pot a player must show all of his cards: fewer are not taken.

    Covers: R7-3.showdown.1, HR-showdown.1, FC-3.showdown.1, MP-3.showdown.1
    """
    table = hands(book, {1: "2c 3c", 2: "Ac Ad", 3: "Kc Kd"})
    board(table, "4h 7c 9s Ts Js")
    line = table({"ev": "show", "seat": 2, "cards": ["Ac"]})
    assert line["error"]["code"] == "cards-differ"
    assert "error" not in table({"ev": "show", "seat": 2, "cards": ["Ac", "Ad"]})


@pytest.mark.parametrize("book", BOOKS)
def test_a_hand_may_be_given_up(book: str) -> None:
    """All betting being over a player may throw the hand away rather than compete for the pot.

    Covers: FC-3.showdown.8#d
    """
    table = hands(book, {1: "2c 3c", 2: "Kc Kd", 3: "Ac Ad"})
    board(table, "4h 7c 9s Ts Js")
    table("muck 3", "muck 1")
    assert table.lines[-1]["next"] == [{"step": "award", "pot": 0, "seats": [2], "amounts": [30]}]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_who_throws_the_cards_away_does_not_play_the_board(book: str) -> None:
    """A player who plays the board must say so before throwing his cards away, or he gives up the pot.

    Covers: R7-5.holdem.9, HR-holdem.6, FC-5.holdem.9, MP-5.holdem.9
    """
    held = {1: "2c 3c", 2: "4c 5c", 3: "2d 3d"}
    assert awards(book, held, "Ts Js Qs Ks As") == [(0, [1, 2, 3], [10, 10, 10])]
    table = hands(book, held)
    board(table, "Ts Js Qs Ks As")
    table("muck 2")
    assert show_all(table) == [(0, [1, 3], [15, 15])]


@pytest.mark.parametrize("book", BOOKS)
def test_cards_speak(book: str) -> None:
    """A hand is read by its cards, whatever its player calls it; any five of the board and both hole cards win.

    Covers: AU-1.1#cardsspeak, AU-16.5(d)
    """
    assert awards(book, {1: "2c 3c", 2: "As 4d", 3: "Kc Kd"}, "5s 7s 9s Ts Kh") == [(0, [2], [30])]
    assert awards(book, {1: "2c 2h", 2: "As Ad", 3: "6c 8d"}, "2s 2d Ks Kh 9c") == [(0, [1], [30])]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "casino-au"])
def test_exactly_two_hole_cards_play_in_omaha(book: str) -> None:
    """Omaha: two cards from the hand and three from the board, so that one spade in hand makes no flush.

    Covers: AU-17.5(d), R7-6.omaha.1, HR-omaha, FC-7.omaha
    """
    held = {1: "2c 2d 2h 3c", 2: "As 4d 4h 6h", 3: "Qd Qh 8d 8c"}
    assert awards(book, held, "5s 7s 9s Ts Kh", game="omaha") == [(0, [3], [30])]


@pytest.mark.parametrize(
    ("better", "worse", "on"),
    [
        ("As 2d", "9s 8s", "Ts Js Qs Ks 3h"),
        ("9s 2d", "Jc Jd", "Ts Js Qs 8s Jh"),
        ("7c 7d", "Kc Kd", "7h 7s Kh 2c 3d"),
        ("Kc Kd", "As 2s", "Kh 7s 7d 9s Js"),
        ("As 2s", "Tc Qd", "7s 9s Js 8d 3h"),
        ("Tc 6d", "9c 9d", "7s 9h 8d 2c Kh"),
        ("9c 9d", "Kc Qd", "9h Ks Qh 2c 5d"),
        ("Kc Qd", "As Ad", "Ks Qh 9h 2c 5d"),
        ("9c 2d", "As Kd", "9h Qh 7s 3c 5d"),
        ("Ac 2d", "Kc Jd", "9h Qh 7s 3c 5d"),
    ],
    ids=[
        "royal flush",
        "straight flush",
        "quads",
        "full house",
        "flush",
        "straight",
        "trips",
        "two pair",
        "pair",
        "none",
    ],
)
def test_the_order_of_hands(better: str, worse: str, on: str) -> None:
    """Each rank of hand beats the one below it; the lowest is judged by its highest card.

    Covers: AU-9.1(a), AU-9.1(b), AU-9.1(c), AU-9.1(d), AU-9.1(e), AU-9.1(f), AU-9.1(g), AU-9.1(h), AU-9.1(i), AU-9.1(j)
    """
    for first, second in ((better, worse), (worse, better)):
        table = hands("casino-au", {1: first, 2: second})
        board(table, on)
        assert show_all(table) == [(0, [1 if first == better else 2], [20])]


@pytest.mark.parametrize("book", ["casino-au", "roberts-7", "house-rules"])
def test_suits_never_decide_a_pot(book: str) -> None:
    """All suits are equal: the same straight flush in spades and in clubs cannot be, the same straight can.

    Covers: AU-4.4, R7-3.ties.1, HR-ties.1
    """
    assert awards(book, {1: "Tc 2d", 2: "Ts 2h"}, "7s 9h 8d Jc Kh") == [(0, [1, 2], [10, 10])]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "casino-au"])
def test_a_pot_is_split_to_the_smallest_chip(book: str) -> None:
    """An odd remainder is broken down to the smallest unit used in the game: chips of 5 here.

    Covers: R7-3.ties.3, HR-ties.3, FC-3.ties.1
    """
    held = {1: "Ac 2d", 2: "Ah 2h", 3: "Kc Qd"}
    betting = {"structure": "no-limit", "small_blind": 5, "big_blind": 15, "chip": 5}
    ((_, seats, amounts),) = awards(book, held, "As 7h 8d Jc 3h", betting=betting)
    assert (seats, sorted(amounts)) == ([1, 2], [20, 25])


ODD = {"structure": "no-limit", "small_blind": 1, "big_blind": 5}


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_the_odd_chip_goes_clockwise_from_the_button(book: str) -> None:
    """The first tied hand clockwise from the button gets it; of several nobody gets more than one.

    Covers: R7-3.ties.4, R7-3.ties.5a, HR-ties.4, HR-ties.5.1, FC-3.ties.2#a, FC-3.ties.2#b
    """
    tied = {1: "As 2d", 2: "Kc Qd", 3: "Ac 2h", 4: "Ah 2c"}
    table = hands(book, tied, betting=ODD)
    table("act 4 call", "act 1 call", "act 2 fold", "act 3 check")
    board(table, "Ad 7h 8d Jc 3h")
    assert show_all(table) == [(0, [1, 3, 4], [5, 6, 5])]
    pairs = hands(book, {1: "As 2d", 2: "Kc Qd", 3: "Ac 2h", 4: "9h 9c", 5: "Ah 2c"}, betting=ODD)
    pairs("act 4 raise 12", "act 5 call", "act 1 call", "act 2 fold", "act 3 call")
    board(pairs, "Ad 7h 8d Jc 3h")
    ((_, seats, amounts),) = show_all(pairs)
    assert (seats, amounts) == ([1, 3, 5], [16, 17, 16])
    two = hands(book, {1: "As 2d", 2: "Kc Qd", 3: "Ac 2h", 4: "9h 9c", 5: "Ah 2c"}, betting=ODD | {"small_blind": 2})
    two("act 4 raise 12", "act 5 call", "act 1 call", "act 2 fold", "act 3 call")
    board(two, "Ad 7h 8d Jc 3h")
    assert [amounts for _, _, amounts in show_all(two)] == [[16, 17, 17]]


def test_the_odd_chip_goes_to_the_highest_card_by_suit() -> None:
    """AU hold'em: the highest card by suit among the hole cards, spades above hearts, diamonds and clubs.

    Covers: AU-16.5(e)
    """
    table = hands("casino-au", {1: "As 2d", 2: "Kc Qd", 3: "Ac 2h", 4: "Ah 2c"}, betting=ODD)
    table("act 4 call", "act 1 call", "act 2 fold", "act 3 check")
    board(table, "Ad 7h 8d Jc 3h")
    assert show_all(table) == [(0, [1, 3, 4], [6, 5, 5])]


def test_the_odd_chip_goes_to_the_highest_card_used() -> None:
    """AU Omaha: among the hole cards used in the winning hand; an idle ace of spades does not count.

    Covers: AU-17.5(e)
    """
    held = {1: "9c Tc As 2d", 2: "Kc Qd 3c 4d", 3: "9h Th Ah 2h"}
    table = hands("casino-au", held, game="omaha", betting=ODD | {"small_blind": 1})
    table("act 1 call", "act 2 fold", "act 3 check")
    board(table, "7s 8d Jc 3s 3h")
    assert show_all(table) == [(0, [1, 3], [5, 6])]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_high_low_needs_an_eight_and_two_pairs_of_hole_cards(book: str) -> None:
    """Omaha rules apply; other two cards may play low than high; five different ranks of eight or lower, the ace both.

    Covers: R7-7.omaha8.1, R7-7.omaha8.2, HR-omaha8.1, HR-omaha8.2
    """
    held = {1: "Kc Kd 9c Jd", 2: "Qh Qd 9s Tc", 3: "As 2s Kh Ts"}
    assert awards(book, held, "3h 5d 8c Kc Qs".replace("Kc", "Ks"), game="omaha-8") == [(0, [1], [15]), (0, [3], [15])]
    assert awards(book, held, "3h 9d 8c Ks Qs", game="omaha-8") == [(0, [1], [30])]
    scoop = {1: "Jc Jd 9c Td", 2: "Qh Qd 9s Tc", 3: "As 2s Kh Kd"}
    assert awards(book, scoop, "3h 5d 8c 6h 7s", game="omaha-8")[1] == (0, [3], [15])


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_the_odd_chip_of_a_high_low_pot_goes_high(book: str) -> None:
    """High half first; ties within a half as in the button game: first clockwise from the button.

    Covers: R7-3.ties.5c, HR-ties.5.3
    """
    held = {1: "Kc Kd 9c Jd", 2: "Qh Qd 9s Tc", 3: "As 2s Kh Ts"}
    table = hands(book, held, game="omaha-8", betting=ODD)
    table("act 1 call", "act 2 fold", "act 3 check")
    board(table, "3h 5d 8c Ks Qs")
    assert show_all(table) == [(0, [1], [6]), (0, [3], [5])]
    tied = {1: "Kc Kd Ac 2d", 2: "Qh Qd 9s Tc", 3: "As 2s 9h Ts", 4: "9d 9c Jd Tc".replace("Tc", "Th")}
    table = hands(book, tied, game="omaha-8", betting=ODD)
    table("act 4 call", "act 1 call", "act 2 fold", "act 3 check")
    board(table, "3h 5d 8c Ks Qs")
    assert show_all(table) == [(0, [1], [8]), (0, [1, 3], [4, 4])]


@pytest.mark.parametrize("book", BOOKS)
def test_the_dealer_names_the_winner_of_hands_that_nobody_read(book: str) -> None:
    """Unread cards: the award waits until the winner is named."""
    table = hands(book, dict.fromkeys(range(1, 4), "- -"))
    board(table, "2c 7d 9h Js Qc")
    for seat in shows(table.lines[-1]):
        table(f"show {seat}")
    assert table("done")["error"]["code"] == "winner-unknown"
    line = table({"ev": "won", "seat": 3}, {"ev": "won", "seat": 1})
    assert line["next"] == [{"step": "award", "pot": 0, "seats": [1, 3], "amounts": [15, 15]}]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules"])
def test_R7_3_ties_4_no_player_gets_two_odd_chips(book: str) -> None:
    """Who has the odd chip of the high half does not get that of the low half, too, where another ties for it.

    Covers: HR-ties.4
    """
    held = {1: "As 2s 9h Ts", 2: "Qh Qd 9s Tc", 3: "Kc Kd Ac 2d"}
    table = hands(book, held, game="omaha-8", betting=ODD)
    table("act 1 call", "act 2 fold", "act 3 check")
    board(table, "3h 5d 8c Ks Qs")
    assert show_all(table) == [(0, [3], [6]), (0, [1, 3], [3, 2])]
