"""Every entry that people, cards and sensors may make at a table as it stands, each with a few amounts and names.

What the table offers must be taken; what it may refuse is tried all the same. Trouble is what people do not do unasked:
a report, a decision of the floor, a chair left. Of cards and amounts there are representatives: the least, the most
and one between, a card unread, one of another rank, one of a rank that is out.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from controller.core.engine.output import available_entries, outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol import vocabulary
from controller.core.protocol.script_lines import format_line
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    BoardStep,
    BurnStep,
    DealStep,
    DrawStep,
    FloorStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
)
from controller.core.values.cards import build_deck
from controller.core.values.piles import hand_place
from tests.core.arbitrary import iter_obedient_answers

Line = dict[str, Any]

FULL_WAGERS = ("bet", "raise", "complete")


class Trial(NamedTuple):
    """A line to be tried, and whether it is trouble. `kind`: what is alike in all that may come of it."""

    line: Line
    kind: str
    is_trouble: bool


def list_trials(table: Table, salt: int) -> list[Trial]:
    """Everything to be tried at a table as it stands, always in the same order; `salt` picks the cards."""
    state = table.outcome.state
    first = type(state.plan[0]).__name__ if state.plan else "idle"
    seen: set[str] = set()
    trials: list[Trial] = []
    for is_trouble, lines in ((False, _iter_regular(table, salt)), (True, _iter_troubles(table, salt))):
        for line in lines:
            text = repr(line)
            if text not in seen:
                seen.add(text)
                trials.append(Trial(line, f"{first} {describe_kind(line)}", is_trouble))
    return trials


def describe_kind(line: Line) -> str:
    """What a line is, without who and how much."""
    word = line.get("what") or line.get("decide") or line.get("do") or line.get("where") or ""
    keys = " ".join(key for key in line if key not in ("ev", "what", "decide", "do"))
    place = line.get("where", line.get("mixed", line.get("hand", "")))
    return f"{line['ev']} {word} {keys} {place}"


def list_offers(table: Table, salt: int) -> list[list[Line]]:
    """What the table says that it takes: of each group at least one line must be taken as it is."""
    outcome = table.outcome
    state = outcome.state
    offers = [[_format(event)] for event in _list_available(state)]
    if state.faults or not state.plan:
        return offers
    shown = outcome_rendering.render_outcome(outcome, 0)["next"][0]
    match state.plan[0]:
        case DealStep() | BurnStep() | BoardStep():
            offers += [[{"ev": "card", "card": card}] for card in (None, choose_card(state, salt))]
        case ActStep():
            offers += [[line] for line in _iter_acts(shown, with_middle=False)]
        case FloorStep(options=options):
            seats: tuple[int, ...] = tuple(state.seating.state_by_seat)
            offers += [
                [
                    {"ev": "floor", "decide": option},
                    *({"ev": "floor", "decide": option, "seat": seat} for seat in seats),
                ]
                for option in options
            ]
        case QuestionStep(options=options):
            # A question names all that a sensor's news may mean: which of it can have been here the report finds out.
            offers.append([line for line in _iter_reports(state, salt) if line["what"] in options])
        case _:
            offers.append(list(iter_obedient_answers(outcome)))
    return offers


def iter_answers(table: Table, salt: int) -> Iterator[Line]:
    """What people who do as they are told may enter, the likeliest first; cards as `salt` picks them."""
    state = table.outcome.state
    if not state.faults and isinstance(state.plan[0], DealStep | BurnStep | BoardStep):
        yield {"ev": "card", "card": choose_card(state, salt)}
    if not state.faults and isinstance(first := state.plan[0], FloorStep) and first.nth is not None:
        place: Line = {"where": "board"} if first.seat is None else {"seat": first.seat}
        yield from ({"ev": "floor", "decide": option, **place, "nth": first.nth} for option in first.options)
    yield from iter_obedient_answers(table.outcome)
    if not state.faults and isinstance(state.plan[0], QuestionStep):
        yield from (line for line in _iter_reports(state, salt) if line["what"] in state.plan[0].options)


def choose_card(state: TableState, salt: int) -> str:
    """A card that is not out: as the number of cards that are out and `salt` say."""
    free = _list_free_cards(state)
    dealt = 0 if state.hand is None else state.hand.cards.piles.dealt_count
    return free[(dealt * 7 + salt * 13 + dealt * salt) % len(free)] if free else "As"


def _list_free_cards(state: TableState) -> list[str]:
    hand = state.hand
    cards = build_deck(state.setup.deck_size, state.setup.has_joker)
    return [card for card in cards if hand is None or not hand.cards.piles.has_card(card)]


def _list_out(state: TableState) -> list[str]:
    if state.hand is None:
        return []
    piles = state.hand.cards.piles.cards_by_place.values()
    return [lying.card for pile in piles for lying in pile if lying.card is not None]


def _list_available(state: TableState) -> list[Any]:
    return [*available_entries.find_available_entries(state), *available_entries.find_floor_entries(state)]


def _format(event: Any) -> Line:  # noqa: ANN401 - an event
    return {key: value for key, value in format_line(event).items() if key != "t"}


def _iter_regular(table: Table, salt: int) -> Iterator[Line]:
    """What the first step waits for, and what people may do at any time without trouble."""
    outcome = table.outcome
    state = outcome.state
    if not state.plan or state.faults:
        yield from _iter_between_hands(state)
        return
    yield from iter_answers(table, salt)
    first = state.plan[0]
    match first:
        case DealStep() | BurnStep() | BoardStep():
            yield {"ev": "card", "card": None}
            yield from ({"ev": "card", "card": card} for card in _choose_cards(state, salt))
        case ActStep():
            yield from _iter_acts(outcome_rendering.render_outcome(outcome, 0)["next"][0], with_middle=True)
        case BettingRoundStep(seats=seats):
            yield from ({"ev": "act", "seat": seat, "do": word} for seat in seats for word in ("fold", "all-in"))
        case DrawStep(seat=seat) if state.hand is not None:
            most = len(state.hand.cards.piles.cards_at(hand_place(seat)))
            yield from ({"ev": "draw", "seat": seat, "discard": count} for count in dict.fromkeys((0, 1, 2, most)))
        case ShowStep(seat=seat):
            yield from ({"ev": word, "seat": seat} for word in ("show", "muck"))
        case AwardStep(is_unread=True, seats=seats, pot=pot, board=board):
            which = {"board": board} if board else {}
            yield from ({"ev": "won", "seat": seat, "pot": pot} | which for seat in seats)
        case ReturnStep(candidate_serials=serials) if serials and state.hand is not None:
            yield {"ev": "done"}
            yield from ({"ev": "done", "card": card} for card in _list_out(state)[:3])
    yield from map(_format, available_entries.find_available_entries(state))
    yield {"ev": "closed"}
    yield {"ev": "twice", "count": 2}


def _iter_acts(shown: Line, *, with_middle: bool) -> Iterator[Line]:
    """The acts that the table lists, with the least and the most where it says them."""
    for word in shown["options"]:
        line = {"ev": "act", "seat": shown["seat"], "do": word}
        if word not in FULL_WAGERS or "min_to" not in shown:
            yield line
            continue
        least, most = shown["min_to"], shown["max_to"]
        totals = (least, most, (least + most) // 2) if with_middle else (least, most)
        yield from ({**line, "to": total} for total in dict.fromkeys(totals))


def _choose_cards(state: TableState, salt: int) -> list[str]:
    """One card of a rank that is out and one of another, in a suit that is out and in another, as far as there are."""
    free, out = _list_free_cards(state), [card for card in _list_out(state) if card in build_deck()]
    ranks, suits = {card[0] for card in out}, {card[1] for card in out}
    chosen: dict[tuple[bool, bool], str] = {}
    start = salt % max(1, len(free))
    for card in (*free[start:], *free[:start]):
        if card in build_deck():
            chosen.setdefault((card[0] in ranks, card[1] in suits), card)
    return list(chosen.values())


def _iter_between_hands(state: TableState) -> Iterator[Line]:
    yield {"ev": "start"}
    for fault in state.faults:
        device, _, word = fault.rpartition(" ")
        yield {"ev": "device", "id": device, "status": "lid-closed" if word == "lid-open" else "back"}
    games = tuple(entry.game for entry in state.setup.rotation) or state.setup.games[:2]
    yield from ({"ev": "game", "game": game.name} for game in games)


def _iter_troubles(table: Table, salt: int) -> Iterator[Line]:
    """What people, sensors and timers do besides."""
    state = table.outcome.state
    yield {"ev": "undo"}
    yield from _iter_reports(state, salt)
    yield from _iter_cards(state, salt)
    yield from _iter_floor(state)
    yield from _iter_people(state)
    yield from _iter_corrections(table)
    yield from map(_format, available_entries.find_floor_entries(state))
    seats = tuple(state.seating.state_by_seat)
    for seat in seats:
        yield from ({"ev": word, "seat": seat} for word in ("clock", "show", "muck", "collect"))
        yield {"ev": "collect", "seat": seat, "paid": False}
        yield from ({"ev": "act", "seat": seat, "do": do.value} for do in vocabulary.ActionType)
        yield {"ev": "draw", "seat": seat, "discard": 1}
        yield {"ev": "won", "seat": seat, "pot": 0}
        yield {"ev": "act", "seat": seat, "chips": [5, 1], "said": "raise"}
        yield {"ev": "penalty", "seat": seat, "hands": 1}
        yield {"ev": "buy", "seat": seat, "chips": 20}
    now = state.time.time_s
    yield from ({"ev": "time", "t": now + passed} for passed in (35.0, 1000.0))
    yield {"ev": "device", "id": "shoe", "status": "lost"}
    yield {"ev": "device", "id": "shoe", "status": "jam"}
    yield from ({"ev": "level", **key} for key in ({}, {"hand": "current"}))
    yield from ({"ev": "hand-for-hand", "on": on} for on in (True, False))
    yield {"ev": "hand-for-hand", "go": True}
    yield from ({"ev": "halt", "on": on} for on in (True, False))
    yield from ({"ev": word} for word in ("chop", "closed", "waive-antes", "break", "tournament-over", "done", "start"))
    yield {"ev": "last-hands", "hands": 1}
    yield {"ev": "collection", "kind": "button", "fee": 2}
    yield {"ev": "collection", "kind": "rake", "percent": 10, "cap": 3}
    yield {"ev": "colour-up", "chip": 1, "to": 5}
    yield {"ev": "timer", "set": "start"}


def _iter_cards(state: TableState, salt: int) -> Iterator[Line]:
    """Cards that are not due, not of the deck, out already, or seen elsewhere."""
    fresh = choose_card(state, salt + 1)
    yield {"ev": "card", "card": fresh}
    yield {"ev": "card", "card": None}
    yield {"ev": "card", "card": fresh, "face": "up"}
    yield {"ev": "card", "card": None, "foreign": True}
    yield {"ev": "card", "card": "joker"}
    out = _list_out(state)
    yield from ({"ev": "card", "card": card} for card in out[:1])
    for place in ("board", "muck", *(hand_place(seat) for seat in state.seating.state_by_seat)):
        yield from ({"ev": "seen", "at": place, "card": card} for card in (*out[:1], *out[-1:], fresh))


def _iter_floor(state: TableState) -> Iterator[Line]:
    for decision in vocabulary.FloorDecision:
        yield {"ev": "floor", "decide": decision.value}
        yield from ({"ev": "floor", "decide": decision.value, "seat": seat} for seat in state.seating.state_by_seat)
    yield from ({"ev": "floor", "decide": "turned-up", "seat": seat, "nth": 1} for seat in state.seating.state_by_seat)
    yield {"ev": "floor", "decide": "turned-up", "where": "board"}


def _iter_people(state: TableState) -> Iterator[Line]:
    """People come, go and change their chips and chairs."""
    taken = tuple(state.seating.state_by_seat)
    free = [seat for seat in range(1, state.setup.seat_count + 1) if seat not in taken]
    stack = {"stack": 30} if state.setup.tracks_amounts else {}
    for seat in taken:
        yield {"ev": "leave", "seat": seat}
        yield {"ev": "away", "seat": seat}
        yield from ({"ev": "back", "seat": seat, "post": post} for post in (True, False))
        if stack:
            yield from ({"ev": "stack", "seat": seat, "stack": amount} for amount in (5, 50))
    for seat in free:
        new: Line = {"ev": "sit", "seat": seat, "player": hand_place(seat), **stack}
        yield from ({**new, "post": post} for post in (True, False))
        yield {**new, "moved": True}
        yield from ({"ev": "sit", "seat": seat, "from": other} for other in taken)
    yield from (
        {"ev": "sit", "seat": seat, "player": "over", "over": True, **stack}
        for seat in taken
        if state.seating.state_by_seat[seat].is_away
    )


def _iter_corrections(table: Table) -> Iterator[Line]:
    """Amend the last entries away, or the last to itself."""
    entries = table.history.entries
    for each in entries[-3:]:
        yield {"ev": "amend", "line": each.line, "to": None}
    for each in entries[-1:]:
        yield {"ev": "amend", "line": each.line, "to": _format(each.event)}
        yield {"ev": "amend", "before": each.line, "to": {"ev": "report", "what": "exposed"}}


def _iter_reports(state: TableState, salt: int) -> Iterator[Line]:
    """Every report, without details, and with each of its keys at each place."""
    for kind in vocabulary.ReportKind:
        keys, base = kind.terms.keys, {"ev": "report", "what": kind.value}
        for details in _iter_details(state, keys, salt, empty_seat=kind.terms.empty_seat):
            yield {**base, **details}


def _iter_details(state: TableState, keys: tuple[str, ...], salt: int, *, empty_seat: bool) -> Iterator[Line]:
    taken = tuple(state.seating.state_by_seat)
    free = [seat for seat in range(1, state.setup.seat_count + 1) if seat not in taken]
    seats = (*taken, *free[:1]) if empty_seat else taken
    fresh = choose_card(state, salt + 2)
    card = {"card": fresh} if "card" in keys else {}
    yield {}
    if "seat" in keys:
        yield from ({"seat": seat, **({"card": fresh} if keys[-1] == "card" else {})} for seat in seats)
    if "nth" in keys:
        held = {seat: _count_cards(state, seat) for seat in taken}
        yield from (
            {"seat": seat, "nth": nth, **card} for seat in taken for nth in dict.fromkeys((1, held[seat])) if nth
        )
    if "count" in keys:
        yield from ({"count": count} for count in (1, 2, 3))
        if "seat" in keys:
            yield from ({"seat": seat, "count": 2} for seat in taken)
    if "where" in keys:
        yield from ({"where": place.value, **card} for place in vocabulary.CardPlace)
        yield from ({"where": "hand", "seat": seat, **card} for seat in taken)
        if "nth" in keys:
            yield from ({"where": "board", "nth": nth, **card} for nth in (1, 2))
    if card:
        yield card
        yield from ({"card": out} for out in _list_out(state)[:1])
    if "street" in keys:
        yield from ({"street": street.name} for street in state.setup.game.streets)
    if "mixed" in keys:
        yield from ({"mixed": mixture.value} for mixture in vocabulary.StubMixture)
    if "from" in keys:
        yield from ({"seat": seat, "from": other} for seat in seats for other in taken if seat != other)
    if "acted" in keys:
        yield from ({"acted": count, "chips": chips} for count, chips in ((0, False), (1, True), (3, True)))
    if "chips" in keys:
        yield {"chips": True}
    if "to" in keys:
        yield from ({"to": total} for total in (2, 6))
    yield from ({key: value} for key, value in _ODD_DETAILS.items() if key in keys)


_ODD_DETAILS: dict[str, Any] = {"burned": False, "hand": "previous", "by": "player"}


def _count_cards(state: TableState, seat: int) -> int:
    return 0 if state.hand is None else len(state.hand.cards.piles.cards_at(hand_place(seat)))
