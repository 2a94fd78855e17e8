"""The tables of a showroom: each with devices and people of its own, simulated, at a game of its own."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from config.table_file import DEMO
from controller.runtime.staff.authority import TokenRole
from controller.runtime.staff.tokens import Tokens
from controller.runtime.state_directory import TOKENS_FILE

NO_LIMIT = '{ structure = "no-limit", small_blind = 1, big_blind = 2 }'
POT_LIMIT = '{ structure = "pot-limit", small_blind = 2, big_blind = 5 }'
LIMIT = '{ structure = "fixed-limit", small_blind = 2, big_blind = 4, small_bet = 4, big_bet = 8 }'
STUD = '{ structure = "fixed-limit", ante = 1, bring_in = 2, small_bet = 4, big_bet = 8 }'

GAMES = (
    ("holdem", NO_LIMIT), ("omaha", POT_LIMIT), ("holdem", LIMIT), ("stud-7", STUD), ("omaha-8", LIMIT),
    ("triple-draw-27", LIMIT), ("holdem", POT_LIMIT), ("razz", STUD), ("omaha-5", POT_LIMIT), ("badugi", LIMIT),
    ("stud-8", STUD), ("omaha", NO_LIMIT),
)  # fmt: skip
"""What is played, table by table, and again from the beginning."""

MOST_TABLES = 100


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table of the showroom: where its files are, and its page."""

    name: str
    folder: Path
    config: Path
    state: Path
    url: str

    @property
    def token_file(self) -> Path:
        """The token with which its link reads it."""
        return self.folder / "token"


def laid_out(folder: Path, number: int, port: int, room_key: str) -> ShownTable:
    """Write the files of table `number`, from 1, at which the room of that key may ask; what was learned stays."""
    name = f"table-{number:02d}"
    own = folder / name
    table = ShownTable(name, own, own / "table.toml", own / "state", f"http://127.0.0.1:{port}/")
    own.mkdir(parents=True, exist_ok=True)
    table.state.mkdir(mode=0o700, exist_ok=True)
    game, betting = GAMES[(number - 1) % len(GAMES)]
    text = DEMO.read_text(encoding="utf-8")
    for before, after in (
        ('game = "holdem"', f'game = "{game}"'),
        (NO_LIMIT, betting),
        ('directory = "var/demo"', f'directory = "{table.state.resolve()}"'),
        ('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"'),
        ("port = 8080", f"port = {port}"),
        ("seed = 7", f"seed = {number}"),
    ):
        assert before in text, "the demo table is no more as the showroom knows it"
        text = text.replace(before, after)
    if betting is STUD:
        text = text.replace("button = 1\n", "")
    text += f'\n[room]\nkey = "{room_key}"\nasks = true\n'
    table.config.write_text(text, encoding="utf-8")
    if not table.token_file.exists():
        tokens = Tokens(table.state / TOKENS_FILE)
        token = tokens.add(f"room {secrets.token_hex(3)}", TokenRole.UPLINK)
        tokens.close()
        table.token_file.touch(mode=0o600)
        table.token_file.write_text(f"{token}\n", encoding="utf-8")
    return table
