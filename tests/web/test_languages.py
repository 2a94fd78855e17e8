"""In which language a browser is served: its own choice, else the house's, else English."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from config import language_file
from config.config_error import ConfigError
from config.file_library import Library
from config.language_file import Language
from config.table_file import load_table_file
from controller.app.commissioning.table_file_schema import make_table_schema
from controller.app.training.lesson_library import LessonLibrary
from controller.runtime.loop.table_view import RefusedEntry
from controller.web.access.authenticator import Authenticator
from controller.web.publishing.page_state_hub import MAX_KEPT_STATES, PageStateHub
from controller.web.site import make_app
from controller.web.wording.page_translation import LANGUAGE_COOKIE
from controller.web.wording.step_instructions import add_instructions, format_instruction
from tests.web.test_pages import NAMES, Client, Wishes, standing

DEMO = Path(__file__).parents[2] / "config" / "tables" / "demo.toml"

GERMAN, SPANISH = language_file.load_language("de"), language_file.load_language("es")


def client(hub: PageStateHub, house: Language = language_file.ENGLISH) -> Client:
    return Client(make_app(hub, NAMES, Wishes(), door=Authenticator(is_demo=True), language=house))


def speaks(language: str) -> dict[str, Any]:
    return {"headers": {"Cookie": f"{LANGUAGE_COOKIE}={language}"}}


@pytest.mark.parametrize("path", ["/", "/watch", "/floor", "/sign-in"])
def test_a_page_is_in_the_houses_language_unless_the_browser_wants_another(path: str) -> None:
    english, german = client(PageStateHub({})), client(PageStateHub({}), GERMAN)
    assert '<html lang="en">' in english.get(path).text
    assert '<html lang="de">' in german.get(path).text
    assert '<html lang="es">' in german.get(path, **speaks("es")).text
    assert '<html lang="en">' in german.get(path, **speaks("en")).text


def test_the_words_of_a_page_are_those_of_its_language() -> None:
    page = client(PageStateHub({}), GERMAN).get("/").text
    assert ">Letzte Entscheidung<" in page
    assert 'aria-label="Der Tisch, vom Platz des Dealers gesehen"' in page
    assert "Last ruling" not in page


@pytest.mark.parametrize("wanted", ["xx", "../../etc/passwd", "", "DE", "de.po"])
def test_a_language_that_there_is_not_is_not_looked_for(wanted: str) -> None:
    assert '<html lang="de">' in client(PageStateHub({}), GERMAN).get("/", **speaks(wanted)).text


def test_scripts_get_the_texts_of_the_language_as_a_module() -> None:
    answer = client(PageStateHub({}), GERMAN).get("/catalogue.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    told = {
        name: json.loads(value)
        for name, value in re.findall(r"^export const (\w+) = (.*);$", answer.text, re.MULTILINE)
    }
    assert told["language"] == "de"
    assert told["languages"] == [["en", "English"], ["de", "Deutsch"], ["es", "Español"]]
    assert told["texts"]["Undo"] == "Storno"
    assert told["texts"]["1 card"] == ["1 Karte", "{n} Karten"]
    assert told["reasons"]["not-now"].startswith("Die Eingabe passt jetzt nicht")
    english = client(PageStateHub({})).get("/catalogue.js").text
    assert "export const texts = {};" in english
    assert "export const reasons = {};" in english


def test_one_publication_is_worded_for_each_browser_in_its_language() -> None:
    hub = PageStateHub({})
    refusal = RefusedEntry("not-now", "Not now: the table waits for an act.", "page")
    first = standing(1, refusal=refusal)
    first.output_line["next"].append({"step": "burn"})  # type: ignore[attr-defined]
    hub.publish(first)
    page = client(hub)
    english = page.get("/state").json()
    german = page.get("/state", **speaks("de")).json()
    assert [each["table"]["next"][0]["text"] for each in (english, german)] == ["Burn a card", "Karte brennen"]
    assert english["refusal"]["message"] == "Not now: the table waits for an act."
    assert german["refusal"]["message"].startswith("Die Eingabe passt jetzt nicht")
    assert german["refusal"]["dealer"] == "Tun, was die große Zeile sagt."
    assert english["number"] == german["number"]


def test_publications_are_kept_in_one_language_and_the_newest_in_those_that_are_wanted() -> None:
    hub = PageStateHub({})
    for number in range(3 * MAX_KEPT_STATES):
        hub.publish(standing(number))
        for language in (GERMAN, SPANISH):
            assert hub.get_latest(language) is not None
    assert len(hub._kept_states) == MAX_KEPT_STATES
    assert set(hub._newest_by_language) == {GERMAN, SPANISH}
    assert hub.get_latest(GERMAN) == hub._find_later_states(0, GERMAN)[0]
    assert hub._find_later_states(3 * MAX_KEPT_STATES, GERMAN) == []


def test_steps_are_said_as_a_dealer_of_that_language_would() -> None:
    step = {"step": "award", "pot": 0, "seats": [4], "amounts": [12]}
    assert format_instruction(step) == "Pot: 12 to seat 4"
    assert format_instruction(step, GERMAN) == "Pot: 12 an Platz 4"
    assert format_instruction(step, SPANISH) == "Bote: 12 al asiento 4"
    dealt: list[Mapping[str, Any]] = [{"step": "deal", "seat": 2, "face": "down"}, {"step": "burn"}]
    assert [each["short"] for each in add_instructions(dealt)] == ["seat 2", "burn a card"]
    assert [each["short"] for each in add_instructions(dealt, GERMAN)] == ["Platz 2", "Karte brennen"]
    assert [each["short"] for each in add_instructions(dealt, SPANISH)] == ["asiento 2", "quemar una carta"]


def test_the_tables_file_names_the_language_and_one_that_there_is_not_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(DEMO.read_text().replace("[page]", '[page]\nlanguage = "de"'))
    assert load_table_file(path).page.language == "de"
    assert load_table_file(DEMO).page.language == "en"
    for wrong in ('"klingon"', "7", '""', '["de"]'):
        path.write_text(DEMO.read_text().replace("[page]", f"[page]\nlanguage = {wrong}"))
        with pytest.raises(ConfigError, match=r"table\.toml:\d+: page\.language: must be en, de, es, not "):
            load_table_file(path)


def test_the_schema_knows_the_languages() -> None:
    assert make_table_schema()["properties"]["page"]["properties"]["language"] == {"enum": ["en", "de", "es"]}


def test_a_lesson_is_told_in_the_language_of_the_page() -> None:
    school = LessonLibrary(Library(), lambda: "roberts-7")
    app = make_app(PageStateHub({}), NAMES, Wishes(), door=Authenticator(is_demo=True), school=school, language=GERMAN)
    lesson = Client(app).get("/train/lessons/roberts-7/exposed-downcard").json()
    assert lesson["title"] == "Eine verdeckte Karte wurde aufgedeckt"
    assert lesson["kind"]["asked"] == "Was ging schief?"
    assert lesson["kind"]["answers"][lesson["kind"]["right"]] == lesson["title"]
    assert lesson["moments"][0]["happens"] == "Sie beginnen die Hand"
    assert lesson["moments"][1]["happens"] == "Karte an Platz 2"
    assert lesson["moments"][1]["table"]["next"][0]["text"] == "Karte an Platz 3"
    assert all("Next:" not in answer for answer in lesson["wants"]["answers"])
