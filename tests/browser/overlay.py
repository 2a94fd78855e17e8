"""Pictures for the overlay of a broadcast, as its table sends them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("Ana", "Ben", "Cleo", "Dev", "Eve", "Finn", "Gail", "Hugo", "Ivo", "Jo")
HANDS = ("AsKs", "QhQd", "7c2c", "Jh9h", "5c5d", "Ad8c", "Kc4s", "Th6h", "3s3c", "9c8d")


DARK = "radial-gradient(circle at 50% 45%, #2f5d3a 0 30%, #14251a 60%, #050806)"
LIGHT = "linear-gradient(160deg, #fdfcf7 0 40%, #dfe9f5 70%, #f6d7b0)"
"""What a camera may send: a dark table, a white wall."""

DEMO = Path(__file__).parents[2] / "config" / "tables" / "demo.toml"


def table_on_air(directory: Path) -> Path:
    """Write the file of a table with a broadcast."""
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    config = directory / "on-air.toml"
    config.write_text(text + '\n[broadcast]\nhole_cards = "after-the-hand"\n')
    return config


def cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def picture(count: int = 8, hole: int = 2, board: str = "Qs7h2d", **more: object) -> dict[str, Any]:
    """A picture of `count` players with `hole` cards each, two of whom are left."""
    deck = [card for hand in HANDS for card in cards(hand)] * 4
    players = [
        {
            "seat": number + 1,
            "name": NAMES[number],
            "stack": 18_400 + 1_175 * number,
            "bet": 0,
            "cards": deck[number * 2 : number * 2 + hole],
            "in": number < 2,
            "all_in": False,
            "acts": number == 0,
            "did": {"do": "bet", "to": 2_400} if number == 1 else {"do": "fold", "to": None} if number > 1 else None,
            "won": 0,
            "equity": (0.0549, 0.9451)[number] if number < 2 else None,
        }
        for number in range(count)
    ]
    told = {
        "hand": 42, "street": "flop", "game": "Hold'em", "boards": [cards(board)], "pot": 7_250, "button": 8,
        "over": False, "players": players,
    }  # fmt: skip
    return {**told, **more}


def put_on(page: "Page", url: str, shown: dict[str, Any] | None) -> None:
    """Open the overlay with one picture on air."""
    said = f"data: {json.dumps(shown)}\n\n"
    page.route("**/broadcast/show", lambda route: route.fulfill(body=said, content_type="text/event-stream"))
    # The stream of a test ends at once; the picture stays.
    page.route(
        "**/static/broadcast.js",
        lambda route: route.fulfill(
            body=route.fetch().text().replace("  drawFrame(null);\n", ""), content_type="text/javascript"
        ),
    )
    page.goto(f"{url}broadcast#token")
    page.wait_for_selector("#show:not([hidden])")
