"""`make bench`: all measurements, one after the other; `python -m benchmarks [FOLDER] [--short] [--record]`.

FOLDER has the real hands with their `check.py`. What is a quarter worse than in `ratios.json` fails; `--record` puts
the ratios of this run there.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import against_pokerkit, core_event, event_by_game, ratios, to_the_device, touches, wire_to_lamp

SHARED = Path(__file__).parents[2] / "shared" / "phh"


def main() -> int:
    """Measure the core, each game, the replay of real hands, and the way from a card's last byte to a lamp."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SHARED)
    parser.add_argument("--short", action="store_true", help="as CI does: fewer rounds, the same ratios")
    parser.add_argument("--record", action="store_true", help="put this run's ratios on record")
    wanted = parser.parse_args()
    folder, short = wanted.folder, wanted.short
    parts: list[Callable[[], dict[str, float]]] = [
        lambda: core_event.main(rounds=150, hands=10_000) if short else core_event.main(),
        lambda: wire_to_lamp.main(550 if short else 1500),
        lambda: to_the_device.main(30 if short else 60),
    ]
    if (folder / "check.py").exists():
        parts.append(lambda: against_pokerkit.main(folder, rounds=3 if short else 5))
        parts.append(lambda: touches.main(folder))
    else:
        print(f"NOT MEASURED: replay against PokerKit; there are no real hands at {folder}", file=sys.stderr)
    event_by_game.main(10 if short else 40)
    return _judge([part() for part in parts], parts, record=wanted.record)


def _judge(measured: list[dict[str, float]], parts: list[Callable[[], dict[str, float]]], *, record: bool) -> int:
    """Compare with the record, measure what seems worse once more, and say what is worse."""
    known = ratios.on_record()
    if not record:
        for number, part in enumerate(parts):
            found = measured[number]
            if ratios.worse(found, known) or ratios.below(found) or _too_long(found):
                print("worse than on record; once more:")
                measured[number] = ratios.better(found, part())
    found = {name: value for part in measured for name, value in part.items()}
    print("ratios, and those on record")
    for name, value in found.items():
        print(f"  {name:18} {value:8.2f} {known.get(name, float('nan')):8.2f}")
    if record:
        ratios.record(found)
    if record:
        return 0
    failed = [f"{name} is {factor:.2f} x worse than on record" for name, factor in ratios.worse(found, known).items()]
    failed += [f"{name} is {found[name]:.2f}, its floor {ratios.FLOORS[name]:.2f}" for name in ratios.below(found)]
    if _too_long(found):
        failed.append(f"an event is {found['evening']:.2f} x as dear after a long evening")
    if found.get("device-kilobytes-a-hand", 0.0) > to_the_device.MOST:
        failed.append(
            f"a hand takes {found['device-kilobytes-a-hand']:.0f} kB of a device, more than {to_the_device.MOST:.0f}"
        )
    for why in failed:
        print(f"FAILED: {why}", file=sys.stderr)
    return 1 if failed else 0


def _too_long(found: ratios.Ratios) -> bool:
    return found.get("evening", 0.0) > core_event.LONGEST_EVENING


if __name__ == "__main__":
    sys.exit(main())
