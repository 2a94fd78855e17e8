"""What the table says to every scenario, line by line: two forms of the program must print the same bytes.

python -m tests.conformance.answers [FOLDER ...]
"""

import sys
from pathlib import Path

from controller.cli.table import replay

SCENARIOS = Path(__file__).parent / "scenarios"


def main(folders: list[str]) -> None:
    """Print the answers to the scripts of these folders, or of the scenarios that ship."""
    for folder in [Path(each) for each in folders] or [SCENARIOS]:
        for file in sorted(folder.rglob("*.jsonl")):
            print(f"# {file.relative_to(folder)}")
            for answer in replay.replayed(replay.parsed(file.read_bytes())):
                print(replay.text(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
