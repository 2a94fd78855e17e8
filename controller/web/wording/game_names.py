"""What people at a table call a game. Its code (`omaha-8`) stands in files, the script and the API, and on no page.

A game of the house's own is called as its file's `title` says.
"""

from collections.abc import Mapping
from contextlib import suppress

from config.config_error import ConfigError
from config.file_library import Library
from config.game_file import list_games, load_game
from config.language_file import ENGLISH, Language, mark_for_translation

NAME_BY_GAME: Mapping[str, str] = {
    "badacey": mark_for_translation("Badacey"),
    "badeucey": mark_for_translation("Badeucey"),
    "badugi": mark_for_translation("Badugi"),
    "courchevel": mark_for_translation("Courchevel"),
    "courchevel-8": mark_for_translation("Courchevel hi-lo"),
    "crazy-pineapple": mark_for_translation("Crazy pineapple"),
    "crazy-pineapple-8": mark_for_translation("Crazy pineapple hi-lo"),
    "draw-high": mark_for_translation("5-card draw"),
    "holdem": mark_for_translation("Hold'em"),
    "jacks-or-better": mark_for_translation("Jacks or better"),
    "lowball-27": mark_for_translation("2-7 lowball"),
    "lowball-a5": mark_for_translation("A-5 lowball"),
    "manila-2": mark_for_translation("2-card Manila"),
    "manila-3": mark_for_translation("3-card Manila"),
    "omaha": mark_for_translation("Omaha"),
    "omaha-5": mark_for_translation("5-card Omaha"),
    "omaha-5-8": mark_for_translation("Big O"),
    "omaha-8": mark_for_translation("Omaha hi-lo"),
    "pineapple": mark_for_translation("Pineapple"),
    "razz": mark_for_translation("Razz"),
    "razzdeucey": mark_for_translation("Razzdeucey"),
    "razzdugi": mark_for_translation("Razzdugi"),
    "short-deck": mark_for_translation("Short deck"),
    "stud-5": mark_for_translation("5-card stud"),
    "stud-7": mark_for_translation("7-card stud"),
    "stud-8": mark_for_translation("7-card stud hi-lo"),
    "stud-hi-lo": mark_for_translation("7-card stud hi-lo, no qualifier"),
    "triple-draw-27": mark_for_translation("2-7 triple draw"),
    "triple-draw-a5": mark_for_translation("A-5 triple draw"),
}
"""Code of a game of ours -> its name in the card room."""


def format_game_name(code: str, language: Language = ENGLISH, library: Library | None = None) -> str:
    """Say what people call the game; one that nobody knows is called by the words of its code."""
    if code in NAME_BY_GAME:
        return language.translate(NAME_BY_GAME[code])
    with suppress(ConfigError, OSError):
        return load_game(code, library).title
    words = code.replace("-", " ")
    return f"{words[:1].upper()}{words[1:]}"


def list_game_names(language: Language = ENGLISH, library: Library | None = None) -> dict[str, str]:
    """Code -> name of every game that there is, the house's own among them."""
    found = list(NAME_BY_GAME)
    with suppress(ConfigError):  # a house's file that makes no sense is said where the table is checked
        found += list_games(library)
    return {code: format_game_name(code, language, library) for code in dict.fromkeys(found)}
