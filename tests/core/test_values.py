"""A value is never written to, and its text names no card that lies face down."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from config.table_line import parse_table_line
from controller import core
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.core.protocol.events import CardDealt
from controller.core.protocol.steps import MoveStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ValueForm
from controller.core.values.cards import JOKER
from controller.core.values.seat_state import SeatState
from controller.core.values.value import MutableValue, Struct, Value, replace

SCENARIOS = Path(__file__).parents[1] / "conformance" / "scenarios"

HIDDEN = "Qc"


def kinds(base: type[Struct]) -> Iterator[type[Struct]]:
    """Every class of the core's values."""
    for kind in base.__subclasses__():
        if kind.__module__.startswith("controller.core."):
            yield kind
        yield from kinds(kind)


for module in pkgutil.walk_packages(core.__path__, "controller.core."):
    importlib.import_module(module.name)
VALUES = sorted({*kinds(Value)}, key=repr)
ALL = sorted({*VALUES, *kinds(MutableValue)}, key=repr)


def names_a_card(hint: object) -> bool:
    """Whether what an annotation allows is a card's name, or holds one."""
    return ValueForm.CARD in getattr(hint, "__metadata__", ()) or any(map(names_a_card, get_args(hint)))


def make_value(kind: type[Struct], **held: object) -> Struct:
    """A value of a class, whose fields hold nothing but numbers, or what is said: nothing looks at what they hold."""
    return kind(**(dict.fromkeys(kind.__struct_fields__, 77) | held))


def test_all_classes_of_the_core_are_found() -> None:
    assert len(ALL) > 150
    assert {kind.__name__ for kind in ALL if kind not in VALUES} == {"TableState", "Hand", "Round", "_ReplaySlot"}


@pytest.mark.parametrize("kind", VALUES, ids=repr)
def test_no_field_of_a_value_is_written_to_or_taken_away(kind: type[Struct]) -> None:
    value = make_value(kind)
    for name in (*kind.__struct_fields__, "unheard_of"):
        with pytest.raises(AttributeError):
            setattr(value, name, None)
        with pytest.raises(AttributeError):
            delattr(value, name)


@pytest.mark.parametrize("kind", ALL, ids=repr)
def test_an_unknown_field_is_an_error_in_every_form(kind: type[Struct]) -> None:
    value = make_value(kind)
    with pytest.raises(TypeError, match="unheard_of"):
        replace(value, unheard_of=1)
    with pytest.raises(TypeError, match="unheard_of"):
        kind(**dict.fromkeys(kind.__struct_fields__, 1), unheard_of=1)
    with pytest.raises(AttributeError):
        value.unheard_of = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ALL, ids=repr)
def test_no_value_shows_a_field_that_names_a_card(kind: type[Struct]) -> None:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in kind.__struct_fields__ and names_a_card(hint):
            assert HIDDEN not in repr(make_value(kind, **{name: HIDDEN})), name


@pytest.mark.parametrize("kind", ALL, ids=repr)
def test_what_a_text_leaves_out_is_a_field(kind: type[Struct]) -> None:
    assert vars(kind).get("hidden", frozenset()) <= set(kind.__struct_fields__), "a renamed field would be shown"


def test_a_value_shows_what_differs_from_how_it_begins() -> None:
    assert repr(SeatState(3, "Ann", 200, is_away=True)) == "SeatState(seat=3, player='Ann', stack=200, is_away=True)"
    assert repr(CardDealt("As", face_up=True, time_s=1.0)) == "CardDealt(face_up=True, time_s=1.0)"
    assert repr(MoveStep("muck", "seat 1", "".join(["ha", "nd"]))) == repr(MoveStep("muck", "seat 1"))


FAMILIES = sorted({path.relative_to(SCENARIOS).parts[0] for path in SCENARIOS.rglob("*.jsonl")})


@pytest.mark.parametrize("family", FAMILIES)
def test_no_state_of_a_scenario_shows_a_card_that_lies_face_down(family: str) -> None:
    hidden = 0
    for path in SCENARIOS.joinpath(family).rglob("*.jsonl"):
        first, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        first.pop("expect", None)
        table = Table()
        try:
            table.handle(parse_table_line(first))
        except Refused:
            continue
        for line in lines:
            line.pop("expect", None)
            with suppress(Refused):
                table.handle(script_lines.parse_line(line))
            cards = face_down(table)
            hidden += len(cards)
            shown = repr((table.outcome.rulings, table.outcome.state.hand))
            assert not [card for card in cards if repr(card) in shown], (path.name, line)
        shown = repr((table.to_memory(), table.history, table.outcome.state.undo.previous))
        assert not [card for card in face_down(table) if repr(card) in shown], path.name
    assert hidden > 100


def face_down(table: Table) -> set[str]:
    """The cards that lie face down on a table and that no player has shown."""
    hand = table.outcome.state.hand
    if hand is None:
        return set()
    shown = {card for cards in hand.showdown.tabled_cards_by_seat.values() for card in cards or ()}
    lying = [lying for pile in hand.cards.piles.cards_by_place.values() for lying in pile]
    up = {lying.card for lying in lying if lying.is_face_up} | shown
    return {lying.card for lying in lying if lying.card is not None} - up - {JOKER}  # a word of set-ups and games, too
