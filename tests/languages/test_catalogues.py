"""The catalogues hold every text of the pages, whole, and a program reads of them what Babel reads."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from config import language_file
from config.config_error import ConfigError
from config.language_file import ENGLISH, Language
from tests.languages.catalogues import ROOT, Text, main, texts, update_catalogue

OTHERS = [name for name in language_file.list_languages() if name != language_file.ENGLISH_NAME]

PLACES = re.compile(r"\{(\w*)\}")

ONE_OR_MORE = "nplurals=2; plural=(n != 1);"
"""The only rule of plurals that a page knows, in `language.js` and in `language_file.py`."""


@pytest.fixture(scope="module")
def catalogue_texts() -> list[tuple[Text, list[str]]]:
    return list(texts().items())


def po(name: str) -> str:
    return (language_file.FOLDER / f"{name}.po").read_text(encoding="utf-8")


def test_german_and_spanish_are_there_beside_english() -> None:
    assert language_file.list_languages()[:3] == ("en", "de", "es")


@pytest.mark.parametrize("name", OTHERS)
def test_a_catalogue_has_every_text_of_the_pages_and_no_other(
    name: str, catalogue_texts: list[tuple[Text, list[str]]]
) -> None:
    there = {
        message.id if isinstance(message.id, str) else tuple(message.id) for message in read_po(io.StringIO(po(name)))
    }
    english = {text for text, _ in catalogue_texts}
    assert english - there == set(), "not in the catalogue: run `make languages`, then translate what is empty"
    assert there - english == {""}, "said no more: run `make languages`"


@pytest.mark.parametrize("name", OTHERS)
def test_bringing_a_catalogue_up_to_date_keeps_what_is_translated(
    name: str, catalogue_texts: list[tuple[Text, list[str]]]
) -> None:
    def read_messages(text: str) -> dict[object, object]:
        read = read_po(io.StringIO(text))
        return {str(message.id): message.string for message in read if message.id}

    assert read_messages(update_catalogue(name, catalogue_texts)) == read_messages(po(name))
    assert read_messages(update_catalogue(name, [("Never heard", ["nowhere"]), *catalogue_texts]))["Never heard"] == ""


@pytest.mark.parametrize("name", OTHERS)
def test_no_text_is_empty_or_doubtful_and_each_has_the_places_of_the_english(name: str) -> None:
    wrong = []
    for message in read_po(io.StringIO(po(name))):
        english = [message.id] if isinstance(message.id, str) else list(message.id)
        said = [message.string] if isinstance(message.string, str) else list(message.string or ())
        if not message.id:
            continue
        fills = {place for text in english for place in PLACES.findall(text)}
        for text in said:
            told = set(PLACES.findall(text))
            if not text.strip() or message.fuzzy or not told <= fills or (text is said[-1] and told != fills):
                wrong.append((english[0], text))
    assert wrong == []


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_counted_has_one_form_for_one_and_one_for_several(name: str) -> None:
    assert ONE_OR_MORE in po(name)
    german = language_file.load_language("de")
    assert [german.translate_plural("1 card", "{n} cards", n) for n in (0, 1, 2)] == ["0 Karten", "1 Karte", "2 Karten"]
    assert [ENGLISH.translate_plural("1 card", "{n} cards", n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


@pytest.mark.parametrize("name", OTHERS)
def test_the_table_reads_what_babel_reads(name: str) -> None:
    read = language_file.load_language(name).texts
    there = {message.id: message.string for message in read_po(io.StringIO(po(name))) if message.id}
    assert len(read) == len(there) > 1000
    for english, said in there.items():
        one = english if isinstance(english, str) else english[0]
        assert read[one] == ((said,) if isinstance(said, str) else tuple(said or ()))


def test_a_language_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="there is no language 'fr'; there are en, de, es"):
        language_file.load_language("fr")


@pytest.mark.parametrize(
    ("content", "number"),
    [(b'msgid "a\nmsgstr "b"\n', 1), (b"nothing\n", 1), (b'# \n\nmsgid "a"\nmsgstr b\n', 4), (b'msgid "\xff"\n', 1)],
)
def test_what_is_no_catalogue_is_refused_at_its_line(
    content: bytes, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "xx.po").write_bytes(content)
    monkeypatch.setattr(language_file, "FOLDER", tmp_path)
    with pytest.raises(ConfigError, match=rf"xx\.po:{number}: is no PO file"):
        language_file.load_language.__wrapped__("xx")


def test_what_is_doubtful_or_empty_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx.po").write_text(
        'msgid ""\nmsgstr ""\n"Language: xx\\n"\n\n#, fuzzy\nmsgid "Fold"\nmsgstr "?"\n\nmsgid "Call"\nmsgstr ""\n\n'
        'msgid "Check"\nmsgstr ""\n"Che"\n"ck!"\n'
    )
    monkeypatch.setattr(language_file, "FOLDER", tmp_path)
    spoken: Language = language_file.load_language.__wrapped__("xx")
    assert [spoken.translate(each) for each in ("Fold", "Call", "Check")] == ["Fold", "Call", "Check!"]


def test_the_program_does_not_need_babel() -> None:
    """It is a tool of developers: neither its start nor its memory pays for it."""
    code = "import sys, controller.web.wording.page_translation as l; sys.exit('babel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_make_languages_writes_every_catalogue_and_begins_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in OTHERS:
        (tmp_path / f"{name}.po").write_text(po(name), encoding="utf-8")
    whole = {name: language_file.load_language(name).texts for name in OTHERS}
    monkeypatch.setattr(language_file, "FOLDER", tmp_path)
    main([])
    assert {name: language_file.load_language.__wrapped__(name).texts for name in OTHERS} == whole
    main(["fr"])
    assert language_file.load_language.__wrapped__("fr").texts == {}
    assert "fr: " in capsys.readouterr().out
