"""A game is called as the card room calls it, on every page and in every language."""

import json
import re
from pathlib import Path

import pytest

from config import game_file, language_file
from config.file_library import Library
from config.game_file import list_games, load_game
from controller.web.access.authenticator import Authenticator
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.site import make_app
from controller.web.wording.game_names import NAME_BY_GAME, format_game_name, list_game_names
from tests.web.test_pages import NAMES, Client, Wishes


def read_exported_games(library: Library | None = None) -> dict[str, str]:
    """What the pages' scripts are given."""
    app = make_app(PageStateHub({}), NAMES, Wishes(), door=Authenticator(is_demo=True), library=library)
    text = Client(app).get("/catalogue.js").text
    found = re.search(r"^export const games = (.*);$", text, re.MULTILINE)
    assert found is not None
    names: dict[str, str] = json.loads(found[1])
    return names


def test_every_game_that_comes_with_the_program_has_a_name() -> None:
    assert list(NAME_BY_GAME) == list(list_games())
    assert len(set(NAME_BY_GAME.values())) == len(NAME_BY_GAME), "two games of one name"


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_no_name_of_a_game_is_its_code(language: str) -> None:
    for code, name in list_game_names(language_file.load_language(language)).items():
        assert name != code
        assert name[0].isupper() or name[0].isdigit()
        assert not re.search(r"[a-z]-[0-9]+$", name)


def test_a_game_is_called_as_people_call_it() -> None:
    said = {code: format_game_name(code) for code in ("holdem", "omaha-8", "stud-7", "triple-draw-27")}
    assert said == {
        "holdem": "Hold'em", "omaha-8": "Omaha hi-lo", "stud-7": "7-card stud", "triple-draw-27": "2-7 triple draw",
    }  # fmt: skip


def test_a_game_of_the_houses_own_is_called_by_its_title_and_an_unknown_one_by_its_words(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    text = (game_file.FOLDER / "omaha.toml").read_text(encoding="utf-8")
    (tmp_path / "games" / "sunday-omaha.toml").write_text(text.replace('title = "Omaha"', 'title = "Sunday Omaha"'))
    (tmp_path / "games" / "torn.toml").write_text("title = ")
    house = Library(house=tmp_path)
    assert load_game("sunday-omaha", house).title == "Sunday Omaha"
    exported = read_exported_games(house)
    assert (exported["sunday-omaha"], exported["torn"], exported["holdem"]) == ("Sunday Omaha", "Torn", "Hold'em")
    assert "sunday-omaha" not in read_exported_games()
    assert format_game_name("no-such-game") == "No such game"
