"""Who finished where: eliminations, several on one hand, and what each place wins."""

from collections.abc import Iterable, Sequence

from controller.core.rules.questions.house.tournament_rules import SameHandRanking
from controller.core.tournament.payouts import split_equally
from controller.core.values.value import Value


class Elimination(Value):
    """A player who lost the last chip: the hand it happened on, and the stack at the start of that hand.

    `table` plays that hand; "" where the tournament has one table. `hand_for_hand_number`: the tables play hand for
    hand, and `hand` is the number of the hand that they play together, counted from when that began for the
    `hand_for_hand_number`th time.
    """

    player: str
    hand: int
    stack: int
    is_disqualified: bool = False
    table: str = ""
    hand_for_hand_number: int = 0

    @property
    def deal_key(self) -> tuple[object, ...]:
        """What was one hand: of one table, or of all that play hand for hand."""
        return (self.hand_for_hand_number, self.hand) if self.hand_for_hand_number else (self.table, self.hand)


class Finish(Value):
    """A place, 1 = first. `tied_count`: how many share the places from this one on. `prize_cents` in cents."""

    player: str
    place: int
    tied_count: int = 1
    prize_cents: int = 0
    is_disqualified: bool = False

    @property
    def mean_place(self) -> float:
        """The place that counts for points: the average of the places tied [FC-10.winning.2]."""
        return self.place + (self.tied_count - 1) / 2


def rank_finishes(
    entrants: int,
    out: Iterable[Elimination],
    remaining: Sequence[str] = (),
    together: SameHandRanking = SameHandRanking.LARGER_STACK,
) -> tuple[Finish, ...]:
    """The finishing order as far as it is known, the best place first. `out` is in the order of time.

    The last player standing is first, reverse order of elimination below [FC-10.winning.1]. On one hand the larger
    stack at its start finishes higher; equal stacks tie [FC-10.winning.2, R7-15.tourn.35, MP-7.tourn.30]. `together`:
    what the book says of a hand that the tables play hand for hand [WSOP-T-126.b, TDA-RP-8-A].

    Raises `ValueError`.
    """
    deals: dict[tuple[object, ...], list[Elimination]] = {}
    for gone in out:
        deals.setdefault(gone.deal_key, []).append(gone)
    place = entrants - sum(map(len, deals.values()))
    if place < len(remaining):
        raise ValueError(f"{entrants - place + len(remaining)} players in a tournament of {entrants}.")
    found = [Finish(remaining[0], 1)] if place == 1 and len(remaining) == 1 else []
    for deal in reversed(deals.values()):
        for tied in _group_ties(deal, together):
            found += [
                Finish(gone.player, place + 1, len(tied), is_disqualified=gone.is_disqualified)
                for gone in sorted(tied, key=lambda gone: gone.player)
            ]
            place += len(tied)
    return tuple(found)


def _group_ties(deal: Sequence[Elimination], together: SameHandRanking) -> list[list[Elimination]]:
    """Those of one hand who tie, the higher first."""
    if deal[0].hand_for_hand_number and together is SameHandRanking.ALL_TIE:
        return [list(deal)]
    apart = bool(deal[0].hand_for_hand_number) and together is SameHandRanking.TABLES_TIE
    stacks: dict[str, set[int]] = {}
    for gone in deal:
        stacks.setdefault(gone.table if apart else "", set()).add(gone.stack)
    ranks: dict[int, list[Elimination]] = {}
    for gone in deal:
        above = sum(stack > gone.stack for stack in stacks[gone.table if apart else ""])
        ranks.setdefault(above, []).append(gone)
    return [ranks[rank] for rank in sorted(ranks)]


def award_prizes(finishes: Iterable[Finish], prizes: Sequence[int]) -> tuple[Finish, ...]:
    """The same finishes with what they win; tied players share the prizes of their places equally."""
    amounts = dict(enumerate(prizes, start=1))
    found: list[Finish] = []
    seen: dict[int, list[int]] = {}
    for finish in finishes:
        if finish.place not in seen:
            parts = [amounts.get(finish.place + offset, 0) for offset in range(finish.tied_count)]
            seen[finish.place] = list(split_equally(parts))
        prize = seen[finish.place].pop(0)
        found.append(Finish(finish.player, finish.place, finish.tied_count, prize, finish.is_disqualified))
    return tuple(found)
