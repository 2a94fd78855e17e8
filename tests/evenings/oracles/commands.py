"""How an oracle asks the program's own commands at the end of an evening: as anybody at a terminal does."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TABLECTL = Path(sys.executable).with_name("tablectl")
COMMAND_TIMEOUT_S = 300.0
CONFIG_FILE = "table.toml"
"""The table's file lies beside the state directory."""


@dataclass(frozen=True)
class CommandResult:
    """What a command has printed, and how it ended."""

    status: int
    output: str
    errors: str

    @property
    def reason(self) -> str:
        """Its last words."""
        return (self.errors.strip() or self.output.strip())[-300:]


def run_tablectl(*words: str | Path, given: str | None = None) -> CommandResult:
    """Run a command of the program to its end."""
    done = subprocess.run(
        [TABLECTL, *map(str, words)],
        input=given,
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_S,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)


def find_place(journal: Path) -> list[str | Path]:
    """The options by which a command finds the journal of an evening."""
    config = journal.parent.parent / CONFIG_FILE
    return ["--state", journal.parent, *(("--config", config) if config.exists() else ())]
