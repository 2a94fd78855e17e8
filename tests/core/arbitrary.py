"""Arbitrary events: whatever people, cards and sensors may do, from a stream of numbers.

A number picks what happens next, others its details, so that Hypothesis can shrink a failing stream and a seeded
campaign can run millions of events through the same eyes. Most of what happens fits the table as it stands; the rest is
anything at all, at any time.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from random import Random
from typing import Any, TypeVar

from config import game_file, rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.hand import Hand
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableCollection, TableState
from controller.core.play.betting import pots
from controller.core.play.game_flow import house_account
from controller.core.protocol import events, vocabulary
from controller.core.protocol.script_lines import format_line, parse_line
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    BoardStep,
    BurnStep,
    DealStep,
    DiscardStep,
    DrawStep,
    FloorStep,
    HoldStep,
    MoveStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
)
from controller.core.protocol.table_error import Refused
from controller.core.values.cards import build_deck
from controller.core.values.piles import BOARD, BURN, STUB, STUB_BOTTOM, hand_place
from tests.core.kept_scripts import keep_script

Pick = Callable[[int], int]
"""A number from 0 to below the given bound."""

Kind = TypeVar("Kind")

BETTING = {
    "no-limit": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "pot-limit": {"structure": "pot-limit", "small_blind": 5, "big_blind": 10, "chip": 5},
    "fixed-limit": {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4},
    "spread-limit": {"structure": "spread-limit", "small_blind": 1, "big_blind": 2, "min_bet": 2, "max_bet": 10},
}
STUD_BETTING = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
MIXED_BETTING = {
    **STUD_BETTING,
    "small_blind": 2,
    "big_blind": 5,
}


VOCABULARY = ContextVar("VOCABULARY", default="")
"""The seed of the words that stories are made of; none by day."""


@contextmanager
def use_vocabulary(seed: object) -> Iterator[None]:
    """Make stories of other words: what is rare with one seed is frequent with the next."""
    token = VOCABULARY.set(str(seed))
    try:
        yield
    finally:
        VOCABULARY.reset(token)


def choose(kinds: Sequence[Kind], pick: Pick) -> Kind:
    """Choose one of these as the vocabulary has them; by day each is as likely as the next."""
    varied = vary_kinds(len(kinds), VOCABULARY.get())
    return kinds[varied[pick(len(varied))]]


@cache
def vary_kinds(count: int, seed: str) -> Sequence[int]:
    """Return the numbers of `count` kinds: each once without a `seed`, else none to three times, shuffled."""
    if not seed:
        return range(count)
    chance = Random(f"{seed} {count}")
    varied = [kind for kind in range(count) for _ in range(chance.randrange(4))]
    chance.shuffle(varied)
    return varied or range(count)


def list_night_seeds(base: int, half: int, count: int) -> range:
    """Return one half's seeds of the stories of a night, `count` of them from `base` on: each `SEED` has others."""
    first = base + 1_000_000 * int(os.environ.get("SEED", "0")) + half * count
    return range(first, first + count)


def picks(numbers: Iterator[int]) -> Pick:
    """Numbers out of a stream."""
    return lambda bound: next(numbers) % bound


def games_of(book: str) -> tuple[str, ...]:
    """The games of a book, or those of them that STORY_GAMES names."""
    games = rulebook_file.load_rulebook(book).games
    chosen = os.environ.get("STORY_GAMES", " ".join(games)).split()
    return tuple(game for game in games if game in chosen)


def table_line(pick: Pick) -> dict[str, Any]:
    """Any table of any book and game."""
    books = tuple(name for name in rulebook_file.list_rulebooks() if games_of(name))
    book = books[pick(len(books))]
    games = games_of(book)
    return make_table_line(pick, book, games, games[pick(len(games))])


def make_table_line(pick: Pick, book: str, games: Sequence[str], game_name: str) -> dict[str, Any]:
    """Any table of this book at this game, perhaps in turn with others of `games`."""
    game = game_file.load_game(game_name)
    most = min(9 if game.hand_size < 5 else 6, 8)
    count = 2 + pick(most - 1)
    first = 1 + pick(10 - count + 1)
    stacks = (1, 2, 3, 7, 20, 55, 200, 200, 200, 1000)
    seats = [{"seat": first + i, "stack": stacks[pick(len(stacks))]} for i in range(count)]
    line: dict[str, Any] = {"ev": "table", "rulebook": book, "game": game.name, "seats": seats}
    if game.has_button:
        line["button"] = seats[pick(count)]["seat"]
        line["betting"] = dict(BETTING[tuple(BETTING)[pick(len(BETTING))]])
        if pick(4) == 0:
            line["betting"]["ante"] = 1
    else:
        line["betting"] = dict(STUD_BETTING)
    if pick(3) == 0:
        line["mode"] = ("cash", "tournament")[pick(2)]
    if pick(6) == 0:
        tell_rounds_only(line, rounds=bool(pick(2)))
    if count <= 6 and pick(5) == 0:
        line |= a_rotation(line, games, pick)
    elif game.deck_size == 36 and game.has_button and pick(2):
        line["betting"] = {"structure": "no-limit", "ante": 2, "ante_by": "button"}
    return line


def any_collection(pick: Pick) -> dict[str, Any]:
    """Any terms of what the house takes."""
    match pick(5):
        case 0:
            return {"kind": "none"}
        case 1:
            return {"kind": "hand", "fee": 1 + pick(6)}
        case 2:
            return {"kind": "button", "fee": 1 + pick(9)}
        case 3:
            return {"kind": "time", "fee": 1 + pick(12), "minutes": 1 + pick(3)}
        case _:
            caps = {"caps": [{"dealt": 2 + pick(3), "cap": pick(3)}, {"dealt": 6, "cap": 3 + pick(3)}]}
            rake: dict[str, Any] = {"kind": "rake", "percent": (5, 7.5, 10, 10)[pick(4)], "cap": pick(40)}
            rake |= caps if pick(3) == 0 else {}
            rake |= {"step": 1 + pick(5)} if pick(3) == 0 else {}
            return rake | ({"no_flop_no_drop": bool(pick(2))} if pick(3) == 0 else {})


def tell_rounds_only(line: dict[str, Any], *, rounds: bool = True) -> None:
    """Let nobody count chips at this table, nor tell more of the betting than that a round is closed."""
    line["amounts"] = "untracked"
    if rounds:
        line["follow"] = "rounds"
    line["seats"] = [{"seat": seat["seat"]} for seat in line["seats"]]


def a_rotation(line: dict[str, Any], games: Sequence[str], pick: Pick) -> dict[str, Any]:
    """The table's game in turn with others of the book, for a hand or two each, or chosen by a player."""
    others = (games[pick(len(games))], games[pick(len(games))])
    rows: list[dict[str, Any]] = [
        {"game": game, "hands": 1 + pick(2), "betting": MIXED_BETTING} for game in (line["game"], *others)
    ]
    button = any(game_file.load_game(row["game"]).has_button for row in rows)
    first = line["seats"][0]["seat"]
    mixed: dict[str, Any] = {"rotation": rows} | ({"choice": first} if pick(2) else {})
    return {"betting": MIXED_BETTING, **mixed} | ({"button": first} if button else {})


def a_card(state: TableState, pick: Pick) -> str:
    """A card that is not out."""
    hand = state.hand
    cards = [
        card
        for card in build_deck(state.setup.deck_size, state.setup.has_joker)
        if hand is None or not hand.cards.piles.has_card(card)
    ]
    return cards[pick(len(cards))] if cards else "As"


def make_card_line(state: TableState, pick: Pick) -> dict[str, Any]:
    """A card leaves the shoe, mostly sound."""
    odd = pick(60)
    line: dict[str, Any] = {"ev": "card", "card": a_card(state, pick)}
    if odd == 0:
        line["face"] = "up"
    elif odd == 1:
        line["card"] = None
    elif odd == 2:
        line["card"] = "joker"
    elif odd == 3:
        line |= {"card": None, "foreign": True}
    elif odd == 4:
        cards = build_deck()
        line["card"] = cards[pick(len(cards))]
    return line


def fitting(table: Table, pick: Pick) -> dict[str, Any]:
    """What the first step of the plan waits for."""
    state = table.outcome.state
    if not state.plan:
        if state.rotation_state.choice_button is not None and state.is_game_over and pick(4):
            return a_game(state, pick)
        return {"ev": "start"} if pick(4) else between_hands(state, pick)
    match state.plan[0]:
        case DealStep() | BurnStep() | BoardStep():
            return make_card_line(state, pick)
        case ActStep():
            return an_act(table, pick)
        case BettingRoundStep(seats=seats):
            words = ("fold", "fold", "check", "call", "bet", "raise", "all-in")
            act = {"ev": "act", "seat": seats[pick(len(seats))], "do": words[pick(len(words))]}
            return act if pick(2) else {"ev": "closed"}
        case DrawStep(seat=seat):
            return {"ev": "draw", "seat": seat, "discard": pick(6)}
        case ShowStep(seat=seat):
            return {"ev": "show" if pick(4) else "muck", "seat": seat}
        case AwardStep(is_unread=True, seats=seats, pot=pot):
            return {"ev": "won", "seat": seats[pick(len(seats))], "pot": pot}
        case FloorStep(options=options):
            decide = options[pick(len(options))]
            whose = {"seat": 1 + pick(10)} if decide == "dead-hand" else {}
            return {"ev": "floor", "decide": decide, **whose}
        case QuestionStep(options=options):
            return a_report(state, pick, options[pick(len(options))])
        case _:
            return {"ev": "done"}


def an_act(table: Table, pick: Pick) -> dict[str, Any]:
    """A legal act of the seat whose turn it is."""
    shown = outcome_rendering.render_outcome(table.outcome, 1)["next"][0]
    words = [word for word in shown["options"] if word != "fold" or not pick(3)]
    word = words[pick(len(words))] if words else "fold"
    line: dict[str, Any] = {"ev": "act", "seat": shown["seat"], "do": word}
    if word in ("bet", "raise", "complete") and "min_to" in shown and shown["min_to"] != shown["max_to"]:
        line["to"] = shown["min_to"] + pick(shown["max_to"] - shown["min_to"] + 1)
    return line


def between_hands(state: TableState, pick: Pick) -> dict[str, Any]:
    """People come, go and change their chips."""
    seat = 1 + pick(10)
    kinds: tuple[dict[str, Any], ...] = (
        {"ev": "sit", "seat": seat, "player": "new", "stack": 100, "post": bool(pick(2))},
        {"ev": "leave", "seat": seat},
        {"ev": "away", "seat": seat},
        {"ev": "back", "seat": seat, "post": bool(pick(2))},
        {"ev": "stack", "seat": seat, "stack": 50 + pick(200)},
        {"ev": "level"},
        {"ev": "report", "what": "button-wrong", "seat": seat, "hand": "previous"},
        a_game(state, pick),
    )
    line = choose(kinds, pick)
    if not state.setup.tracks_amounts:
        line.pop("stack", None)
    return line


def a_game(state: TableState, pick: Pick) -> dict[str, Any]:
    """Another game of the table's rotation, or of its book."""
    games = tuple(entry.game for entry in state.setup.rotation) or state.setup.games
    return {"ev": "game", "game": games[pick(len(games))].name}


def a_report(state: TableState, pick: Pick, what: str | None = None, always: Iterable[str] = ()) -> dict[str, Any]:
    """Any report with any details that it uses, the `always` among them, and now and then with one that it does not."""
    word = what or choose([member.value for member in vocabulary.ReportKind], pick)
    streets = [street.name for street in state.setup.game.streets]
    details: dict[str, Callable[[], Any]] = {
        "seat": lambda: 1 + pick(10),
        "nth": lambda: 1 + pick(5),
        "to": lambda: 1 + pick(60),
        "mixed": lambda: [each.value for each in vocabulary.StubMixture][pick(len(vocabulary.StubMixture))],
        "count": lambda: 1 + pick(5),
        "by": lambda: ("dealer", "player")[pick(2)],
        "where": lambda: ("hand", "board", "burn", "stub")[pick(4)],
        "acted": lambda: pick(4),
        "chips": lambda: bool(pick(2)),
        "street": lambda: streets[pick(len(streets))],
        "from": lambda: 1 + pick(10),
        "burned": lambda: bool(pick(2)),
        "refused": lambda: True,  # the table says it itself; a line of a journal has it
        "hand": lambda: ("this", "previous")[pick(2)],
        "card": lambda: a_card(state, pick),
    }
    rare = {"by": 5, "acted": 8, "chips": 8, "street": 3, "from": 3, "hand": 4, "refused": 8}
    line: dict[str, Any] = {"ev": "report", "what": word}
    for key in vocabulary.ReportKind(word).terms.keys:
        if pick(rare.get(key, 2)) == 0 or key == "card" or key in always:
            line[key] = details[key]()
    if pick(20) == 0:
        unused = tuple(details)[pick(len(details))]
        line[unused] = details[unused]()
    return line


def an_amendment(table: Table, pick: Pick) -> dict[str, Any]:
    """Any correction of anything that was entered."""
    entries = table.history.entries
    number = entries[pick(len(entries))] if entries else None
    if number is None:
        return {"ev": "amend", "line": 1 + pick(5), "to": None}
    line: dict[str, Any] = {"ev": "amend", **a_change(table, pick)}
    later = [each.line for each in entries if each.line > number.line]
    if later and pick(3) == 0:
        first = pick(len(later))
        line["drop"] = later[first : first + 1 + pick(3)]
    if pick(5) == 0:
        line["also"] = [a_change(table, pick)]
    return line


def a_change(table: Table, pick: Pick) -> dict[str, Any]:
    """A correction of one line."""
    entries = table.history.entries
    reach = min(len(entries), (4, 12, 1000)[pick(3)])
    each = entries[-1 - pick(reach)]
    if pick(4) == 0:
        return {"before": each.line, "to": make_any_spoken_line(table, pick)}
    return {"line": each.line, "to": otherwise(table, each.event, pick)}


LIKELY = ("fold", "call", "call", "check", "check", "bet", "raise", "all-in", "complete", "bring-in", "straddle")
"""What an act may have been instead."""


def otherwise(table: Table, event: events.Event, pick: Pick) -> dict[str, Any] | None:
    """What an entry might have been instead."""
    line = {key: value for key, value in format_line(event).items() if key != "t"}
    state = table.outcome.state
    match event, pick(8):
        case _, 0:
            return line
        case events.PlayerActed(), 1 | 2 | 3 | 4 | 5:
            line = {"ev": "act", "seat": event.seat, "do": LIKELY[pick(len(LIKELY))]}
            return line | ({"to": pick(60)} if line["do"] in ("bet", "raise", "complete") else {})
        case events.CardDealt(), 1 | 2 | 3:
            return make_card_line(state, pick)
        case events.StackChanged(), 1 | 2 | 3:
            return {**line, "stack": 50 + pick(200)}
        case events.CardDetected() | events.StepConfirmed() | events.Report() | events.FloorDecided(), 1 | 2 | 3:
            return None
        case _, 6:
            return None
        case _:
            return make_any_spoken_line(table, pick)


def make_any_spoken_line(table: Table, pick: Pick) -> dict[str, Any]:
    """Anything that a person may have forgotten to say, or a card that nobody saw leave."""
    state = table.outcome.state
    seat = 1 + pick(10)
    kinds: tuple[Callable[[], dict[str, Any]], ...] = (
        lambda: {"ev": "act", "seat": seat, "do": ("fold", "check", "call", "all-in")[pick(4)]},
        lambda: {"ev": "card", "card": None},
        lambda: make_card_line(state, pick),
        lambda: a_report(state, pick),
        lambda: between_hands(state, pick),
        lambda: {"ev": "done"},
        lambda: {"ev": "act", "seat": seat, "do": "straddle"},
        lambda: {"ev": "show", "seat": seat},
    )
    return choose(kinds, pick)()


def make_any_line(table: Table, pick: Pick) -> dict[str, Any]:
    """Anything at all."""
    state = table.outcome.state
    seat = 1 + pick(10)
    kinds: tuple[Callable[[], dict[str, Any]], ...] = (
        lambda: a_report(state, pick),
        lambda: a_report(state, pick),
        lambda: a_report(state, pick),
        lambda: make_card_line(state, pick),
        lambda: {
            "ev": "act",
            "seat": seat,
            "do": [do.value for do in vocabulary.ActionType][pick(len(vocabulary.ActionType))],
        },
        lambda: {"ev": "act", "seat": seat, "do": "raise", "to": pick(300)},
        lambda: {"ev": "undo"},
        lambda: {"ev": "closed"},
        lambda: {"ev": "done"},
        lambda: {"ev": "clock", "seat": seat},
        lambda: {"ev": "time", "t": state.time.time_s + pick(80)},
        lambda: {
            "ev": "floor",
            "decide": [d.value for d in vocabulary.FloorDecision][pick(len(vocabulary.FloorDecision))],
            "seat": seat,
        },
        lambda: {"ev": "floor", "decide": "revive", "seat": seat},
        lambda: {"ev": "floor", "decide": "play-on"},
        lambda: an_amendment(table, pick),
        lambda: an_amendment(table, pick),
        lambda: an_amendment(table, pick),
        lambda: {"ev": "show", "seat": seat},
        lambda: {"ev": "muck", "seat": seat},
        lambda: {"ev": "won", "seat": seat, "pot": pick(3)},
        lambda: {"ev": "draw", "seat": seat, "discard": pick(6)},
        lambda: {"ev": "twice", "count": 1 + pick(4)},
        lambda: {"ev": "seen", "at": ("board", "muck", f"seat {seat}")[pick(3)], "card": a_card(state, pick)},
        lambda: {
            "ev": "device",
            "id": ("shoe", "lamps")[pick(2)],
            "status": [s.value for s in vocabulary.DeviceChange][pick(5)],
        },
        lambda: between_hands(state, pick),
        lambda: {"ev": "start"},
    )
    return choose(kinds, pick)()


def make_rare_line(pick: Pick) -> dict[str, Any]:
    """What happens once in an evening: of the floor, the timer, the chips. With the rest it is every event that is."""
    seat = 1 + pick(10)
    kinds: tuple[dict[str, Any], ...] = (
        {"ev": "act", "seat": seat, "chips": [1 + pick(25)] * (1 + pick(3))},
        {"ev": "act", "seat": seat, "chips": [1 + pick(25)], "said": ("call", "raise", 1 + pick(60))[pick(3)]},
        {"ev": "chop"},
        {"ev": "collection", **any_collection(pick)},
        {"ev": "collect", "seat": seat, "paid": bool(pick(2))},
        {"ev": "penalty", "seat": seat, "hands": pick(3)},
        {"ev": "hand-for-hand", "on": bool(pick(2))},
        {"ev": "hand-for-hand", "go": True},
        {"ev": "last-hands", "hands": pick(4)},
        {"ev": "halt", "on": bool(pick(2))},
        {"ev": "waive-antes"},
        {"ev": "buy", "seat": seat, "chips": 1 + pick(100)},
        {"ev": "timer", "set": [do.value for do in vocabulary.TimerCommand][pick(3)]},
        {"ev": "break"},
        {"ev": "colour-up", "chip": 1 + pick(5), "to": 5 + pick(20)},
        {"ev": "level", "hand": [hand.value for hand in vocabulary.LevelStartHand][pick(2)]},
    )
    return choose(kinds, pick)


class WatchedTable:
    """A table that is looked at after every event, or only played where that is not `is_looked_at`."""

    def __init__(self, line: dict[str, Any], table: Table | None = None, *, is_looked_at: bool = True) -> None:
        """Open the table of this line, or go on with `table`, which it opened."""
        self.table = table or Table()
        self.script = [line]
        self.is_looked_at = is_looked_at
        if table is None:
            self.table.handle(parse_table_line(line))

    def take(self, line: dict[str, Any]) -> Outcome | None:
        """Play a line; returns `None` when it was refused. Raises `AssertionError` when something must not be."""
        self.script.append(line)
        with keep_script(self.script):
            return self._take(line)

    def _take(self, line: dict[str, Any]) -> Outcome | None:
        if not self.is_looked_at:
            try:
                return self.table.handle(parse_line(line))
            except Refused:
                return None
        before = self.table.outcome
        shown = outcome_rendering.render_outcome(before, 0)
        try:
            outcome = self.table.handle(parse_line(line))
        except Refused as error:
            assert self.table.outcome is before
            assert outcome_rendering.render_outcome(before, 0) == shown, "a refused line changed the table"
            check_no_hidden_card(before, (error.message,))
            return None
        sound(before.state, outcome)
        check_no_hidden_card(outcome, [ruling.text for ruling in outcome.rulings])
        return outcome


def sound(before: TableState, outcome: Outcome) -> None:
    """What must hold after any event."""
    state = outcome.state
    shown = outcome_rendering.render_outcome(outcome, 1)
    json.dumps(shown)
    for ruling in outcome.rulings:
        assert ruling.cite or ruling.verdict.value == "ask", f"no clause for {ruling.finding}"
    hand = state.hand
    if hand is None:
        return
    strange = sum(lying.is_foreign for pile in hand.cards.piles.cards_by_place.values() for lying in pile)
    whole = len(build_deck(hand.setup.deck_size, hand.setup.has_joker))
    assert hand.cards.piles.total_cards() - strange == whole, (
        f"{hand.cards.piles.total_cards() - strange} cards of {whole}"
    )
    assert hand.cards.piles.stub_count >= 0
    serials = [lying.serial for pile in hand.cards.piles.cards_by_place.values() for lying in pile]
    assert len(serials) == len(set(serials)), "a card in two places"
    check_planned_places(hand)
    if hand.plan:
        assert shown["next"], "nothing to do in the middle of a hand"
    if hand.plan and hand.setup.tracks_amounts:
        assert min(hand.chips.stack_by_seat.values(), default=0) >= 0
        assert all(bet >= 0 for bet in hand.chips.bet_by_seat.values())
        assert chips(state) == chips(before) or (hand is not before.hand and has_seating_changed(before, state))


def check_planned_places(hand: Hand) -> None:
    """The cards that steps are about to take away lie where they are taken from by then."""
    check_planned_counts(hand)
    place = {card.serial: place for place, pile in hand.cards.piles.cards_by_place.items() for card in pile}
    for step in hand.plan:
        if not isinstance(step, ReturnStep | MoveStep) or not step.serials:
            continue
        assert step.count == len(step.serials), f"{step} names other cards than it counts"
        for serial in step.serials:
            assert place.get(serial) == step.source, f"{step} of a card that is not there"
            place[serial] = step.destination


def check_planned_counts(hand: Hand) -> None:
    """As many cards as steps are about to take away lie there by then, as far as no person decides."""
    counts = Counter({place: len(pile) for place, pile in hand.cards.piles.cards_by_place.items()})
    for step in hand.plan:
        match step:
            case DealStep(seat=seat):
                counts[hand_place(seat)] += 1
            case BurnStep():
                counts[BURN] += 1
            case BoardStep(count=count):
                counts[BOARD] += count
            case DiscardStep(destination=to, count=count):
                counts[to] += count
            case ReturnStep(source="all", count=count):
                strange = sum(card.is_foreign for pile in hand.cards.piles.cards_by_place.values() for card in pile)
                out = counts.total() - counts[STUB] - counts[STUB_BOTTOM]  # an amendment's moves may not be done yet
                # A card that leaves the shoe now is gathered with the others, and counted once it is said what it is.
                assert count <= out - strange, f"{step} of {out} cards, {strange} foreign"
                assert count == out - strange or step is not hand.plan[0]
                counts.clear()
            case ReturnStep(source=source, destination=to, count=count) | MoveStep(source, to, count=count):
                assert counts[source] >= count, f"{step} of {counts[source]} cards"
                counts[source] -= count
                counts[to] += 0 if to in (STUB, STUB_BOTTOM) else count
            case _:
                if step.needs_decision:
                    return


def has_seating_changed(before: TableState, after: TableState) -> bool:
    """Whether people who came, went or left in the middle of a hand that is dealt again explain other chips."""
    if before.hand is not None and any(seat not in before.seating.state_by_seat for seat in before.hand.dealing_order):
        return True
    return {seat: c.stack for seat, c in before.seating.state_by_seat.items()} != {
        seat: c.stack for seat, c in after.seating.state_by_seat.items()
    }


def chips(state: TableState) -> int:
    """All chips at the table: those of the hand, of chairs that are not in it, and what the house took of them."""
    hand = state.hand
    if hand is None or not hand.plan:
        held = sum(chair.stack or 0 for chair in state.seating.state_by_seat.values()) + state.carried_pot.chips
        return held + house_account.count_session_chips(state)
    account = state.collection or TableCollection()
    # What was taken of the pots counts with what was paid into them.
    house = account.settled_chips + account.charge_chips + hand.collection.button_fee
    others = sum(
        chair.stack or 0 for seat, chair in state.seating.state_by_seat.items() if seat not in hand.chips.stack_by_seat
    )
    return pots.total_chips(hand) - sum(hand.showdown.won_chips_by_seat.values()) + others + house


def check_no_hidden_card(outcome: Outcome, texts: Sequence[str]) -> None:
    """No court card that lies face down is named in a text (low ranks may be plain words)."""
    hand = outcome.state.hand
    if hand is None:
        return
    for seat in hand.dealing_order:
        for lying in hand.cards.piles.cards_at(hand_place(seat)):
            if lying.card and not lying.is_face_up and lying.card[0] in "TJQK":
                assert not any(f" {lying.card} " in f" {text} ".replace(".", " ") for text in texts)


MAX_EVENTS_TO_END = 600
"""More events than any hand needs that people who do as they are told bring to its end."""


def iter_obedient_answers(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Every answer to the first step of the plan that people who do as they are told may give, the likeliest first."""
    state = outcome.state
    if state.faults:
        for fault in sorted(state.faults):
            device, _, word = fault.rpartition(" ")
            yield {"ev": "device", "id": device, "status": "lid-closed" if word == "lid-open" else "back"}
        return
    match state.plan[0]:
        case DealStep() | BurnStep() | BoardStep():
            yield {"ev": "card", "card": a_card(state, lambda _: 0)}
        case ActStep(seat=seat):
            shown = outcome_rendering.render_outcome(outcome, 1)["next"][0]
            for word in sorted(shown["options"], key=("check", "call").__contains__, reverse=True):
                least = {"to": shown["min_to"]} if word in ("bet", "raise") and "min_to" in shown else {}
                yield {"ev": "act", "seat": seat, "do": word, **least}
        case BettingRoundStep():
            yield {"ev": "closed"}
        case DrawStep(seat=seat):
            assert state.hand is not None
            surplus = len(state.hand.cards.piles.cards_at(hand_place(seat))) - len(
                state.setup.game.streets[0].deal_faces
            )
            fixed = outcome_rendering.render_outcome(outcome, 1)["next"][0].get("discard")
            yield {"ev": "draw", "seat": seat, "discard": max(0, surplus) if fixed is None else fixed}
        case ShowStep(seat=seat):
            yield {"ev": "show", "seat": seat}
            yield {"ev": "muck", "seat": seat}
        case AwardStep(is_unread=True, seats=seats, pot=pot, board=board):
            yield {"ev": "won", "seat": seats[0], "pot": pot} | ({"board": board} if board else {})
        case FloorStep(options=options):
            for option in options:
                yield {"ev": "floor", "decide": option}
                for seat in state.seating.state_by_seat:
                    yield {"ev": "floor", "decide": option, "seat": seat}
        case QuestionStep(options=options):
            if "misread" in options:
                yield from unread_upcards(state)
            for option in options:
                yield {"ev": "report", "what": option} | ({"count": 1} if option == "acted" else {})
                for seat in state.seating.state_by_seat:
                    yield {"ev": "report", "what": option, "seat": seat}
        case HoldStep():
            yield {"ev": "hand-for-hand", "go": True}
        case _:
            yield {"ev": "done"}


def unread_upcards(state: TableState) -> Iterator[dict[str, Any]]:
    """Say what each upcard is that the shoe did not read."""
    hand = state.hand
    for seat in () if hand is None else hand.dealing_order:
        for nth, lying in enumerate(() if hand is None else hand.cards.piles.cards_at(hand_place(seat)), 1):
            if lying.is_face_up and lying.card is None:
                card = a_card(state, lambda _: 0)
                yield {"ev": "report", "what": "misread", "seat": seat, "nth": nth, "card": card}


def play_to_the_end(watched: WatchedTable) -> None:
    """Let people do as they are told: every step can be carried out, and every hand and remedy ends.

    Raises `AssertionError` when a step takes no answer, or when the hand has no end.
    """
    with keep_script(watched.script):
        for _ in range(MAX_EVENTS_TO_END):
            state = watched.table.outcome.state
            if not state.plan and not state.faults:
                return
            answers = iter_obedient_answers(watched.table.outcome)
            assert any(watched.take(line) is not None for line in answers), f"nobody can do {state.plan[:1]}"
        raise AssertionError(f"no end of {watched.table.outcome.state.plan[:3]}")


def play_random_events(pick: Pick, length: int) -> WatchedTable:
    """Play `length` events of a stream on any table."""
    watched = WatchedTable(table_line(pick))
    for _ in range(length):
        watched.take(make_any_line(watched.table, pick) if pick(6) == 0 else fitting(watched.table, pick))
    return watched


def story(numbers: Iterator[int], length: int) -> WatchedTable:
    """Play `length` events of a stream on any table, and then whatever it is in the middle of to its end."""
    watched = play_random_events(picks(numbers), length)
    play_to_the_end(watched)
    return watched
