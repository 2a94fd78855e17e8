"""No text of a page stands outside of the catalogues: not in its HTML, not in its scripts, not in what the server says.

HTML is put into a language as it is served, text and label alike. A script says everything through `t` or
`translatePlural` (`language.js`), with the English in the call; any other literal in it that reads like words for
people is found here.
What a page may say that is in no catalogue stands in `OUTSIDE`, with the reason.
"""

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from controller.web.wording.page_translation import find_texts, translate_page
from tests.languages.catalogues import STATIC_FOLDER, STATIC_FOLDERS, texts
from tests.languages.pseudo import make_pseudo_language

SAID_BY = re.compile(r"\b(?:t|translatePlural)\($")
SEVERAL = re.compile(r"\btranslatePlural\(\"[^\"]*\", $")
WORDS = re.compile(r"(?:^|[^\w#.\[=-])[A-Za-z][a-z']+[,.;:]? [a-z]|^[^\w]*[A-Z][a-z]+|[a-z]…|\d [a-z]{3}")
"""What reads like words for people: two words after each other, or a first one with a capital."""

SHOWN_AS = re.compile(
    r'(?:makeElement\([^()]*, [^()]*, |textContent = |\.title = |\.append\(|aria-label", |'
    r"show(?:Refusal|Text|Notice|Result)\()$"
)
"""Where a literal of even one small word is shown."""

TECHNICAL = re.compile(
    r"^(?:[#.]?[\w\[\]=\"' >,.:()*-]*\[[\w=\"'$-]+.*|#[\w-]+.*|\.[\w-]+.*|[a-z]+ [.#][\w-]+.*|/.*|\./.*|"
    r"[A-Z][\w-]*-[\w-]+|"
    r"application/json|Arrow\w*|Backspace|Enter|Escape|Home|End|SELECT|BUTTON|INPUT|[A-Z]|language=.*|Content-Type)$"
)
"""Selectors, routes, names of headers and of keys."""

CLASSES = {
    name
    for folder in STATIC_FOLDERS
    for path in folder.glob("*.css")
    for name in re.findall(r"\.([a-z][\w-]*)", path.read_text("utf-8"))
}
"""What a literal of several words may be made of: names of classes."""

OUTSIDE = {
    "button, select": "a selector",
    "halt off": "a key of a table",
    "aside button": "a selector",
    "book printed": "classes",
    "moved refused": "classes",
    "Player ": "a name that goes into the record, the same in every language",
    "Bearer ": "a word of HTTP",
    "table-controller ": "the program's own name",
}
"""Literal of a script -> why it is in no catalogue."""


def literals(script: str) -> Iterator[tuple[str, str]]:
    """Each piece of text between quotes, with what stands before it; of a template, what is not filled in."""
    for start, text in _pieces(script):
        yield script[script.rfind("\n", 0, start) + 1 : start], text


def _pieces(script: str) -> Iterator[tuple[int, str]]:
    """Where a literal begins, and its text. Comments and regular expressions are passed over."""
    stack: list[str] = []
    i, n = 0, len(script)
    begin = 0
    template = ""
    while i < n:
        two, one = script[i : i + 2], script[i]
        if stack and stack[-1] == "`":
            if one == "\\":
                i += 2
            elif one == "`":
                stack.pop()
                yield begin, template
                i += 1
            elif two == "${":
                yield begin, template
                template = ""
                stack.append("{")
                i += 2
            else:
                template += one
                i += 1
        elif two == "/*":
            i = script.index("*/", i) + 2
        elif two == "//":
            i = script.find("\n", i)
        elif one in "\"'":
            end = i + 1
            while script[end] != one:
                end += 2 if script[end] == "\\" else 1
            yield i, script[i + 1 : end]
            i = end + 1
        elif one == "/" and re.search(r"[(,=:?&|!]\s*$", script[:i]):
            end = i + 1
            inside = False
            while script[end] != "/" or inside:
                inside = script[end] == "[" or (inside and script[end] != "]")
                end += 2 if script[end] == "\\" else 1
            i = end + 1
        elif one == "`":
            stack.append("`")
            begin, template = i, ""
            i += 1
        elif one == "{":
            stack.append("{")
            i += 1
        elif one == "}" and stack:
            stack.pop()
            if stack and stack[-1] == "`":
                begin, template = i, ""
            i += 1
        else:
            i += 1


def find_untranslated_literals(script: str) -> list[str]:
    """The literals of a script that people read and that no catalogue has."""
    found = []
    for before, text in literals(script):
        if SAID_BY.search(before) or SEVERAL.search(before) or not re.search("[A-Za-z]", text):
            continue
        shown = SHOWN_AS.search(before) is not None and not re.search(r"(?:makeElement|makeButton)\(\"\w+\", $", before)
        words = WORDS.search(text) is not None and not TECHNICAL.match(text)
        if (words and not set(text.split()) <= CLASSES) or (
            shown and re.search("[a-z]{2}", text) and not TECHNICAL.match(text)
        ):
            found.append(text)
    return [text for text in found if text not in OUTSIDE]


@pytest.fixture(scope="module")
def known_texts() -> set[str]:
    return {each for text in texts() for each in ([text] if isinstance(text, str) else text)}


@pytest.mark.parametrize(
    "path", sorted(path for folder in STATIC_FOLDERS for path in folder.glob("*.js")), ids=lambda path: path.name
)
def test_a_script_says_nothing_but_through_the_catalogue(path: Path) -> None:
    assert find_untranslated_literals(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "added",
    [
        'place.textContent = "waits";',
        'makeElement("p", "none", "No ruling yet.")',
        'makeButton("Undo", () => enter({ ev: "undo" }), "U")',
        "showRefusal(`Not taken (${answer.status}).`);",
        'made.title = "not read";',
        '["Card exposed", () => report("exposed", { seat })]',
        'body.append("taken out");',
        'place.setAttribute("aria-label", "names");',
        'openChoices("Whose hand is dead?", keys)',
        "[`Seat ${seat}: ${formatLabel(what)}`, act]",
    ],
)
def test_a_text_that_is_added_beside_the_catalogue_is_found(added: str) -> None:
    assert (
        find_untranslated_literals(f"import {{ t }} from './language.js';\nconst said = t(\"Undo\");\n{added}\n") != []
    )


class VisibleTextParser(HTMLParser):
    """What people read or are told of a page, as a browser has it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._typed = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._typed += tag in ("code", "kbd", "script", "style", "pre")
        self.found += [value or "" for name, value in attrs if name in ("aria-label", "title", "placeholder", "alt")]

    def handle_endtag(self, tag: str) -> None:
        self._typed -= tag in ("code", "kbd", "script", "style", "pre")

    def handle_data(self, data: str) -> None:
        if not self._typed and re.search("[A-Za-z]", data):
            self.found.append(" ".join(data.split()))


def find_visible_texts(page: str) -> list[str]:
    parser = VisibleTextParser()
    parser.feed(page)
    return parser.found


@pytest.mark.parametrize(
    "path", sorted(path for folder in STATIC_FOLDERS for path in folder.glob("*.html")), ids=lambda path: path.name
)
def test_all_that_a_page_says_is_in_the_catalogue_and_said_in_the_language(path: Path, known_texts: set[str]) -> None:
    page = path.read_text(encoding="utf-8")
    assert sorted(find_visible_texts(page)) == sorted(find_texts(page)), (
        "what a browser shows of it and what is translated differ"
    )
    assert [text for text in find_visible_texts(page) if text not in known_texts] == []
    other = translate_page(page, make_pseudo_language())
    assert [text for text in find_visible_texts(other) if not text.startswith("⟦")] == []
    assert '<html lang="xx">' in other
    assert html.unescape(re.sub(r"⟦|⟧", "", other)).replace('lang="xx"', 'lang="en"').split() == page.split()


def test_a_text_that_is_added_to_a_page_must_be_in_the_catalogue(known_texts: set[str]) -> None:
    page = (
        (STATIC_FOLDER / "watch.html").read_text(encoding="utf-8").replace("<footer>", "<footer><p>Nothing to see</p>")
    )
    assert [text for text in find_texts(page) if text not in known_texts] == ["Nothing to see"]
