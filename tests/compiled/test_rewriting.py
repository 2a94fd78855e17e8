"""A module that was rewritten for mypyc does what the source does, to every use that the program makes of it."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiled import build, runtime, verbs
from compiled.explicit import RUNTIME, explicit
from compiled.spelling import enums_of, spelled, tuples_of
from controller.core.protocol import steps

ROOT = Path(__file__).parents[2]

SOURCE = '''
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from functools import cached_property
from typing import ClassVar, NamedTuple

from controller.core.values.copyable import Value
from controller.core.protocol.vocabulary import Do

FIRST, LAST = "first", "last"
WAGERS: tuple[Do, ...] = (Do.BET, Do.RAISE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What all have."""

    marked: ClassVar[bool] = False
    of: int = -1


@dataclass(frozen=True, slots=True)
class Leaf(Base):
    """One that has more."""

    marked: ClassVar[bool] = True

    seat: int
    hidden: str | None = field(default=None, repr=False)
    cards: tuple[str, ...] = ()

    @property
    def first(self) -> str | None:
        return self.cards[0] if self.cards else None


@dataclass(repr=False)
class Group(Value):
    """One that is copied."""

    leaf: Leaf
    bets: dict[int, int] = field(default_factory=dict)
    """What lies there."""
    before: "Group | None" = None


@dataclass(frozen=True)
class Asked:
    """One that works something out once."""

    numbers: tuple[int, ...]

    @cached_property
    def total(self) -> int:
        return sum(self.numbers)


class Lying(NamedTuple):
    """One with members that may be left out."""

    serial: int
    card: str | None
    up: bool = False
    strange: bool = False
    proven: bool = True


def lying(serial: int) -> list[Lying]:
    members = (serial, None)
    return [
        Lying(serial, "As"),
        Lying(serial, "As", proven=Lying(1, None, strange=True).strange),
        Lying(serial=serial, card="As", up=Do.BET in WAGERS),
        Lying(card="As", serial=serial),
        Lying(*members),
        Lying(
            serial,
            card="As",
        ),
        Lying(serial, "As", True, False, False),
    ]


MARKED = (Leaf, Group)


def place(step: Base | int, *others: int) -> str:
    if isinstance(step, Leaf | Group) and isinstance(step, MARKED) and step.seat in (0, *others):
        return FIRST
    return LAST


def name(do: Do) -> str:
    match do:
        case Do.FOLD:
            return "out"
        case _:
            return "wager" if do in WAGERS else Do.CALL.value
'''


def rewritten(source: str, known: dict[str, Any] | None = None) -> str:
    enums = enums_of((ROOT / "controller/core/protocol/vocabulary.py").read_text())
    return explicit(spelled(source, enums, tuples_of(source)), {} if known is None else known)


@pytest.fixture(params=["source", "rewritten"])
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of the module, in both forms: what holds of the one must hold of the other."""
    monkeypatch.setitem(sys.modules, RUNTIME, runtime)
    names: dict[str, Any] = {"__name__": __name__}
    exec(SOURCE if request.param == "source" else rewritten(SOURCE), names)
    return names


def test_a_data_class_is_made_compared_and_shown_as_before(made: dict[str, Any]) -> None:
    leaf = made["Leaf"](4, "As", ("2c",), of=3)
    assert (leaf.seat, leaf.hidden, leaf.cards, leaf.of, leaf.first, leaf.marked) == (4, "As", ("2c",), 3, "2c", True)
    assert repr(leaf) == "Leaf(of=3, seat=4, cards=('2c',))"
    assert leaf == made["Leaf"](4, "As", ("2c",), of=3)
    assert leaf != made["Leaf"](4, "As", ("2c",))
    assert leaf != (4, "As")
    assert len({leaf, made["Leaf"](4, "As", ("2c",), of=3)}) == 1
    with pytest.raises(TypeError):
        made["Leaf"]()
    with pytest.raises(TypeError):
        made["Leaf"](1, None, (), 3)


def test_dataclasses_knows_its_fields_and_replaces_them(made: dict[str, Any]) -> None:
    leaf = made["Leaf"](4)
    assert [each.name for each in dataclasses.fields(leaf)] == ["of", "seat", "hidden", "cards"]
    assert [each.type for each in dataclasses.fields(leaf)] == [int, int, str | None, tuple[str, ...]]
    assert [each.default for each in dataclasses.fields(leaf)][2:] == [None, ()]
    assert dataclasses.replace(leaf, of=2) == made["Leaf"](4, of=2)
    assert dataclasses.asdict(leaf) == {"of": -1, "seat": 4, "hidden": None, "cards": ()}
    assert made["Leaf"].__match_args__ == ("seat", "hidden", "cards")
    assert {each.name: each.type for each in dataclasses.fields(made["Group"])}["before"] == "Group | None"


def test_a_value_is_copied_changed_and_taken_on(made: dict[str, Any]) -> None:
    group = made["Group"](made["Leaf"](1))
    assert group.bets == {}
    assert made["Group"](made["Leaf"](1)).bets is not group.bets
    copied = group.copy()
    copied.bets = {1: 2}
    assert group.bets == {}
    changed = copied.changed(before=group)
    assert (changed.before, changed.bets, copied.before) == (group, {1: 2}, None)
    group.become(changed)
    assert group == changed
    assert repr(copied) == "Group(leaf=Leaf(of=-1, seat=1, cards=()), bets={1: 2})"


def test_a_named_tuple_has_its_members_in_order(made: dict[str, Any]) -> None:
    rest = [(False, False, True), (False, False, True), (True, False, True), (False, False, True), (False, False, True)]
    rest += [(False, False, True), (True, False, False)]
    found = made["lying"](3)
    assert all(type(each) is made["Lying"] for each in found)
    assert found == [(3, None if number == 4 else "As", *each) for number, each in enumerate(rest)]


def test_what_is_worked_out_is_kept(made: dict[str, Any]) -> None:
    asked = made["Asked"]((1, 2, 3))
    assert (asked.total, asked.total) == (6, 6)
    assert asked == made["Asked"]((1, 2, 3))


def test_functions_say_the_same(made: dict[str, Any]) -> None:
    leaf, do = made["Leaf"](4), made["Do"]
    assert [made["place"](leaf), made["place"](leaf, 1, 4), made["place"](7)] == ["last", "first", "last"]
    assert [made["name"](each) for each in (do.FOLD, do.BET, do.CHECK)] == ["out", "wager", "call"]


PLAN = ROOT / "controller/core/model/plan.py"


def test_every_verb_of_a_plan_is_a_function_that_does_the_same() -> None:
    source = PLAN.read_text()
    of_plan = verbs.verbs_of(source)
    names: dict[str, Any] = {"__name__": __name__}
    exec(verbs.defined(source, of_plan), names)
    first, second, third = steps.Deal(1, of=0), steps.Board("flop", 3, of=1), steps.Act(2)
    plan = names["Plan"]((first, second, third))
    asked: dict[str, tuple[Any, ...]] = {
        "now": (), "due": (steps.Deal,), "has": (steps.Act,), "every": (steps.Deal, steps.Act), "next": (steps.Act,),
        "first": (third,), "then": (first,), "before": (second, third), "done": (), "without_last": (),
        "without": (steps.Deal,), "less": (third,), "replaced": (second, first), "instead": (third,),
        "served": (second,), "once_more": (first,), "parted": (second,), "_place": (third,),
    }  # fmt: skip
    assert set(asked) == set(of_plan)
    for verb, given in asked.items():
        does = getattr(plan, verb) if of_plan[verb] else getattr(plan, verb)(*given)
        found = names[f"_plan_{verb.strip('_')}"](plan, *given)
        assert (found, type(found)) == (does, type(does))


def test_verbs_are_called_as_functions_wherever_a_plan_stands_in_a_field() -> None:
    source = (
        '"""A text."""\n\nfrom x import y\n\nz = hand.plan.without(y).then(*hand.plan.every(y), y) or state.plan.now\n'
    )
    assert verbs.called(source, {"without": False, "then": False, "every": False, "now": True}) == (
        '"""A text."""\n\nfrom controller.core.model.plan import _plan_every, _plan_now, _plan_then, _plan_without; '
        "from x import y\n\n"
        "z = _plan_then(_plan_without(hand.plan, y), *_plan_every(hand.plan, y), y) or _plan_now(state.plan)\n"
    )
    assert verbs.called("hand.plan.done()\n", {"done": False}).endswith("; _plan_done(hand.plan)\n")
    assert verbs.called("hand.plan.count(1)\n", {"done": False}) == "hand.plan.count(1)\n"


def test_an_option_of_a_field_that_the_build_does_not_know_stops_it() -> None:
    with pytest.raises(ValueError, match="`seat` has an option `hash`"):
        explicit("from x import y\n\n@dataclass\nclass A:\n    seat: int = field(hash=False)\n", {})


def test_the_rewritten_core_gives_the_answers_of_the_source(tmp_path: Path) -> None:
    build.written(tmp_path)
    asked = [
        "-P",
        "-m",
        "tests.conformance.answers",
        *map(str, sorted(ROOT.glob("tests/conformance/scenarios/*draw*"))),
    ]
    answers = {
        form: subprocess.run(
            [sys.executable, *asked],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
            capture_output=True,
            check=True,
        ).stdout
        for form, path in (("source", (ROOT,)), ("rewritten", (tmp_path, ROOT)))
    }
    assert answers["source"]
    assert answers["rewritten"] == answers["source"]
    assert "_describe(State" in (tmp_path / "controller/core/model/state.py").read_text()
