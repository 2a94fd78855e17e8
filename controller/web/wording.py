"""How each step of `next` is said to people: the one place of these words, for the pages, the terminal and the log."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from config.language_file import ENGLISH, Language, marked

Step = Mapping[str, Any]
"""A step as the output line says it (`docs/table-script.md`, section 2)."""

PILES = {
    "stub-bottom": marked("bottom of the stub"), "burn": marked("burns"), "stub": marked("stub"),
    "muck": marked("muck"), "board": marked("board"), "aside": marked("aside"), "deck": marked("deck"),
}  # fmt: skip
THINGS = {
    "exposed": marked("exposed card"), "extra": marked("extra card"), "boxed": marked("boxed card"),
    "board": marked("board card"), "burn": marked("burn"), "joker": marked("joker"),
    "premature": marked("premature card"),
}  # fmt: skip
DEALT = {
    (False, None): marked("Card to seat {seat}"),
    (False, "replacement"): marked("Card to seat {seat} – replacement"),
    (False, "missing"): marked("Card to seat {seat} – missing card"),
    (False, "draw"): marked("Card to seat {seat} – draw"),
    (True, None): marked("Card to seat {seat}, face up"),
    (True, "replacement"): marked("Card to seat {seat}, face up – replacement"),
    (True, "missing"): marked("Card to seat {seat}, face up – missing card"),
    (True, "draw"): marked("Card to seat {seat}, face up – draw"),
}
"""Whether face up, and why -> what is said."""

LISTED = marked("list:lower")
"""Not said: "list:lower" where what a list names begins with a small letter, "list:as-is" where nouns do not."""


def instruction(step: Step, language: Language = ENGLISH) -> str:
    """Say one step as the dealer would."""
    said_by = INSTRUCTIONS.get(step["step"])
    return _capital(words(step["step"], language)) if said_by is None else said_by(step, language)


def worded(steps: Iterable[Step], language: Language = ENGLISH) -> list[dict[str, Any]]:
    """The steps, each with its `text` and, for a list of what comes later, its `short` text."""
    return [{**step, "text": instruction(step, language), "short": short(step, language)} for step in steps]


def said(line: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """An output line, its steps with what is said of them."""
    return {**line, "next": worded(line.get("next", ()), language)}


def short(step: Step, language: Language = ENGLISH) -> str:
    """A step among those that come later."""
    text = _seat(step["seat"], language) if step["step"] == "deal" else instruction(step, language)
    return text[:1].lower() + text[1:] if language.text(LISTED) == LISTED else text


def words(code: object, language: Language = ENGLISH) -> str:
    """A word of the table script as people write it."""
    return language.text(str(code).replace("-", " ").replace("_", " "))


def _seat(seat: object, language: Language) -> str:
    return language.text("seat {seat}", seat=seat)


def _cards(n: int, language: Language) -> str:
    return language.counted("1 card", "{n} cards", n)


def _deal(step: Step, language: Language) -> str:
    why = step.get("why")
    key = (step["face"] == "up", why if why in ("replacement", "missing", "draw") else None)
    return language.text(DEALT[key], seat=step["seat"])


def _board(step: Step, language: Language) -> str:
    return f"{_capital(words(step['street'], language))}: {_cards(step['n'], language)}"


def _bet(step: Step, language: Language) -> str:
    seats = step["seats"]
    named = ", ".join(map(str, seats))
    return language.counted("Betting: seat {seats}", "Betting: seats {seats}", len(seats), seats=named)


def _post(step: Step, language: Language) -> str:
    seat, kind, amount = step["seat"], words(step["kind"], language), step.get("amount")
    if amount is None:
        return language.text("Seat {seat} posts {kind}", seat=seat, kind=kind)
    return language.text("Seat {seat} posts {kind} {amount}", seat=seat, kind=kind, amount=amount)


def _draw(step: Step, language: Language) -> str:
    if "discard" not in step:
        return language.text("Seat {seat} draws", seat=step["seat"])
    cards = _cards(step["discard"], language)
    return language.text("Seat {seat} throws {cards} away", seat=step["seat"], cards=cards)


def _return(step: Step, language: Language) -> str:
    if step["from"] == "all":
        return language.text("All cards back into the deck")
    thing = THINGS.get(step["what"])
    one = words(step["what"], language) if thing is None else language.text(thing)
    what = _cards(step["count"], language) if step["count"] > 1 else one
    return language.text(
        "Return {what}: {origin} → {place}",
        what=what, origin=_pile(step["from"], language), place=_pile(step["to"], language),
    )  # fmt: skip


def _move(step: Step, language: Language) -> str:
    place = _pile(step["to"], language)
    if step["what"] == "button":
        return language.text("Move the button to {place}", place=place)
    what, origin = words(step["what"], language), _pile(step["from"], language)
    return language.text("Move {what}: {origin} → {place}", what=what, origin=origin, place=place)


def _award(step: Step, language: Language) -> str:
    pot = language.text("Side pot {n}", n=step["pot"]) if step["pot"] else language.text("Pot")
    amounts = step.get("amounts")
    if amounts is None:
        seats = ", ".join(_seat(seat, language) for seat in step["seats"])
        return language.text("{pot} to {seats}", pot=pot, seats=seats)
    shares = [
        language.text("{chips} to seat {seat}", chips=chips, seat=seat)
        for seat, chips in zip(step["seats"], amounts, strict=True)
    ]
    return f"{pot}: {', '.join(shares)}"


def _pile(name: str, language: Language) -> str:
    if name in PILES:
        return language.text(PILES[name])
    kind, _, seat = name.partition(" ")
    return _seat(seat, language) if kind == "seat" and seat else language.text(name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


INSTRUCTIONS: dict[str, Callable[[Step, Language], str]] = {
    "deal": _deal,
    "burn": lambda _, language: language.text("Burn a card"),
    "board": _board,
    "act": lambda step, language: language.text("Seat {seat} acts", seat=step["seat"]),
    "bet": _bet,
    "draw": _draw,
    "post": _post,
    "return": _return,
    "shuffle": lambda _, language: language.text("Shuffle"),
    "cut": lambda _, language: language.text("Cut"),
    "move": _move,
    "discard": lambda step, language: language.text(
        "Take {cards} of the stub out of play, face down", cards=_cards(step["count"], language)
    ),
    "show": lambda step, language: language.text("Seat {seat} shows", seat=step["seat"]),
    "award": _award,
    "floor": lambda step, language: language.text(
        "Call the floor: {question}", question=words(step["question"], language)
    ),
    "hold": lambda _, language: language.text("Wait for the floor: turn nothing up, deal nothing"),
    "say": lambda _, language: language.text("What happened?"),
}
"""Word of the step -> what is said."""
