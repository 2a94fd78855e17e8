"""The core's own data classes are filled as those of the library are."""

import dataclasses
from typing import Any

import pytest

from controller.core.values import data


def kind(decorator: Any) -> Any:  # noqa: ANN401 - a data class by either decorator
    """Fields as classes of the core have them: without a value, with one, with a new one each, by name alone."""

    class Kind:
        plain: int
        text: str = "a"
        several: dict[int, int] = dataclasses.field(default_factory=dict)
        named: int | None = dataclasses.field(default=None, kw_only=True)

    return decorator(slots=True)(Kind)


GIVEN: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((1,), {}),
    ((1, "b", {2: 3}), {"named": 4}),
    ((), {"plain": 1, "several": {}}),
    ((), {}),
    ((1, "b", {}, 4), {}),
    ((1,), {"plain": 2}),
    ((1,), {"other": 2}),
)


@pytest.mark.parametrize(("values", "named"), GIVEN)
def test_the_first_and_the_second_are_filled_as_by_the_library(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = kind(data.dataclass), kind(dataclasses.dataclass)
    for _ in range(2):
        try:
            wanted = dataclasses.asdict(theirs(*values, **named))
        except TypeError:
            with pytest.raises(TypeError):
                ours(*values, **named)
        else:
            assert dataclasses.asdict(ours(*values, **named)) == wanted


def test_a_value_of_its_own_is_shared_by_none() -> None:
    ours = kind(data.dataclass)
    assert ours(1).several is not ours(1).several


def test_nothing_is_compiled_for_a_class_before_the_first_is_made() -> None:
    ours = kind(data.dataclass)
    before = ours.__init__
    ours(1)
    compiled = ours.__init__
    assert compiled is not before
    ours(1)
    assert ours.__init__ is compiled
