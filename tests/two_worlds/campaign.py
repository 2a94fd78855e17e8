"""Plays worlds of every book and game until the time is over, and says what was compared."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.two_worlds.live_table import ROLES
from tests.two_worlds.whole_house import list_readers
from tests.two_worlds.worlds import EVERY_FORM, Difference, Figures, Worlds, play, try_entries

MOVES = 90

HOUSE_SURFACES = ("GET ", "hands ", "journal ", "journal, ", "backup", "list of", "files", "snapshot")
"""How the names of surfaces begin that only `look_at_house` has."""


@dataclass
class Campaign:
    """What came of it: the figures of all worlds, and every difference."""

    figures: Figures = field(default_factory=Figures)
    differences: list[Difference] = field(default_factory=list)
    forms: set[tuple[str, str]] = field(default_factory=set)
    whole_points: int = 0
    """At so many points every entry was tried by every role."""

    def run(self, minutes: float, seed: int) -> None:
        """Play worlds until so many minutes are over."""
        until = time.monotonic() + 60 * minutes
        for book, game, number in list_worlds(seed):
            if time.monotonic() > until:
                return
            self.play_worlds(book, game, number, until)

    def try_everything(self, points: int, seed: int) -> None:
        """At so many points, each of another form, try every entry by every role."""
        for book, game, number in islice(list_worlds(seed), points):
            chance = random.Random(f"{book} {game} {seed}")
            with TemporaryDirectory() as directory:
                worlds = Worlds(Path(directory), book, game, number, self.figures, self.differences)
                self.forms.add((book, game))
                try:
                    play(worlds, chance.randrange(4, 40), lambda _worlds: None)
                    worlds.probe()
                finally:
                    worlds.close()
                self.whole_points += 1

    def play_worlds(self, book: str, game: str, number: int, until: float) -> None:
        """Play one pair of worlds; a difference in the history ends it, one in what is tried does not."""
        self.forms.add((book, game))
        with TemporaryDirectory() as directory:
            worlds = Worlds(Path(directory), book, game, number, self.figures, self.differences)

            def probe(worlds: Worlds) -> None:
                if time.monotonic() < until:
                    try_entries(worlds, points=0.06, each=3, left_in=0.04, cut=0.01)

            try:
                play(worlds, MOVES, probe)
                worlds.compare_house()
            except Difference as difference:
                self.differences.append(difference)
            finally:
                worlds.close()

    def format_table(self) -> str:
        """The figures as a table of Markdown: kinds of entry by role; what was looked at; what differed."""
        tried, taken = self.figures.entries, self.figures.taken
        groups = Counter({(_find_group(kind), role): 0 for kind, role in tried})
        fits = groups.copy()
        for (kind, role), times in tried.items():
            groups[_find_group(kind), role] += times
            fits[_find_group(kind), role] += taken[kind, role]
        kinds = sorted({kind for kind, _ in groups})
        lines = [f"| kind of entry | {' | '.join(ROLES)} | taken |", "|---|" + "---|" * (len(ROLES) + 1)]
        for kind in kinds:
            row = [str(groups[kind, role]) for role in ROLES]
            lines.append(f"| {kind} | {' | '.join(row)} | {sum(fits[kind, role] for role in ROLES)} |")
        looks = self.figures.looks
        own = [name for name in looks if not name.startswith(HOUSE_SURFACES)]
        first, second = self.figures.cost_s
        return "\n".join(
            [
                *lines,
                "",
                f"surfaces after every entry: {'; '.join(own)}",
                f"surfaces of the whole house: {len(looks) - len(own)}, by {len(list_readers())} readers",
                f"processor: {first:.2f} s in the first world, {second:.2f} s in the second",
                f"{sum(tried.values())} entries of {len(kinds)} kinds by {len(ROLES)} roles, "
                f"{sum(taken.values())} taken, {self.figures.disclosures // 2} disclosures",
                f"in {self.figures.worlds} pairs of worlds of {len(self.forms)} forms, all of them at "
                f"{self.whole_points} points",
                f"{sum(looks.values())} surfaces compared, {len(self.differences)} differences",
            ]
        )


def _find_group(kind: str) -> str:
    """The row of the table in which a kind of entry is counted: its word."""
    return kind if kind.startswith("a ") else kind.split(maxsplit=1)[0]


def list_worlds(seed: int) -> Iterator[tuple[str, str, int]]:
    """Books and games in an order of the seed, again and again, each time with another table."""
    for number in count(1):
        start = (seed * 37 + number) % len(EVERY_FORM)
        for book, game in [*islice(EVERY_FORM, start, None), *EVERY_FORM[:start]][:: 7 if number % 2 else 1]:
            yield book, game, seed * 100 + number if number > 4 else number
