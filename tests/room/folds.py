"""Streams of the room's record, whatever is in their lines: what the room knows after each, as it stands on record.

    python -m tests.room.folds --record [CASE ...]    put what is known after each line on record, in folds.txt

Lines come from a seed: words that fit, words for somebody who is not there, words with a key too few or another value.
Of a tournament they are those of a whole one, each tried in other forms before it is taken.
"""

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from controller.core.tournament.tournament import TournamentError
from room.floor.call_queue import CallNotOpenError, CallQueue, apply_call_line, summarize_calls
from room.floor.dealer_rotation import DealerRotation, apply_dealer_line, make_push_line
from room.floor.drop_closes import DropCloses, DropTotal, add_up, apply_drop_line, is_day, make_close_line
from room.floor.promotion import DayPromotions, apply_promotion_line, is_hand
from room.floor.table_summary import summarize_case, summarize_table
from room.floor.waiting_lists import MAX_SEATED, WaitingLists, apply_waiting_line
from room.record.room_record import RecordLine
from room.tournament import hand_for_hand, proposals
from room.tournament.clock_deviation import find_deviations
from room.tournament.dispatch_decision import decide_dispatch
from room.tournament.instructions import find_due_instructions
from room.tournament.line_handlers import HANDLER_BY_WORD, apply_tournament_line, open_tournament
from room.tournament.tournament_state import Instruction, InstructionStatus, RoomTournament
from room.tournament.tournament_table_view import (
    HOLD_STEP,
    TableViewError,
    TournamentTableView,
    WatchedTable,
    find_absent_players,
    observe_view,
)
from tests.config.damaged_files import damage_value
from tests.recorded_answers import RecordedAnswers
from tests.room.event import generator

ANSWERS = RecordedAnswers(Path(__file__).with_suffix(".txt"), "python -m tests.room.folds --record", run=6)

Content = dict[str, Any]

LINES = 300
SEEDS = (1, 2)
ODD: tuple[Any, ...] = ("", "nobody", -1, 0, 1, 2, 1 << 40, 1.5, None, True, [], {}, ["x"], "x" * 200, "\n", " a")
NAMES = ("Ana", "ana ", "Ben", "Cleo", "Dev", "Eve")
TABLES = ("table-01", "table-02", "table-03", "table-04")
HANDS = (
    ["As", "Ah", "Ad", "Kc", "Kd"],
    ["As", "Ah", "Ad", "Ac", "Kd"],
    ["9s", "8s", "7s", "6s", "5s"],
    ["2s", "2h", "7d", "7c", "Kd"],
    ["As", "Ah"],
)


class Lot:
    """What comes next, from a seed."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.now = 1_800_000_000.0
        self.count = 0
        """So many lines were made."""

    def pick(self, *of: Any) -> Any:  # noqa: ANN401 - a value of JSON
        return self.chance.choice(of)

    def choose_line(self, *of: Content) -> Content:
        return self.chance.choice(of)

    def disturb(self, what: Content) -> Content:
        """Mostly the word as it is; now and then one of its keys is missing, or holds something else."""
        if self.chance.random() > 0.15 or len(what) < 2:
            return what
        key = self.pick(*sorted(set(what) - {"do"}))
        if self.chance.random() < 0.3:
            return {name: value for name, value in what.items() if name != key}
        return {**what, key: self.pick(*ODD)}

    def recent_number(self) -> int:
        """The number of one of the last lines."""
        return self.count - self.chance.randrange(12)

    def pass_time(self) -> float:
        self.now += self.pick(0, 1, 30, 250, 400, 1000)
        return self.now


def make_waiting_line(lot: Lot) -> Content:
    name, table, player = lot.pick("1/3", "2/5", "plo"), lot.pick(*TABLES), lot.pick(*NAMES)
    last = lot.pick(3, 3, MAX_SEATED, MAX_SEATED + 1)
    chairs = [
        [seat, lot.pick(*NAMES, None, ""), lot.pick(None, 5, lot.now - 9)] for seat in (1, 2, last)[: lot.pick(1, 3)]
    ]
    return lot.choose_line(
        {"do": "list", "list": name, "game": lot.pick("holdem", "omaha"), "stakes": lot.pick([1, 3], [2, 5])},
        *({"do": do, "list": name, "player": player} for do in ("join", "join", "leave", "page", "page", "chips")),
        *({"do": do, "list": name, "player": player} for do in ("late", "pick-up", "join")),
        {"do": "seat", "list": name, "player": player, "table": table},
        {"do": "open", "table": table, "list": name},
        {"do": "open", "table": table, "list": name, "main": lot.pick(*TABLES)},
        {"do": "close", "table": table},
        {"do": "sat", "table": table, "player": player},
        {"do": "left", "table": table, "player": player},
        {"do": "chairs", "table": table, "places": lot.pick(2, 5, 9), "taken": chairs},
    )


def look_at_lists(lists: WaitingLists, lot: Lot) -> object:
    return (
        *(lists, lists.sort_lists(), lists.propose_seats(), [lists.find_table(name) for name in NAMES]),
        [(lists.is_interest_list(name), lists.is_game_new(name)) for name in ("1/3", "2/5")],
        [lists.list_must_moves(table) for table in TABLES],
        [table.free_seat_count for table in lists.table_by_name.values()],
        [list(lists.iter_late_lines(lot.now + wait)) for wait in (0, 299, 300, 301, 600, 601, 1200)],
    )


def make_dealer_line(lot: Lot) -> Content:
    table, dealer = lot.pick(*TABLES), lot.pick(*NAMES)
    when = lot.pick({}, {}, {"at": lot.now - lot.pick(0, 60, 3000)}, {"at": lot.now + 5000})
    told = lot.pick({}, {}, {"journal": lot.pick("a", "b"), "record": lot.pick(1, 5, 20, int(lot.now) % 1000)})
    return lot.choose_line(
        {"do": "string", "tables": lot.pick(list(TABLES), list(TABLES[:2]), [TABLES[0], TABLES[0]])},
        *[{"do": "deals", "table": table, "dealer": dealer, **when, **told}] * 3,
        {"do": "rests", "dealer": dealer, **when, **told},
        {"do": "rests", "dealer": dealer, "table": table, **when},
        {"do": "home", "dealer": dealer},
        *[{"do": "push"}] * 2,
    )


def take_dealer_line(rotation: DealerRotation, line: RecordLine) -> DealerRotation:
    """A push is the one that is planned."""
    if line.content == {"do": "push"}:
        line = RecordLine(line.stream, line.number, line.entered_at, line.entered_by, make_push_line(rotation))
    return apply_dealer_line(rotation, line)


def look_at_dealers(rotation: DealerRotation, lot: Lot) -> object:
    return (
        *(rotation, rotation.plan_next_push(), rotation.find_overdue_tables(lot.now)),
        *(rotation.find_overdue_tables(lot.now, 250.0), [rotation.find_stint_start(name) for name in NAMES]),
    )


def make_promotion_line(lot: Lot) -> Content:
    name, cards = lot.pick("noon", "night", "late"), lot.pick(*HANDS)
    begin = {
        "do": "begin", "promotion": name, "game": lot.pick("holdem", "holdem", "omaha"), "least": lot.pick(*HANDS),
        "from": lot.now - 5000, "until": lot.now + lot.pick(-6000, 90_000, 200_000), "both": lot.pick(True, False),
        "pot": lot.pick(0, 100), "players": lot.pick(0, 4),
    }  # fmt: skip
    tabled = {
        "do": "tabled", "promotion": name, "key": f"k{lot.chance.randrange(300)}", "table": lot.pick(*TABLES),
        "hand": lot.chance.randrange(9), "seat": lot.pick(1, 2), "player": lot.pick(*NAMES), "game": "holdem",
        "own": lot.pick(cards[:2], ["Kh", "Ks"]), "board": [*cards[2:], "3c", "4h"][:5], "at": lot.now - lot.pick(0, 7),
        "pot": lot.pick(99, 100, 900), "dealt": lot.pick(3, 4, 6),
    }  # fmt: skip
    number = {"promotion": name, "number": lot.recent_number()}
    return lot.choose_line(
        begin,
        *[tabled] * 6,
        {"do": "confirm", **number},
        {"do": "refuse", **number, "why": lot.pick("two cards", "y" * 130)},
    )


def make_call_line(lot: Lot) -> Content:
    call = lot.recent_number()
    return lot.choose_line(
        *[{"do": "called", "table": lot.pick(*TABLES)}] * 2,
        *({"do": do, "call": call} for do in ("take", "take", "done", "done")),
        {"do": "came", "table": lot.pick(*TABLES)},
        {"do": "newer"},
    )


def look_at_calls(calls: CallQueue, lot: Lot) -> object:
    every = (*calls.open_calls, *calls.done_calls)
    answers: list[object] = [calls, summarize_calls(every, 300.0), summarize_calls(every, 30.0)]
    answers += [(call.to_json(), call.response_time_s, call.is_late(lot.now, 60.0)) for call in every[:5]]
    answers += [calls.make_table_line(table, wanted=wanted) for table in TABLES for wanted in (True, False)]
    for make in (calls.make_take_line, calls.make_done_line):
        for number in (1, 5, 9):
            try:
                answers.append(make(number))
            except CallNotOpenError as why:
                answers.append(str(why))
    return answers


DAYS = (
    *("2027-01-14", "2027-01-15", "2027-01-16", "2027-01-17", "2027-03-31", "2027-02-30", "today", "20270118"),
    *("2027-W03-5", "1968-12-31", "1969-01-01", "2200-12-31", "2201-01-01"),
)


def make_drop_line(lot: Lot) -> Content:
    day = lot.pick(*DAYS)
    taken = {
        (lot.pick("", *DAYS[:4]), lot.pick(*TABLES)): DropTotal(
            lot.chance.randrange(-9, 99), lot.pick(0, 3), lot.pick(0, 1)
        )
        for _ in range(3)
    }
    if lot.chance.random() < 0.3:
        return make_close_line(day, taken, [{"table": TABLES[0], "chips": 5}], {})
    return {
        "do": "excuse",
        "day": day,
        "table": lot.pick(*TABLES),
        "why": lot.pick("keys lost", "", "x" * 120, "x" * 121),
    }


def take_drop_line(closes: DropCloses, line: RecordLine) -> DropCloses:
    """The rows of a close are the room's own: what is disturbed in it is not."""
    is_close = line.content.get("do") == "close" and not all(
        isinstance(line.content.get(key), list) and all(isinstance(row, list | dict) for row in line.content[key])
        for key in ("taken", "boxes", "excuses")
    )
    return closes if is_close else apply_drop_line(closes, line)


def look_at_closes(closes: DropCloses, lot: Lot) -> object:
    dropped = {(day, table): DropTotal(50, 2, 0) for day in DAYS[:4] for table in TABLES[:2]}
    obstacles = [closes.find_obstacle(day, today, dropped) for day in DAYS[:5] for today in DAYS[1:4:2]]
    return (
        *(closes, obstacles, [each and each.text for each in obstacles], [is_day(day) for day in DAYS], lot.now),
        *(closes.last_closed_day, [closes.compute_untaken(dropped, day) for day in DAYS[:4]]),
        *([(one.total, one.late_total) for one in closes.closes], add_up(closes.taken.values())),
    )


Fold = tuple[Any, Callable[[Any, RecordLine], Any], Callable[[Lot], Content], Callable[[Any, Lot], object]]

FOLDS: Mapping[str, Fold] = {
    "waiting": (WaitingLists(), apply_waiting_line, make_waiting_line, look_at_lists),
    "dealers": (DealerRotation(), take_dealer_line, make_dealer_line, look_at_dealers),
    "promotions": (
        *(DayPromotions(), apply_promotion_line, make_promotion_line),
        lambda day, _: (day, [is_hand(each) for each in HANDS]),
    ),
    "calls": (CallQueue(), apply_call_line, make_call_line, look_at_calls),
    "drops": (DropCloses(), take_drop_line, make_drop_line, look_at_closes),
}

BOOKS = ("roberts-7", "tda-2024", "wsop-2024", "fish-n-chips")
CASES = (
    *(f"{fold}-{seed}" for fold in (*FOLDS, "watch") for seed in SEEDS),
    *("states", "opening", "dispatch", *(f"tournament-{book}" for book in BOOKS)),
)


def fold_stream(name: str, seed: str) -> Iterator[object]:
    """What is known after each line of a stream, and whether the word was taken."""
    known, take, make, look = FOLDS[name]
    lot = Lot(f"{name} {seed}")
    for number in range(1, LINES + 1):
        lot.count = number
        what = lot.disturb(make(lot))
        refusal = known.find_refusal(what) if isinstance(known, WaitingLists) else ""
        known = take(known, RecordLine(name, number, lot.pass_time(), lot.pick("Bo", "Di"), what))
        yield repr((refusal, look(known, lot)))


def fold_tournament(book: str) -> Iterator[object]:
    """What a tournament over tables is after each of its lines; and what it says to words that are not its next."""
    lot = Lot(book)
    lines = generator.play(generator.Story(4, 3, 16, book, places=6, alternates=3)).record.lines_by_stream["event:1"]
    event = open_tournament(lines[0], generator.books)
    for line in lines[1:]:
        for what in try_other_words(lot, event, line.content):
            other = RecordLine(line.stream, line.number, line.entered_at, "Di", what)
            yield describe(lambda other=other, event=event: apply_tournament_line(event, other))  # type: ignore[misc]
        event = apply_tournament_line(event, line)
        yield describe_event(event)
        yield describe_tables(lot, event)


def open_events() -> Iterator[object]:
    """What the first line of a tournament makes of it, damaged key by key."""
    run = generator.TournamentRun(generator.Story(1, 2, 8))
    run.open_tournament()
    (line,) = run.record.lines_by_stream["event:1"]
    more = {"late_levels": 2, "bounty": 50, "seat_price": 0, "capacity": 7}
    levels = {"schedule": {**line.content["schedule"], "levels": line.content["schedule"]["levels"][:1]}}
    whole = {**line.content, **more, **levels}
    for what in (whole, *damage_value(whole)):
        first = replace(line, content=what)
        yield describe(lambda first=first: open_tournament(first, find_rules))  # type: ignore[misc]


def find_rules(name: str) -> Any:  # noqa: ANN401 - the rules of a book
    """The rules of a book; raises `KeyError` for another name."""
    return {book: generator.books(book) for book in BOOKS}[name]


def try_other_words(lot: Lot, event: RoomTournament, what: Mapping[str, Any]) -> Iterator[Content]:
    yield {**what, **lot.pick({}, {"player": lot.pick(*ODD)}), "do": lot.pick(*HANDLER_BY_WORD, "dance")}
    key = lot.pick(*sorted(what))
    yield {name: value for name, value in what.items() if name != key}
    yield {**what, key: lot.pick(*ODD)}
    player, seat = lot.pick(*(event.registered_players or NAMES)), lot.pick(1, 2, 3, 6, 7)
    place = [lot.pick(*event.seat_count_by_table), seat]
    other, table = lot.pick(*(event.active_players or NAMES)), place[0]
    free = event.open_seats() or (("table-001", 1),)
    leaving = [[name, *lot.pick(*free)] for name in event.seating_at(table).values()]
    draw = lot.chance.sample(range(60), 60)
    words = (
        *({"do": do, "player": player} for do in ("reinstate", "re-entry", "withdraw", "refund", "marker", "knockout")),
        {"do": lot.pick("late-entry", "re-entry"), "player": lot.pick("Zoe", player), "seat": place},
        {"do": lot.pick("rebuy", "add-on"), "player": player, "chips": lot.pick(0, 500), "seat": place, "amount": 2},
        {"do": "eliminate", "player": player, "table": table, "hand": seat, "stack": lot.pick(0, 900)},
        {
            "do": "eliminate",
            "player": player,
            "hand": seat,
            "knocked_by": [other],
            "disqualified": lot.pick(True, False),
        },
        {"do": "knockout", "player": player, "knocked_by": [other], "shares": [1]},
        *[{"do": "move", "moves": [[player, *place], [other, *lot.pick(place, ["table-001", 1])]]}] * 2,
        {"do": "move", "moves": [[player, *lot.pick(*free)]]},
        *[{"do": "break", "table": table, "moves": leaving}] * 2,
        {
            "do": "redraw",
            "tables": lot.pick([table], list(event.seat_count_by_table), []),
            "draw": draw,
            "places": seat,
        },
        {"do": "draw", "draw": lot.pick(draw, draw[:3])},
        {"do": lot.pick("pause", "resume", "level", "begin", "go", "turn-up", "let-go", "close", "start")},
        {"do": "close", "abandon": lot.pick(True, False)},
        {"do": "level", "to": lot.pick(1, 2, 3)},
        {"do": "start", "seats_first": lot.pick(True, False), "anyway": lot.pick(True, False)},
        {"do": "hand-for-hand", "on": lot.pick(True, False)},
        {"do": "hand-done", "table": table},
        {"do": "tell", "tables": [table], "line": {"ev": "halt", "on": True}},
        {"do": "order", "tables": lot.pick(list(event.seat_count_by_table)[::-1], [table])},
        {"do": "open-table", "table": lot.pick("table-009", table), "places": lot.pick(1, 2, 11, 12), "grows": True},
        {"do": "pay", "player": player, "cents": lot.pick(100, 0, 1600)},
        {"do": "deal", "shares": lot.pick({player: 500}, {player: 800, other: 800})},
        {"do": "jackpot", "sold": seat, "price": 5},
        {"do": "river", "card": lot.pick("As", "Xx")},
        {"do": "register", "player": lot.pick("Zoe", player)},
    )
    yield from (lot.pick(*words) for _ in range(3))


def describe(take: Callable[[], RoomTournament]) -> str:
    """The tournament after a word, or why it was not taken."""
    try:
        return describe_event(take())
    except TournamentError as why:
        return f"refused {leave_out_python(why)}"


def leave_out_python(why: Exception) -> str:
    """What an error says, without the words of Python's own that it is made of: each version has others."""
    own = why.__cause__
    return str(why) if own is None else str(why).replace(str(own), type(own).__name__)


def describe_event(event: RoomTournament) -> str:
    """All that is in an event but its rules and schedule, and what it proposes and still has to tell."""
    known = {name: getattr(event, name) for name in event.__slots__ if name not in ("rules", "schedule", "progress")}
    proposed = proposals.find_proposals(event, {}, event.last_line_at) if event.progress else ()
    stood = (
        *(known, event.is_over, event.active_players, event.open_seats(), event.seating_by_table()),
        *(find_due_instructions(event), proposed, hand_for_hand.is_player_moving(event)),
        *((hand_for_hand.assess_round(event, {}), hand_for_hand.find_next_line(event, {})) if event.progress else ()),
        *((event.progress.remaining_players, event.progress.clock) if event.progress else ()),
    )
    return repr(stood)


def describe_tables(lot: Lot, event: RoomTournament) -> str:
    """What the room makes of tables that stand somehow: proposals, clocks that differ, and each line that is to go."""
    watched: dict[str, WatchedTable] = {}
    at = event.last_line_at + lot.pick(0, 1, 200, 1500)
    for table in event.seat_count_by_table:
        if lot.chance.random() < 0.8:
            seen = make_view(lot, {seat: (name, 3000) for seat, name in event.seating_at(table).items()}, at)
            watched[table], _ = observe_view(table, None, seen)
    views = {table: one.view for table, one in watched.items()}
    decided: list[object] = []
    for duty in list(event.instruction_by_number.values())[:6]:
        for status in InstructionStatus:
            view = views.get(duty.table)
            asked = replace(duty, status=status, seen_entry=lot.pick(3, 9, 20), seen_hand=lot.pick(4, 5), seen_level=1)
            decided.append(decide_dispatch(replace(asked, was_idle=lot.pick(True, False)), view))
    stood = (
        *(decided, find_deviations(event, at, views), proposals.find_proposals(event, watched, at)),
        *(
            (hand_for_hand.assess_round(event, views), hand_for_hand.find_next_line(event, views))
            if event.progress
            else ()
        ),
        *(proposals.make_table_occupancies(event, watched), proposals.is_entry_open(event, at)),
        [find_absent_players(event.seating_at(table), view) for table, view in views.items()],
    )
    return repr(stood)


def decide_duties() -> Iterator[object]:
    """What is done about a line that a table is to enter, however far that is and however the table stands."""
    lot = Lot("dispatch")
    words = (
        *({"ev": word, "seat": 2} for word in ("leave", "sit", "penalty", "leave", "sit")),
        *({"ev": "timer", "set": word} for word in ("start", "pause", "resume")),
        *({"ev": word} for word in ("level", "level", "break", "halt", "tournament-over", "chop")),
        *({"ev": "hand-for-hand", **more} for more in ({"on": True}, {"on": False}, {"go": True}, {"go": True})),
    )
    for number in range(LINES * 2):
        chairs = {seat: (NAMES[seat], lot.pick(0, 700)) for seat in range(1, 5)}
        view = lot.pick(None, *[make_view(lot, lot.pick(chairs, {}), lot.pass_time())] * 8)
        duty = Instruction(
            number, "table-01", lot.pick(*words), "Dee", player=lot.pick(NAMES[2], NAMES[2], "Zoe"),
            status=lot.pick(InstructionStatus.OPEN, *[InstructionStatus.ASKED] * 3), seen_entry=lot.pick(4, 5, 9),
            seen_hand=lot.pick(4, 5), was_idle=lot.pick(True, False), seen_level=lot.pick(0, 1, 2),
        )  # fmt: skip
        yield repr((duty, decide_dispatch(duty, view)))


def make_view(lot: Lot, chairs: Mapping[int, tuple[str, int]], at: float) -> TournamentTableView:
    """How a table stands at which these people may sit, as it publishes that."""
    seats = [
        {"seat": seat, "player": lot.pick(*[player] * 9, "Stranger"), "stack": stack, "misses": lot.pick(0, 0, 2)}
        for seat, (player, stack) in chairs.items()
        if lot.chance.random() < 0.9
    ]
    timer = {"stage": lot.pick("level", "level", "break", "over"), "level": lot.pick(1, 1, 2, 40)}
    timer |= {"left": lot.pick(60, 600.5, 1199), "running": lot.pick(True, True, False)}
    state = {
        "entry": lot.pick(5, 9, 21), "hand": lot.pick(4, 5, 6), "phase": lot.pick("idle", "idle", "betting"),
        "next": lot.pick([], [{"step": HOLD_STEP}], [{"step": "act"}]), "seats": seats,
        "lamps": {"button": lot.pick([], [1], [3]), "big_blind": lot.pick([], [2])}, "places": lot.pick(0, 6, 9),
        "timer": lot.pick(None, *[timer] * 4),
    }  # fmt: skip
    return TournamentTableView.from_json(state, lot.pick(0.0, at - 5, at + 5))


STATE = {
    "entry": 7, "hand": 3, "phase": "idle", "street": "flop", "next": [{"step": HOLD_STEP, "seat": 2, "text": "Wait."}],
    "lamps": {"button": [1], "big_blind": [3]}, "places": 9, "game": "holdem", "rulebook": "tda-2024",
    "seats": [
        {"seat": 1, "player": "Ana", "stack": 50, "misses": 1}, {"seat": 2, "player": "Ben", "stack": 0, "away": True},
        {"seat": 3, "player": None},
    ],
    "timer": {"stage": "level", "level": 2, "left": 60.5, "running": True}, "board": ["As", "Kd", "2c"],
    "out": [{"seat": 5, "by": [1, 2], "shares": [2, 1]}], "betting": {"small_blind": 1, "big_blind": 2, "ante": 2},
    "pots": [{"amount": 5}, {"amount": 7}], "tournament": True, "floor_called": True, "ruled_in": 3,
    "rulings": [{"finding": "exposed", "verdict": "remedy", "cite": ["R7-1"], "label": "A card", "message": "It is."}],
    "faults": [{"code": "jam", "stops": "at once"}], "remedy": [{"step": "deal", "seat": 1, "text": "Deal."}],
}  # fmt: skip


def read_states() -> Iterator[object]:
    """What the room makes of what a table publishes, damaged key by key."""
    for state in (STATE, *damage_value(STATE)):
        try:
            view: object = TournamentTableView.from_json(state, 5.0)
        except TableViewError as why:
            view = leave_out_python(why)
        yield repr((view, summarize_table(state), summarize_case(state)))


def watch_table(seed: str) -> Iterator[object]:
    """What is seen of a table from view to view: who was lost, with which stack, how certain."""
    lot, watched = Lot(f"watch {seed}"), None
    stacks = dict.fromkeys(range(1, 5), 100)
    for number in range(LINES):
        winner, loser = lot.pick(*stacks), lot.pick(*stacks)
        moved = min(stacks[loser], lot.pick(0, 30, 100, 400)) if number % 2 else 0
        stacks[winner], stacks[loser] = stacks[winner] + moved, stacks[loser] - moved
        chairs = {seat: (NAMES[seat], stack) for seat, stack in stacks.items() if stack or lot.chance.random() < 0.5}
        view = replace(make_view(lot, chairs, lot.pass_time()), hand=number // 4, entry=number + lot.pick(0, 0, 0, -3))
        watched, busts = observe_view("table-01", watched, view)
        yield repr((watched, busts))
        if sum(1 for stack in stacks.values() if stack) < 2:
            stacks = dict.fromkeys(stacks, 100)


def read_answers(case: str) -> list[object]:
    """What is known after each line of a case."""
    name, _, about = case.partition("-")
    match name:
        case "tournament":
            return list(fold_tournament(about))
        case "watch":
            return list(watch_table(about))
        case "dispatch":
            return list(decide_duties())
        case "opening":
            return list(open_events())
        case "states":
            return list(read_states())
        case _:
            return list(fold_stream(name, about))


def main(arguments: list[str]) -> None:
    """Put every case on record, or print some."""
    if arguments[:1] == ["--record"]:
        ANSWERS.write({case: read_answers(case) for case in arguments[1:] or CASES})
        return
    for case in arguments or CASES:
        print(*(f"{case}: {answer}" for answer in read_answers(case)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
