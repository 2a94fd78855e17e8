"""`make bench`: all measurements, one after the other."""

import sys
from pathlib import Path

from benchmarks import against_pokerkit, core_event, event_by_game, wire_to_lamp

SHARED = Path(__file__).parents[2] / "shared" / "phh"


def main() -> None:
    """Measure the core, each game, the replay of real hands, and the way from a card's first byte to a lamp."""
    core_event.main()
    event_by_game.main()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED
    if (folder / "check.py").exists():
        against_pokerkit.main(folder)
    else:
        print(f"replay against PokerKit: skipped, no real hands at {folder}")
    wire_to_lamp.main()


if __name__ == "__main__":
    main()
