"""What every test has: a command as people give it. Hypothesis measures no time: a busy machine is nobody's fault."""

from collections.abc import Callable

import pytest
from hypothesis import settings

from controller.cli import main

settings.register_profile("project", deadline=None)
settings.load_profile("project")


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command; return status, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run
