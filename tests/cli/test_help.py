"""`tablectl --help` and that of every command: what a technician reads first."""

from collections.abc import Callable

import pytest

from controller.cli import COMMANDS

Tablectl = Callable[..., tuple[int, str, str]]

FOR_TECHNICIANS = (
    ("check",), ("doctor",), ("ports",), ("udev",), ("wiring",), ("monitor",), ("lamps", "test"), ("gate", "test"),
    ("deck", "register"), ("record",), ("play",),
)  # fmt: skip


def helped(tablectl: Tablectl, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        tablectl(*words, "--help")
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_every_command_is_listed(tablectl: Tablectl, capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(tablectl, capsys)
    for command in COMMANDS:
        assert f"\n    {command}" in text


@pytest.mark.parametrize("words", FOR_TECHNICIANS, ids=" ".join)
def test_every_command_explains_itself(
    tablectl: Tablectl, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    text = helped(tablectl, capsys, *words)
    assert text.startswith(f"usage: tablectl {' '.join(words)}")
    assert len(text.split("\n\n")[1].split()) > 8, "a sentence says what it does"
