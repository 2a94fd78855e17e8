"""Commands as people give them."""

from collections.abc import Callable

import pytest

from controller.cli import main


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command; return status, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run
