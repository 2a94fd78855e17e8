"""`tablectl tournament` as a director types it."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from controller.cli import main


def direct(*words: str, status: int = 0) -> str:
    """What a command prints that ends with a status: to the error stream unless that is 0."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        ended = main(["tournament", *words])
    assert ended == status, err.getvalue()
    return err.getvalue() if status else out.getvalue()
