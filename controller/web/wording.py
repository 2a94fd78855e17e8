"""How each step of `next` is said to people: the one place of these words, for the pages, the terminal and the log."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from controller.core.values.counted import counted

Step = Mapping[str, Any]
"""A step as the output line says it (`docs/table-script.md`, section 2)."""

PILES = {"stub-bottom": "bottom of the stub", "burn": "burns"}
THINGS = {
    "exposed": "exposed card", "extra": "extra card", "boxed": "boxed card", "board": "board card", "burn": "burn",
    "joker": "joker", "premature": "premature card",
}  # fmt: skip
WHY = {"replacement": " – replacement", "missing": " – missing card", "draw": " – draw"}


def instruction(step: Step) -> str:
    """Say one step as the dealer would."""
    said_by = INSTRUCTIONS.get(step["step"])
    return _capital(words(step["step"])) if said_by is None else said_by(step)


def worded(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The steps, each with its `text` and, for a list of what comes later, its `short` text."""
    return [{**step, "text": instruction(step), "short": short(step)} for step in steps]


def said(line: Mapping[str, Any]) -> dict[str, Any]:
    """An output line, its steps with what is said of them."""
    return {**line, "next": worded(line.get("next", ()))}


def short(step: Step) -> str:
    """A step among those that come later."""
    text = f"seat {step['seat']}" if step["step"] == "deal" else instruction(step)
    return text[:1].lower() + text[1:]


def words(code: object) -> str:
    """A word of the table script as people write it."""
    return str(code).replace("-", " ").replace("_", " ")


def _deal(step: Step) -> str:
    return f"Card to seat {step['seat']}{', face up' if step['face'] == 'up' else ''}{WHY.get(step.get('why', ''), '')}"


def _board(step: Step) -> str:
    return f"{_capital(words(step['street']))}: {counted(step['n'], 'card')}"


def _bet(step: Step) -> str:
    seats = step["seats"]
    return f"Betting: {'seats' if len(seats) > 1 else 'seat'} {', '.join(map(str, seats))}"


def _post(step: Step) -> str:
    amount = step.get("amount")
    return f"Seat {step['seat']} posts {words(step['kind'])} {'' if amount is None else amount}"


def _draw(step: Step) -> str:
    return f"Seat {step['seat']} " + (
        f"throws {counted(step['discard'], 'card')} away" if "discard" in step else "draws"
    )


def _return(step: Step) -> str:
    if step["from"] == "all":
        return "All cards back into the deck"
    what = counted(step["count"], "card") if step["count"] > 1 else THINGS.get(step["what"], words(step["what"]))
    return f"Return {what}: {_pile(step['from'])} → {_pile(step['to'])}"


def _move(step: Step) -> str:
    if step["what"] == "button":
        return f"Move the button to {_pile(step['to'])}"
    return f"Move {words(step['what'])}: {_pile(step['from'])} → {_pile(step['to'])}"


def _award(step: Step) -> str:
    pot = f"Side pot {step['pot']}" if step["pot"] else "Pot"
    amounts = step.get("amounts")
    if amounts is None:
        return f"{pot} to {', '.join(f'seat {seat}' for seat in step['seats'])}"
    return f"{pot}: {', '.join(f'{chips} to seat {seat}' for seat, chips in zip(step['seats'], amounts, strict=True))}"


def _pile(name: str) -> str:
    return PILES.get(name, name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


INSTRUCTIONS: dict[str, Callable[[Step], str]] = {
    "deal": _deal,
    "burn": lambda _: "Burn a card",
    "board": _board,
    "act": lambda step: f"Seat {step['seat']} acts",
    "bet": _bet,
    "draw": _draw,
    "post": _post,
    "return": _return,
    "shuffle": lambda _: "Shuffle",
    "cut": lambda _: "Cut",
    "move": _move,
    "discard": lambda step: f"Take {counted(step['count'], 'card')} of the stub out of play, face down",
    "show": lambda step: f"Seat {step['seat']} shows",
    "award": _award,
    "floor": lambda step: f"Call the floor: {words(step['question'])}",
    "hold": lambda _: "Wait for the floor: turn nothing up, deal nothing",
    "say": lambda _: "What happened?",
}
"""Word of the step -> what is said."""
