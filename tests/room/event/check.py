"""What must be true of a tournament at every moment, written from the books' texts and from the chairs themselves.

Nothing here asks the program where anybody sits: it looks at the tables.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.room.event.floor import Floor


def texts_spread(book: str, tables: int) -> int:
    """How far sizes may differ.

    R7 15.17: within two players with more than six tables, within one with six or less. FC 10 Moving Players: a
    difference of two means a move. TDA 11-D: play halts at three short; with few tables as R7. WSOP 67 c: within one
    from twelve tables down. MP 7.16: within two.
    """
    few = {"fish-n-chips": 1, "maryport": 2, "wsop-2024": 1, "roberts-7": 1, "tda-2024": 1}
    many = {"fish-n-chips": 1, "maryport": 2, "wsop-2024": 2, "roberts-7": 2, "tda-2024": 2}
    return few[book] if tables <= (12 if book == "wsop-2024" else 6) else many[book]


@dataclass
class Check:
    """Follows one tournament. `chips`: all that were sold; `out`: who has gone out, in the order of time."""

    book: str
    floor: Floor
    chips: int = 0
    entered: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    """Those of `out` who went out while the tables did not play hand for hand: then time decides."""
    began: Counter[str] = field(default_factory=Counter)
    """Hands that have begun at each table since hand for hand was announced there."""
    done: Counter[str] = field(default_factory=Counter)
    together: bool = False
    moments: int = 0

    def enters(self, player: str, stack: int) -> None:
        self.entered.append(player)
        self.chips += stack

    def check_invariants(self, on_the_way: Mapping[str, int]) -> None:
        """Nobody twice, nobody lost, no chip made or lost; `on_the_way`: who is between two chairs, with what stack."""
        self.moments += 1
        sitting = [chair[0] for table in self.floor.tables.values() for chair in table.chairs.values()]
        twice = [player for player, times in Counter([*sitting, *on_the_way]).items() if times > 1]
        assert not twice, f"twice: {twice}"
        lost = set(self.entered) - set(self.out) - set(sitting) - set(on_the_way)
        assert not lost, f"lost: {sorted(lost)}"
        dead = set(self.out) & {*sitting, *on_the_way}
        assert not dead, f"out, and back without a word: {sorted(dead)}"
        stacks = sum(chair[1] for table in self.floor.tables.values() for chair in table.chairs.values())
        assert stacks + sum(on_the_way.values()) == self.chips, "chips were made or lost"

    def check_balance(self, in_play: Iterable[str]) -> None:
        """Every table within the book's spread, once the room has done all its moves."""
        sizes = {name: len(self.floor.tables[name].chairs) for name in in_play}
        spread = texts_spread(self.book, len(sizes))
        assert max(sizes.values()) - min(sizes.values()) <= spread, f"{sizes} differ by more than {spread}"

    def a_hand_begins(self, table: str) -> None:
        """Hand for hand nobody deals a hand before everybody has done the one before [TDA-RP-8, WSOP-T-126 a].

        A hand that is on, or begins, before the announcement has reached its table counts for the first.
        """
        if not self.together:
            return
        if not self.floor.tables[table].hand_for_hand:
            return
        self.began[table] += 1
        behind = [
            name
            for name, other in self.floor.tables.items()
            if len(other.chairs) > 1 and self.done[name] < self.began[table] - 1
        ]
        assert not behind, f"{table} begins hand {self.began[table]} before {behind} have done theirs"

    def a_hand_ends(self, table: str) -> None:
        if self.together and self.floor.tables[table].hand_for_hand:
            self.began[table] = max(self.began[table], 1)
            self.done[table] = self.began[table]

    def prizes(self, paid: Sequence[tuple[str, int, int]], pool: int, *, in_order: bool) -> None:
        """A place for each; the prizes are the pool, to the cent, and no better place has less.

        `in_order`: the later one went out the better the place; not where links were lost, as then the room goes by
        when it was told.
        """
        assert sum(prize for _, _, prize in paid) == pool
        place_of = {player: place for player, place, _ in paid}
        assert sorted(place_of) == sorted(self.entered)
        assert len(paid) == len(self.entered)
        won = [player for player, place in place_of.items() if place == 1]
        assert len(won) == 1
        assert won[0] not in self.out
        if in_order:
            found = [place_of[player] for player in self.alone]
            assert found == sorted(found, reverse=True), list(zip(self.alone, found, strict=True))
        best = [prize for _, _, prize in sorted(paid, key=lambda one: one[1])]
        assert best == sorted(best, reverse=True)
