"""`make bench`: all measurements, one after the other; `python -m benchmarks [FOLDER] [--short] [--record]`.

FOLDER has the real hands with their `check.py`. What is a quarter worse than in `ratios.json` fails; `--record` puts
the ratios of this run there.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    dealer_taps,
    device_writes,
    event_cost,
    event_cost_by_game,
    lamp_latency,
    pokerkit_replay,
    ratio_record,
    reader_dwell,
)

DEFAULT_HANDS_FOLDER = Path(__file__).parents[2] / "shared" / "phh"


def main() -> int:
    """Measure the core, each game, the replay of real hands, and the way from a card's last byte to a lamp."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=DEFAULT_HANDS_FOLDER)
    parser.add_argument("--short", action="store_true", help="as CI does: fewer rounds, the same ratios")
    parser.add_argument("--record", action="store_true", help="put this run's ratios on record")
    wanted = parser.parse_args()
    folder, short = wanted.folder, wanted.short
    parts: list[Callable[[], dict[str, float]]] = [
        lambda: event_cost.main(rounds=150, hands=10_000) if short else event_cost.main(),
        lambda: lamp_latency.main(550 if short else 1500),
        lambda: device_writes.main(30 if short else 60),
        reader_dwell.main,
    ]
    if (folder / "check.py").exists():
        parts.append(lambda: pokerkit_replay.main(folder, rounds=3 if short else 5))
        parts.append(lambda: dealer_taps.main(folder))
    else:
        print(f"NOT MEASURED: replay against PokerKit; there are no real hands at {folder}", file=sys.stderr)
    event_cost_by_game.main(10 if short else 40)
    return _judge([part() for part in parts], parts, record=wanted.record)


def _judge(measured: list[dict[str, float]], parts: list[Callable[[], dict[str, float]]], *, record: bool) -> int:
    """Compare with the record, measure what seems worse once more, and say what is worse."""
    known = ratio_record.load_record()
    if not record:
        for number, part in enumerate(parts):
            found = measured[number]
            if (
                ratio_record.find_worse(found, known)
                or ratio_record.find_below_floor(found)
                or _is_evening_too_slow(found)
            ):
                print("worse than on record; once more:")
                measured[number] = ratio_record.choose_better(found, part())
    found = {name: value for part in measured for name, value in part.items()}
    print("ratios, and those on record")
    for name, value in found.items():
        print(f"  {name:18} {value:8.2f} {known.get(name, float('nan')):8.2f}")
    if record:
        ratio_record.save_record(found)
    if record:
        return 0
    failed = [
        f"{name} is {factor:.2f} x worse than on record"
        for name, factor in ratio_record.find_worse(found, known).items()
    ]
    failed += [
        f"{name} is {found[name]:.2f}, its floor {ratio_record.FLOORS[name]:.2f}"
        for name in ratio_record.find_below_floor(found)
    ]
    if _is_evening_too_slow(found):
        failed.append(f"an event is {found['evening']:.2f} x as dear after a long evening")
    if found.get("device-kilobytes-a-hand", 0.0) > device_writes.MAX_HAND_KB:
        failed.append(
            f"a hand takes {found['device-kilobytes-a-hand']:.0f} kB of a device, more than "
            f"{device_writes.MAX_HAND_KB:.0f}"
        )
    for why in failed:
        print(f"FAILED: {why}", file=sys.stderr)
    return 1 if failed else 0


def _is_evening_too_slow(found: ratio_record.Ratios) -> bool:
    return found.get("evening", 0.0) > event_cost.MAX_EVENING_RATIO


if __name__ == "__main__":
    sys.exit(main())
