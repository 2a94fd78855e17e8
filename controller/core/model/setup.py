"""How a table is set up: what the `table` line says, with its rulebook and game looked up."""

from collections.abc import Iterable
from enum import Enum, unique
from typing import ClassVar, TypeVar

from controller.core.protocol.collection_terms import CollectionTerms
from controller.core.protocol.events import Event, TimedEvent
from controller.core.rules.games import Game
from controller.core.rules.questions.house.table_rules import ButtonRule, GameMode
from controller.core.rules.rulebook import Rulebook
from controller.core.tournament.schedule import BlindLevel, Schedule
from controller.core.values.value import Value, replace

AnswerT = TypeVar("AnswerT")


@unique
class BettingStructure(Enum):
    """How much may be wagered."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"
    SPREAD_LIMIT = "spread-limit"


@unique
class PlayTracking(Enum):
    """How closely the table is told what players do: ACTS, each act is entered; ROUNDS, one key ends a round."""

    ACTIONS = "acts"
    ROUNDS = "rounds"


@unique
class DiscardSelection(Enum):
    """Which cards of a hand went when some were thrown away. UNKNOWN: until they are shown or read, nobody can say."""

    FIRST = "first"
    UNKNOWN = "unknown"


@unique
class AntePayer(Enum):
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


class Stakes(Value):
    """The stakes, in whole units. Amounts that the structure does not use are 0.

    `smallest_chip` is the smallest that plays. `small_blind` is the first of the compulsory blinds, `big_blind` the
    last and largest, `middle_blinds` what lies between them, in the order of their seats [AU-11.1(c)(ii)].
    `is_first_blind_on_button`: the blinds begin on the button itself, not on its left.
    """

    structure: BettingStructure
    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0
    min_bet: int = 0
    max_bet: int = 0
    smallest_chip: int = 1
    ante_payer: AntePayer = AntePayer.EACH
    middle_blinds: tuple[int, ...] = ()
    is_first_blind_on_button: bool = False

    @property
    def blinds(self) -> tuple[int, ...]:
        """The compulsory blinds, from the button on; the last is the big blind."""
        if self.has_single_blind:
            return (self.big_blind,)
        return (self.small_blind, *self.middle_blinds, self.big_blind) if self.big_blind else ()

    @property
    def has_usual_blinds(self) -> bool:
        """Whether there are at most two blinds and they begin left of the button."""
        return not self.middle_blinds and not self.is_first_blind_on_button

    def keep_last_blinds(self, count: int) -> "Stakes":
        """The same stakes with the last `count` blinds: of more blinds than players the first are not posted."""
        kept = self.blinds[-count:]
        if len(kept) == len(self.blinds):
            return self
        return replace(self, small_blind=kept[0] if len(kept) > 1 else 0, middle_blinds=kept[1:-1])

    def apply_level(self, level: BlindLevel, stacks: Iterable[int]) -> "Stakes":
        """The stakes from the next riffle on [R7-15.tourn.9, FC-10.play.1, MP-7.tourn.10].

        In limit games without limits of their own in the schedule the small bet is the big blind and the big bet twice
        that. The smallest chip grows only once every stack has been changed up to it.
        """
        limit = bool(self.small_bet)
        grows = level.smallest_chip > self.smallest_chip and all(stack % level.smallest_chip == 0 for stack in stacks)
        return replace(
            self,
            small_blind=level.small_blind,
            middle_blinds=level.middle_blinds,
            big_blind=level.big_blind,
            ante=level.ante,
            bring_in=level.bring_in or self.bring_in,
            small_bet=(level.small_bet or level.big_blind) if limit else self.small_bet,
            big_bet=(level.big_bet or 2 * level.big_blind) if limit else self.big_bet,
            min_bet=0 if self.max_bet == 0 else self.min_bet,
            smallest_chip=level.smallest_chip if grows else self.smallest_chip,
        )

    @property
    def button_ante(self) -> int:
        """What the button posts where its ante is a double one and all antes are live; else 0."""
        return 2 * self.ante if self.ante_payer is AntePayer.BUTTON else 0

    @property
    def has_single_blind(self) -> bool:
        """Whether one blind is all there is; it is the big one."""
        return bool(self.big_blind) and not self.small_blind

    @property
    def effective_min_bet(self) -> int:
        """The smallest bet of a big-bet or spread-limit game: the minimum bring-in [R7-14.nl.2].

        Where the button posts a double ante it is the single one, after the first round [WSOP-T-IX.shortdeck].
        """
        if self.button_ante:
            return self.min_bet or self.ante
        return self.min_bet or self.big_blind or self.bring_in or self.small_bet or self.smallest_chip


class SeatedPlayer(Value):
    """A player at the table when it is set up; `stack` is `None` where amounts are untracked."""

    seat: int
    player: str
    stack: int | None


class RotationGame(Value):
    """A game of a rotation and its stakes: for so many `hand_count`, once round the table (`None`), or for a level."""

    game: Game
    stakes: Stakes
    hand_count: int | None = None
    is_by_level: bool = False


class ShotClock(Value):
    """The time for every decision, in seconds, and how many extensions by as much each player has [WSOP-T-80]."""

    seconds: int
    extensions: int = 0


class Setup(Value):
    """Everything about the table that does not change while it stands, but for the level.

    `schedule`: what `level` walks, `None` where the table has none. `is_new_game`: the game begins with the first hand,
    the button having been drawn for. `games`: all that the book lists. `rotation`: the games that take turns, that of
    the table first. `choice_button`: who has the choice button at first. `collection`: what
    the house takes, `None` for nothing. `is_live`: people sit here, and nothing tells a card that not everybody knows.
    """

    hidden: ClassVar = frozenset({"rulebook", "games", "schedule"})

    rulebook: Rulebook
    game: Game
    stakes: Stakes
    tracks_amounts: bool
    seat_count: int
    players: tuple[SeatedPlayer, ...]
    button: int | None
    button_rule: ButtonRule
    blind_seats: tuple[int, ...] | None
    mode: GameMode
    deck_size: int
    has_joker: bool
    sensors: frozenset[Sensor]
    house_options: tuple[tuple[str, object], ...] = ()
    schedule: Schedule | None = None
    is_new_game: bool = False
    play_tracking: PlayTracking = PlayTracking.ACTIONS
    discard_selection: DiscardSelection = DiscardSelection.FIRST
    games: tuple[Game, ...] = ()
    rotation: tuple[RotationGame, ...] = ()
    choice_button: int | None = None
    shot_clock: ShotClock | None = None
    collection: CollectionTerms | None = None
    is_live: bool = False

    @property
    def has_blinds(self) -> bool:
        """Whether hands begin with blinds: the game has a button, the stakes have a blind."""
        return self.game.has_button and bool(self.stakes.big_blind or self.stakes.small_blind)

    @property
    def levels(self) -> tuple[BlindLevel, ...]:
        """The levels of the schedule, none where the table has none."""
        return () if self.schedule is None else self.schedule.levels

    def select_by_mode(self, cash: AnswerT, tournament: AnswerT) -> AnswerT:
        """The one of two answers of the book that speaks of this kind of game."""
        return tournament if self.mode is GameMode.TOURNAMENT else cash

    def replace_stakes(self, betting: Stakes) -> "Setup":
        """The same table at other stakes."""
        return replace(self, stakes=betting)

    def replace_game(self, game: Game, betting: Stakes) -> "Setup":
        """The same table at another game, with its own deck."""
        joker = self.has_joker and game.joker_use != "never"
        return replace(self, game=game, stakes=betting, deck_size=game.deck_size, has_joker=joker)


class TableOpened(TimedEvent):
    """The first event of a table: it was set up by the `table` line, whose rulebook and game are already looked up."""

    setup: Setup


AnyEvent = Event | TableOpened
"""What a table takes, its first event included."""
