"""A finished hand as text in the form of PokerStars, which Hold'em Manager, PokerTracker and other trackers read.

The form has no place for rulings; what it cannot say (games that PokerStars has no name for, a kill, cards that nobody
read) is `NotRepresentableError`. Nobody's cards are known but those that were shown, so there is no hero and no "Dealt
to" line in games without upcards.
"""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from controller.core.model.setup import BettingStructure
from controller.core.protocol.vocabulary import ActionType
from controller.core.rules.games import Ranking
from controller.core.values.plurals import pluralize
from controller.records import phh
from controller.records.action_history import (
    ActionHistory,
    NotRepresentableError,
    PlayedAction,
    PlayedStreet,
    build_action_history,
)
from controller.records.hand_record import HandRecord, PostingKind, format_game_title, is_tournament

GAME_NAME_BY_GAME = {
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

LIMIT_BY_STRUCTURE = {
    BettingStructure.NO_LIMIT: "No Limit",
    BettingStructure.POT_LIMIT: "Pot Limit",
    BettingStructure.FIXED_LIMIT: "Limit",
}

SYMBOL_BY_CURRENCY = {"USD": "$", "EUR": "€", "GBP": "£"}
"""The currencies that trackers know in this form."""

HEADINGS_BY_STREET = {
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

PHRASE_BY_POSTING = {
    PostingKind.ANTE: "the ante",
    PostingKind.SMALL_BLIND: "small blind",
    PostingKind.MIDDLE_BLIND: "big blind",
    PostingKind.BIG_BLIND: "big blind",
    PostingKind.POST: "big blind",
    PostingKind.DEAD_POST: "small blind",
    PostingKind.STRADDLE: "straddle",
}

NAME_TRANSLATION = str.maketrans({":": ";", "[": "(", "]": ")"})
"""What a name may not have, as a line is read by it."""


def render_text(record: HandRecord, place: phh.Provenance | None = None, currency: str | None = None) -> str:
    """Write a hand; `currency`: one of `SYMBOL_BY_CURRENCY` where a unit is one of it, else play chips.

    Raises `NotRepresentableError`.
    """
    setup = record.setup
    if setup.game.name not in GAME_NAME_BY_GAME or setup.stakes.structure not in LIMIT_BY_STRUCTURE:
        raise NotRepresentableError(f"PokerStars has no name for {format_game_title(setup)}")
    if setup.game.streets[0].board_count:
        raise NotRepresentableError("the betting began on the flop")
    if any(posted.kind is PostingKind.KILL for posted in record.postings):
        raise NotRepresentableError("PokerStars knows no kill")
    unread = sorted(seat for seat, cards in record.tabled_cards_by_seat.items() if cards is None)
    if unread:
        raise NotRepresentableError(f"nobody read the hand of seat {unread[0]}")
    lines = _HandWriter(record, build_action_history(record), place or phh.Provenance(), currency).iter_lines()
    return "\n".join(lines) + "\n\n\n"


class _HandWriter:
    """One hand being told."""

    def __init__(self, record: HandRecord, course: ActionHistory, place: phh.Provenance, currency: str | None) -> None:
        self._record = record
        self._history = course
        self._provenance = place
        self._is_tournament = is_tournament(record.setup)
        self._currency = None if self._is_tournament else currency
        self._symbol = SYMBOL_BY_CURRENCY[self._currency] if self._currency else ""
        self._name_by_seat = _make_unique_names(record)
        self._upcards_by_seat: dict[int, tuple[str, ...]] = {}

    def iter_lines(self) -> Iterator[str]:
        yield self._render_header()
        yield self._render_table_line()
        for seat in sorted(self._record.dealing_order):
            yield (
                f"Seat {seat}: {self._name_by_seat[seat]} "
                f"({self._format_chips(self._record.starting_stack_by_seat[seat])} in chips)"
            )
        yield from self._iter_postings()
        board: tuple[str, ...] = ()
        for number, stretch in enumerate(self._history.streets):
            yield from self._iter_street_heading(stretch, board, first=not number)
            board += stretch.board_cards
            for drew in stretch.draws:
                did = f"discards {pluralize(drew.card_count, 'card')}" if drew.card_count else "stands pat"
                yield f"{self._name_by_seat[drew.seat]}: {did}"
            yield from map(self._render_action, stretch.actions)
            if stretch.uncalled is not None:
                seat, amount = stretch.uncalled
                yield f"Uncalled bet ({self._format_chips(amount)}) returned to {self._name_by_seat[seat]}"
        yield from self._iter_showdown()
        yield from self._iter_summary(board)

    def _render_header(self) -> str:
        setup, stakes = self._record.setup, self._record.setup.stakes
        fixed = stakes.structure is BettingStructure.FIXED_LIMIT
        low, high = (stakes.small_bet, stakes.big_bet) if fixed else (stakes.small_blind, stakes.big_blind)
        code = f" {self._currency}" if self._currency else ""
        blinds = f"({self._format_chips(low)}/{self._format_chips(high)}{code})"
        game = f"{GAME_NAME_BY_GAME[setup.game.name]} {LIMIT_BY_STRUCTURE[stakes.structure]}"
        number = self._provenance.make_hand_id(self._record.number)
        if self._is_tournament:
            levels = [(level.small_blind, level.big_blind) for level in setup.levels]
            here = (stakes.small_blind, stakes.big_blind)
            level = _format_roman(levels.index(here) + 1 if here in levels else 1)
            game = f"Tournament #{self._provenance.session or 1}, Freeroll  {game} - Level {level}"
        return f"PokerStars Hand #{number}:  {game} {blinds} - {_format_time(self._provenance.began_at)}"

    def _render_table_line(self) -> str:
        record = self._record
        name = f"{self._provenance.session or 1} 1" if self._is_tournament else "Table"
        play = "" if self._is_tournament or self._currency else " (Play Money)"
        button = "" if record.button_seat is None else f" Seat #{record.button_seat} is the button"
        return f"Table '{name}' {record.setup.seat_count}-max{play}{button}"

    def _iter_postings(self) -> Iterator[str]:
        left, dead = dict(self._record.starting_stack_by_seat), {}
        for posted in self._record.postings:
            if posted.kind is PostingKind.DEAD_POST:
                dead[posted.seat] = posted.amount
        for posted in self._record.postings:
            seat, what, amount = posted.seat, PHRASE_BY_POSTING[posted.kind], posted.amount
            if posted.kind is PostingKind.POST and seat in dead:
                what, amount = "small & big blinds", amount + dead[seat]
            elif posted.kind is PostingKind.DEAD_POST and any(
                (other.seat, other.kind) == (seat, PostingKind.POST) for other in self._record.postings
            ):
                continue
            left[seat] -= amount
            yield (
                f"{self._name_by_seat[seat]}: posts {what} "
                f"{self._format_chips(amount)}{'' if left[seat] else ' and is all-in'}"
            )

    def _iter_street_heading(self, stretch: PlayedStreet, board: tuple[str, ...], *, first: bool) -> Iterator[str]:
        """The heading of a street, and the upcards that came on it."""
        form = self._record.setup.game
        if not first or not form.has_button:
            heading = HEADINGS_BY_STREET[stretch.street.name][0]
        else:
            heading = "HOLE CARDS" if any(street.board_count for street in form.streets) else "DEALING HANDS"
        lying = f" [{' '.join(board)}]" if board else ""
        new = f" [{' '.join(stretch.board_cards)}]" if stretch.board_cards else ""
        if heading:
            yield f"*** {heading} ***{lying}{new}"
        for seat in self._record.dealing_order:
            if cards := stretch.upcards_by_seat.get(seat):
                before = self._upcards_by_seat.get(seat, ())
                known = f" [{' '.join(before)}]" if before else ""
                yield f"Dealt to {self._name_by_seat[seat]}{known} [{' '.join(cards)}]"
                self._upcards_by_seat[seat] = before + cards

    def _render_action(self, deed: PlayedAction) -> str:
        match deed.action_type:
            case ActionType.FOLD:
                did = "folds"
            case ActionType.CHECK:
                did = "checks"
            case ActionType.CALL:
                did = f"calls {self._format_chips(deed.chips_paid)}"
            case ActionType.BRING_IN:
                did = f"brings in for {self._format_chips(deed.chips_paid)}"
            case ActionType.BET:
                did = f"bets {self._format_chips(deed.chips_paid)}"
            case _:
                did = (
                    f"raises {self._format_chips(deed.total - deed.total_to_match)} to {self._format_chips(deed.total)}"
                )
        return f"{self._name_by_seat[deed.seat]}: {did}{' and is all-in' if deed.is_all_in else ''}"

    def _iter_showdown(self) -> Iterator[str]:
        course, record = self._history, self._record
        if course.has_showdown:
            yield "*** SHOW DOWN ***"
            for seat, cards in record.tabled_cards_by_seat.items():
                yield (
                    f"{self._name_by_seat[seat]}: shows [{' '.join(cards or ())}] "
                    f"({_describe_hand(record, cards or ())})"
                )
            for seat in course.live_seats:
                if seat not in record.tabled_cards_by_seat:
                    yield f"{self._name_by_seat[seat]}: mucks hand"
        count = len({*course.wins_by_pot, *course.taken_by_pot})
        for number, wins in course.wins_by_pot.items():
            for seat, amount in wins.items():
                yield (
                    f"{self._name_by_seat[seat]} collected {self._format_chips(amount)} from "
                    f"{_format_pot_name(number, count)}"
                )
        if not course.has_showdown:
            for seat in course.live_seats:
                if cards := record.tabled_cards_by_seat.get(seat):
                    yield f"{self._name_by_seat[seat]}: shows [{' '.join(cards)}] ({_describe_hand(record, cards)})"
                else:
                    yield f"{self._name_by_seat[seat]}: doesn't show hand"

    def _iter_summary(self, board: tuple[str, ...]) -> Iterator[str]:
        course, record = self._history, self._record
        yield "*** SUMMARY ***"
        numbers = sorted({*course.wins_by_pot, *course.taken_by_pot})
        amounts = [(number, sum(course.wins_by_pot.get(number, {}).values())) for number in numbers]
        parts = [
            f" {_format_pot_name(number, len(amounts)).capitalize()} {self._format_chips(amount)}."
            for number, amount in amounts
        ]
        whole = "".join(parts) if len(amounts) > 1 else ""
        total = self._format_chips(course.total_won + course.total_taken)
        yield f"Total pot {total}{whole} | Rake {self._format_chips(course.total_taken)}"
        if board:
            yield f"Board [{' '.join(board)}]"
        folded = {
            deed.seat: (number, stretch, deed)
            for number, stretch in enumerate(course.streets)
            for deed in stretch.actions
            if deed.action_type is ActionType.FOLD
        }
        won = {seat: sum(wins.get(seat, 0) for wins in course.wins_by_pot.values()) for seat in record.dealing_order}
        for seat in sorted(record.dealing_order):
            position = "".join(
                f" ({what})"
                for what, here in (
                    ("button", seat == record.button_seat),
                    ("small blind", (seat, PostingKind.SMALL_BLIND) in [each[:2] for each in record.postings]),
                    ("big blind", (seat, PostingKind.BIG_BLIND) in [each[:2] for each in record.postings]),
                )
                if here
            )
            yield (
                f"Seat {seat}: {self._name_by_seat[seat]}{position} "
                f"{self._render_ending(seat, won[seat], folded.get(seat))}"
            )

    def _render_ending(self, seat: int, won: int, folded: tuple[int, PlayedStreet, PlayedAction] | None) -> str:
        """How the hand of a seat ended, as the summary says it."""
        record, cards = self._record, self._record.tabled_cards_by_seat.get(seat)
        if folded is not None:
            number, stretch, _ = folded
            if number or not record.setup.game.has_button:
                return f"folded {HEADINGS_BY_STREET[stretch.street.name][1]}"
            flop = any(street.board_count for street in record.setup.game.streets)
            bet = (
                ""
                if any(posted.seat == seat for posted in record.postings) or self._sum_chips_paid(seat)
                else " (didn't bet)"
            )
            return f"folded before {'Flop' if flop else 'the Draw'}{bet}"
        if cards:
            end = f"won ({self._format_chips(won)})" if won else "lost"
            return f"showed [{' '.join(cards)}] and {end} with {_describe_hand(record, cards)}"
        # The house may have taken all of the pot that a seat has won without a showdown.
        has_won = won or not self._history.has_showdown
        return f"collected ({self._format_chips(won)})" if has_won else "mucked"

    def _sum_chips_paid(self, seat: int) -> int:
        return sum(
            deed.chips_paid for stretch in self._history.streets for deed in stretch.actions if deed.seat == seat
        )

    def _format_chips(self, amount: int) -> str:
        return f"{self._symbol}{amount}"


def _make_unique_names(record: HandRecord) -> dict[int, str]:
    """A name a seat that can be told from every other, and breaks no line."""
    clean = {
        seat: " ".join(record.player_by_seat[seat].translate(NAME_TRANSLATION).split()) for seat in record.dealing_order
    }
    taken = list(clean.values())
    return {
        seat: name if name and taken.count(name) == 1 else f"{name} seat {seat}".strip() for seat, name in clean.items()
    }


def _format_pot_name(number: int, count: int) -> str:
    if count < 2:
        return "pot"
    if not number:
        return "main pot"
    return "side pot" if count == 2 else f"side pot-{number}"


def _format_time(began: datetime | None) -> str:
    """The time in UTC, then in Eastern Time, which trackers go by; where it is not known, the first of 1970."""
    began = began or datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC"))
    utc = f"{began:%Y/%m/%d %H:%M:%S} UTC"
    try:
        return f"{utc} [{began.astimezone(ZoneInfo('America/New_York')):%Y/%m/%d %H:%M:%S} ET]"
    except ZoneInfoNotFoundError:
        return utc


def _format_roman(number: int) -> str:
    """A level's number as PokerStars writes it."""
    worth = (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")
    told = ""
    for value, sign in worth:
        told += sign * (number // value)
        number %= value
    return told


def _describe_hand(record: HandRecord, cards: tuple[str, ...]) -> str:
    """The hand in words: its kind where the best five cards win, else `a low hand` or the like."""
    game = record.setup.game
    if game.rankings[0] is not Ranking.HIGH:
        return "a low hand"
    from pokerkit import OmahaHoldemHand, StandardHighHand  # 14 MiB that no table holds before a hand leaves it

    board = "".join(card or "" for card in record.board)
    if len(cards) + len(board) // 2 < 5:
        return "a hand"
    kind = OmahaHoldemHand if game.hole_cards_to_play == 2 else StandardHighHand
    try:
        best = kind.from_game("".join(cards), board)
    except ValueError:
        return "a hand"
    return best.entry.label.value.lower()
