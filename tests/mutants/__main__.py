"""`python -m tests.mutants`: break the program in one place after another, and see which breaks no test notices."""

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.mutants.campaign import Result, Results, count, run_mutants
from tests.mutants.copies import Copy
from tests.mutants.equivalent import Equivalent, find_stale, read_equivalents
from tests.mutants.points import Mutant, list_mutants, list_sources, sample_mutants
from tests.mutants.reach import Map, list_test_folders, make_map

ROOT = Path(__file__).parents[2]
PROGRAM = ("config", "controller", "drivers", "firmware_bridge", "room")
SAMPLED = (
    "config",
    *(f"controller/{part}" for part in ("core", "records", "room_contract", "runtime", "uplink")),
    "drivers",
    "room",
)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--file", help="every mutant of this file, or with --sample some of them")
    parser.add_argument("--sample", type=int, metavar="N", help="this many mutants, spread over the rooms' files")
    parser.add_argument("--seed", default="1", help="another seed, other mutants (1)")
    parser.add_argument("--rooms", nargs="+", default=SAMPLED, metavar="FOLDER", help=f"({' '.join(SAMPLED)})")
    parser.add_argument("--jobs", type=int, default=1, help="mutants side by side (1)")
    parser.add_argument("--budget", type=float, default=30.0, metavar="S", help="processor for one mutant's tests (30)")
    parser.add_argument("--floor", type=float, default=0.0, help="fail where a smaller share of them is killed, 0 to 1")
    chosen = parser.parse_args(arguments)
    if not chosen.file and not chosen.sample:
        parser.error("say which: --file PATH, --sample N, or both")
    return chosen


def choose_mutants(root: Path, chosen: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that the command line asks for."""
    if not chosen.sample:
        return list_mutants(root, chosen.file)
    files = [chosen.file] if chosen.file else list_sources(root, chosen.rooms)
    return sample_mutants(root, files, chosen.sample, chosen.seed)


def run(root: Path, arguments: Sequence[str], equivalents: Sequence[Equivalent], program: Sequence[str]) -> int:
    """Run the mutants that the command line asks for; print the survivors and the figures; return the status."""
    chosen = parse(arguments)
    kept = root / "build" / "mutants"
    stale = find_stale(root, equivalents)
    for entry in stale:
        print(f"no mutant of the tree any more: {entry.file}: {entry.before} -> {entry.after}", file=sys.stderr)
    if stale:
        return 2
    mutants = choose_mutants(root, chosen)
    tried = [mutant for mutant in mutants if not any(entry.is_of(mutant) for entry in equivalents)]
    by_folders: dict[tuple[str, ...], Map] = {}

    def note(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def tell(mutant: Mutant, result: Result) -> None:
        if result.outcome == "survived":
            left = f", {result.left_out} left out" if result.left_out else ""
            place = f"{mutant.location}  {mutant.operator}  {mutant.before} -> {mutant.after}"
            print(f"{place}  ({result.ran} tests{left})", flush=True)
        else:
            note(f"{mutant.location}  {mutant.operator}  {result.outcome} by {result.killer} after {result.ran}")

    with ExitStack() as stack:
        jobs = max(1, min(chosen.jobs, len(tried)))
        copies = [stack.enter_context(Copy(root)) for _ in range(jobs)] if tried else []
        for folders in sorted({list_test_folders(mutant.file) for mutant in tried}):
            existing = [folder for folder in folders if (root / folder).is_dir()]
            by_folders[folders] = reach = make_map(root, kept / "maps", copies, program, existing, note)
            for test in reach.failed:
                note(f"fails as the tree is: {test}")
            note(f"{len(reach.tests)} tests; {len(reach.failed)} files fail, {len(reach.slow)} tests are too slow")
        results = list(
            run_mutants(
                tried,
                lambda mutant: by_folders[list_test_folders(mutant.file)],
                copies,
                Results(kept / "results.jsonl"),
                chosen.budget,
                tell,
            )
        )
    counted = count(results)
    share = counted["killed"] / len(results) if results else 1.0
    print(f"{share:.1%} of {len(results)} killed, in {sum(result.cpu for result in results):.0f} s of processor")
    figures = {"mutants": len(mutants), **counted, "equivalent": len(mutants) - len(tried)}
    print(f"figures: {json.dumps(figures)}", flush=True)
    return int(share < chosen.floor)


def main() -> int:
    """Run what the command line asks for, on this checkout."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return run(ROOT, sys.argv[1:], read_equivalents(), PROGRAM)
    except KeyboardInterrupt:
        print("stopped; what came of the mutants so far is kept in build/mutants", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
