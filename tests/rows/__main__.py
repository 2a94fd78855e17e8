"""`python -m tests.rows`: break what each enforced row of the catalogue says; a test of the row must turn red."""

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from tests.rows.campaign import Results, Verdict, choose_rows, find_faults, format_table, run_campaign
from tests.rows.mutations import ROOT, list_rows, list_tests, read_survivors, read_underivable
from tests.rows.runner import Runner, run_with_items

SURVIVORS_FILE = Path(__file__).with_name("survivors.csv")


RECORD_FILE = ROOT / "docs" / "nightly.json"


def find_growth(file: Path, record: Path = RECORD_FILE) -> str:
    """What is wrong with a list of survivors: it has more than the last night on record had; empty where nothing is."""
    figures = json.loads(record.read_text(encoding="utf-8")).get("rows", {}).get("figures", {})
    count = sum(map(len, read_survivors(file).values()))
    if "listed" not in figures or count <= figures["listed"]:
        return ""
    return f"{file.name} has {count} lines, {figures['listed']} at the last night: it only shrinks"


def shrink(file: Path, verdicts: Sequence[Verdict], known: set[str]) -> None:
    """Take off a list of survivors what is proven by now, and rows that are enforced no longer."""
    survived = {verdict.row: verdict.survived for verdict in verdicts}
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    kept = [row for row in rows[1:] if row[0] in known and row[1] in survived.get(row[0], (row[1],))]
    with file.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerows([rows[0], *kept])


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.rows", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="rows, or patterns of them (all)")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many rows, by the seed")
    parser.add_argument("--shrink", action="store_true", help="take what is proven, or gone, off the list of survivors")
    parser.add_argument("--seed", default="1", help="another seed, other rows (1)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Run the rows that the command line asks for; print what survives and the figures; return the status."""
    chosen = parse(arguments)
    rows = list(list_rows())
    if chosen.sample is not None:
        rows = choose_rows(chosen.sample, chosen.seed)
    elif chosen.rows:
        rows = [row for row in rows if any(fnmatchcase(row.id, pattern) for pattern in chosen.rows)]
    if not rows:
        print("no enforced row has such an id", file=sys.stderr)
        return 2
    verdicts: list[Verdict] = []

    def tell(verdict: Verdict) -> None:
        if verdict.outcome != "proven":
            told = "; ".join(verdict.survived)
            print(f"{verdict.row}  {verdict.outcome}  {told}  ({verdict.tests} tests)", flush=True)

    def note(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def work(runner: Runner) -> None:
        results = Results(ROOT / "build" / "rows" / "results.jsonl")
        with runner.let_out():
            verdicts.extend(run_campaign(rows, runner, results, tell, note))

    files = sorted({test.partition("::")[0] for row in rows for test in list_tests().get(row.id, ())})
    run_with_items(files, work)
    if chosen.shrink:
        shrink(SURVIVORS_FILE, verdicts, {row.id for row in list_rows()})
    faults = find_faults(verdicts, read_survivors(SURVIVORS_FILE), read_underivable())
    counted = Counter(verdict.outcome for verdict in verdicts)
    for line in [*format_table(verdicts, {row.id: row.book for row in rows}), *faults]:
        print(line)
    figures = {
        "rows": len(verdicts),
        "proven": counted["proven"],
        "partly": counted["partly"],
        "survived": counted["survived"],
        "underivable": counted["underived"],
        "untested": counted["untested"],
        "listed": sum(map(len, read_survivors(SURVIVORS_FILE).values())),
    }
    print(f"figures: {json.dumps(figures)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
