"""How far a long command is: for eyes alone."""

import io

import pytest

from controller.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))


@pytest.mark.usefixtures("slow")
def test_a_terminal_sees_how_far_it_is_and_then_nothing_of_it() -> None:
    terminal = Terminal()
    assert list(progress.show_progress("abc", "records", output=terminal)) == ["a", "b", "c"]
    assert "\rrecords: 2" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.usefixtures("slow")
def test_nobody_else_is_told() -> None:
    for output, quiet in ((io.StringIO(), False), (Terminal(), True)):
        assert list(progress.show_progress("abc", "records", output=output, quiet=quiet)) == ["a", "b", "c"]
        progress.show_stage("checking", output=output, quiet=quiet)
        assert output.getvalue() == ""


def test_a_stage_is_said() -> None:
    terminal = Terminal()
    progress.show_stage("checking the release", output=terminal)
    assert terminal.getvalue() == "checking the release …\n"
