"""Everything that can happen at a table, as the table script names it.

An event is a fact in the past tense of the table: a card left the shoe, a seat acted, a second passed.
`EVENT_NAME_BY_CLASS` has the `ev` word of each class in the table script (`docs/table-script.md`), `script_keys` the
keys of its fields. `Event` is a closed union: `match` over it ends with `assert_never`.

A field's annotation says how its key is read (`script_lines.find_shape`): a plain `int` is a whole number from 0, a
plain `str` a printable text; what must be a card, a place or a number from 1 is annotated as such.
"""

from typing import Annotated, ClassVar

from controller.core.protocol.collection_terms import CollectionKind, CollectionTerms, PlayerCap
from controller.core.protocol.vocabulary import (
    ActionType,
    CardName,
    CardPlace,
    DeviceChange,
    ExposedBy,
    FaceUpFlag,
    FloorDecision,
    HalfPercent,
    LevelStartHand,
    PlaceName,
    PositiveInt,
    PriorChips,
    ReportedHand,
    ReportKind,
    StubMixture,
    TimerCommand,
)
from controller.core.values.value import Value


class TimedEvent(Value, kw_only=True):
    """What every event has: when it happened.

    `t` is in seconds since the script (or the process) began and never decreases; `None` means that time stands still.
    """

    time_s: float | None = None


class HandStarted(TimedEvent):
    """The first riffle of a new hand. `bomb_pot`: what everybody antes for a hand that begins on the flop.

    `alone`: there is one player only, who wins what the absent post, without a deal.
    """

    bomb_pot_ante: PositiveInt | None = None
    is_alone: bool = False


class CardDealt(TimedEvent):
    """One card left the shoe.

    `card` is rank and suit ("As"), "joker", or `None` where nothing read it. `face_up`: the shoe sensed it lying face
    up in the deck (boxed). `foreign`: its tag or code belongs to no card of this deck. `duplicate`: its name
    is out already, though the line does not say it. `named`: no sensor read it, a person said which it is.
    """

    hidden: ClassVar = frozenset({"card"})

    card: CardName | None
    face_up: FaceUpFlag = False
    is_foreign: bool = False
    is_duplicate: bool = False
    is_named: bool = False


class CardDetected(TimedEvent):
    """An antenna read a card at `at`: "board", "muck" or "seat N"."""

    hidden: ClassVar = frozenset({"card"})

    place: PlaceName
    card: CardName


class StepConfirmed(TimedEvent):
    """The dealer confirmed the first step that no sensor can confirm.

    `card`: which card a person picked, where the step leaves it to a blind pick and somebody saw it.
    """

    hidden: ClassVar = frozenset({"card"})

    card: CardName | None = None


class EntryUndone(TimedEvent):
    """The dealer took back the last entry."""


class PlayerActed(TimedEvent):
    """A seat acted.

    `to` is that seat's total on this betting round, in units of the game; `None` where the structure fixes it.
    `full` is `False` for an untracked all-in of less than a full raise.
    """

    seat: PositiveInt
    action_type: ActionType
    total: int | None = None
    is_full_raise: bool = True


ChipValues = Annotated[tuple[int, ...], "values of chips, each from 1"]
"""Chips that were pushed forward."""

SpokenWager = Annotated[tuple[str | int, ...], "a word, a number, or the numbers that it may mean"]
"""What was said with a wager; empty: nothing."""


class ChipMotion(TimedEvent):
    """A seat pushed chips forward and said something, or did one of them: the book says what it comes to.

    `chips`: the value of each chip. `said`: one word, one amount, or the amounts that the word may mean. `prior`: what
    became of the chips of an earlier bet.
    """

    seat: PositiveInt
    chips: ChipValues = ()
    spoken: SpokenWager = ()
    prior_chips: PriorChips = PriorChips.LEFT


class RoundClosed(TimedEvent):
    """The betting of a round that is told as a whole is over; every seat of its step is in."""


class DrawRequested(TimedEvent):
    """A seat exchanges `discard` cards (0 = pat)."""

    seat: PositiveInt
    discard_count: int


class HandTabled(TimedEvent):
    """A seat tabled its hand; `cards` where no sensor knows them, else empty.

    `asked`: the seat that has the right to see it.
    """

    hidden: ClassVar = frozenset({"cards"})

    seat: PositiveInt
    cards: tuple[CardName, ...] = ()
    asking_seat: PositiveInt | None = None


class HandMucked(TimedEvent):
    """A seat gave its hand up at the showdown."""

    seat: PositiveInt


class WinnerNamed(TimedEvent):
    """The dealer named a winner of a pot whose hands no sensor knows.

    `board`: of the part that this board decides, where the rest was dealt more than once; 0 where it was not.
    """

    seat: PositiveInt
    pot: int = 0
    board: PositiveInt = 0


class RunItTwiceAgreed(TimedEvent):
    """All-in players agreed that the rest of the board is dealt `count` times, each for a part of the pot."""

    count: PositiveInt = 2


class ClockCalled(TimedEvent):
    """Time was called on a seat. `seconds`: what the floor gives it, before the countdown of the book.

    `extend`: the seat spends one of its time extensions on the shot clock that runs.
    """

    seat: PositiveInt
    seconds: int | None = None
    is_extension: bool = False


class Report(TimedEvent):
    """Somebody said that something happened; `what` says what, and which keys go with it.

    `acted`: how many have acted in turn on this round, blinds when they acted; `chips`: one of them put chips in. Of
    what was entered and what is said the greater counts. `count` is 0 only of those that have `acted`.
    `witnessed`: the floor says so, and has seen which cards lie open.
    `burned`: of premature cards, whether the first of them was burned. `street`: its name, where the street has gone
    on since. `came_from`: the seat for which the card in question was. `mixed`: with what a dropped stub was.
    `to`: what a wager should have been, in all on its round. `refused`: an act was, since the street's last card.
    """

    hidden: ClassVar = frozenset({"card"})

    kind: ReportKind
    seat: PositiveInt | None = None
    nth: PositiveInt | None = None
    count: int | None = None
    card: CardName | None = None
    exposed_by: ExposedBy = ExposedBy.DEALER
    card_place: CardPlace | None = None
    reported_hand: ReportedHand = ReportedHand.THIS
    is_first_burned: bool = True
    street: str | None = None
    intended_seat: PositiveInt | None = None
    acted_count: int | None = None
    has_chips_in: bool | None = None
    is_witnessed: bool = False
    stub_mixture: StubMixture = StubMixture.STUB
    total: int | None = None
    is_act_refused: bool = False


class PlayerSeated(TimedEvent):
    """A player took a chair with `stack` (`None` where amounts are untracked).

    `moved`: from another table. `over`: plays in an absent player's chair. `came_from`: the chair that the player
    leaves for this one. `kill`: agrees to kill the next pot, to be dealt into a killed one. `buys_button`: posts both
    blinds between button and small blind, and has the button on the next hand. `must_move`: comes from the must-move
    game to this main game.
    """

    seat: PositiveInt
    player: str | None = None
    stack: int | None = None
    posts_blinds: bool = False
    came_from_table: bool = False
    plays_over: bool = False
    previous_seat: PositiveInt | None = None
    pledges_kill: bool = False
    buys_button: bool = False
    is_must_move: bool = False


class BlindsChopped(TimedEvent):
    """Everybody else has folded, and the blinds take their bets back."""


class PenaltyImposed(TimedEvent):
    """A player of a tournament misses so many `hands`, or `rounds`; 0 hands: the penalty is over."""

    seat: PositiveInt
    hands: int | None = None
    rounds: PositiveInt | None = None


class GameChosen(TimedEvent):
    """Between hands: the game of the next hands, by its name.

    `structure`: which of a rotation's two of that name it is, by its betting.
    """

    game_name: str
    structure: str = ""


class HandForHandChanged(TimedEvent):
    """The floor begins (`on`) or ends hand for hand, or lets the table that waits in it go on (`go`)."""

    is_on: bool | None = None
    releases_table: bool = False


class LastHandsAnnounced(TimedEvent):
    """So many `hands` begin before play ends for the day; `None`: as many as the schedule has time for."""

    hands: int | None = None


class HaltChanged(TimedEvent):
    """The floor halts play at the table once the hand is over (`on`), or lets it go on."""

    is_on: bool = True


class TournamentEnded(TimedEvent):
    """The floor lets the table go from its tournament, which is over: it stands as when it was set up, without anybody.

    All who sit there get up, their chips off the table; nothing of the tournament counts any more.
    """


class AntesWaived(TimedEvent):
    """The last two players of a tournament agree to play without antes."""


class PlayerLeft(TimedEvent):
    """A player left for good."""

    seat: PositiveInt


class PlayerWentAway(TimedEvent):
    """A player misses hands."""

    seat: PositiveInt


class PlayerReturned(TimedEvent):
    """A player returned, posting what was missed, or waiting for the big blind.

    `straddle`: comes in as the live straddle under the gun, which makes up for the blinds missed.
    """

    seat: PositiveInt
    posts_blinds: bool = False
    straddles_in: bool = False


class StackChanged(TimedEvent):
    """A player's chips changed between hands."""

    seat: PositiveInt
    stack: int


class RebuyAnnounced(TimedEvent):
    """A tournament player announced a rebuy or an add-on of `chips` before the cards were dealt: plays them behind."""

    seat: PositiveInt
    chips: PositiveInt


class CollectionChanged(TimedEvent):
    """What the house takes from the next hand on; the keys are those of `CollectionTerms` [AU-8.3, AU-8.4]."""

    kind: CollectionKind
    half_percent: HalfPercent | None = None
    cap: int | None = None
    step: PositiveInt | None = None
    caps: tuple[PlayerCap, ...] | None = None
    is_flop_needed: bool | None = None
    fee: int | None = None
    minutes: int | None = None

    @property
    def terms(self) -> CollectionTerms:
        """The terms that the line states."""
        return CollectionTerms(
            self.kind,
            self.half_percent or 0,
            self.cap,
            self.step,
            self.caps or (),
            self.is_flop_needed,
            self.fee or 0,
            self.minutes or 0,
        )


class TimeCharged(TimedEvent):
    """A seat pays its time charge, or declines to; `waiting_count`: how many wait for a seat [R7-2.proc.2]."""

    seat: PositiveInt
    is_paid: bool = True
    waiting_count: int = 0


class FloorDecided(TimedEvent):
    """The floor decided; `who` did and `why` belong to the record.

    `nth`, `where`: which card of the seat, the board or the burns was turned up; all of them without `nth`.
    """

    decision: FloorDecision
    seat: PositiveInt | None = None
    floor_name: str | None = None
    reason: str | None = None
    nth: PositiveInt | None = None
    card_place: CardPlace | None = None


class LevelAdvanced(TimedEvent):
    """The tournament clock moved to the next level. `due`: the timer brought it, no person.

    `hand`: from which hand on it counts.
    """

    is_by_timer: bool = False
    from_hand: LevelStartHand = LevelStartHand.NEXT


class TimerChanged(TimedEvent):
    """The tournament's timer was started, paused or resumed. `due`: with the first hand, by no person."""

    command: TimerCommand
    is_by_timer: bool = False


class BreakStarted(TimedEvent):
    """The break after the level began; the next level ends it. `due`: the timer brought it, no person."""

    is_by_timer: bool = False


class ChipsColouredUp(TimedEvent):
    """All chips of the value `chip` were changed into chips of `new`.

    `cards`: those of the race, in the order dealt, where the book has one. `due`: the timer brought it, no person.
    """

    hidden: ClassVar = frozenset({"cards"})

    old_chip: PositiveInt
    new_chip: PositiveInt
    cards: tuple[CardName, ...] = ()
    is_by_timer: bool = False


class DeviceChanged(TimedEvent):
    """News of the device `id`.

    `needed` says whether the deal depends on it, where whoever tells the news knows; otherwise its name tells.
    """

    device_id: str
    change: DeviceChange
    is_needed: bool | None = None


class TimePassed(TimedEvent):
    """Nothing but time passed."""


Entry = (
    HandStarted
    | CardDealt
    | CardDetected
    | StepConfirmed
    | EntryUndone
    | PlayerActed
    | ChipMotion
    | RoundClosed
    | DrawRequested
    | HandTabled
    | HandMucked
    | WinnerNamed
    | RunItTwiceAgreed
    | ClockCalled
    | Report
    | BlindsChopped
    | GameChosen
    | AntesWaived
    | HandForHandChanged
    | LastHandsAnnounced
    | HaltChanged
    | TournamentEnded
    | PenaltyImposed
    | PlayerSeated
    | PlayerLeft
    | PlayerWentAway
    | PlayerReturned
    | StackChanged
    | RebuyAnnounced
    | FloorDecided
    | CollectionChanged
    | TimeCharged
    | LevelAdvanced
    | TimerChanged
    | BreakStarted
    | ChipsColouredUp
    | DeviceChanged
    | TimePassed
)

CorrectedEntry = Annotated[Entry | None, "a line of its own"]
"""What a line should have been; `None`: it should not have been."""


class EntryChange(Value):
    """One change of what was entered: `line` should have been `to`, or `to` was forgotten just before line `before`."""

    corrected: CorrectedEntry
    line: PositiveInt | None = None
    before_line: PositiveInt | None = None


class AmendmentMade(TimedEvent):
    """What was entered is put right, and the hand played again from its lines; `to` and its place as in `EntryChange`.

    `drop`: lines that are taken out with it. `also`: further changes, applied together with it.
    """

    corrected: CorrectedEntry
    line: PositiveInt | None = None
    before_line: PositiveInt | None = None
    dropped_lines: tuple[PositiveInt, ...] = ()
    further_changes: tuple[EntryChange, ...] = ()


Event = Entry | AmendmentMade

EVENT_NAME_BY_CLASS: dict[type[Event], str] = {
    HandStarted: "start",
    CardDealt: "card",
    CardDetected: "seen",
    StepConfirmed: "done",
    EntryUndone: "undo",
    ChipMotion: "act",
    PlayerActed: "act",
    RoundClosed: "closed",
    DrawRequested: "draw",
    HandTabled: "show",
    HandMucked: "muck",
    WinnerNamed: "won",
    RunItTwiceAgreed: "twice",
    ClockCalled: "clock",
    Report: "report",
    BlindsChopped: "chop",
    GameChosen: "game",
    AntesWaived: "waive-antes",
    HandForHandChanged: "hand-for-hand",
    LastHandsAnnounced: "last-hands",
    HaltChanged: "halt",
    TournamentEnded: "tournament-over",
    PenaltyImposed: "penalty",
    PlayerSeated: "sit",
    PlayerLeft: "leave",
    PlayerWentAway: "away",
    PlayerReturned: "back",
    StackChanged: "stack",
    RebuyAnnounced: "buy",
    FloorDecided: "floor",
    CollectionChanged: "collection",
    TimeCharged: "collect",
    LevelAdvanced: "level",
    TimerChanged: "timer",
    BreakStarted: "break",
    ChipsColouredUp: "colour-up",
    DeviceChanged: "device",
    TimePassed: "time",
    AmendmentMade: "amend",
}
"""The `ev` word of each event."""
