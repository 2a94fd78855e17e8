"""Draws docs/side-by-side.md: the same events at the table, and what each book makes of them: `make side-by-side`."""

from pathlib import Path
from typing import Any

from config.rulebook_file import list_rulebooks, load_rulebook
from tests.playing import ScriptedTable, play
from tests.rules.deals import dealt, on_flop

PAGE = Path(__file__).parents[2] / "docs" / "side-by-side.md"
HEAD = """# The same events under eight books

Twelve things that happen at a no-limit hold'em table of four, each played under every book, and the ruling: its
verdict and its clause. Drawn by `make side-by-side`; a test holds it to the books. `tablectl rules diff` says where two
books differ.

"""
BOXED = {"ev": "card", "card": "2s", "face": "up"}
ACTED = ("act 4 call", "act 1 call")


def report(what: str, **keys: object) -> dict[str, Any]:
    return {"ev": "report", "what": what, **keys}


EVENTS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "The second card off the deck is exposed": (play, ("start", "card Ad 9c", report("exposed"))),
    "The third card is exposed, and no other": (play, ("start", "card Ad 9c Tc", report("exposed"))),
    "A card lies face up in the deck": (play, ("start", BOXED)),
    "A joker comes to a hand": (play, ("start", "card Ad joker")),
    "A hand has a card too many before the betting": (dealt, ("card Kd", report("extra-card", seat=3))),
    "The button lacks a card, one has raised": (
        dealt, ("act 4 raise 6", report("short-hand", seat=1)),
    ),
    "A hand has a card too many when two have called": (dealt, (*ACTED, "card Kd", report("extra-card", seat=3))),
    "The flop came without a burn": (
        dealt, (*ACTED, "act 2 call", "act 3 check", "card 8h 2s 4s", report("no-burn")),
    ),
    "The flop has four cards": (on_flop, ("card Jd", report("board-extra", count=1))),
    "The turn came before the betting was over": (on_flop, ("act 2 check", "card 7h 7d", report("premature", count=2))),
    "A check out of turn": (on_flop, ("act 4 check",)),
    "The time of a player who faces no bet runs out": (
        on_flop,
        ({"ev": "clock", "seat": 2, "t": 0.0}, {"ev": "time", "t": 200.0}),
    ),
}  # fmt: skip
"""What happened, and how it is played."""


def format_last_ruling(played: ScriptedTable) -> str:
    """The last ruling of the last line: verdict and clause."""
    line = played.lines[-1]
    if "error" in line:
        return "refused"
    if not line["rulings"]:
        return "-"
    ruling = line["rulings"][-1]
    default = " by default" if "by default" in ruling["text"] else ""
    return f"{ruling['verdict']}<br>{ruling['cite'][0]}{default}"


def page() -> str:
    """The page: a row an event, a column a book."""
    books = list_rulebooks()
    lines = [
        "| event | " + " | ".join(load_rulebook(book).title for book in books) + " |",
        "|---" * (len(books) + 1) + "|",
    ]
    for words, (how, script) in EVENTS.items():
        lines.append(f"| {words} | " + " | ".join(format_last_ruling(how(book, *script)) for book in books) + " |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
