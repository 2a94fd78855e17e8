"""Those who watch an evening: each knows what people may know, and nothing of the code behind it."""

from collections.abc import Callable, Sequence

from tests.evenings.oracles.blinds import BlindOracle
from tests.evenings.oracles.cards import CardOracle
from tests.evenings.oracles.chips import ChipOracle
from tests.evenings.oracles.disclosure import DisclosureOracle
from tests.evenings.oracles.hand_results import HandResultOracle
from tests.evenings.oracles.progress import ProgressOracle
from tests.evenings.oracles.record import RecordOracle
from tests.evenings.oracles.refusals import RefusalOracle
from tests.evenings.oracles.restarts import RestartOracle
from tests.evenings.oracles.sentences import SentenceOracle
from tests.evenings.oracles.signals import SignalOracle
from tests.evenings.oracles.tournaments import TournamentOracle
from tests.evenings.oracles.undo import UndoOracle
from tests.evenings.seen import Oracle

ORACLES: Sequence[Callable[[], Oracle]] = (
    BlindOracle,
    CardOracle,
    ChipOracle,
    DisclosureOracle,
    HandResultOracle,
    ProgressOracle,
    RecordOracle,
    RefusalOracle,
    RestartOracle,
    SentenceOracle,
    SignalOracle,
    TournamentOracle,
    UndoOracle,
)
"""A new one of each watches an evening."""
