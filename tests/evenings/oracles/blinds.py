"""Button and blinds go round by the rules, and who acts first is who must.

Compared are hands that follow each other with the same players in both, in which nothing was decided about the button:
there the button, the small and the big blind each go to the next player [R7-4.intro, TDA 32]. The first to act is
reckoned from the button, in stud from the upcards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.evenings.oracles.standing import (
    HandWatch,
    Line,
    Watcher,
    find_entry,
    find_word,
    get_first_step,
    get_game,
    get_line,
    is_set_up_anew,
)
from tests.evenings.seen import Seen
from tests.laws.blinds_oracle import find_left_of

BUTTON_GAMES = (
    *("holdem", "omaha", "omaha-8", "omaha-5", "omaha-5-8", "courchevel", "courchevel-8"),
    *("pineapple", "crazy-pineapple", "crazy-pineapple-8"),
)
"""Games with a board and blinds; draw games have them, too, but not always two."""
LATER_STREETS = ("flop", "turn", "river")
LOW_OPENS, HIGH_OPENS = ("stud-7", "stud-8"), ("razz", "razzdugi", "razzdeucey", "stud-hi-lo")
"""Which upcard is forced to open: the lowest [R7-8.3]; in razz and where low needs no qualifier the highest, the king
before the ace [R7-9.2, WSOP-T-IX]."""
BRING_IN_BOOKS = ("roberts-7", "house-rules", "tda-2024", "wsop-2024", "wsop-live-2024")
RANKS, SUITS = "23456789TJQKA", "cdhs"
RAZZ_RANKS = "A23456789TJQK"

TURNING = (
    "floor",
    "undo",
    "amend",
    "sit",
    "leave",
    "away",
    "back",
    "game",
    "buy",
    "stack",
    "penalty",
    "tournament-over",
)
"""Words after which the button may stand elsewhere, or a player owes something."""


@dataclass(frozen=True)
class Places:
    """Who had what in a hand, and who was dealt in."""

    players: tuple[int, ...]
    button: Sequence[int]
    small: Sequence[int]
    big: Sequence[int]


class BlindOracle(Watcher):
    """Compares the places of a hand with those of the hand before."""

    name = "blinds"

    def __init__(self) -> None:
        self.watch = HandWatch()
        self.last: Places | None = None
        self.is_comparable = False

    def look(self, seen: Seen) -> Iterator[str]:
        """Compare when a hand begins, and when a round of betting does."""
        word = find_word(seen)
        line, before = get_line(seen.after), get_line(seen.before)
        if not line or is_set_up_anew(seen):
            self.last, self.is_comparable = None, False
            return
        self.watch.follow(seen)
        if word == "start" and seen.taken:
            yield from self._look_at_start(seen, line)
            return
        if seen.taken and (word in TURNING or not word):
            self.is_comparable = False
        if any(ruling.get("finding") == "button-wrong" for ruling in line.get("rulings") or ()):
            self.is_comparable = False
        if self.watch.is_regular and line.get("lamps", {}).get("button") != before.get("lamps", {}).get("button"):
            yield f"the button went from {before['lamps']['button']} to {line['lamps']['button']} by {word}"
        if self.watch.is_regular and get_first_step(line).get("step") == "act":
            yield from self._look_at_opener(seen, before, line)

    def _look_at_start(self, seen: Seen, line: Line) -> Iterator[str]:
        lamps = line["lamps"]
        deals = {step["seat"] for step in line.get("next") or () if step.get("step") == "deal"}
        now = Places(tuple(sorted(deals)), lamps["button"], lamps["small_blind"], lamps["big_blind"])
        last, self.last = self.last, now
        entry = find_entry(seen)
        is_plain = get_game(seen.after) in BUTTON_GAMES and "bomb_pot" not in entry and "alone" not in entry
        was_comparable, self.is_comparable = self.is_comparable, is_plain
        if not is_plain or not deals:
            return
        yield from _look_at_posts(seen, line, now)
        if not was_comparable or last is None or last.players != now.players or line.get("rulings"):
            return
        for name, one, two in (("button", last.button, now.button), ("big blind", last.big, now.big)):
            yield from _look_at_step(name, one, two, now.players)
        if len(now.players) > 2:
            yield from _look_at_step("small blind", last.small, now.small, now.players)
        elif now.button != now.small and seen.truth.book != "casino-au":
            yield f"heads-up the button is at {now.button} and the small blind at {now.small}"

    def _look_at_opener(self, seen: Seen, before: Line, line: Line) -> Iterator[str]:
        game, street, seat = get_game(seen.after), line.get("street"), get_first_step(line)["seat"]
        if street == before.get("street") and get_first_step(before).get("step") == "act":
            return
        if game in BUTTON_GAMES and street in LATER_STREETS and line.get("bets") == {}:
            can_act = [
                int(each)
                for each, count in line["piles"]["seats"].items()
                if count and line.get("stacks", {}).get(each, 1)
            ]
            button = line["lamps"]["button"]
            if len(button) == 1 and can_act and seat != find_left_of(button[0], can_act):
                yield f"seat {seat} opens the {street}, the button is at {button[0]}, and {sorted(can_act)} can act"
        if street == "third" and seen.truth.book in BRING_IN_BOOKS and not line.get("bets"):
            yield from _look_at_bring_in(game, seat, line.get("up") or {})


def _look_at_step(name: str, last: Sequence[int], now: Sequence[int], players: tuple[int, ...]) -> Iterator[str]:
    """Of two hands with the same players each place goes to the next one; an empty chair has gone by then."""
    if len(last) != 1 or last[0] not in players or len(now) != 1:
        return
    wanted = find_left_of(last[0], list(players))
    if now[0] != wanted:
        yield f"the {name} was at seat {last[0]}, goes to {now[0]}, and the next of {list(players)} is {wanted}"


def _look_at_posts(seen: Seen, line: Line, now: Places) -> Iterator[str]:
    """Blinds are posted, whole or with the last chip, and nobody posts without a reason."""
    betting: Mapping[str, int] = seen.after.get("setup", {}).get("betting", {})
    bets, stacks = line.get("bets"), line.get("stacks")
    if bets is None or stacks is None:
        return
    for role, seats in (("small_blind", now.small), ("big_blind", now.big)):
        amount = betting.get(role)
        for seat in seats:
            had = get_line(seen.before).get("stacks", {}).get(str(seat), 0)
            # Where nobody can act behind two all-ins, the bets lie in the pot at once.
            bet = bets.get(str(seat), 0) if bets else had - stacks.get(str(seat), 0)
            if isinstance(amount, int) and seat in now.players and bet != amount and stacks.get(str(seat), 0):
                yield f"seat {seat} posts {bet} as {role}, which is {amount}"
    if len(now.big) == 1 and len({*now.small, *now.big}) < len(now.small) + len(now.big):
        yield f"seat {now.big[0]} posts both blinds"
    for seat in bets:
        owes = (seen.before.get("players") or {}).get(seat, {}).get("waits")
        if int(seat) not in now.players and bets[seat] and not owes:
            yield f"seat {seat} posts {bets[seat]} and is not dealt in"


def _look_at_bring_in(game: str, seat: int, up: Mapping[str, Sequence[str | None]]) -> Iterator[str]:
    doors = {int(each): cards[0] for each, cards in up.items() if len(cards) == 1 and cards[0]}
    if len(doors) != len(up) or seat not in doors:
        return
    if game in LOW_OPENS:
        wanted = min(doors, key=lambda each: (RANKS.index(doors[each][0]), SUITS.index(doors[each][1])))
    elif game in HIGH_OPENS:
        wanted = max(doors, key=lambda each: (RAZZ_RANKS.index(doors[each][0]), SUITS.index(doors[each][1])))
    else:
        return
    if wanted != seat:
        yield f"seat {seat} opens {game} with {doors[seat]}, and seat {wanted} has {doors[wanted]}"
