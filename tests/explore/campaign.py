"""The campaign: every game of every book explored, what was reached, and what failed."""

import json
import multiprocessing
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.explore.entries import Line
from tests.explore.explorer import Explorer, Failure, Figures
from tests.explore.openings import FORMS, Place, list_openings
from tests.explore.shrink import shrink, write_failure

FOLDER = Path("build/explore")
MIN_STATES = 500
"""Of fewer at each, fewer tables of a game of a book are looked at, with another seed others."""


@dataclass(frozen=True, slots=True)
class Work:
    """A game of a book, and how much of it is looked at."""

    place: Place
    states: int
    seed: int
    share: int


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """What was reached of a game of a book, in how many seconds of processor, and what failed, made short."""

    place: Place
    figures: Figures
    seconds: float
    failures: tuple[tuple[Failure, tuple[Line, ...]], ...]


def explore_place(work: Work) -> PlaceResult:
    """Explore the tables of a game of a book."""
    begun = time.process_time()
    figures = Figures()
    failures: dict[str, Failure] = {}
    openings = list_openings(work.place, work.seed, max(1, min(FORMS, work.states // MIN_STATES)))
    for nth, opening in enumerate(openings):
        budget = (work.states - figures.states) // (len(openings) - nth)
        explorer = Explorer(opening, budget, work.seed, work.share)
        explorer.explore()
        figures.add(explorer.figures)
        failures |= {failure.signature: failure for failure in explorer.failures if failure.signature not in failures}
    short = tuple((failure, shrink(failure)) for failure in failures.values())
    return PlaceResult(work.place, figures, time.process_time() - begun, short)


def run_campaign(works: Sequence[Work], jobs: int) -> list[PlaceResult]:
    """Explore all these, in their order whatever the number of processes."""
    if jobs == 1:
        return [_tell_failures(explore_place(work)) for work in works]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return [_tell_failures(result) for result in pool.imap(explore_place, works)]


def _tell_failures(result: PlaceResult) -> PlaceResult:
    """Say at once what failed: a night is long."""
    for failure, _ in result.failures:
        sys.stderr.write(f"{' '.join(result.place)}: {failure.law}: {failure.found}\n")
    return result


def make_works(places: Iterable[Place], states: int, seed: int, share: int) -> list[Work]:
    """Divide so many states among these games of books."""
    listed = list(places)
    return [
        Work(place, states * (nth + 1) // len(listed) - states * nth // len(listed), seed, share)
        for nth, place in enumerate(listed)
    ]


def write_failures(found: Sequence[PlaceResult], folder: Path = FOLDER) -> list[str]:
    """Write each failure as a script; what to print of them."""
    told = []
    for one in found:
        for nth, (failure, script) in enumerate(one.failures, start=1):
            path = write_failure(failure, script, folder, nth)
            told += ["", f"{path}: {failure.law}: {failure.found}", *(f"  {json.dumps(line)}" for line in script)]
    return told


def render_report(found: Sequence[PlaceResult], seconds: float) -> str:
    """What was reached, by game and book, and the figures last."""
    total = Figures()
    lines = [f"{'book':16} {'game':18} {'states':>8} {'edges':>8} {'refused':>8} {'rules':>6} {'s':>6} {'failures':>8}"]
    for one in found:
        total.add(one.figures)
        book, game = one.place
        lines.append(
            f"{book:16} {game:18} {one.figures.states:8d} {one.figures.edges:8d} {one.figures.refusals:8d}"
            f" {len(one.figures.rules):6d} {one.seconds:6.1f} {len(one.failures):8d}"
        )
    lines += ["", "what is due: " + ", ".join(f"{name} {count}" for name, count in total.steps.most_common())]
    lines.append("entries: " + ", ".join(f"{name} {count}" for name, count in sorted(total.taken.items())))
    failures = sum(len(one.failures) for one in found)
    lines += [
        "",
        f"states {total.states}, edges {total.edges}, refused {total.refusals}, in {seconds:.0f} s",
        f"games of books {len(found)}, rules {len(total.rules)}, findings {len(total.findings)}",
        f"failures {failures}",
    ]
    return "\n".join(lines)
