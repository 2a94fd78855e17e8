"""How a table is set up: what the `table` line says, with its rulebook and game looked up."""

from collections.abc import Iterable
from enum import Enum, unique
from typing import ClassVar, TypeVar

from controller.core.protocol.events import Event, Timed
from controller.core.rules.games import Game
from controller.core.rules.questions.house.table import ButtonRule, Mode
from controller.core.rules.rulebook import Rulebook
from controller.core.tournament.schedule import Level, Schedule
from controller.core.values.value import Value, replace

Answer = TypeVar("Answer")


@unique
class Structure(Enum):
    """How much may be wagered."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"
    SPREAD_LIMIT = "spread-limit"


@unique
class Follow(Enum):
    """How closely the table is told what players do: ACTS, each act is entered; ROUNDS, one key ends a round."""

    ACTS = "acts"
    ROUNDS = "rounds"


@unique
class Discards(Enum):
    """Which cards of a hand went when some were thrown away. UNKNOWN: until they are shown or read, nobody can say."""

    FIRST = "first"
    UNKNOWN = "unknown"


@unique
class AnteBy(Enum):
    """Who posts the ante. BUTTON: everybody, the button twice as much; they are live bets [WSOP-T-IX.shortdeck]."""

    EACH = "each"
    BIG_BLIND = "big-blind"
    BUTTON = "button"


@unique
class Sensor(Enum):
    """What the table can sense: IDENTITY and FACE by the shoe, the others by antennas."""

    IDENTITY = "identity"
    FACE = "face"
    SEAT = "seat"
    BOARD = "board"
    MUCK = "muck"


class Betting(Value):
    """The stakes, in whole units. Amounts that the structure does not use are 0; `chip` is the smallest that plays."""

    structure: Structure
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0
    min_bet: int = 0
    max_bet: int = 0
    chip: int = 1
    ante_by: AnteBy = AnteBy.EACH

    def at_level(self, level: Level, stacks: Iterable[int]) -> "Betting":
        """The stakes from the next riffle on [R7-15.tourn.9, FC-10.play.1, MP-7.tourn.10].

        In limit games without limits of their own in the schedule the small bet is the big blind and the big bet twice
        that. The smallest chip grows only once every stack has been changed up to it.
        """
        limit = bool(self.small_bet)
        grows = level.chip > self.chip and all(stack % level.chip == 0 for stack in stacks)
        return replace(
            self,
            small_blind=level.small_blind,
            big_blind=level.big_blind,
            ante=level.ante,
            bring_in=level.bring_in or self.bring_in,
            small_bet=(level.small_bet or level.big_blind) if limit else self.small_bet,
            big_bet=(level.big_bet or 2 * level.big_blind) if limit else self.big_bet,
            min_bet=0 if self.max_bet == 0 else self.min_bet,
            chip=level.chip if grows else self.chip,
        )

    @property
    def button_ante(self) -> int:
        """What the button posts where its ante is a double one and all antes are live; else 0."""
        return 2 * self.ante if self.ante_by is AnteBy.BUTTON else 0

    @property
    def single_blind(self) -> bool:
        """Whether one blind is all there is; it is the big one."""
        return bool(self.big_blind) and not self.small_blind

    @property
    def minimum(self) -> int:
        """The smallest bet of a big-bet or spread-limit game: the minimum bring-in [R7-14.nl.2].

        Where the button posts a double ante it is the single one, after the first round [WSOP-T-IX.shortdeck].
        """
        if self.button_ante:
            return self.min_bet or self.ante
        return self.min_bet or self.big_blind or self.bring_in or self.small_bet or self.chip


class Place(Value):
    """A player at the table when it is set up; `stack` is `None` where amounts are untracked."""

    seat: int
    player: str
    stack: int | None


class InRotation(Value):
    """A game of a rotation and its stakes: for so many `hands`, once round the table (`None`), or for a level."""

    game: Game
    betting: Betting
    hands: int | None = None
    by_level: bool = False


class ShotClock(Value):
    """The time for every decision, in seconds, and how many extensions by as much each player has [WSOP-T-80]."""

    seconds: int
    extensions: int = 0


class Setup(Value):
    """Everything about the table that does not change while it stands, but for the level.

    `schedule`: what `level` walks, `None` where the table has none. `new_game`: the game begins with the first hand,
    the button having been drawn for. `games`: all that the book lists. `rotation`: the games that take turns, that of
    the table first. `choice`: who has the choice button at first.
    """

    hidden: ClassVar = frozenset({"rulebook", "games", "schedule"})

    rulebook: Rulebook
    game: Game
    betting: Betting
    tracked: bool
    places: int
    seats: tuple[Place, ...]
    button: int | None
    button_rule: ButtonRule
    blind_seats: tuple[int, int] | None
    mode: Mode
    deck: int
    joker: bool
    sensors: frozenset[Sensor]
    house: tuple[tuple[str, object], ...] = ()
    schedule: Schedule | None = None
    new_game: bool = False
    follow: Follow = Follow.ACTS
    discards: Discards = Discards.FIRST
    games: tuple[Game, ...] = ()
    rotation: tuple[InRotation, ...] = ()
    choice: int | None = None
    shot_clock: ShotClock | None = None

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the schedule, none where the table has none."""
        return () if self.schedule is None else self.schedule.levels

    def for_mode(self, cash: Answer, tournament: Answer) -> Answer:
        """The one of two answers of the book that speaks of this kind of game."""
        return tournament if self.mode is Mode.TOURNAMENT else cash

    def at_stakes(self, betting: Betting) -> "Setup":
        """The same table at other stakes."""
        return replace(self, betting=betting)

    def playing(self, game: Game, betting: Betting) -> "Setup":
        """The same table at another game, with its own deck."""
        joker = self.joker and game.joker != "never"
        return replace(self, game=game, betting=betting, deck=game.deck, joker=joker)


class Opened(Timed):
    """The first event of a table: it was set up by the `table` line, whose rulebook and game are already looked up."""

    setup: Setup


AnyEvent = Event | Opened
"""What a table takes, its first event included."""
