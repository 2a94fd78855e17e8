"""A blind schedule is data: its levels, how long each lasts, the breaks between them and what is coloured out there.

The files are `config/schedules/*.toml`; `config.schedule_file` reads them.
"""

from enum import Enum, unique

from controller.core.values.value import Value


@unique
class ColourOutPart(Enum):
    """How many of the chips of a size are coloured out."""

    ALL = "all"
    MOST = "most"
    HALF = "half"
    SOME = "some"
    AS_MANY_AS_POSSIBLE = "as-many-as-possible"


class ColourOut(Value):
    """Chips that leave at a break. `chip_value` is their value; `None` where the schedule leaves it to the director."""

    chip_value: int | None
    part: ColourOutPart = ColourOutPart.ALL


class ScheduledBreak(Value):
    """A pause of `minutes` and the chips that are coloured out in it."""

    minutes: int
    colour_out: tuple[ColourOut, ...] = ()


class BlindLevel(Value):
    """The stakes of one level and how long it lasts.

    Amounts that the level does not set are 0. `middle_blinds`: the blinds between the small and the big one, where
    there are more than two. `smallest_chip`: the smallest chip still needed, 0 where the schedule
    does not say. `printed_minutes`: minutes elapsed at its end as the rulebook prints them. `following_break`: the
    break that follows it.
    """

    small_blind: int
    big_blind: int
    minutes: int
    ante: int = 0
    small_bet: int = 0
    big_bet: int = 0
    bring_in: int = 0
    smallest_chip: int = 0
    printed_minutes: int | None = None
    following_break: ScheduledBreak | None = None
    middle_blinds: tuple[int, ...] = ()

    @property
    def blinds(self) -> tuple[int, ...]:
        """What is posted, from the button on; 0 for a small blind that there is not."""
        return (self.small_blind, *self.middle_blinds, self.big_blind)

    def opening_stakes(self, *, limit: bool) -> dict[str, object]:
        """The stakes of a table that begins on the level, by the keys of the table line; 0 where none is posted."""
        stakes: dict[str, object] = {"small_blind": self.small_blind, "big_blind": self.big_blind, "ante": self.ante}
        if self.middle_blinds:
            stakes = {"blinds": list(self.blinds), "ante": self.ante}
        if self.smallest_chip:
            stakes["chip"] = self.smallest_chip
        if limit:
            stakes |= {"small_bet": self.small_bet or self.big_blind, "big_bet": self.big_bet or 2 * self.big_blind}
        return stakes


class Schedule(Value):
    """The levels of a tournament, in order; `cite` is the clause that prints it, empty for a house's own."""

    name: str
    title: str
    levels: tuple[BlindLevel, ...]
    cite: str = ""

    def elapsed_minutes(self, index: int) -> int:
        """Minutes from the start to the end of a level, by the lengths of levels and breaks.

        Never by a printed column: that of FC's T100,000 runs backwards after level 16, and the clock must not.
        """
        before = self.levels[: index + 1]
        pauses = sum(level.following_break.minutes for level in before[:-1] if level.following_break is not None)
        return sum(level.minutes for level in before) + pauses

    def level_clause(self, index: int) -> str:
        """The catalogue id of a level, empty for a house's own schedule."""
        return f"{self.cite}.L{index + 1}" if self.cite else ""
