"""Reads the languages of the pages: what stands there for each English text (gettext's PO files, docs/languages.md).

English needs no file: its texts are the keys of all others. Of a PO file only what a page needs is read: entries with a
text, counted or not; what is fuzzy or empty is left out, and English stands there.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from config.config_error import ConfigError

FOLDER = Path(__file__).parent / "languages"

ENGLISH_NAME = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its name ("de"); `texts`: English text -> the text, or the forms for one and for several."""

    name: str
    texts: Mapping[str, tuple[str, ...]]

    def __hash__(self) -> int:
        """Languages are told apart by their names."""
        return hash(self.name)

    def translate(self, english: str, /, **values: object) -> str:
        """Return what is said for an English text, its `{places}` filled."""
        found = self.texts.get(english, (english,))[0]
        return found.format_map(values) if values else found

    def translate_plural(self, one: str, several: str, n: int, /, **values: object) -> str:
        """Return what is said of `n` things, which stand as `{n}` in the text for several and may in that for one."""
        found = self.texts.get(one, (one, several))
        return found[0 if n == 1 else -1].format_map({"n": n, **values})


ENGLISH = Language(ENGLISH_NAME, MappingProxyType({}))


def mark_for_translation(english: str) -> str:
    """Say of a text of a table that it is said in every language: `make languages` finds it here."""
    return english


def list_languages() -> tuple[str, ...]:
    """The languages that there are."""
    return (ENGLISH_NAME, *sorted(path.stem for path in FOLDER.glob("*.po")))


@cache
def load_language(name: str) -> Language:
    """Read a language; raises `ConfigError` for one that there is not, and for a file that is none."""
    if name == ENGLISH_NAME:
        return ENGLISH
    path = FOLDER / f"{name}.po"
    if name not in list_languages():
        raise ConfigError(path, 1, "", f"there is no language {name!r}; there are {', '.join(list_languages())}")
    try:
        return Language(name, MappingProxyType(dict(_read_entries(path))))
    except ValueError as why:
        raise ConfigError(path, 1, "", f"is no PO file: {why}") from None


def _read_entries(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each entry of a PO file that is whole: its English text and what stands for it."""
    said: dict[str, str] = {}
    key, fuzzy = "", False
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        if not line:
            english = said.get("msgid", "")
            texts = tuple(text for key, text in sorted(said.items()) if key.startswith("msgstr"))
            if english and texts and all(texts) and not fuzzy:
                yield english, texts
            said, fuzzy = {}, False
        elif line.startswith("#"):
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
        else:
            if not line.startswith('"'):
                key = line.partition(" ")[0]
            try:
                said[key] = said.get(key, "") + json.loads(line[line.index('"') :])
            except ValueError:
                raise ConfigError(path, number, "", "is no PO file: this line has no text in double quotes") from None
