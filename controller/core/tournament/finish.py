"""Who finished where: eliminations, several on one hand, and what each place wins."""

from collections.abc import Iterable, Sequence

from controller.core.tournament.payouts import shared
from controller.core.values.data import dataclass


@dataclass(frozen=True, slots=True)
class Elimination:
    """A player who lost the last chip: the hand it happened on, and the stack at the start of that hand.

    `table` plays that hand; "" where the tournament has one table. `common`: the tables play hand for hand, and `hand`
    is the number of the hand that they play together, counted from when that began for the `common`th time.
    """

    player: str
    hand: int
    stack: int
    disqualified: bool = False
    table: str = ""
    common: int = 0

    @property
    def deal(self) -> tuple[object, ...]:
        """What was one hand: of one table, or of all that play hand for hand."""
        return (self.common, self.hand) if self.common else (self.table, self.hand)


@dataclass(frozen=True, slots=True)
class Finish:
    """A place, 1 = first. `tied`: how many share the places from this one on. `prize` in cents."""

    player: str
    place: int
    tied: int = 1
    prize: int = 0
    disqualified: bool = False

    @property
    def mean_place(self) -> float:
        """The place that counts for points: the average of the places tied [FC-10.winning.2]."""
        return self.place + (self.tied - 1) / 2


def places(entrants: int, out: Iterable[Elimination], remaining: Sequence[str] = ()) -> tuple[Finish, ...]:
    """The finishing order as far as it is known, the best place first. `out` is in the order of time.

    The last player standing is first, reverse order of elimination below [FC-10.winning.1]. On one hand the larger
    stack at its start finishes higher; equal stacks tie [FC-10.winning.2, R7-15.tourn.35, MP-7.tourn.30].

    Raises `ValueError`.
    """
    in_time = tuple(out)
    first_of: dict[tuple[object, ...], int] = {}
    for number, gone in enumerate(in_time):
        first_of.setdefault(gone.deal, number)
    eliminated = sorted(in_time, key=lambda gone: (first_of[gone.deal], gone.stack))
    if len(eliminated) + len(remaining) > entrants:
        raise ValueError(f"{len(eliminated) + len(remaining)} players in a tournament of {entrants}.")
    found: list[Finish] = []
    place = entrants
    while eliminated:
        first = eliminated[0]
        group = [gone for gone in eliminated if (gone.deal, gone.stack) == (first.deal, first.stack)]
        eliminated = eliminated[len(group) :]
        place -= len(group)
        found += [Finish(gone.player, place + 1, len(group), disqualified=gone.disqualified) for gone in group]
    if place == 1 and len(remaining) == 1:
        found.append(Finish(remaining[0], 1))
    return tuple(sorted(found, key=lambda finish: (finish.place, finish.player)))


def paid(finishes: Iterable[Finish], prizes: Sequence[int]) -> tuple[Finish, ...]:
    """The same finishes with what they win; tied players share the prizes of their places equally."""
    amounts = dict(enumerate(prizes, start=1))
    found: list[Finish] = []
    seen: dict[int, list[int]] = {}
    for finish in finishes:
        if finish.place not in seen:
            parts = [amounts.get(finish.place + offset, 0) for offset in range(finish.tied)]
            seen[finish.place] = list(shared(parts))
        prize = seen[finish.place].pop(0)
        found.append(Finish(finish.player, finish.place, finish.tied, prize, finish.disqualified))
    return tuple(found)
