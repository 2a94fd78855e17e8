"""An event's account: what was taken in, and what became of it, to the cent."""

from collections.abc import Iterable, Sequence
from enum import Enum, unique

from controller.core.tournament.money_terms import to_number
from controller.core.tournament.payouts import CENTS_PER_UNIT
from controller.core.values.value import Value

LEDGER_COLUMNS = ("side", "kind", "player", "amount")
"""The columns of an account as CSV; amounts with two decimals, `difference` in the last line."""


@unique
class LedgerSide(Enum):
    """TAKEN: by players, or from a season. PAID: to players. KEPT: by house and staff. CARRIED: to a season."""

    TAKEN = "taken"
    PAID = "paid"
    KEPT = "kept"
    CARRIED = "carried"


@unique
class LedgerKind(Enum):
    """What an amount is; a seat of another event, bought with a satellite's pool, is paid at what it costs.

    SEASON: for the pool of a season's Championship. JACKPOT: of the river jackpot, which rolls over.
    A bounty marker that somebody pays for a second time is the prize pool's.
    """

    BUY_IN = "buy-in"
    REBUY = "rebuy"
    ADD_ON = "add-on"
    FEE = "fee"
    BOUNTY = "bounty"
    MARKER = "marker"
    SEASON = "season"
    PRIZE = "prize"
    SEAT = "seat"
    REFUND = "refund"
    STAFF = "staff"
    JACKPOT = "jackpot"


class LedgerLine(Value):
    """An amount of an account in cents; `player` has paid or gets it, "" where it is nobody's in particular."""

    side: LedgerSide
    kind: LedgerKind
    cents: int
    player: str = ""


class Ledger(Value):
    """The lines of an account, in the order in which it is read."""

    lines: tuple[LedgerLine, ...] = ()

    def sum_side(self, side: LedgerSide) -> int:
        """All of a side, in cents."""
        return sum(line.cents for line in self.lines if line.side is side)

    def sum_kind(self, side: LedgerSide, kind: LedgerKind) -> int:
        """All of a kind on a side, in cents."""
        return sum(line.cents for line in self.lines if line.side is side and line.kind is kind)

    @property
    def difference_cents(self) -> int:
        """What was taken in and is not paid, kept or carried yet; below 0 where more went out than came in."""
        taken = self.sum_side(LedgerSide.TAKEN)
        return taken - sum(self.sum_side(side) for side in LedgerSide if side is not LedgerSide.TAKEN)


class SeasonPurse(Value):
    """What the events of a season have put by, in cents: for the Championship's pool, and in the river jackpot."""

    championship_cents: int
    jackpot_cents: int


def sum_season(ledgers: Iterable[Ledger]) -> SeasonPurse:
    """What is put by after events: what they carry, less what a Championship or the next jackpot has brought in."""

    def put_by(kind: LedgerKind, lines: Sequence[LedgerLine]) -> int:
        carried = sum(line.cents for line in lines if line.side is LedgerSide.CARRIED and line.kind is kind)
        return carried - sum(
            line.cents for line in lines if line.side is LedgerSide.TAKEN and line.kind is kind and not line.player
        )

    lines = [line for ledger in ledgers for line in ledger.lines]
    return SeasonPurse(put_by(LedgerKind.SEASON, lines), put_by(LedgerKind.JACKPOT, lines))


def sum_ledger(ledger: Ledger) -> dict[str, dict[str, int | float] | int | float]:
    """An account as sums: side -> kind -> amount in units, and the `difference` that is neither."""
    found: dict[str, dict[str, int | float] | int | float] = {}
    for side in LedgerSide:
        kinds = dict.fromkeys(line.kind for line in ledger.lines if line.side is side)
        found[side.value] = {kind.value: to_number(ledger.sum_kind(side, kind), CENTS_PER_UNIT) for kind in kinds}
    return found | {"difference": to_number(ledger.difference_cents, CENTS_PER_UNIT)}


def make_ledger_rows(ledger: Ledger) -> list[tuple[str, str, str, str]]:
    """An account as rows of `LEDGER_COLUMNS`; the last one is its difference."""
    rows = [(line.side.value, line.kind.value, line.player, _format_cents(line.cents)) for line in ledger.lines]
    return [*rows, ("difference", "", "", _format_cents(ledger.difference_cents))]


def _format_cents(cents: int) -> str:
    sign, whole = "-" if cents < 0 else "", abs(cents)
    return f"{sign}{whole // CENTS_PER_UNIT}.{whole % CENTS_PER_UNIT:02}"
