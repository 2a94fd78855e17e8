"""What a story expects of an answer: clauses such as `ruling no-burn correct AU-19.3`, as `expect` of a scenario."""

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from controller.cli.rules.rule_coverage import iter_catalogue_rows
from controller.core.rules.rulings import Verdict, printed_rule_id
from tests.notation.words import NotationError, parse_value, split

ABSENT = {"$absent": True}
SIGNS = ("=", "has", "lacks", "absent", "length", "says", "never")
SEATS = range(1, 24)
VERDICTS = {verdict.value for verdict in Verdict}
PATH = re.compile(r"[a-z_]+(?:\.\w+|\[\d+\])*")


@cache
def list_clauses() -> frozenset[str]:
    """Every id of the catalogue, with and without what tells outcomes of one rule apart."""
    ids = {row.id for row in iter_catalogue_rows()}
    return frozenset(ids | {printed_rule_id(id_) for id_ in ids})


@dataclass
class ListWanted:
    """What a list is to be: some of its items, its length, what it has and what it lacks, and how it ends."""

    items: dict[int, Any] = field(default_factory=dict)
    length: int | None = None
    has: list[Any] = field(default_factory=list)
    lacks: list[Any] = field(default_factory=list)
    ends: list[Any] = field(default_factory=list)

    def to_expect(self) -> Any:  # noqa: ANN401 (what JSON holds)
        """As a scenario expects it."""
        last = max(self.items, default=-1)
        # What a list leaves open matches any list there, or any object.
        is_of_lists = any(isinstance(item, ListWanted | list) for item in self.items.values())
        anything: dict[str, Any] = {"$lacks": []} if is_of_lists else {}
        items = [to_expect(self.items.get(i, anything)) for i in range(max(last + 1, self.length or 0))]
        if self.length is not None and len(items) == self.length and not (self.has or self.lacks or self.ends):
            return items
        parts = {"$starts": items, "$ends": self.ends, "$has": self.has, "$lacks": self.lacks}
        length = {} if self.length is None else {"$len": self.length}
        return {key: part for key, part in parts.items() if part} | length


def to_expect(wanted: Any) -> Any:  # noqa: ANN401 (what JSON holds)
    """What is wanted, as a scenario expects it."""
    if isinstance(wanted, ListWanted):
        return wanted.to_expect()
    return {key: to_expect(value) for key, value in wanted.items()} if isinstance(wanted, dict) else wanted


class Expectation:
    """What is wanted of one answer, clause by clause."""

    def __init__(self) -> None:
        self.wanted: dict[str, Any] = {}
        self._rulings = 0

    def to_expect(self) -> dict[str, Any]:
        """As a scenario expects it."""
        return {key: to_expect(value) for key, value in self.wanted.items()}

    def add(self, clause: str) -> None:
        """Want what a clause says, too."""
        word, *rest = split(clause, " ")
        adder = getattr(self, f"_add_{word.replace('-', '_')}", None)
        if adder is not None and (word == "ruling" or not (rest and rest[0] in SIGNS)):
            adder(rest, clause.removeprefix(word).strip())
        elif PATH.fullmatch(word) and rest:
            self._add_by_path(word, rest)
        else:
            raise NotationError(f"{clause}: no expectation begins with {word}")

    def _place(self, path: str) -> tuple[Any, Any]:
        """What holds the value at a path, and its key there."""
        keys = [int(part[1:]) if part[0] == "[" else part for part in re.findall(r"\[\d+|\w+", path.replace("]", ""))]
        place: Any = self.wanted
        for key, then in pairwise(keys):
            holder = place.items if isinstance(place, ListWanted) else place
            place = holder.setdefault(key, ListWanted() if isinstance(then, int) else {})
        return (place.items if isinstance(place, ListWanted) else place), keys[-1]

    def _want(self, path: str, value: Any) -> None:  # noqa: ANN401 (what JSON holds)
        place, key = self._place(path)
        if key in place:
            raise NotationError(f"{path}: expected twice")
        place[key] = value

    def _list(self, path: str) -> ListWanted:
        place, key = self._place(path)
        found = place.setdefault(key, ListWanted())
        if not isinstance(found, ListWanted):
            raise NotationError(f"{path}: expected as a whole already")
        return found

    def _add_by_path(self, path: str, rest: list[str]) -> None:
        sign, *words = rest
        value = [parse_value(word) for word in words]
        match sign, value:
            case "=", [one]:
                self._want(path, _fill_seats(one))
            case "absent", []:
                self._want(path, ABSENT)
            case "has", [_, *_]:
                self._list(path).has += value
            case "lacks", [_, *_]:
                self._list(path).lacks += value
            case "length", [int(number)]:
                self._list(path).length = number
            case (("says" | "never"), [str(), *_]):
                self._say(path, sign, value)
            case _:
                raise NotationError(f"{path} {' '.join(rest)}: behind a path stands one of {' '.join(SIGNS)}")

    def _say(self, path: str, sign: str, texts: list[Any]) -> None:
        place, key = self._place(path)
        place.setdefault(key, {}).setdefault(f"${sign}", []).extend(texts)

    def _add_refused(self, words: list[str], _: str) -> None:
        self._want("error", {"code": _require_one_word(words)})

    def _add_ruling(self, words: list[str], rest: str) -> None:
        if len(words) < 2 or words[1] not in VERDICTS:
            raise NotationError(f"ruling {rest}: a finding and a verdict: {', '.join(sorted(VERDICTS))}")
        rulings = self._list("rulings")
        ruling: dict[str, Any] = {"finding": words[0], "verdict": words[1]}
        cites: list[str] = []
        left = iter(words[2:])
        for word in left:
            if word == "seat":
                ruling["seat"] = int(next(left, "0"))
            elif word == "no" and next(left, "") == "seat":
                ruling["seat"] = ABSENT
            elif word.startswith('"'):
                ruling.setdefault("text", {}).setdefault("$says", []).append(parse_value(word))
            elif word == "not":
                ruling.setdefault("text", {}).setdefault("$never", []).append(parse_value(next(left, "")))
            elif word in list_clauses():
                cites.append(word)
            else:
                raise NotationError(f"ruling {rest}: {word} is neither a clause of the catalogue nor a seat nor a text")
        _merge(rulings, self._rulings, ruling | ({"cite": cites} if cites else {}))
        self._rulings += 1
        rulings.length = self._rulings

    def _add_no(self, words: list[str], _: str) -> None:
        if _require_one_word(words) != "ruling":
            raise NotationError("no ruling: nothing else is denied so")
        self._want("rulings", [])

    def _add_next(self, _: list[str], rest: str) -> None:
        steps = split(rest, ",")
        found = self._list("next")
        if steps == ["nothing"]:
            found.length = 0
            return
        if steps[0] == "...":
            found.ends = [_parse_step(step) for step in steps[1:]]
            return
        if steps[-1] == "...":
            steps.pop()
        else:
            found.length = len(steps)
        for number, step in enumerate(steps):
            _merge(found, number, _parse_step(step))

    def _add_legal(self, words: list[str], _: str) -> None:
        self._want("next[0].options", words)

    def _add_may(self, words: list[str], _: str) -> None:
        options = self._list("next[0].options")
        if words[0] == "not":
            options.lacks += words[1:]
        else:
            options.has += words

    def _add_piles(self, words: list[str], _: str) -> None:
        for pile, count in _pairs(words):
            self._want(f"piles.{pile}", int(count))

    def _add_stacks(self, words: list[str], _: str) -> None:
        for seat, stack in (word.split(":") for word in words):
            self._want(f"stacks.{seat}", int(stack))

    def _add_bets(self, words: list[str], _: str) -> None:
        bets = {} if words == ["none"] else dict(word.split(":") for word in words)
        self._want("bets", _fill_seats({seat: int(chips) for seat, chips in bets.items()}))

    def _add_pots(self, words: list[str], _: str) -> None:
        pots = [] if words == ["none"] else [word.split(":") for word in words]
        self._want("pots", [{"amount": int(amount), "seats": _numbers(seats)} for amount, seats in pots])

    def _add_board(self, words: list[str], _: str) -> None:
        self._want("board", [] if words == ["none"] else words)

    def _add_lamps(self, _: list[str], rest: str) -> None:
        for lamp in split(rest, ","):
            role, *seats = lamp.split()
            self._want(f"lamps.{role}", [] if seats == ["none"] else _numbers(",".join(seats)))

    def _add_phase(self, words: list[str], _: str) -> None:
        self._want("phase", _require_one_word(words))

    def _add_street(self, words: list[str], _: str) -> None:
        self._want("street", parse_value(_require_one_word(words)))

    def _add_gate(self, words: list[str], _: str) -> None:
        self._want("gate", _require_one_word(words))


def _merge(wanted: ListWanted, number: int, more: dict[str, Any]) -> None:
    """Want more of an item of a list."""
    item = wanted.items.setdefault(number, {})
    if twice := item.keys() & more.keys():
        raise NotationError(f"{', '.join(sorted(twice))}: expected twice of one item")
    item |= more


def _fill_seats(value: Any) -> Any:  # noqa: ANN401 (what JSON holds)
    """A mapping of seats has no other seat than those that are said."""
    if isinstance(value, dict) and all(key.isdecimal() for key in value):
        return {str(seat): value.get(str(seat), ABSENT) for seat in SEATS}
    return value


def _require_one_word(words: list[str]) -> str:
    if len(words) != 1:
        raise NotationError(f"{' '.join(words)}: one word stands here")
    return words[0]


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    if len(words) % 2 or not words:
        raise NotationError(f"{' '.join(words)}: names and numbers stand here, one behind the other")
    return list(zip(words[::2], words[1::2], strict=True))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _parse_step(text: str) -> dict[str, Any]:
    """A step of `next` from its words; `key=value` says more of it. A deal that says no `why` is a regular one."""
    words = split(text, " ")
    more = {key: parse_value(value) for key, _, value in (word.partition("=") for word in words[1:] if "=" in word)}
    match [word for word in words if "=" not in word]:
        case ["return", what, *source, ">", to, count]:
            step = {"what": what, "from": " ".join(source) or what, "to": to, "count": int(count)}
        case ["move", *source, ">", to]:
            step = {"from": parse_value(" ".join(source)), "to": parse_value(to)}
        case ["board", street, count]:
            step = {"street": street, "n": int(count)}
        case ["award", *seats]:
            step = {"seats": [int(seat) for seat in seats]}
        case [_, seat]:
            step = {"seat": int(seat)}
        case [_, seat, face]:
            step = {"seat": int(seat), "face": face}
        case [_]:
            step = {}
        case _:
            raise NotationError(f"{text}: no step of a plan")
    regular = {"why": ABSENT} if words[0] == "deal" else {}
    return {"step": words[0]} | regular | step | more


def settle_texts(wanted: Any, got: Any) -> Any:  # noqa: ANN401 (what JSON holds)
    """What is wanted, with the text that came in the place of what it must say, where it says that and nothing else."""
    if isinstance(wanted, dict) and wanted.keys() & {"$says", "$never"}:
        fits = all(part in got for part in wanted.get("$says", [])) and not any(
            part in got for part in wanted.get("$never", [])
        )
        return got if fits else " and ".join(f"{sign} {texts}" for sign, texts in wanted.items())
    if isinstance(wanted, dict) and isinstance(got, dict):
        return {key: settle_texts(value, got.get(key, "")) for key, value in wanted.items()}
    if isinstance(wanted, dict) and "$starts" in wanted and isinstance(got, list):
        return wanted | {"$starts": settle_texts(wanted["$starts"], got)}
    if isinstance(wanted, list) and isinstance(got, list):
        return [settle_texts(one, other) for one, other in zip(wanted, got, strict=False)] + wanted[len(got) :]
    return wanted
