"""Finds cards that can stand in for those that nobody knows: of what lay out together no two are alike.

Which cards are out at a moment does not depend on their names. So whatever is learnt of that while a hand is played
again stays true in the next try, and the true cards fulfil all of it: each try comes nearer to names that do.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MAX_SEARCHES = 8
MAX_RENAMED = 2500
"""So often a search names an alias anew at most until none clash. Most take a hundred; some lead nowhere, and another
does: of the hardest hands, with the whole deck out at once, none of forty needed a fifth."""
TABU_STEPS = 5
"""So many steps at most the first search does not take a name again that was given up; the next ones more."""
TABU_STEPS_PER_CLASH = 0.6
"""And so many more for each card that clashes."""


@dataclass(slots=True, repr=False)
class StandInRules:
    """What the name of an unknown card, told by its alias, cannot be."""

    excluded_by_alias: dict[int, set[str]] = field(default_factory=dict)
    """Alias -> the known cards that were out while it was."""
    neighbours_by_alias: dict[int, set[int]] = field(default_factory=dict)
    """Alias -> the other unknown cards that were out while it was."""

    def add_unknown_card(self, alias: int, known_out: set[str], unknown_out: set[int]) -> None:
        """An unknown card comes out, while others lie there."""
        others = unknown_out - {alias}
        self.excluded_by_alias.setdefault(alias, set()).update(known_out)
        self.neighbours_by_alias.setdefault(alias, set()).update(others)
        for other in others:
            self.neighbours_by_alias.setdefault(other, set()).add(alias)

    def add_known_card(self, card: str, unknown_out: set[int]) -> None:
        """A card that is known is named, while unknown ones lie there."""
        for alias in unknown_out:
            self.excluded_by_alias.setdefault(alias, set()).add(card)

    def choose_possible(self, alias: int, cards: Sequence[str]) -> list[str]:
        """Of some cards those that the alias can be, as far as is known; all where it can be none."""
        excluded = self.excluded_by_alias.get(alias, ())
        return [card for card in cards if card not in excluded] or list(cards)

    def assign_names(self, now: Mapping[int, str], best_first: Sequence[str]) -> dict[int, str] | None:
        """Name all the aliases of `now` so that all is fulfilled, most as they are there; `None`: no way was found."""
        possible = {alias: self.choose_possible(alias, best_first) for alias in now}
        begun = {alias: card if card in possible[alias] else possible[alias][0] for alias, card in now.items()}
        found = (self._search(begun, possible, number) for number in range(1, MAX_SEARCHES + 1))
        return next((named for named in found if named is not None), None)

    def _search(
        self, begun: Mapping[int, str], possible: Mapping[int, Sequence[str]], number: int
    ) -> dict[int, str] | None:
        """A tabu search (Hertz and de Werra 1987), each `number` another, and the same in every run.

        One alias that clashes is named anew at a time, so that the fewest clash; the name that it had is not taken
        again for a while.
        """
        chance = random.Random(number)
        named = dict(begun)
        neighbours = {alias: self.neighbours_by_alias.get(alias, set()) & named.keys() for alias in named}
        taken = {alias: Counter(named[other] for other in neighbours[alias]) for alias in named}
        tabu_until: dict[tuple[int, str], int] = {}
        for step in range(MAX_RENAMED):
            clashing = [alias for alias, card in named.items() if taken[alias][card]]
            if not clashing:
                return named
            moves: dict[int, list[tuple[int, str]]] = {}
            for alias in clashing:
                for card in possible[alias]:
                    if card != named[alias] and tabu_until.get((alias, card), 0) <= step:
                        gain = taken[alias][card] - taken[alias][named[alias]]
                        moves.setdefault(gain, []).append((alias, card))
            if moves:
                alias, card = chance.choice(moves[min(moves)])
                held = chance.randrange(TABU_STEPS * number) + int(TABU_STEPS_PER_CLASH * len(clashing))
                tabu_until[alias, named[alias]] = step + 1 + held
                for other in neighbours[alias]:
                    taken[other][named[alias]] -= 1
                    taken[other][card] += 1
                named[alias] = card
        return None
