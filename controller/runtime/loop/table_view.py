"""What the subscribers of the loop get: how the table stands, in the words of the table script, with its devices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from controller.core.model.setup import Stakes
from controller.runtime.devices.device_monitor import DeviceStatus
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.faults.notices import Notice

LIVE, SIMULATION, TEST = "live", "simulation", "test"
"""The modes; one of them is always shown. In the third the table is out of service: a technician tries its devices."""


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """Why the last entry was not taken; `source` is where it was entered."""

    code: str
    message: str
    source: str

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"code": self.code, "message": self.message, "source": self.source}


@dataclass(frozen=True, slots=True)
class TableView:
    """One publication of the loop. Nothing in it names a card that lies face down."""

    number: int
    """Counts publications from 1 in this run."""
    entry: int
    """Number of the last journal entry that was news: a mark of the timer makes no touch of a page come too late."""
    mode: str
    output_line: Mapping[str, object]
    """The output line of the last entry."""
    player_by_seat: Mapping[int, Mapping[str, object]]
    """Chair -> who sits there: `player`, whether they are `away` or `waits` to be dealt in, and of whoever is still to
    act on the round the `turn`, from 1; of whoever serves a penalty how many hands it `misses`."""
    rulings: tuple[Mapping[str, object], ...]
    """The last rulings that were made, this hand or an earlier one."""
    rulings_hand: int
    """The number of the hand in which they were made; 0 when there are none."""
    refusal: RefusedEntry | None
    """Set when the last entry was refused."""
    notices: tuple[Notice, ...]
    """The newest first."""
    devices: tuple[DeviceStatus, ...]
    power_lost: bool
    """Whether the program was cut short before this start, and nothing has been entered since."""
    max_queue_delay_s: float
    """Longest time, in seconds, that anything waited on the loop's queue in this run."""
    is_ruling_taken_back: bool = False
    """Whether the entry of those rulings was taken back by `undo`."""
    faults: tuple[FaultStatus, ...] = ()
    """What halts the table, or must end it."""
    available_entries: tuple[Mapping[str, object], ...] = ()
    """Lines of the table script that would be taken now although another step is first."""
    floor_entries: tuple[Mapping[str, object], ...] = ()
    """Lines that the floor alone may enter and that would be taken now, besides rulings that it sets aside."""
    hands_left: int | None = None
    """How many hands more begin today, where the floor has said so."""
    upcoming_cards: Mapping[str, object] | None = None
    """How many cards a dealer could deal too early now: `burn`, whether one is burned first, and `cards`."""
    betting: Mapping[str, object] = field(default_factory=dict)
    """The stakes of the game and the level that are played now, by the words of the table script."""
    notice: Mapping[str, object] | None = None
    """What a sign at the table says (`table_notice.render_notice`); `None` in a tournament."""
    showdown: Mapping[str, object] | None = None
    """Tabled hands, and who wins what with which (`showdown_view.render_showdown`); `None` while there is none."""
    last_sound: Mapping[str, object] | None = None
    """What was to be heard last: `what` (`table_display.Sound`), and its `number` since the start."""
    broadcast: Mapping[str, object] | None = None
    """Where hole cards are broadcast: after how many seconds, `delay`; `None` in it: when the hand is over."""
    floor_called: bool = False
    """Whether somebody has called the floor to the table, and nobody said that it has come."""


def describe_blinds(betting: Stakes) -> list[object]:
    """Say the compulsory blinds as the table line does, from the button on."""
    if betting.is_first_blind_on_button:
        return [{"position": place, "amount": amount} for place, amount in enumerate(betting.blinds)]
    return list(betting.blinds)


@lru_cache(maxsize=8)
def describe_betting(betting: Stakes) -> Mapping[str, object]:
    """Say stakes as the table script does: what the structure has none of is not there."""
    said = {
        "structure": betting.structure.value,
        "small_blind": betting.small_blind,
        "big_blind": betting.big_blind,
        "ante": betting.ante,
        "bring_in": betting.bring_in,
        "small_bet": betting.small_bet,
        "big_bet": betting.big_bet,
        "min_bet": betting.min_bet,
        "max_bet": betting.max_bet,
        "chip": betting.smallest_chip,
        "ante_by": betting.ante_payer.value,
        "blinds": None if betting.has_usual_blinds else describe_blinds(betting),
    }
    return {key: value for key, value in said.items() if value}
