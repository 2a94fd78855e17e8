"""The tables of a showroom: each with devices and people of its own, simulated, at a game of its own."""

import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from config.table_file import DEMO_FILE
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import TOKENS_FILE

NO_LIMIT = '{ structure = "no-limit", small_blind = 1, big_blind = 2 }'
POT_LIMIT = '{ structure = "pot-limit", small_blind = 2, big_blind = 5 }'
FIXED_LIMIT = '{ structure = "fixed-limit", small_blind = 2, big_blind = 4, small_bet = 4, big_bet = 8 }'
STUD_FIXED_LIMIT = '{ structure = "fixed-limit", ante = 1, bring_in = 2, small_bet = 4, big_bet = 8 }'

GAMES = (
    ("holdem", NO_LIMIT), ("omaha", POT_LIMIT), ("holdem", FIXED_LIMIT), ("stud-7", STUD_FIXED_LIMIT), ("omaha-8",
    FIXED_LIMIT),
    ("triple-draw-27", FIXED_LIMIT), ("holdem", POT_LIMIT), ("razz", STUD_FIXED_LIMIT), ("omaha-5", POT_LIMIT),
    ("badugi", FIXED_LIMIT),
    ("stud-8", STUD_FIXED_LIMIT), ("omaha", NO_LIMIT),
)  # fmt: skip
"""What is played, table by table, and again from the beginning."""

TOURNAMENT_BOOK, TOURNAMENT_SCHEDULE, TOURNAMENT_SPEED = "tda-2024", "T2000", 4
"""What the tables play that wait for a tournament."""

MAX_TABLES = 100


@dataclass(frozen=True, slots=True)
class DemoTable:
    """A table of the showroom: where its files are, and its page."""

    name: str
    folder: Path
    config_file: Path
    state_directory: Path
    url: str

    @property
    def token_file(self) -> Path:
        """The token with which its link reads it."""
        return self.folder / "token"


def write_table_files(folder: Path, number: int, port: int, room_key: str, *, tournament: bool = False) -> DemoTable:
    """Write the files of table `number`, from 1, at which the room of that key may ask; what was learned stays.

    `tournament`: nobody sits there until the room's desk gives the chairs away, and play waits for its word.
    """
    name = f"table-{number:02d}"
    own = folder / name
    table = DemoTable(name, own, own / "table.toml", own / "state", f"http://127.0.0.1:{port}/")
    own.mkdir(parents=True, exist_ok=True)
    table.state_directory.mkdir(mode=0o700, exist_ok=True)
    game, betting = GAMES[0] if tournament else GAMES[(number - 1) % len(GAMES)]
    text = DEMO_FILE.read_text(encoding="utf-8")
    for before, after in (
        ('game = "holdem"', f'game = "{game}"'),
        (NO_LIMIT, betting),
        ('directory = "var/demo"', f'directory = "{table.state_directory.resolve()}"'),
        ('"demo-deck.csv"', f'"{DEMO_FILE.parent / "demo-deck.csv"}"'),
        ("port = 8080", f"port = {port}"),
        ("seed = 7", f"seed = {number}"),
    ):
        assert before in text, "the demo table is no more as the showroom knows it"
        text = text.replace(before, after)
    if betting is STUD_FIXED_LIMIT:
        text = text.replace("button = 1\n", "")
    if tournament:
        text = _convert_for_tournament(text)
    text += f'\n[room]\nkey = "{room_key}"\nasks = true\n'
    table.config_file.write_text(text, encoding="utf-8")
    if not table.token_file.exists():
        tokens = TokenStore(table.state_directory / TOKENS_FILE)
        token = tokens.add(f"room {secrets.token_hex(3)}", TokenRole.UPLINK)
        tokens.close()
        table.token_file.touch(mode=0o600)
        table.token_file.write_text(f"{token}\n", encoding="utf-8")
    return table


def _convert_for_tournament(text: str) -> str:
    """The same table with empty chairs, a schedule, and a pace at which a small tournament ends within the hour."""
    for before, after in (
        (r'rulebook = "roberts-7"', f'rulebook = "{TOURNAMENT_BOOK}"'),
        (r"betting = .*", 'betting = { structure = "no-limit" }'),
        (r"(?s)seats = \[.*?\n\]\n", "seats = []\n"),
        (r"\[state\]", f'[tournament]\nschedule = "{TOURNAMENT_SCHEDULE}"\nstarts = "by-hand"\n\n[state]'),
        (r"new_player = .*\n", ""),
        (r"speed = 1\b", f"speed = {TOURNAMENT_SPEED}"),
    ):
        text, found = re.subn(before, after, text)
        assert found, "the demo table is no more as the showroom knows it"
    return text
