"""What a sign at a cash table says: game, minimum buy-in, what the house takes, its least and most [AU-7.2, AU-8.1]."""

from typing import Any

from controller.core.model.setup import Setup
from controller.core.model.table_state import TableState
from controller.core.play.seating.seat_taking import find_min_buy_in
from controller.core.protocol.collection_terms import CollectionKind, CollectionTerms
from controller.core.protocol.script_lines import format_collection
from controller.core.rules.questions.house.collection_rules import UnwillingPlayer
from controller.core.rules.questions.house.table_rules import GameMode

MINUTES_PER_HOUR = 60


def render_notice(state: TableState) -> dict[str, Any] | None:
    """The notice of a table as it stands now, which changes with the terms [AU-8.3]; `None` in a tournament.

    `terms`: the collection as the table line has it; `sign`: the same with what it leaves out, by the kind: `least` and
    `most` of a hand (`None`: no cap), `caps`, `step`, `no_flop_no_drop`, or `hourly`, the most of a player in an hour.
    `least_percent`: of a rake that the book allows; `most_waiting`: of how many who wait for a seat one may decline;
    `buy_in`: the least full one, 0 where the book sets none; `has_money`: something is taken, or was.
    """
    setup = state.setup
    if setup.mode is GameMode.TOURNAMENT:
        return None
    return {
        "game": setup.game.title,
        "buy_in": find_min_buy_in(setup)[1],
        "terms": format_collection(setup.collection),
        "sign": _render_sign(setup, setup.collection or CollectionTerms(CollectionKind.NONE)),
        "least_percent": setup.rulebook.collection.least_percent.value,
        "most_waiting": _find_most_waiting(setup),
        "has_money": state.collection is not None,
    }


def _find_most_waiting(setup: Setup) -> int | None:
    """Of how many who wait for a seat a player may decline the time charge; `None`: the book does not ask that."""
    book = setup.rulebook.collection
    rule = book.unwilling if setup.game.has_button else book.unwilling_stud
    return None if rule.value is UnwillingPlayer.DEALT_OUT else book.most_waiting.value


def _render_sign(setup: Setup, terms: CollectionTerms) -> dict[str, Any]:
    kind = {"kind": terms.kind.value}
    if terms.kind is CollectionKind.NONE:
        return kind
    if terms.kind is CollectionKind.TIME:
        hourly = terms.fee * MINUTES_PER_HOUR / terms.minutes
        return {**kind, "fee": terms.fee, "minutes": terms.minutes, "hourly": hourly}
    if terms.kind is not CollectionKind.RAKE:
        return {**kind, "least": 0, "most": terms.fee}
    own = terms.is_flop_needed
    return {
        **kind,
        "percent": terms.half_percent / 2,
        "least": 0,
        "most": terms.cap,
        "caps": [list(entry) for entry in sorted(terms.caps)],
        "step": terms.step or setup.stakes.smallest_chip,
        "no_flop_no_drop": setup.rulebook.collection.no_flop_no_drop.value if own is None else own,
    }
