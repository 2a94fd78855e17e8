"""How many players a game takes with which deck, and which decks it is never played with."""

import pytest

from tests.games.playing import table

DECKS_NOT_PLAYED: dict[str, tuple[str, dict[str, tuple[int, ...]]]] = {
    "AU-5.1(a)(i)": ("casino-au", {"draw-high": (36,)}),
    "AU-5.1(a)(ii)": ("casino-au", {"stud-5": (36,)}),
    "AU-5.1(a)(iii)": ("casino-au", {"stud-7": (36,)}),
    "AU-5.1(a)(iv)": ("casino-au", {"holdem": (40, 36, 32)}),
    "AU-5.1(a)(v)": ("casino-au", {"omaha": (40, 36, 32)}),
    "AU-5.1(c)": ("casino-au", {"manila-3": (52, 40)}),
    "AU-5.1(d)(iv)": ("casino-au", {"manila-2": (52, 40, 36)}),
    "WSOP-T-IX.shortdeck": ("wsop-2024", {"short-deck": (52, 40, 32)}),
    "WSOP-T-IX.bigo": ("wsop-2024", {"omaha-5-8": (40, 36, 32)}),
    "WSOP-T-IX.stud": (
        "wsop-2024",
        dict.fromkeys(("stud-7", "razz", "stud-8", "stud-hi-lo", "razzdugi", "razzdeucey"), (40, 36, 32)),
    ),
    "WSOP-T-IX.draw#players": (
        "wsop-2024",
        dict.fromkeys(
            ("triple-draw-27", "triple-draw-a5", "badeucey", "badacey", "badugi", "lowball-27", "draw-high"),
            (40, 36, 32),
        ),
    ),
    "WSOP-L-359": ("wsop-live-2024", {"short-deck": (52, 40, 32)}),
    "WSOP-L-bigo": ("wsop-live-2024", {"omaha-5-8": (40, 36, 32)}),
    "WSOP-L-280": (
        "wsop-live-2024",
        dict.fromkeys(("triple-draw-27", "triple-draw-a5", "lowball-a5", "lowball-27"), (40, 36, 32)),
    ),
    "WSOP-L-302": ("wsop-live-2024", {"badugi": (40, 36, 32)}),
    "WSOP-L-303": ("wsop-live-2024", {"badeucey": (40, 36, 32)}),
    "WSOP-L-312": ("wsop-live-2024", {"badacey": (40, 36, 32)}),
    "WSOP-L-322": ("wsop-live-2024", {"razzdugi": (40, 36, 32)}),
}
"""For each row the book, and the games of it with the decks that they are not played with."""


@pytest.mark.parametrize(
    ("book", "game", "deck"),
    [
        pytest.param(book, game, deck, id=f"{row} {game} {deck}")
        for row, (book, decks_by_game) in DECKS_NOT_PLAYED.items()
        for game, decks in decks_by_game.items()
        for deck in decks
    ],
)
def test_a_game_is_not_played_with_another_deck(book: str, game: str, deck: int) -> None:
    """Not even by one player too few for any limit: the deck itself is refused.

    Covers: AU-5.1(a)(i), AU-5.1(a)(ii), AU-5.1(a)(iii), AU-5.1(a)(iv), AU-5.1(a)(v), AU-5.1(c), AU-5.1(d)(iv),
    WSOP-T-IX.shortdeck, WSOP-T-IX.bigo, WSOP-T-IX.stud, WSOP-T-IX.draw#players, WSOP-L-359, WSOP-L-bigo, WSOP-L-280,
    WSOP-L-302, WSOP-L-303, WSOP-L-312, WSOP-L-322
    """
    with pytest.raises(AssertionError, match=f"is not played with {deck} cards"):
        table(book, game, house={"deck": deck})


@pytest.mark.parametrize(
    ("book", "game", "most"),
    [
        pytest.param("wsop-2024", "razzdugi", 8, id="WSOP-T-IX.stud razzdugi"),
        pytest.param("wsop-2024", "razzdeucey", 8, id="WSOP-T-IX.stud razzdeucey"),
        pytest.param("wsop-2024", "stud-hi-lo", 8, id="WSOP-T-IX.stud stud-hi-lo"),
        pytest.param("wsop-2024", "triple-draw-a5", 6, id="WSOP-T-IX.draw#players triple-draw-a5"),
        pytest.param("wsop-2024", "badeucey", 6, id="WSOP-T-IX.draw#players badeucey"),
        pytest.param("wsop-live-2024", "triple-draw-27", 6, id="WSOP-L-280 triple-draw-27"),
        pytest.param("wsop-live-2024", "badeucey", 6, id="WSOP-L-303 badeucey"),
        pytest.param("wsop-live-2024", "short-deck", 9, id="WSOP-L-359 short-deck"),
    ],
)
def test_so_many_are_dealt_in_and_no_more(book: str, game: str, most: int) -> None:
    """Covers: WSOP-T-IX.stud, WSOP-T-IX.draw#players, WSOP-L-280, WSOP-L-303, WSOP-L-359"""
    played = table(book, game, seats=most, places=12)
    refused = played({"ev": "sit", "seat": most + 1, "player": "Eve", "stack": 200})
    assert refused["error"]["code"] == "table-full"
    with pytest.raises(AssertionError, match=f"too-many-players.*at most {most}"):
        table(book, game, seats=most + 1, places=12)
