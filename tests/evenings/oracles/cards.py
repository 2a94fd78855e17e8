"""Every card is in one place: what the table says of its piles adds up to one deck, and nothing is there twice."""

from collections import Counter
from collections.abc import Iterator, Mapping

from tests.evenings.oracles.standing import (
    HandWatch,
    Line,
    Page,
    Watcher,
    count_cards,
    find_entry,
    find_word,
    get_game,
    get_line,
    is_overtaken,
    is_set_up_anew,
    list_open_cards,
)
from tests.evenings.seen import Seen

DECKS: Mapping[str, tuple[int, ...]] = {"short-deck": (36,), "manila-2": (32, 36, 40, 52), "manila-3": (32, 36, 40, 52)}
"""How many cards a deck may have, by the game (docs/games.md); other games have one of these:"""
OTHER_DECKS = (52, 53)

HOLE_CARDS: Mapping[str, int] = {
    **dict.fromkeys(("holdem", "short-deck", "manila-2"), 2),
    **dict.fromkeys(("pineapple", "crazy-pineapple", "crazy-pineapple-8", "manila-3"), 3),
    **dict.fromkeys(("omaha", "omaha-8", "badugi"), 4),
    **dict.fromkeys(("omaha-5", "omaha-5-8", "courchevel", "courchevel-8", "stud-5"), 5),
    **dict.fromkeys(
        ("draw-high", "jacks-or-better", "lowball-a5", "lowball-27", "triple-draw-27", "triple-draw-a5"), 5
    ),
    **dict.fromkeys(("badeucey", "badacey"), 5),
    **dict.fromkeys(("stud-7", "stud-8", "stud-hi-lo", "razz", "razzdugi", "razzdeucey"), 7),
}
"""How many cards a player has at most, by the game."""

MAX_BOARD = 5
MAX_EXTRA = 4
"""So many cards too many a hand may have where something has gone wrong."""
STRANGE = ("foreign", "foreign-back", "duplicate", "joker", "misread", "card-not-due", "extra-card", "count-mismatch")
"""Findings with which a pile may have a card that is none of the deck, or a name may stand twice."""

QUIET = (
    "show",
    "won",
    "call-floor",
    "time",
    "clock",
    "level",
    "timer",
    "buy",
    "stack",
    "halt",
    "hand-for-hand",
    "back",
)
"""Words with which no card leaves the shoe and none comes back to it."""


class CardOracle(Watcher):
    """Counts the cards of every state, and each card's way out of the shoe."""

    name = "cards"

    def __init__(self) -> None:
        self.watch = HandWatch()
        self.last: Page | None = None
        self.deck: tuple[str, int] | None = None
        """How many cards all piles had when this game began at the table."""

    def look(self, seen: Seen) -> Iterator[str]:
        """Count the cards before and after an entry."""
        if is_set_up_anew(seen):
            self.deck = None
        if self.last is not seen.before and self.last != seen.before:
            yield from self._look_at_state(seen.before)
        self.watch.follow(seen)
        yield from self._look_at_state(seen.after)
        yield from self._look_at_move(seen)
        self.last = seen.after

    def _look_at_state(self, page: Page) -> Iterator[str]:
        line = get_line(page)
        piles = line.get("piles")
        if not piles:
            return
        total, game = count_cards(line), get_game(page)
        least = DECKS.get(game, OTHER_DECKS)
        strange = self._has_strange_card(page)
        if total not in least and not (strange and total > min(least)):
            yield f"{total} cards in all piles, and a deck of {game} has {least}: {piles}"
        if self.deck is None or self.deck[0] != game:
            self.deck = (game, total)
        if total != self.deck[1] and not strange:
            yield f"{total} cards in all piles, and {self.deck[1]} before"
        counts = {**piles, **piles.get("seats", {})}
        counts.pop("seats", None)
        yield from (f"{count} cards in pile {pile}" for pile, count in counts.items() if count < 0)
        most = HOLE_CARDS.get(game)
        if most is not None:
            most += 0 if self.watch.is_regular else MAX_EXTRA
            for seat, count in piles.get("seats", {}).items():
                if count > most:
                    yield f"seat {seat} has {count} cards, and {game} gives {most} at most"
        yield from self._look_at_board(line, piles)
        if not strange:
            for card, times in Counter(list_open_cards(line)).items():
                if times > 1:
                    yield f"{card} lies open {times} times"
        for seat, cards in (line.get("up") or {}).items():
            if len(cards) > piles.get("seats", {}).get(seat, 0):
                yield f"seat {seat} has {len(cards)} upcards and only {piles.get('seats', {}).get(seat, 0)} cards"

    def _look_at_board(self, line: Line, piles: Mapping[str, int]) -> Iterator[str]:
        boards = line.get("boards") or [line.get("board") or []]
        if boards and boards[0] != (line.get("board") or []):
            yield f"the first of the boards is {boards[0]}, and the board {line.get('board')}"
        if self.watch.is_regular and any(len(board) > MAX_BOARD for board in boards):
            yield f"a board of more than {MAX_BOARD} cards: {boards}"
        if len(boards) == 1 and len(boards[0]) != piles.get("board", 0):
            yield f"the board shows {len(boards[0])} cards, and {piles.get('board', 0)} lie there"

    def _has_strange_card(self, page: Page) -> bool:
        told = {*self.watch.findings, *(str(ruling.get("finding")) for ruling in page.get("rulings") or ())}
        asked = {str(step.get("question", "")) for step in get_line(page).get("next") or ()}
        faults = bool(page.get("faults"))
        return bool((told | asked) & set(STRANGE)) or faults

    def _look_at_move(self, seen: Seen) -> Iterator[str]:
        before, after, word = get_line(seen.before), get_line(seen.after), find_word(seen)
        if not (before.get("piles") and after.get("piles")) or is_set_up_anew(seen):
            return
        old, new = before["piles"], after["piles"]
        if not seen.taken or is_overtaken(seen):
            return
        if word == "card":
            gone, grown = old["stub"] - new["stub"], count_cards(after) - count_cards(before)
            if self.watch.is_regular and (gone, grown) != (1, 0):
                yield f"a card left the shoe, {gone} left the stub, and {grown} more are on the table"
        elif word in QUIET and old != new and before.get("hand") == after.get("hand"):
            moved = [pile for pile in new if old.get(pile) != new[pile]]
            if word not in ("show", "won") or (self.watch.is_regular and moved != []):
                yield f"{word} moved cards: {old} -> {new}"
        elif word == "act" and self.watch.is_regular:
            yield from self._look_at_act(seen, old, new)

    @staticmethod
    def _look_at_act(seen: Seen, old: Mapping[str, int], new: Mapping[str, int]) -> Iterator[str]:
        seat = str(find_entry(seen).get("seat"))
        told = find_entry(seen).get("do")
        held, kept = old["seats"].get(seat, 0), new["seats"].get(seat, 0)  # type: ignore[attr-defined]
        others = {key: count for key, count in old["seats"].items() if key != seat}  # type: ignore[attr-defined]
        now = {key: count for key, count in new["seats"].items() if key != seat}  # type: ignore[attr-defined]
        if told != "fold" and kept != held and now == others:
            yield f"seat {seat} {told} and has {kept} cards in place of {held}"
        if told == "fold" and kept not in (0, held):
            yield f"seat {seat} folds and keeps {kept} of {held} cards"
