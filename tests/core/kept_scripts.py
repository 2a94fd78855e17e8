"""Scripts of stories that failed: what was entered is kept, since the same seed gives another story with other words.

A story that fails is written to `build/stories`, by the test that failed. Once its fault is mended it is moved to
`once_failed`, where `make test` plays it again.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ONCE_FAILED = Path(__file__).parent / "once_failed"
FAILED = Path(__file__).parents[2] / "build" / "stories"
NOTE = "The script is in "


@contextmanager
def keep_script(script: Sequence[dict[str, Any]]) -> Iterator[None]:
    """Write the lines entered so far to a file of the test that runs, and name it, where what is done here fails."""
    try:
        yield
    except Exception as error:
        if not any(note.startswith(NOTE) for note in getattr(error, "__notes__", ())):
            error.add_note(f"{NOTE}{write_script(script)}")
        raise


def write_script(script: Sequence[Mapping[str, Any]], name: str = "") -> Path:
    """Write a script where those that failed lie.

    Without a name it has that of the test: of many it keeps the last, which Hypothesis has made the shortest.
    """
    name = name or os.environ.get("PYTEST_CURRENT_TEST", "story").partition(" ")[0].rpartition("/")[2]
    path = FAILED / f"{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-')}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in script), encoding="utf-8")
    return path


def rename_script(error: Exception, name: str) -> str:
    """Give a script that was just kept a name of its own, where one test goes on to other stories; return its path."""
    kept = [note.removeprefix(NOTE) for note in getattr(error, "__notes__", ()) if note.startswith(NOTE)]
    return str(Path(kept[0]).rename(FAILED / f"{name}.jsonl")) if kept else "no script"


def read_scripts(pattern: str) -> dict[str, list[dict[str, Any]]]:
    """Return the scripts that once failed whose names are like this, by name."""
    return {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(ONCE_FAILED.glob(f"{pattern}.jsonl"))
    }
