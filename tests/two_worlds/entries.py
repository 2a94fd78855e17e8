"""Every entry that anybody could make at a table as it stands, whether or not it fits: lines of the table script."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

from controller.core.model.table_state import TableState
from controller.core.protocol import script_lines, vocabulary
from controller.core.protocol.collection_terms import CollectionKind
from controller.core.protocol.events import FloorDecided
from controller.core.protocol.script_keys import LINE_KEYS
from controller.runtime.faults.fault_table import FAULTS, make_clear_event

Line = Mapping[str, Any]

NTHS = (1, 2, 3, 7)
PLACES = ("burn", "board", "muck")

TURNED_UP = "turned-up"
"""The floor's decision by which a card that lies face down is turned up with everybody looking."""


@dataclass(frozen=True)
class EntryWords:
    """What the entries may speak of: chairs (one of them empty), names of cards, the lines that stand.

    `names`: of each world cards that lie face down there, one that lies open in both, one that is out in neither.
    `lines`: number and line of what was entered in this hand, as everybody may read it.
    """

    seats: Sequence[int]
    names: Sequence[str]
    lines: Sequence[tuple[int, Line]]


def list_entries(state: TableState, words: EntryWords) -> dict[str, list[Line]]:
    """Every entry by its kind: a report by its word, a decision, an amendment of what, or the word of the line."""
    kinds: dict[str, list[Line]] = {}
    whats = {kind.value: list(_iter_reports(kind, words)) for kind in vocabulary.ReportKind}
    kinds |= {f"report {what}": lines for what, lines in whats.items()}
    for decision in vocabulary.FloorDecision:
        kinds[f"floor {decision.value}"] = list(_iter_decisions(decision.value, words))
    for line in _iter_other_lines(state, words):
        kinds.setdefault(str(line["ev"]), []).append(line)
    some = list(chain.from_iterable(whats[what][:40] for what in ("misread", "exposed", "boxed", "no-burn")))
    kinds |= _list_amendments(words, some)
    return kinds


def _iter_reports(kind: vocabulary.ReportKind, words: EntryWords) -> Iterator[Line]:
    keys = kind.terms.keys
    values: dict[str, Sequence[Any]] = {
        "seat": words.seats, "nth": NTHS, "count": (1, 2, 4), "card": words.names, "by": ("player",), "to": (1, 4, 40),
        "from": words.seats[:2], "where": [place.value for place in vocabulary.CardPlace], "hand": ("previous",),
        "burned": (False,), "street": ("flop", "third", "draw"), "acted": (0, 2), "chips": (True,), "refused": (True,),
        "mixed": [mixture.value for mixture in vocabulary.StubMixture],
    }  # fmt: skip
    line: dict[str, Any] = {"ev": "report", "what": kind.value}
    own = {key: values[key] for key in keys}
    yield line
    yield line | {"witnessed": True}
    for first, key in enumerate(keys):
        for value in own[key]:
            yield line | {key: value}
            for other in keys[first + 1 :]:
                yield from (line | {key: value, other: each} for each in own[other])
    if "seat" in own and "nth" in own:
        rest = [{key: value} for key in keys if key not in ("seat", "nth") for value in own[key]]
        for seat, nth, more in product(own["seat"], NTHS, [*rest, {"witnessed": True}]):
            yield line | {"seat": seat, "nth": nth} | more
    if "where" in own and "card" in own:
        for where, nth, card in product(own["where"], NTHS, own["card"]):
            yield line | {"where": where, "nth": nth, "card": card}


def _iter_decisions(decision: str, words: EntryWords) -> Iterator[Line]:
    line = {"ev": "floor", LINE_KEYS[FloorDecided][0]: decision}
    yield line
    yield from (line | {"seat": seat} for seat in words.seats)
    if "nth" in LINE_KEYS[FloorDecided]:
        yield from (line | {"seat": seat, "nth": nth} for seat in words.seats for nth in NTHS)
        yield from (line | {"where": place, "nth": nth} for place in PLACES for nth in NTHS)
        yield from (line | {"where": place} for place in PLACES)


def _iter_other_lines(state: TableState, words: EntryWords) -> Iterator[Line]:
    """Every word but `report`, `floor` and `amend`."""
    names = words.names
    size = (state.hand or state).setup.game.hand_size
    pairs = [list(names[:size]), list(names[1 : size + 1]), list(names[:1]) * size]
    yield {"ev": "card", "card": None}
    yield from ({"ev": "card", "card": name} for name in names)
    yield from ({"ev": "done"} | more for more in ({}, *({"card": name} for name in names)))
    for word in ("start", "undo", "closed", "chop", "waive-antes", "level", "tournament-over", "break"):
        yield {"ev": word}
    yield {"ev": "start", "bomb_pot": 4}
    for seat in words.seats:
        for word in ("muck", "won", "clock", "leave", "away", "back", "collect"):
            yield {"ev": word, "seat": seat}
        yield {"ev": "won", "seat": seat, "pot": 1}
        yield {"ev": "won", "seat": seat, "board": 1}
        yield {"ev": "back", "seat": seat, "post": True}
        yield {"ev": "sit", "seat": seat, "player": "Ana", "stack": 100}
        yield {"ev": "stack", "seat": seat, "stack": 150}
        yield {"ev": "buy", "seat": seat, "chips": 50}
        yield from ({"ev": "penalty", "seat": seat} | more for more in ({"hands": 1}, {"rounds": 1}, {"hands": 0}))
        yield from ({"ev": "draw", "seat": seat, "discard": count} for count in range(6))
        for action in vocabulary.ActionType:
            yield from ({"ev": "act", "seat": seat, "do": action.value} | more for more in ({}, {"to": 8}))
        yield from ({"ev": "act", "seat": seat} | said for said in ({"chips": [5]}, {"said": "raise"}, {"said": 9}))
        yield {"ev": "show", "seat": seat}
        yield from ({"ev": "show", "seat": seat, "cards": cards} for cards in (*pairs, ["joker"] * size))
        yield {"ev": "show", "seat": seat, "asked": words.seats[0]}
    yield from ({"ev": "twice", "count": count} for count in (2, 3))
    yield from ({"ev": "game", "game": game} for game in ("holdem", "razz", state.setup.game.name))
    yield from ({"ev": "hand-for-hand"} | more for more in ({"on": True}, {"on": False}, {"go": True}))
    yield from ({"ev": "last-hands"} | more for more in ({}, {"hands": 2}))
    yield from ({"ev": "halt", "on": on} for on in (True, False))
    yield from ({"ev": "timer", "set": do.value} for do in vocabulary.TimerCommand)
    yield {"ev": "colour-up", "chip": 1, "to": 5}
    yield from ({"ev": "colour-up", "chip": 1, "to": 5, "cards": [name]} for name in names)
    yield from ({"ev": "collection", "kind": kind.value} for kind in CollectionKind)
    yield from (script_lines.format_line(make_clear_event(code)) for code in FAULTS)
    yield {"ev": "seen", "at": "board", "card": names[0]}
    yield {"ev": "time"}


def _list_amendments(words: EntryWords, reports: Sequence[Line]) -> dict[str, list[Line]]:
    """Every earlier line taken out, named otherwise, or with another put before it."""
    found: dict[str, list[Line]] = {}
    for number, line in words.lines:
        word = str(line["ev"])
        lines = found.setdefault(f"amend {word}", [])
        at: dict[str, Any] = {"ev": "amend", "line": number}
        instead: list[Line | None] = [None, dict(line)]
        match word:
            case "card":
                instead += [{"ev": "card", "card": name} for name in (None, *words.names)]
                instead += [{"ev": "card", "card": words.names[0], "face": "up"}]
            case "act":
                instead += [{**line, "do": action.value} for action in vocabulary.ActionType]
                instead += [{**line, "seat": seat} for seat in words.seats]
            case "draw":
                instead += [{**line, "discard": count} for count in range(4)]
            case "show" | "muck" | "report" | "floor" | "won":
                instead += [{**line, "seat": seat} for seat in words.seats]
            case "done":
                instead += [{"ev": "done", "card": name} for name in words.names]
            case _:
                pass
        lines += [at | {"to": to} for to in instead]
        lines.append(at | {"to": dict(line), "drop": [number + 1]})
        before: dict[str, Any] = {"ev": "amend", "before": number}
        put = [{"ev": "card", "card": words.names[0]}, {"ev": "show", "seat": words.seats[0]}, *reports]
        found.setdefault(f"amend before {word}", []).extend(before | {"to": to} for to in put)
        also = {"also": [{"line": number, "to": None}]}
        found["amend also"] = [*found.get("amend also", ()), before | {"to": put[0]} | also]
    return found
