"""`python .ci/gate COMMAND`: the gate of a change, the long parts of a night, and what both need to know.

ci                  the short form of every part that the change reaches; what CI runs
nightly [PART …]    the long form of the parts named, or of all that changed since they last passed
packages            the Debian packages that the parts of `ci` need, one a line
list                the table of parts
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gate import collected, nightly
from gate.parts import ROOT, Part, TableError, find_unreached, read_limitations, read_parts
from gate.runner import Report, describe, run_all

AIMED_CI_S = 45 * 60
"""Seconds that the gate of a change should take at most: what takes longer is told, as a busy machine is no fault."""

MAX_CI_S = 80 * 60
"""Seconds after which something hangs: a part that has not ended by then fails."""

CI_JOBS = 3
"""Parts side by side on two cores: each waits for a disk, a socket or another machine's start now and then."""


def say(text: str) -> None:
    """Print at once: whoever reads the log of a part that hangs wants to know how far it came."""
    print(text, flush=True)


def select_reached(parts: Sequence[Part]) -> list[Part]:
    """Return the parts with a short form that the change reaches: whatever its long form has not proved since."""
    record = nightly.read_record()
    return [part for part in parts if part.short and (part.always or not nightly.is_proved(part, record))]


def run_ci(parts: Sequence[Part]) -> int:
    """Run the short forms that the change reaches, and say what was run, what was not, and why."""
    begun = time.monotonic()
    failures = [f"no part is reached by {file}" for file in find_unreached(nightly.list_tracked_files(), parts)]
    reached = select_reached(parts)
    collected.forget()
    reports = run_all(reached, lambda report: say(describe(report)), jobs=CI_JOBS, deadline=begun + MAX_CI_S)
    failures += [f"{report.part.name}: {report.failure}" for report in reports if report.failure]
    failures += [f"no part collects the tests of {file}" for file in collected.find_uncollected(parts)]
    record = nightly.read_record()
    left = [part for part in parts if part.short and part not in reached]
    limitations = read_limitations()
    say("\nthe long form of each part:")
    for part in parts:
        if part.long:
            say(f"  {nightly.describe_age(part, record)}")
    say("what a container cannot do (.ci/limitations.toml):")
    for limitation in limitations:
        say(f"  {limitation.where}: {limitation.reason}")
    for failure in failures:
        say(f"FAILED: {failure}")
    processor = sum(report.processor_seconds for report in reports)
    seconds = time.monotonic() - begun
    say(f"{seconds:.0f} s, {processor:.0f} s of processor")
    if seconds > AIMED_CI_S:
        say(f"TOO LONG: the gate of a change should take {AIMED_CI_S // 60} minutes at most")
    say(f"not reached by this change: {', '.join(part.name for part in left) or 'none'}")
    say(f"parts: {len(reports)} run, {len(left)} not reached by this change, {len(limitations)} beyond any container")
    say(f"gate: {sum(not report.failure for report in reports)} passed, {len(failures)} failed")
    return 1 if failures else 0


def run_nightly(parts: Sequence[Part], names: Sequence[str]) -> int:
    """Run long forms one by one, and put each on record as it ends: what stopped in mid-night goes on with the rest."""
    long = [part for part in parts if part.long]
    unknown = sorted(set(names) - {part.name for part in long})
    if unknown:
        say(f"no part has a long form and the name {unknown[0]!r}; those that have: {', '.join(p.name for p in long)}")
        return 2
    record_name = str(nightly.RECORD.relative_to(ROOT))
    dirty = [file for file in nightly.find_changed_files("HEAD") or [] if file != record_name]
    if dirty:
        say(f"commit first: {dirty[0]} differs from the commit that the report would name")
        return 2
    record = nightly.read_record()
    chosen = [part for part in long if part.name in names] if names else []
    if not names:
        chosen = [part for part in long if not nightly.is_proved(part, record)]
        for part in long:
            if part not in chosen:
                say(f"stands    {nightly.describe_age(part, record)}")

    def tell(report: Report) -> None:
        nightly.record_run(report)
        say(describe(report))

    reports = run_all(chosen, tell, long=True, jobs=1)
    failed = [report for report in reports if report.failure]
    say(f"nightly: {len(reports) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def print_packages(parts: Sequence[Part]) -> int:
    """Print what `ci` needs of Debian's packages."""
    reached = select_reached(parts)
    for package in sorted({package for part in reached for package in (*part.packages, *part.tools.values())}):
        say(package)
    return 0


def print_table(parts: Sequence[Part]) -> int:
    """Print the table, a part a row."""
    for part in parts:
        say(f"{part.name:14} {part.what}")
        for form, command in (("short", part.short), ("long", part.long)):
            if command:
                say(f"{'':14} {form:6} {command}")
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Do what is asked; the status is 0 where all passed, 1 where something failed, 2 where nothing could be run."""
    parser = argparse.ArgumentParser(
        prog="gate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("ci", "nightly", "packages", "list"))
    parser.add_argument("parts", nargs="*", metavar="PART")
    asked = parser.parse_args(words)
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    try:
        parts = read_parts()
        if asked.command == "ci":
            return run_ci(parts)
        if asked.command == "nightly":
            return run_nightly(parts, asked.parts)
        return print_packages(parts) if asked.command == "packages" else print_table(parts)
    except (TableError, nightly.NightlyError) as error:
        say(f"gate: {error}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
