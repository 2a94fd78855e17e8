"""One life of a table, in a process of its own so that another build of the program can live it.

`life_of_a_table.py DIRECTORY HAND PHASE`: start, play until the table is in PHASE of hand HAND or of a later one, and
end as by a cut of the power. It writes as JSON how it stood after the start and at the end.
"""

import json
import sys
from pathlib import Path
from typing import Any

from controller.app.table.session_start import read_program_version
from controller.core.model import table_state
from tests.app.rig import Rig


def standing(rig: Rig) -> dict[str, Any]:
    """What another program must find again."""
    output = rig.output
    kept = ("hand", "phase", "stacks", "pots", "bets", "piles", "board", "lamps", "gate", "next")
    return {key: output[key] for key in kept}


def main(directory: Path, hand: int, phase: str) -> None:
    with Rig(directory, lossless=True) as rig:
        begun = standing(rig)
        room = rig.room(hand)
        while rig.output["hand"] < hand or rig.output["phase"] != phase:
            rig.live(room, 1)
        kept = [
            rig.journal.list_sessions()[-1].number,
            read_program_version(),
            len(table_state.TableState.__struct_fields__),
        ]
        words = [str(ruling["text"]) for ruling in rig.standing.rulings]
        json.dump({"begun": begun, "ended": standing(rig), "program": kept, "words": words}, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
