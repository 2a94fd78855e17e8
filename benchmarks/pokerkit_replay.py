"""Real hands replayed by the table and by PokerKit, one process each, in turn; the ratio is what counts.

Needs a folder of PHH hands with its `check.py`, which turns them into table scripts. Each ends in more confirmations
than the table asks for; those that it refuses are no part of the hand and are left out of what is measured:

    python -m benchmarks.pokerkit_replay FOLDER
"""

import json
import subprocess
import sys
from pathlib import Path

TABLE_PROGRAM = """
import json, sys, time
from config.table_line import parse_table_line
from controller.core.protocol.table_error import Refused
from controller.core.protocol.script_lines import parse_line
from controller.core.engine.table import Table
def taken(lines):
    table, found = Table(), []
    for line in lines:
        try:
            table.handle(parse_line(line) if found else parse_table_line(line))
        except Refused:
            continue  # one of the confirmations with which a script ends, as it cannot know how many there are
        found.append(line)
    return found
scripts = [taken([json.loads(line) for line in part]) for part in json.load(sys.stdin)]
def play(lines):
    table = Table()
    table.handle(parse_table_line(lines[0]))
    for line in lines[1:]:
        table.handle(parse_line(line))
"""
POKERKIT_PROGRAM = """
import sys, time, warnings
from pathlib import Path
from pokerkit import HandHistory
warnings.simplefilter("ignore")
scripts = [path.read_text() for folder in sys.argv[1:] for path in sorted(Path(folder).glob("*.phh"))]
def play(text):
    for _ in HandHistory.loads(text):
        pass
"""
TIMED = """
import json
best = [float("inf")] * len(scripts)
for _ in range(PASSES):
    for number, script in enumerate(scripts):
        begun = time.process_time()
        play(script)
        best[number] = min(best[number], time.process_time() - begun)
print(json.dumps(best))
"""
PASSES = 2
"""How often a process plays each hand."""


FOLDERS_BY_RATIO = {"no-limit": ("pluribus",), "mixed": ("wsop-2023-43-5", "fpdb-converted")}
"""Ratio -> the folders of hands that it is of."""


def main(folder: Path, rounds: int = 5) -> dict[str, float]:
    """Print the time of each and their ratio, of no-limit hold'em and of mixed games; return the ratios.

    Of each hand the best of all its plays counts: whoever else uses the machine makes a hand longer, never shorter, and
    no whole round is spared.
    """
    return {
        f"pokerkit-{name}": _measure_ratio(name, folder, [folder / part for part in FOLDERS_BY_RATIO[name]], rounds)
        for name in FOLDERS_BY_RATIO
    }


def _measure_ratio(name: str, folder: Path, hands: list[Path], rounds: int) -> float:
    printed = "".join(
        subprocess.run(
            [sys.executable, str(folder / "check.py"), "--scripts", str(each)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for each in hands
    )
    scripts: list[list[str]] = []
    for line in printed.splitlines():
        if line.startswith('{"ev": "table"'):
            scripts.append([])
        if line.startswith("{"):
            scripts[-1].append(line)
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    for _ in range(rounds):
        ours.append(_time(TABLE_PROGRAM, [], json.dumps(scripts)))
        theirs.append(_time(POKERKIT_PROGRAM, [str(each) for each in hands], ""))
    count, events = len(scripts), sum(map(len, scripts))
    ours_s, theirs_s = (sum(min(plays) for plays in zip(*side, strict=True)) for side in (ours, theirs))
    ratio: float = theirs_s / ours_s
    print(f"replay of {count} hands, {name} ({events} lines, some refused): {ratio:.2f} x PokerKit")
    print(f"  table {ours_s:.3f} s, PokerKit {theirs_s:.3f} s of a processor (best of {rounds * PASSES} of each hand)")
    return ratio


def _time(program: str, words: list[str], text: str) -> list[float]:
    """Return the seconds of processor that each hand takes in a process of its own."""
    command = [sys.executable, "-c", program + f"PASSES = {PASSES}" + TIMED, *words]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return list(map(float, json.loads(done.stdout)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
