"""What the floor may enter at a table now: its answers to what the table asks, and what it may say unasked.

For whoever decides away from the table, who sees neither its keys nor its seats; the pages have the same from a
publication. A card is offered to be turned up where the table asks for it: unasked, whoever looks on says so there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.core.protocol.vocabulary import FloorDecision, ReportKind
from controller.runtime.loop.table_view import TableView
from controller.runtime.staff.permissions import Role

MAX_OFFERS = 40
"""Offers of one standing; a person chooses among fewer."""

OVERRULING_DECISIONS = (FloorDecision.PLAY_ON, FloorDecision.MISDEAL, FloorDecision.VOID, FloorDecision.DEAD_HAND)
"""Decisions with which the floor sets a ruling aside, or rules where the table has not: they say why."""

FloorOffer = dict[str, object]
"""`line`: of the table script, as it would be entered; `asked`: whether the table waits for it; `why`: whether it wants
a reason, which goes into the line."""


def list_floor_offers(standing: TableView | None) -> tuple[FloorOffer, ...]:
    """Say them, what the table waits for first."""
    return () if standing is None else tuple(_iter_floor_offers(standing))[:MAX_OFFERS]


def _iter_floor_offers(standing: TableView) -> Iterator[FloorOffer]:
    table: Mapping[str, Any] = standing.output_line
    piles: Mapping[str, Any] = table.get("piles", {})
    holding = [int(seat) for seat in piles.get("seats", {})]
    question = next((step for step in table.get("next", ()) if step["step"] == "floor"), None)
    if question is not None:
        for option in question["options"]:
            yield from (_make_offer(line, asked=True) for line in _iter_answer_lines(question, option, holding))
    for fault in standing.faults:
        if fault.id and Role.FLOOR.value in fault.clears:
            yield _make_offer({"ev": "device", "id": fault.id, "status": "back"}, asked=True)
    yield from (_make_offer(line) for line in standing.floor_entries)
    if question is None and table.get("hand") and table.get("phase") not in ("idle", "halted"):
        for decision in OVERRULING_DECISIONS:
            seats: Sequence[int | None] = holding if decision is FloorDecision.DEAD_HAND else [None]
            yield from (_make_offer(_make_decision_line(decision.value, seat), why=True) for seat in seats)


def _iter_answer_lines(
    question: Mapping[str, Any], option: str, holding: Sequence[int]
) -> Iterator[Mapping[str, object]]:
    if option == FloorDecision.TURNED_UP.value:
        about = {key: question[key] for key in ("seat", "where", "nth") if key in question}
        yield {**_make_decision_line(option, None), **about}
        return
    opener = question["question"] == ReportKind.FALSE_OPENERS.value and option == FloorDecision.PLAY_ON.value
    if option == FloorDecision.DEAD_HAND.value and question.get("seat") is not None:
        yield _make_decision_line(option, question["seat"])
    elif option == FloorDecision.DEAD_HAND.value or opener:
        yield from (_make_decision_line(option, seat) for seat in holding)
    else:
        yield _make_decision_line(option, None)


def _make_decision_line(option: str, seat: int | None) -> Mapping[str, object]:
    return {"ev": "floor", "decide": option} | ({} if seat is None else {"seat": seat})


def _make_offer(line: Mapping[str, object], *, asked: bool = False, why: bool = False) -> FloorOffer:
    return {"line": dict(line), "asked": asked, "why": why}
