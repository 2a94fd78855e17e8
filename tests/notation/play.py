"""Lines of play in few words: `card As Kd`, `act 4 raise 6, 1 call`, `report skipped seat=1`, `done 3`."""

from typing import Any

from config.table_line import BETTING_AMOUNT_KEYS
from tests.notation.autopilot import parse_autopilot
from tests.notation.words import NotationError, parse_keys, parse_value, split

REPEATED = ("done", "undo", "start")
"""Events without a seat: a number behind them is how often."""

PLAIN_KEY_BY_EVENT = {"report": "what", "floor": "decide"}
"""The key that a bare word behind an event has."""

BETTING_KEYS = (*BETTING_AMOUNT_KEYS, "blinds")

TABLE = {"game": "holdem", "structure": "no-limit", "small_blind": 1, "big_blind": 2, "seats": 4, "button": 1}
"""What a table is where its line does not say otherwise; with a `structure` it says all amounts itself."""

CHIPS = 200
"""What a player has whose stack is not said."""


def parse_table(words: list[str], above: dict[str, Any]) -> dict[str, Any]:
    """What a table is by the words of its line, on top of what it is already."""
    plain, said = [word for word in words if "=" not in word], parse_keys([word for word in words if "=" in word])
    if len(plain) > 1 or (plain and "game" in said):
        raise NotationError(f"{' '.join(plain)}: a table has one game")
    if "structure" in said:
        above = {key: value for key, value in above.items() if key not in BETTING_KEYS}
    if "blinds" in said:
        above = {key: value for key, value in above.items() if key not in ("small_blind", "big_blind")}
    return above | ({"game": plain[0]} if plain else {}) | said


def make_table_line(table: dict[str, Any], book: str) -> dict[str, Any]:
    """The script line of a table under a book."""
    betting = {key: table[key] for key in ("structure", *BETTING_KEYS) if key in table}
    rest = {key: value for key, value in table.items() if key not in betting and value != "none"}
    line = {"ev": "table", "rulebook": book, "betting": betting} | rest | {"seats": _parse_seats(str(table["seats"]))}
    return {key: value for key, value in line.items() if value is not None}


def _parse_seats(text: str) -> list[dict[str, Any]]:
    """Players from `4`, how many, or from `1:50,3:Ann:80,5:-`: seats with names and stacks, `-` where none is known."""
    if text.isdecimal():
        return [{"seat": seat, "stack": CHIPS} for seat in range(1, int(text) + 1)]
    places: list[dict[str, Any]] = []
    for seat, *rest in (place.split(":") for place in text.split(",")):
        *name, stack = rest or [str(CHIPS)]
        if not seat.isdecimal() or len(name) > 1 or not (stack == "-" or stack.isdecimal()):
            raise NotationError(f"seats={text}: seats are a number, or places like 1:50,3:Ann:80,5:-")
        place = {"seat": int(seat), "player": "".join(name), "stack": None if stack == "-" else int(stack)}
        places.append({key: value for key, value in place.items() if value not in (None, "")})
    return places


def parse_phrase(phrase: str) -> list[dict[str, Any]]:
    """The script lines for a phrase; after a comma the same event follows once more."""
    verb, _, rest = phrase.partition(" ")
    if verb in ("all", "deal"):
        return [parse_autopilot(verb, rest.split())]
    return [line for part in split(rest, ",") or [""] for line in _parse_event(verb, split(part, " "))]


def _parse_event(verb: str, words: list[str]) -> list[dict[str, Any]]:
    keys = parse_keys([word for word in words if "=" in word])
    plain: list[Any] = [parse_value(word) if word != "-" else None for word in words if "=" not in word]
    if verb == "card":
        return [{"ev": "card", "card": card, **keys} for card in plain or _refuse(verb, words)]
    names: tuple[str, ...]
    if verb == "act":
        names = ("seat", "do", "to")
    elif verb in REPEATED:
        return [{"ev": verb, **keys}] * (plain[0] if plain else 1)
    else:
        names = ("seat",) if plain and isinstance(plain[0], int) else (PLAIN_KEY_BY_EVENT.get(verb, ""),)
    if len(plain) > len(names) or (plain and not names[0]):
        _refuse(verb, words)
    return [{"ev": verb, **dict(zip(names, plain, strict=False)), **keys}]


def _refuse(verb: str, words: list[str]) -> list[Any]:
    raise NotationError(f"{' '.join([verb, *words])}: no line of play")
