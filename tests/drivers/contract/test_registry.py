from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pytest

from drivers.contract.device_errors import DriverConfigError
from drivers.contract.driver_registry import DRIVERS, DriverKey, build_driver


@pytest.mark.parametrize(
    ("value", "annotation", "wanted"),
    [
        (3, int, True),
        (True, int, False),
        (3.0, int, False),
        (3, float, True),
        (True, float, False),
        ("a", str, True),
        (None, int | None, True),
        (3, int | None, True),
        ("3", int | None, False),
        ("low", Literal["low", "high"], True),
        ("Low", Literal["low", "high"], False),
        (1, Literal[True], False),
        ({"a": 1}, Mapping[str, int], True),
        ({"a": "1"}, Mapping[str, int], False),
        ({"a": {"1": 0}}, Mapping[str, Mapping[str, int]], True),
        ({"a": 0}, Mapping[str, Mapping[str, int]], False),
        (["a"], Sequence[str], True),
        ("a", Sequence[str], False),
        ([1], Sequence[str], False),
    ],
)
def test_values_fit_annotations(value: object, annotation: Any, wanted: bool) -> None:  # noqa: ANN401
    assert DriverKey("key", annotation, is_required=True).is_right(value) is wanted


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (int, "a whole number"),
        (int | None, "a whole number"),
        (float, "a number"),
        (bool, "true or false"),
        (Literal["low", "high"], "'low' or 'high'"),
        (Mapping[str, int], "a table, each entry a whole number"),
        (Sequence[str], "a list, each entry a text"),
    ],
)
def test_annotations_in_words(annotation: Any, words: str) -> None:  # noqa: ANN401
    assert DriverKey("key", annotation, is_required=True).accepted_text == words


def test_unknown_annotation_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="cannot be annotated"):
        DriverKey("key", bytes, is_required=True).is_right(b"")


def test_unknown_driver_lists_what_there_is() -> None:
    with pytest.raises(DriverConfigError) as caught:
        build_driver("rdm630", "shoe", {})
    listed = ", ".join(sorted(DRIVERS))
    assert str(caught.value) == f"device 'shoe', key 'driver': there is no driver 'rdm630'; there are {listed}"
    assert (caught.value.device, caught.value.key) == ("shoe", "driver")


@pytest.mark.parametrize(
    ("driver", "keys", "message"),
    [
        ("rdm6300", {"modell": "id-12la"}, "driver 'rdm6300' has no such key; its keys are model, confirm_frames"),
        ("rdm6300", {"model": "id-3"}, "it must be 'rdm6300' or 'id-12la' or 'id-20la', not 'id-3'"),
        ("gate", {"pin": 17, "open_level": "high"}, "driver 'gate' needs it: 'locked' or 'open'"),
        ("gate", {"pin": True, "open_level": "high", "fail_safe": "open"}, "it must be a whole number, not True"),
        ("key_panel", {"keys": {}}, "a panel needs at least one key: name = BCM pin"),
        ("key_panel", {"keys": {"a": 5, "b": 5}}, "pin 5 is already 'keys.a'; give every role a pin of its own"),
        ("key_panel", {"keys": {"a": 28}}, "there is no pin 28; a BCM number is 0 to 27"),
        ("key_panel", {"keys": {"a": 5}, "hold": ["b"]}, "there is no key 'b'; there are a"),
        (
            "key_panel",
            {"keys": {"a": 5}, "hold_seconds": 12},
            "it must lie between 0 and stuck_seconds (10), not 12",
        ),
    ],
)
def test_refusals_word_for_word(driver: str, keys: dict[str, object], message: str) -> None:
    with pytest.raises(DriverConfigError) as caught:
        build_driver(driver, "x", keys)
    assert caught.value.message == message
