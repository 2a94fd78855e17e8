"""Lines of play that follow what the table asks for: `all call until flop`, `all fold`, `deal until act with 8h 2s`."""

from collections.abc import Callable
from typing import Any

from tests.notation.words import NotationError

WORDS = {
    "call": ("bring-in", "check", "call", "all-in", "fold"),
    "bet": ("bring-in", "call", "bet", "check", "all-in", "fold"),
    "fold": ("fold", "check"),
}
"""What each seat does that is to act: the first of these words that it may say."""

CARDS = ("deal", "burn", "board")

MAX_LINES = 1000
"""More lines no story needs: the autopilot has no end."""


def is_autopilot(event: dict[str, Any]) -> bool:
    """Whether an event stands for all lines until something is reached."""
    return event["ev"] in ("all", "deal")


def parse_autopilot(verb: str, words: list[str]) -> dict[str, Any]:
    """The event of `all call`, `all fold`, `all bet` or `deal`, with `until WORD` and `with CARDS`."""
    rest = list(words)
    event: dict[str, Any] = {"ev": verb, "do": rest.pop(0) if verb == "all" and rest else ""}
    if rest[:1] == ["until"] and len(rest) > 1:
        event["until"] = rest[1]
        del rest[:2]
    if rest[:1] == ["with"] and len(rest) > 1:
        event["with"] = rest[1:]
        rest = []
    if rest or (verb == "all" and event["do"] not in WORDS):
        raise NotationError(f"{' '.join([verb, *words])}: here stands all {'|'.join(WORDS)}, or deal; until …; with …")
    return event


def is_reached(event: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether an answer ends the autopilot: a street's betting, a step, or `over`; else, that the kind of step ends."""
    step = answer["next"][0] if answer["next"] else {"step": "over"}
    if "until" in event:
        return step["step"] in (event["until"], "over") or (step["step"], answer["street"]) == ("act", event["until"])
    return step["step"] not in (("act",) if event["ev"] == "all" else CARDS)


def choose_line(event: dict[str, Any], answer: dict[str, Any], cards: list[str]) -> dict[str, Any] | None:
    """The line that does the first step of an answer; `cards` come first, then unread ones; none where it cannot."""
    step = answer["next"][0]
    match step["step"]:
        case name if name in CARDS:
            card = cards.pop(0) if cards else "-"
            return {"ev": "card", "card": None if card == "-" else card}
        case "act" if event["ev"] == "all":
            word = next(word for word in WORDS[event["do"]] if word in step["options"])
            amount = {"to": step["min_to"]} if word == "bet" and step["min_to"] < step["max_to"] else {}
            return {"ev": "act", "seat": step["seat"], "do": word, **amount}
        case "show":
            return {"ev": "show", "seat": step["seat"]}
        case "draw" if event["ev"] == "all":
            return {"ev": "draw", "seat": step["seat"], "discard": 0}
        case "award" if "amounts" not in step:
            return None
        case "return" | "shuffle" | "cut" | "move" | "discard" | "award" | "post":
            return {"ev": "done"}
        case _:
            return None


def drive(event: dict[str, Any], answer: dict[str, Any], play: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """Play on from an answer until the autopilot ends; what was wrong, or nothing."""
    cards = list(event.get("with", []))
    for number in range(MAX_LINES):
        if is_reached(event, answer):
            missed = "until" in event and not answer["next"] and event["until"] != "over"
            return "nothing to play" if not number else f"{cards} left" if cards else "the hand is over" * missed
        line = choose_line(event, answer, cards)
        if line is None or "error" in (answer := play(line)):
            return f"stops at {answer.get('error') or answer['next'][0]}"
    return "has no end"
