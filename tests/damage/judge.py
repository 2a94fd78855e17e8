"""Judges a damaged table from outside: what was shown before, what is shown now, and what was said.

It knows nothing of how the program notices damage. A table stands as it stood, or it does not deal and somebody who
reads what it says knows which file it is and what to do.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tests.app.canary import faces_in
from tests.damage.trial import LATER, Answer, Start


class Verdict(Enum):
    """What became of a damage."""

    AS_BEFORE = "as before"
    REFUSED = "refused plainly"
    """No start, or a table that is halted, and a plain message."""
    SET_UP = "set up otherwise"
    """The table's file sets up another table, which begins; whoever starts it is told, and how to go back."""
    LESS = "less than before"
    SILENT = "no plain message"
    """It does not go on, or a command fails, and nobody knows why."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, and for what must not be, what is wrong."""

    verdict: Verdict
    why: str = ""

    @property
    def is_bad(self) -> bool:
        return self.verdict in (Verdict.LESS, Verdict.SILENT)


AS_BEFORE, REFUSED = Judgement(Verdict.AS_BEFORE), Judgement(Verdict.REFUSED)

MAX_MESSAGE_LENGTH = 700

_NOT_PLAIN = re.compile(
    r"Traceback|File \"|\b(?!SQLITE)[A-Z][A-Za-z]+(Error|Exception|Refused)\b|\[Errno|<class|object at 0x|NoneType"
)
_REMEDY = re.compile(
    r"\b(put|give|start|restore|correct|enrol|register|make|move|remove|delete|chmod|take|free|call|install|keep|name|"
    r"write|compare|run|see|sudo|tell|import|find)\b",
    re.IGNORECASE,
)


_NEW_SESSION = re.compile(r"table\.toml sets the table up otherwise than session \d+.* put the file back")
_LOST_PARTS = re.compile(r"table\.toml has no longer what it had when session \d+ began: .* put the file back")
_SHOWN_BY_PARTS = "decks is otherwise"
"""What a page shows less of where the table's file has lost a section, and nothing else is."""


def find_fault_of_message(text: str, files: set[str]) -> str | None:
    """Why a technician could not go by a message about these files; `None` where they could."""
    named = {name.rpartition("/")[2] for name in files}
    named |= {re.sub(r"-(wal|shm)$", "", name) for name in named}
    if not text.strip():
        return "nothing is said"
    if found := _NOT_PLAIN.search(text):
        return f"it says {found[0]!r}"
    if faces := faces_in(text):
        return f"it names {len(faces)} cards"
    lines = [line for line in text.splitlines() if any(name in line for name in named)]
    if not lines:
        return f"it does not name {' or '.join(sorted(named))}"
    if not any(_REMEDY.search(line) or re.search(r"\.toml:\d+: ", line) for line in text.splitlines()):
        return "it says no remedy"
    if min(map(len, lines)) > MAX_MESSAGE_LENGTH:
        return "it is too long"
    return None


def judge_start(start: Start, before: Start, files: set[str]) -> Judgement:
    """Judge a start against that of the undamaged table."""
    if start.status < 0:
        return Judgement(Verdict.SILENT, start.told)
    said = _pick_messages(start.told)
    if start.shown is None:
        fault = find_fault_of_message(said, files)
        return REFUSED if fault is None else Judgement(Verdict.SILENT, f"not started, and {fault}: {said[-700:]}")
    assert before.shown is not None
    if found := _NOT_PLAIN.search(said):
        return Judgement(Verdict.SILENT, f"started, and it says {found[0]!r}: {said[-700:]}")
    differs, refused = _find_difference(start.shown, before.shown, files)
    new_faults = _list_faults(start.shown) - _list_faults(before.shown)
    if differs is None and not new_faults:
        return REFUSED if refused else AS_BEFORE
    page = "\n".join(str(each) for each in start.shown.get("state", {}).get("faults", ()))
    fault = find_fault_of_message(f"{said}\n{page}", files)
    if new_faults and fault is None:
        return REFUSED
    if new_faults:
        return Judgement(Verdict.SILENT, f"halted by {', '.join(sorted(new_faults))}, and {fault}: {said[-500:]}")
    if "table.toml" in files and _NEW_SESSION.search(said):
        return Judgement(Verdict.SET_UP)
    if "table.toml" in files and _LOST_PARTS.search(said) and str(differs).startswith(_SHOWN_BY_PARTS):
        return Judgement(Verdict.SET_UP)
    return Judgement(Verdict.LESS, f"started, and {differs}; it said: {said[-500:]}")


def judge_command(name: str, answer: Answer, before: Answer, files: set[str]) -> Judgement:
    """Judge what a command came to against what it comes to at the undamaged table."""
    if answer.status < 0:
        return Judgement(Verdict.SILENT, f"{name}: {answer.told}")
    if _NOT_PLAIN.search(answer.told) or (name != "journal export" and _NOT_PLAIN.search(answer.said)):
        return Judgement(Verdict.SILENT, f"{name}: {answer.told[-600:]}{answer.said[-200:]}")
    if (answer.status, _normalize(name, answer.said)) == (before.status, _normalize(name, before.said)):
        return AS_BEFORE
    if name == "doctor":
        new = _list_new_findings(answer.said, before.said)
        fault = find_fault_of_message("\n".join(new) + answer.told, files)
        return REFUSED if fault is None else Judgement(Verdict.SILENT, f"doctor: {fault}: {new}{answer.told[-300:]}")
    told = f"{answer.told}\n{'' if name == 'journal export' else answer.said}"
    fault = find_fault_of_message(told, files)
    if answer.status == 0 and fault is not None:
        return Judgement(Verdict.LESS, f"{name} says otherwise, and {fault}: {_compare(answer.said, before.said)}")
    return REFUSED if fault is None else Judgement(Verdict.SILENT, f"{name}: {fault}: {told[-500:]}")


def _list_new_findings(said: str, before: str) -> list[str]:
    """What the doctor finds that it did not find before, each with its remedy, which may be that of an older one."""
    findings = re.findall(r"(?m)^.*(?:\n +-> .*)?", said)
    return [each for each in findings if each and each.splitlines()[0] not in before.splitlines()]


def _normalize(name: str, text: str) -> str:
    if name == "doctor":
        return re.sub(r"\d[\d.,]*", "N", text)
    if name == "journal receipt":
        return re.sub(r"(?m)^.*receipt.*$", "", text)
    return re.sub(r"[\d.]+ MB", "N MB", text)


def _pick_messages(told: str) -> str:
    return "\n".join(line for line in told.splitlines() if not line.startswith(("INFO", "DEBUG")))


_KEPT_KEYS = ("hand", "street", "next", "piles", "board", "stacks", "pots", "bets", "collection")
_KEPT_PARTS = ("players", "setup", "rulings", "drop")


def _pick_state(shown: Mapping[str, Any]) -> dict[str, Any]:
    state = shown.get("state", {})
    table = state.get("table", {})
    picked = {key: table.get(key) for key in _KEPT_KEYS} | {key: state.get(key) for key in _KEPT_PARTS}
    picked |= {"staff": shown.get("staff"), "decks": shown.get("decks")}
    return picked | {f"the answer of {name}": shown.get(name) for name in (*LATER, "drop page")}


def _list_faults(shown: Mapping[str, Any]) -> set[str]:
    return {each["code"] for each in shown.get("state", {}).get("faults", ())}


def _find_difference(now: Mapping[str, Any], before: Mapping[str, Any], files: set[str]) -> tuple[str | None, bool]:
    """What is shown otherwise, if anything is; and whether something was refused to who asked, plainly."""
    here, there = _pick_state(now), _pick_state(before)
    if lost := _list_faults(before) - _list_faults(now):
        return f"without the fault {', '.join(sorted(lost))}", False
    refused = False
    for key, value in there.items():
        found = here[key]
        if found == value or (key == "the answer of drop page" and found is None):  # which is not looked at each time
            continue
        asked = isinstance(found, dict) and found.get("status") not in (0, None)
        if asked and find_fault_of_message(found.get("told") or found.get("text") or "", files) is None:
            refused = True
            continue
        return f"{key} is otherwise: {_compare(str(found), str(value))}", refused
    return None, refused


def _compare(here: str, there: str) -> str:
    at = next((n for n, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), 0)
    at = max(0, at - 20)
    return f"{here[at : at + 160]!r} instead of {there[at : at + 160]!r}"
