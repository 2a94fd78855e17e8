"""A hand, run inside the machine: the dealer by the page, the cards from outside, by whoever is the reader's far end.

    python3 -m tests.image.hand CODE

Before each step it prints as one line of JSON what the table shows, and waits for a line of its standard input.
"""

import json
import sys
from typing import Any

from tests.image.first_hour import Browser, enrol_staff, wait_until

CARDS = ("deal", "burn", "board")
"""Steps that a card leaving the shoe fulfils."""


def main() -> None:
    _, dana = enrol_staff(sys.argv[1])
    wait_until(lambda: begin_hand(dana), "the hand begins, once the reader has answered")
    while (now := dana.want("GET", "/state"))["table"]["phase"] != "idle":
        table = now["table"]
        step = table["next"][0]
        shown = {"card": step["step"] in CARDS, "lamps": table["lamps"], "gate": table["gate"]}
        sys.stdout.write(json.dumps(shown) + "\n")
        sys.stdout.flush()
        sys.stdin.readline()
        if shown["card"]:
            await_card(dana, now["entry"])
        else:
            enter(dana, make_completion_entry(step))
    sys.stdout.write("the hand is over\n")


def await_card(dana: Browser, before: int) -> None:
    wait_until(lambda: dana.want("GET", "/state")["entry"] > before, "the card is read")


def begin_hand(dana: Browser) -> bool:
    enter(dana, {"ev": "start"})
    return True


def enter(dana: Browser, line: dict[str, Any]) -> None:
    dana.want("POST", "/entry", {"seen": dana.want("GET", "/state")["entry"], "line": line})


def make_completion_entry(step: dict[str, Any]) -> dict[str, Any]:
    """What the dealer enters when a step that wants no card is done."""
    match step["step"]:
        case "bet":
            return {"ev": "closed"}
        case "show":
            return {"ev": "show", "seat": step["seat"]}
        case _:
            return {"ev": "done"}


if __name__ == "__main__":
    main()
