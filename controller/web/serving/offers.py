"""What the floor may enter at a table now: its answers to what the table asks, and what it may say unasked.

For whoever decides away from the table, who sees neither its keys nor its seats; the pages have the same from a
publication.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.core.protocol.vocabulary import Decide, What
from controller.runtime.loop.standing import Standing
from controller.runtime.staff.authority import Role

MOST = 40
"""Offers of one standing; a person chooses among fewer."""

SET_ASIDE = (Decide.PLAY_ON, Decide.MISDEAL, Decide.VOID, Decide.DEAD_HAND)
"""Decisions with which the floor sets a ruling aside, or rules where the table has not: they say why."""

Offer = dict[str, object]
"""`line`: of the table script, as it would be entered; `asked`: whether the table waits for it; `why`: whether it wants
a reason, which goes into the line."""


def offers(standing: Standing | None) -> tuple[Offer, ...]:
    """Say them, what the table waits for first."""
    return () if standing is None else tuple(_offers(standing))[:MOST]


def _offers(standing: Standing) -> Iterator[Offer]:
    table: Mapping[str, Any] = standing.output
    piles: Mapping[str, Any] = table.get("piles", {})
    holding = [int(seat) for seat in piles.get("seats", {})]
    question = next((step for step in table.get("next", ()) if step["step"] == "floor"), None)
    if question is not None:
        for option in question["options"]:
            yield from (_offer(line, asked=True) for line in _answers(question, option, holding))
    for fault in standing.faults:
        if fault.id and Role.FLOOR.value in fault.clears:
            yield _offer({"ev": "device", "id": fault.id, "status": "back"}, asked=True)
    yield from (_offer(line) for line in standing.for_floor)
    if question is None and table.get("hand") and table.get("phase") not in ("idle", "halted"):
        for decision in SET_ASIDE:
            seats: Sequence[int | None] = holding if decision is Decide.DEAD_HAND else [None]
            yield from (_offer(_decision(decision.value, seat), why=True) for seat in seats)


def _answers(question: Mapping[str, Any], option: str, holding: Sequence[int]) -> Iterator[Mapping[str, object]]:
    opener = question["question"] == What.FALSE_OPENERS.value and option == Decide.PLAY_ON.value
    if option == Decide.DEAD_HAND.value and question.get("seat") is not None:
        yield _decision(option, question["seat"])
    elif option == Decide.DEAD_HAND.value or opener:
        yield from (_decision(option, seat) for seat in holding)
    else:
        yield _decision(option, None)


def _decision(option: str, seat: int | None) -> Mapping[str, object]:
    return {"ev": "floor", "decide": option} | ({} if seat is None else {"seat": seat})


def _offer(line: Mapping[str, object], *, asked: bool = False, why: bool = False) -> Offer:
    return {"line": dict(line), "asked": asked, "why": why}
