"""Every file of the configuration damaged key by key, and every key of a table line: what its reader says to each.

    python -m tests.config.damaged_files --record [CASE ...]    put answers on record, in damaged_files.txt

A line of a file is left out, said twice, given another name, and given values of other types, beyond each bound and
among those that other keys have. A reader answers with what it has read, or with one `ConfigError`.
"""

import copy
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from config import game_file, language_file, lesson_file, payout_file, rulebook_file, schedule_file, table_file
from config.announcer_file import load_announcer_file
from config.config_error import ConfigError
from config.file_library import PROGRAM_FOLDER, Library
from config.table_line import parse_table_line
from controller.core.protocol.table_error import Refused
from controller.uplink.uplink_file import load_uplink_file
from room.room_file import load_room_file
from tests.config.test_key_laws import WHOLE
from tests.recorded_answers import RecordedAnswers

ANSWERS = RecordedAnswers(Path(__file__).with_suffix(".txt"), "python -m tests.config.damaged_files --record", run=8)

VALUES = (
    '""', '"x"', "-1", "0", "1", "2", "3", "7", "25", "52", "53", "1000000000000", "1.5", "true", "[]", '["x"]', "[1]",
    "{}", "{ x = 1 }", '"none"', "[0, 1]", '[""]',
)  # fmt: skip

ADDRESSES = (
    *("http://x.lan", "https://x.lan:8443", "http://[::1]:80", "https://a:b@x.lan", "https://x.lan/y?z", "ftp://x.lan"),
    *(
        "https://x.lan:0",
        "https://x.lan#y",
        "http://localhost/a/b",
        "https://x.lan:99999",
        "https://x .lan",
        "https://",
    ),
    *("nats://x.lan", "tls://x.lan:4222", "https://", "http://127.0.0.2", "https://é.lan"),
)

FAST_TRIES, SLOW_TRIES = 400, 30
"""So many tries of a file; of a rulebook, which takes longer to read."""

_LINE_PATTERN = re.compile(r"^(\s*[A-Za-z0-9_\"-]+(?:\.[A-Za-z0-9_-]+)*\s*=\s*)(.*)$")

_SET_PATTERN = re.compile(r"frozenset\(\{([^{}]*)\}\)")

READER_BY_FOLDER: Mapping[str, Callable[[Path], object]] = {
    "games": game_file.read_game,
    "rulebooks": lambda path: rulebook_file.read_rulebook(path, Library()),
    "payouts": payout_file.read_payouts,
    "schedules": schedule_file.read_schedule,
    "lessons": lesson_file.read_lesson,
    "tables": table_file.load_table_file,
    "languages": lambda path: list(language_file._read_entries(path)),
}

WEBHOOK = """
[[webhook]]
name = "floor"
url = "https://example.net/hook"
secret_file = "secret"
events = ["hand.over"]
[[webhook]]
name = "office"
url = "http://localhost/hook"
secret_file = "other"
events = ["hand.over"]
"""

TEXTS: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "announcer.toml": (WHOLE["announcer"] + WEBHOOK, load_announcer_file),
    "uplink.toml": (WHOLE["uplink"], load_uplink_file),
    "room.toml": (WHOLE["room"], load_room_file),
}
"""Files that nothing comes with: of other programs than the table's."""

SEATS = [{"seat": seat, "player": f"player {seat}", "stack": 200} for seat in (1, 2, 4)]
NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
LIMIT = {"structure": "fixed-limit", "small_blind": 5, "big_blind": 10, "small_bet": 10, "big_bet": 20, "chip": 5}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
HOLDEM = {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "betting": NO_LIMIT, "seats": SEATS, "button": 1}

TABLE_LINES: Mapping[str, dict[str, Any]] = {
    "holdem": {**HOLDEM, "places": 6, "sensors": ["identity"], "t": 1.0, "live": True, "new_game": True},
    "limit": {**HOLDEM, "betting": LIMIT, "amounts": "untracked", "follow": "rounds"},
    "spread": {**HOLDEM, "betting": {**NO_LIMIT, "structure": "spread-limit", "min_bet": 2, "max_bet": 10}},
    "blinds": {**HOLDEM, "betting": {"structure": "no-limit", "blinds": [1, 2, 4], "ante": 1, "ante_by": "big-blind"}},
    "placed": {
        **HOLDEM,
        "betting": {"structure": "no-limit", "blinds": [{"position": 1, "amount": 1}, {"position": 2, "amount": 2}]},
    },
    "stud": {**{key: HOLDEM[key] for key in ("ev", "rulebook", "seats")}, "game": "stud-7", "betting": STUD},
    "draw": {**HOLDEM, "game": "triple-draw-27", "betting": LIMIT, "discards": "first"},
    "tournament": {
        **HOLDEM, "rulebook": "tda-2024", "mode": "tournament", "house": {"schedule": "T2000"},
        "betting": {"structure": "no-limit", "small_blind": 25, "big_blind": 50},
    },
    "dead-button": {**HOLDEM, "button_rule": "dead", "blind_seats": {"small": 2, "big": 4}, "button": 3, "places": 9},
    "rake": {
        **HOLDEM,
        "collection": {"kind": "rake", "percent": 5, "cap": 4, "step": 1, "caps": [{"dealt": 3, "cap": 2}]},
    },
    "time": {**HOLDEM, "collection": {"kind": "time", "fee": 6, "minutes": 30}},
    "clock": {**HOLDEM, "shot_clock": {"seconds": 30, "extensions": 4}, "button": 4},
    "rotation": {
        **HOLDEM, "rotation": [{"game": "holdem", "betting": LIMIT}, {"game": "omaha-8", "betting": LIMIT, "hands": 8}]
    },
    "choice": {**HOLDEM, "rotation": [{"game": "holdem"}, {"game": "omaha-8", "hands": "level"}], "choice": 2},
    "dealer": {**{key: HOLDEM[key] for key in HOLDEM if key != "button"}, "dealer": 3, "places": 5},
    "kill": {
        **HOLDEM,
        "game": "lowball-a5",
        "betting": {**LIMIT, "ante": 1},
        "house": {"kill": "full", "voluntary_kill": True},
    },
    "answers": {**HOLDEM, "house": {"table.button_cash": "dead", "position_poker": False}},
    "middle": {
        **HOLDEM, "betting": {"structure": "no-limit", "blinds": [1, 2, 4]}, "places": 9,
        "seats": [*SEATS, {"seat": 6, "player": "six", "stack": 9}],
        "blind_seats": {"small": 2, "middle": [4], "big": 6},
    },
    "joker": {**HOLDEM, "game": "draw-high", "joker": True, "betting": {**LIMIT, "ante": 1}},
    "short": {**HOLDEM, "game": "short-deck", "house": {"deck": 36}, "rulebook": "wsop-2024"},
}  # fmt: skip

LINE_VALUES: tuple[Any, ...] = (
    *("", "x", "none", -1, 0, 1, 2, 3, 5, 9, 10, 11, 12, 36, 52, 53, 1 << 40, 1.5, True, None, [], ["x"], [0], [1, 2]),
    *({}, {"x": 1}, [{}], [{"seat": 1}], [[1]], "rounds", "holdem", "stud-7", "no-limit", "fixed-limit", "tournament"),
)
MAX_LINE_TRIES = 1500


@cache
def list_cases() -> tuple[str, ...]:
    """The name of each case: a file by its folder, and a table line by what it is about."""
    files = [
        f"{folder}/{path.name}"
        for folder in READER_BY_FOLDER
        for path in sorted((PROGRAM_FOLDER / folder).iterdir())
        if path.suffix in (".toml", ".po")
    ]
    games = [name for name in files if name.startswith("games/")]
    lessons = [name for name in files if name.startswith("lessons/")]
    spared = {*games[1::2], *lessons[1::3], *lessons[2::3]}  # each is read by its own tests; the damage is alike
    kept = (name for name in files if name not in spared)
    return (*kept, *(f"text/{name}" for name in TEXTS), *(f"line/{name}" for name in TABLE_LINES))


def damage_text(text: str, addresses: Sequence[str] = ()) -> Iterator[str]:
    """A file with one line left out, twice, under another name, or with another value."""
    lines = text.splitlines()
    known = [found[2] for line in lines if (found := _LINE_PATTERN.match(line))]
    for place, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        before, after = lines[:place], lines[place + 1 :]
        yield "\n".join((*before, *after))
        yield "\n".join((*before, line, line, *after))
        if found := _LINE_PATTERN.match(line):
            yield "\n".join((*before, f"zz_{line.lstrip()}", *after))
            others = addresses if "://" in line else ()
            for value in (*VALUES, *known[place % 7 :: 7], *(f'"{address}"' for address in others)):
                yield "\n".join((*before, found[1] + value, *after))
        else:
            yield "\n".join((*before, line.replace("a", "", 1), *after))
            yield "\n".join((*before, line.replace('"', "", 1), *after))


def damage_value(value: Any) -> Iterator[Any]:  # noqa: ANN401 - a value of JSON
    """A value with one thing in it left out, under another name, or another."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: each for other, each in value.items() if other != key}
            yield {f"{other}s" if other == key else other: each for other, each in value.items()}
            yield from ({**value, key: other} for other in (*LINE_VALUES, *damage_value(inner)))
    elif isinstance(value, list):
        yield [*value, *value[:1]]
        for place, inner in enumerate(value):
            yield [each for number, each in enumerate(value) if number != place]
            yield from ([*value[:place], other, *value[place + 1 :]] for other in damage_value(inner))


def choose(tries: list[Any], name: str, most: int) -> list[Any]:
    """So many of the tries, the same ones for a name."""
    if len(tries) <= most:
        return tries
    kept = sorted(random.Random(name).sample(range(len(tries)), most))
    return [tries[each] for each in kept]


def _sort_members(found: re.Match[str]) -> str:
    """A set by its members in their order, which is another one in each process."""
    return " ".join(sorted(found[1].split(", ")))


def ask(read: Callable[[], object], folder: str) -> str:
    """What is read, or why not."""
    try:
        said = _SET_PATTERN.sub(_sort_members, repr(read()))
    except ConfigError as why:
        said = f"refused {why}" if _is_plain(why) else f"no plain error: {why}"
    except Refused as why:
        said = f"refused {why.code} {why.message}"
    return re.sub(r"0x[0-9a-f]{6,}", "", said.replace(folder, ""))


def _is_plain(why: ConfigError) -> bool:
    """Whether an error names file and line."""
    return why.line >= 1 and str(why).startswith(f"{why.path.name}:{why.line}: ")


def read_answers(case: str) -> list[object]:
    """What a reader says to each damage of a case, and first to the case as it is."""
    folder, _, name = case.partition("/")
    if folder == "line":
        whole = TABLE_LINES[name]
        tries = [whole, *choose(list(damage_value(whole)), case, MAX_LINE_TRIES)]
        return [ask(lambda line=line: parse_table_line(copy.deepcopy(line)), "") for line in tries]  # type: ignore[misc]
    if folder == "text":
        text, read = TEXTS[name]
    else:
        text, read = (PROGRAM_FOLDER / folder / name).read_text(encoding="utf-8"), READER_BY_FOLDER[folder]
    most = SLOW_TRIES if folder in ("rulebooks", "languages") else FAST_TRIES
    beginning = text if folder != "languages" else "\n".join(text.splitlines()[:400])
    damaged = damage_text(beginning, ADDRESSES if folder == "text" else ())
    answers: list[object] = []
    with TemporaryDirectory() as directory:
        path = Path(directory) / name
        for tried in (text, *choose(list(damaged), case, most)):
            path.write_text(tried, encoding="utf-8")
            answers.append(ask(lambda: read(path), directory))
    return answers


def main(arguments: list[str]) -> None:
    """Put every case on record, or print some."""
    if arguments[:1] == ["--record"]:
        ANSWERS.write({case: read_answers(case) for case in arguments[1:] or list_cases()})
        return
    for case in arguments or list_cases():
        print(*(f"{case}: {answer}" for answer in read_answers(case)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
