"""A finished hand as text in the form of PokerStars, which Hold'em Manager, PokerTracker and other trackers read.

The form has no place for rulings; what it cannot say (games that PokerStars has no name for, a kill, cards that nobody
read) is `Untold`. Nobody's cards are known but those that were shown, so there is no hero and no "Dealt to" line in
games without upcards.
"""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from controller.core.model.setup import Structure
from controller.core.protocol.vocabulary import Do
from controller.core.rules.games import Ranking
from controller.core.values.counted import counted
from controller.records import phh
from controller.records.course import Course, Deed, Stretch, Untold, course_of
from controller.records.hand import Posting, Record, is_tournament, title

GAMES = {
    "holdem": "Hold'em",
    "omaha": "Omaha",
    "omaha-8": "Omaha Hi/Lo",
    "omaha-5": "5 Card Omaha",
    "omaha-5-8": "5 Card Omaha Hi/Lo",
    "stud-7": "7 Card Stud",
    "stud-8": "7 Card Stud Hi/Lo",
    "razz": "Razz",
    "draw-high": "5 Card Draw",
    "lowball-27": "Single Draw 2-7 Lowball",
    "triple-draw-27": "Triple Draw 2-7 Lowball",
    "badugi": "Badugi",
}
"""What PokerStars calls the games that it has."""

LIMITS = {Structure.NO_LIMIT: "No Limit", Structure.POT_LIMIT: "Pot Limit", Structure.FIXED_LIMIT: "Limit"}

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
"""The currencies that trackers know in this form."""

STREETS = {
    "flop": ("FLOP", "on the Flop"),
    "turn": ("TURN", "on the Turn"),
    "river": ("RIVER", "on the River"),
    "third": ("3rd STREET", "on the 3rd Street"),
    "fourth": ("4th STREET", "on the 4th Street"),
    "fifth": ("5th STREET", "on the 5th Street"),
    "sixth": ("6th STREET", "on the 6th Street"),
    "seventh": ("RIVER", "on the River"),
    "first-draw": ("FIRST DRAW", "after the 1st Draw"),
    "second-draw": ("SECOND DRAW", "after the 2nd Draw"),
    "third-draw": ("THIRD DRAW", "after the 3rd Draw"),
    "after-draw": ("", "after the Draw"),
}
"""How a street is headed, and how a hand is said to have been folded on it; the only draw has no heading."""

POSTINGS = {
    Posting.ANTE: "the ante",
    Posting.SMALL_BLIND: "small blind",
    Posting.BIG_BLIND: "big blind",
    Posting.POST: "big blind",
    Posting.DEAD: "small blind",
    Posting.STRADDLE: "straddle",
}

NAME_PLACES = str.maketrans({":": ";", "[": "(", "]": ")"})
"""What a name may not have, as a line is read by it."""


def text(record: Record, place: phh.Provenance | None = None, currency: str | None = None) -> str:
    """Write a hand; `currency`: one of `SYMBOLS` where a unit is one of it, else play chips. Raises `Untold`."""
    setup = record.setup
    if setup.game.name not in GAMES or setup.betting.structure not in LIMITS:
        raise Untold(f"PokerStars has no name for {title(setup)}")
    if setup.game.streets[0].board:
        raise Untold("the betting began on the flop")
    if any(posted.what is Posting.KILL for posted in record.posts):
        raise Untold("PokerStars knows no kill")
    unread = sorted(seat for seat, cards in record.tabled.items() if cards is None)
    if unread:
        raise Untold(f"nobody read the hand of seat {unread[0]}")
    lines = _Telling(record, course_of(record), place or phh.Provenance(), currency).lines()
    return "\n".join(lines) + "\n\n\n"


class _Telling:
    """One hand being told."""

    def __init__(self, record: Record, course: Course, place: phh.Provenance, currency: str | None) -> None:
        self._record = record
        self._course = course
        self._place = place
        self._tournament = is_tournament(record.setup)
        self._currency = None if self._tournament else currency
        self._symbol = SYMBOLS[self._currency] if self._currency else ""
        self._names = _names(record)
        self._lies: dict[int, tuple[str, ...]] = {}

    def lines(self) -> Iterator[str]:
        yield self._head()
        yield self._table()
        for seat in sorted(self._record.order):
            yield f"Seat {seat}: {self._names[seat]} ({self._chips(self._record.starting[seat])} in chips)"
        yield from self._postings()
        board: tuple[str, ...] = ()
        for number, stretch in enumerate(self._course.stretches):
            yield from self._opening(stretch, board, first=not number)
            board += stretch.board
            for drew in stretch.draws:
                did = f"discards {counted(drew.cards, 'card')}" if drew.cards else "stands pat"
                yield f"{self._names[drew.seat]}: {did}"
            yield from map(self._deed, stretch.deeds)
            if stretch.uncalled is not None:
                seat, amount = stretch.uncalled
                yield f"Uncalled bet ({self._chips(amount)}) returned to {self._names[seat]}"
        yield from self._showdown()
        yield from self._summary(board)

    def _head(self) -> str:
        setup, stakes = self._record.setup, self._record.setup.betting
        fixed = stakes.structure is Structure.FIXED_LIMIT
        low, high = (stakes.small_bet, stakes.big_bet) if fixed else (stakes.small_blind, stakes.big_blind)
        code = f" {self._currency}" if self._currency else ""
        blinds = f"({self._chips(low)}/{self._chips(high)}{code})"
        game = f"{GAMES[setup.game.name]} {LIMITS[stakes.structure]}"
        number = self._place.hand_id(self._record.number)
        if self._tournament:
            levels = [(level.small_blind, level.big_blind) for level in setup.levels]
            here = (stakes.small_blind, stakes.big_blind)
            level = _roman(levels.index(here) + 1 if here in levels else 1)
            game = f"Tournament #{self._place.session or 1}, Freeroll  {game} - Level {level}"
        return f"PokerStars Hand #{number}:  {game} {blinds} - {_when(self._place.began)}"

    def _table(self) -> str:
        record = self._record
        name = f"{self._place.session or 1} 1" if self._tournament else "Table"
        play = "" if self._tournament or self._currency else " (Play Money)"
        button = "" if record.button is None else f" Seat #{record.button} is the button"
        return f"Table '{name}' {record.setup.places}-max{play}{button}"

    def _postings(self) -> Iterator[str]:
        left, dead = dict(self._record.starting), {}
        for posted in self._record.posts:
            if posted.what is Posting.DEAD:
                dead[posted.seat] = posted.amount
        for posted in self._record.posts:
            seat, what, amount = posted.seat, POSTINGS[posted.what], posted.amount
            if posted.what is Posting.POST and seat in dead:
                what, amount = "small & big blinds", amount + dead[seat]
            elif posted.what is Posting.DEAD and any(
                (other.seat, other.what) == (seat, Posting.POST) for other in self._record.posts
            ):
                continue
            left[seat] -= amount
            yield f"{self._names[seat]}: posts {what} {self._chips(amount)}{'' if left[seat] else ' and is all-in'}"

    def _opening(self, stretch: Stretch, board: tuple[str, ...], *, first: bool) -> Iterator[str]:
        """The heading of a street, and the upcards that came on it."""
        form = self._record.setup.game
        if not first or not form.button:
            heading = STREETS[stretch.street.name][0]
        else:
            heading = "HOLE CARDS" if any(street.board for street in form.streets) else "DEALING HANDS"
        lying = f" [{' '.join(board)}]" if board else ""
        new = f" [{' '.join(stretch.board)}]" if stretch.board else ""
        if heading:
            yield f"*** {heading} ***{lying}{new}"
        for seat in self._record.order:
            if cards := stretch.up.get(seat):
                before = self._lies.get(seat, ())
                known = f" [{' '.join(before)}]" if before else ""
                yield f"Dealt to {self._names[seat]}{known} [{' '.join(cards)}]"
                self._lies[seat] = before + cards

    def _deed(self, deed: Deed) -> str:
        match deed.do:
            case Do.FOLD:
                did = "folds"
            case Do.CHECK:
                did = "checks"
            case Do.CALL:
                did = f"calls {self._chips(deed.paid)}"
            case Do.BRING_IN:
                did = f"brings in for {self._chips(deed.paid)}"
            case Do.BET:
                did = f"bets {self._chips(deed.paid)}"
            case _:
                did = f"raises {self._chips(deed.to - deed.over)} to {self._chips(deed.to)}"
        return f"{self._names[deed.seat]}: {did}{' and is all-in' if deed.all_in else ''}"

    def _showdown(self) -> Iterator[str]:
        course, record = self._course, self._record
        if course.shown_down:
            yield "*** SHOW DOWN ***"
            for seat, cards in record.tabled.items():
                yield f"{self._names[seat]}: shows [{' '.join(cards or ())}] ({_hand_of(record, cards or ())})"
            for seat in course.live:
                if seat not in record.tabled:
                    yield f"{self._names[seat]}: mucks hand"
        count = len(course.pots)
        for number, wins in course.pots.items():
            for seat, amount in wins.items():
                yield f"{self._names[seat]} collected {self._chips(amount)} from {_pot(number, count)}"
        if not course.shown_down:
            for seat in course.live:
                if cards := record.tabled.get(seat):
                    yield f"{self._names[seat]}: shows [{' '.join(cards)}] ({_hand_of(record, cards)})"
                else:
                    yield f"{self._names[seat]}: doesn't show hand"

    def _summary(self, board: tuple[str, ...]) -> Iterator[str]:
        course, record = self._course, self._record
        yield "*** SUMMARY ***"
        amounts = [(number, sum(wins.values())) for number, wins in sorted(course.pots.items())]
        parts = [f" {_pot(number, len(amounts)).capitalize()} {self._chips(amount)}." for number, amount in amounts]
        whole = "".join(parts) if len(amounts) > 1 else ""
        yield f"Total pot {self._chips(course.total)}{whole} | Rake {self._chips(0)}"
        if board:
            yield f"Board [{' '.join(board)}]"
        folded = {
            deed.seat: (number, stretch, deed)
            for number, stretch in enumerate(course.stretches)
            for deed in stretch.deeds
            if deed.do is Do.FOLD
        }
        won = {seat: sum(wins.get(seat, 0) for wins in course.pots.values()) for seat in record.order}
        for seat in sorted(record.order):
            position = "".join(
                f" ({what})"
                for what, here in (
                    ("button", seat == record.button),
                    ("small blind", (seat, Posting.SMALL_BLIND) in [each[:2] for each in record.posts]),
                    ("big blind", (seat, Posting.BIG_BLIND) in [each[:2] for each in record.posts]),
                )
                if here
            )
            yield f"Seat {seat}: {self._names[seat]}{position} {self._ended(seat, won[seat], folded.get(seat))}"

    def _ended(self, seat: int, won: int, folded: tuple[int, Stretch, Deed] | None) -> str:
        """How the hand of a seat ended, as the summary says it."""
        record, cards = self._record, self._record.tabled.get(seat)
        if folded is not None:
            number, stretch, _ = folded
            if number or not record.setup.game.button:
                return f"folded {STREETS[stretch.street.name][1]}"
            flop = any(street.board for street in record.setup.game.streets)
            bet = "" if any(posted.seat == seat for posted in record.posts) or self._put_in(seat) else " (didn't bet)"
            return f"folded before {'Flop' if flop else 'the Draw'}{bet}"
        if cards:
            end = f"won ({self._chips(won)})" if won else "lost"
            return f"showed [{' '.join(cards)}] and {end} with {_hand_of(record, cards)}"
        return f"collected ({self._chips(won)})" if won else "mucked"

    def _put_in(self, seat: int) -> int:
        return sum(deed.paid for stretch in self._course.stretches for deed in stretch.deeds if deed.seat == seat)

    def _chips(self, amount: int) -> str:
        return f"{self._symbol}{amount}"


def _names(record: Record) -> dict[int, str]:
    """A name a seat that can be told from every other, and breaks no line."""
    clean = {seat: " ".join(record.players[seat].translate(NAME_PLACES).split()) for seat in record.order}
    taken = list(clean.values())
    return {
        seat: name if name and taken.count(name) == 1 else f"{name} seat {seat}".strip() for seat, name in clean.items()
    }


def _pot(number: int, count: int) -> str:
    if count < 2:
        return "pot"
    if not number:
        return "main pot"
    return "side pot" if count == 2 else f"side pot-{number}"


def _when(began: datetime | None) -> str:
    """The time in UTC, then in Eastern Time, which trackers go by; where it is not known, the first of 1970."""
    began = began or datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC"))
    utc = f"{began:%Y/%m/%d %H:%M:%S} UTC"
    try:
        return f"{utc} [{began.astimezone(ZoneInfo('America/New_York')):%Y/%m/%d %H:%M:%S} ET]"
    except ZoneInfoNotFoundError:
        return utc


def _roman(number: int) -> str:
    """A level's number as PokerStars writes it."""
    worth = (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")
    told = ""
    for value, sign in worth:
        told += sign * (number // value)
        number %= value
    return told


def _hand_of(record: Record, cards: tuple[str, ...]) -> str:
    """The hand in words: its kind where the best five cards win, else `a low hand` or the like."""
    game = record.setup.game
    if game.rankings[0] is not Ranking.HIGH:
        return "a low hand"
    from pokerkit import OmahaHoldemHand, StandardHighHand  # 14 MiB that no table holds before a hand leaves it

    board = "".join(card or "" for card in record.board)
    if len(cards) + len(board) // 2 < 5:
        return "a hand"
    kind = OmahaHoldemHand if game.hole == 2 else StandardHighHand
    try:
        best = kind.from_game("".join(cards), board)
    except ValueError:
        return "a hand"
    return best.entry.label.value.lower()
