"""Everything that can happen at a table, as the table script names it.

An event is a fact in the past tense of the table: a card left the shoe, a seat acted, a second passed. The classes
bear the names of the `ev` words of the table script (`docs/table-script.md`), their fields the names of its keys.
`Event` is a closed union: `match` over it ends with `assert_never`.

A field's annotation says how its key is read (`script.reader_of`): a plain `int` is a whole number from 0, a plain
`str` a printable text; what must be a card, a place or a number from 1 is annotated as such.
"""

from typing import Annotated, ClassVar

from controller.core.protocol.vocabulary import (
    By,
    CardName,
    Decide,
    Do,
    FaceUp,
    FromHand,
    FromOne,
    Mixed,
    PlaceName,
    Prior,
    Set,
    Status,
    What,
    Where,
    Which,
)
from controller.core.values.value import Value


class Timed(Value, kw_only=True):
    """What every event has: when it happened.

    `t` is in seconds since the script (or the process) began and never decreases; `None` means that time stands still.
    """

    t: float | None = None


class Start(Timed):
    """The first riffle of a new hand. `bomb_pot`: what everybody antes for a hand that begins on the flop.

    `alone`: there is one player only, who wins what the absent post, without a deal.
    """

    bomb_pot: FromOne | None = None
    alone: bool = False


class Card(Timed):
    """One card left the shoe.

    `card` is rank and suit ("As"), "joker", or `None` where nothing read it. `face_up`: the shoe sensed it lying face
    up in the deck (boxed). `foreign`: its tag or code belongs to no card of this deck.
    """

    hidden: ClassVar = frozenset({"card"})

    card: CardName | None
    face_up: FaceUp = False
    foreign: bool = False


class Seen(Timed):
    """An antenna read a card at `at`: "board", "muck" or "seat N"."""

    hidden: ClassVar = frozenset({"card"})

    at: PlaceName
    card: CardName


class Done(Timed):
    """The dealer confirmed the first step that no sensor can confirm.

    `card`: which card a person picked, where the step leaves it to a blind pick and somebody saw it.
    """

    hidden: ClassVar = frozenset({"card"})

    card: CardName | None = None


class Undo(Timed):
    """The dealer took back the last entry."""


class Act(Timed):
    """A seat acted.

    `to` is that seat's total on this betting round, in units of the game; `None` where the structure fixes it.
    `full` is `False` for an untracked all-in of less than a full raise.
    """

    seat: FromOne
    do: Do
    to: int | None = None
    full: bool = True


Chips = Annotated[tuple[int, ...], "values of chips, each from 1"]
"""Chips that were pushed forward."""

Spoken = Annotated[tuple[str | int, ...], "a word, a number, or the numbers that it may mean"]
"""What was said with a wager; empty: nothing."""


class Motion(Timed):
    """A seat pushed chips forward and said something, or did one of them: the book says what it comes to.

    `chips`: the value of each chip. `said`: one word, one amount, or the amounts that the word may mean. `prior`: what
    became of the chips of an earlier bet.
    """

    seat: FromOne
    chips: Chips = ()
    said: Spoken = ()
    prior: Prior = Prior.LEFT


class Closed(Timed):
    """The betting of a round that is told as a whole is over; every seat of its step is in."""


class Draw(Timed):
    """A seat exchanges `discard` cards (0 = pat)."""

    seat: FromOne
    discard: int


class Show(Timed):
    """A seat tabled its hand; `cards` where no sensor knows them, else empty.

    `asked`: the seat that has the right to see it.
    """

    hidden: ClassVar = frozenset({"cards"})

    seat: FromOne
    cards: tuple[CardName, ...] = ()
    asked: FromOne | None = None


class Muck(Timed):
    """A seat gave its hand up at the showdown."""

    seat: FromOne


class Won(Timed):
    """The dealer named a winner of a pot whose hands no sensor knows.

    `board`: of the part that this board decides, where the rest was dealt more than once; 0 where it was not.
    """

    seat: FromOne
    pot: int = 0
    board: FromOne = 0


class Twice(Timed):
    """All-in players agreed that the rest of the board is dealt `count` times, each for a part of the pot."""

    count: FromOne = 2


class Clock(Timed):
    """Time was called on a seat. `seconds`: what the floor gives it, before the countdown of the book.

    `extend`: the seat spends one of its time extensions on the shot clock that runs.
    """

    seat: FromOne
    seconds: int | None = None
    extend: bool = False


class Report(Timed):
    """Somebody said that something happened; which keys a `what` uses, `USES` says.

    `acted`: how many have acted in turn on this round, blinds when they acted; `chips`: one of them put chips in. Of
    what was entered and what is said the greater counts. `count` is 0 only of those that have `acted`.
    `witnessed`: the floor says so, and has seen which cards lie open.
    `burned`: of premature cards, whether the first of them was burned. `street`: its name, where the street has gone
    on since. `came_from`: the seat for which the card in question was. `mixed`: with what a dropped stub was.
    `to`: what a wager should have been, in all on its round.
    """

    hidden: ClassVar = frozenset({"card"})

    what: What
    seat: FromOne | None = None
    nth: FromOne | None = None
    count: int | None = None
    card: CardName | None = None
    by: By = By.DEALER
    where: Where | None = None
    hand: Which = Which.THIS
    burned: bool = True
    street: str | None = None
    came_from: FromOne | None = None
    acted: int | None = None
    chips: bool | None = None
    witnessed: bool = False
    mixed: Mixed = Mixed.STUB
    to: int | None = None


class Sit(Timed):
    """A player took a chair with `stack` (`None` where amounts are untracked).

    `moved`: from another table. `over`: plays in an absent player's chair. `came_from`: the chair that the player
    leaves for this one. `kill`: agrees to kill the next pot, to be dealt into a killed one. `buys_button`: posts both
    blinds between button and small blind, and has the button on the next hand. `must_move`: comes from the must-move
    game to this main game.
    """

    seat: FromOne
    player: str | None = None
    stack: int | None = None
    post: bool = False
    moved: bool = False
    over: bool = False
    came_from: FromOne | None = None
    kill: bool = False
    buys_button: bool = False
    must_move: bool = False


class Chop(Timed):
    """Everybody else has folded, and the blinds take their bets back."""


class Penalty(Timed):
    """A player of a tournament misses so many `hands`, or `rounds`; 0 hands: the penalty is over."""

    seat: FromOne
    hands: int | None = None
    rounds: FromOne | None = None


class Game(Timed):
    """Between hands: the game of the next hands, by its name.

    `structure`: which of a rotation's two of that name it is, by its betting.
    """

    game: str
    structure: str = ""


class HandForHand(Timed):
    """The floor begins (`on`) or ends hand for hand, or lets the table that waits in it go on (`go`)."""

    on: bool | None = None
    go: bool = False


class LastHands(Timed):
    """So many `hands` begin before play ends for the day; `None`: as many as the schedule has time for."""

    hands: int | None = None


class Halt(Timed):
    """The floor halts play at the table once the hand is over (`on`), or lets it go on."""

    on: bool = True


class WaiveAntes(Timed):
    """The last two players of a tournament agree to play without antes."""


class Leave(Timed):
    """A player left for good."""

    seat: FromOne


class Away(Timed):
    """A player misses hands."""

    seat: FromOne


class Back(Timed):
    """A player returned, posting what was missed, or waiting for the big blind.

    `straddle`: comes in as the live straddle under the gun, which makes up for the blinds missed.
    """

    seat: FromOne
    post: bool = False
    straddle: bool = False


class Stack(Timed):
    """A player's chips changed between hands."""

    seat: FromOne
    stack: int


class Buy(Timed):
    """A tournament player announced a rebuy or an add-on of `chips` before the cards were dealt: plays them behind."""

    seat: FromOne
    chips: FromOne


class Floor(Timed):
    """The floor decided; `who` did and `why` belong to the record."""

    decide: Decide
    seat: FromOne | None = None
    who: str | None = None
    why: str | None = None


class Level(Timed):
    """The tournament clock moved to the next level. `due`: the timer brought it, no person.

    `hand`: from which hand on it counts.
    """

    due: bool = False
    hand: FromHand = FromHand.NEXT


class Timer(Timed):
    """The tournament's timer was started, paused or resumed. `due`: with the first hand, by no person."""

    set: Set
    due: bool = False


class Break(Timed):
    """The break after the level began; the next level ends it. `due`: the timer brought it, no person."""

    due: bool = False


class ColourUp(Timed):
    """All chips of the value `chip` were changed into chips of `new`.

    `cards`: those of the race, in the order dealt, where the book has one. `due`: the timer brought it, no person.
    """

    hidden: ClassVar = frozenset({"cards"})

    chip: FromOne
    new: FromOne
    cards: tuple[CardName, ...] = ()
    due: bool = False


class Device(Timed):
    """News of the device `id`.

    `needed` says whether the deal depends on it, where whoever tells the news knows; otherwise its name tells.
    """

    id: str
    status: Status
    needed: bool | None = None


class Time(Timed):
    """Nothing but time passed."""


Entry = (
    Start
    | Card
    | Seen
    | Done
    | Undo
    | Act
    | Motion
    | Closed
    | Draw
    | Show
    | Muck
    | Won
    | Twice
    | Clock
    | Report
    | Chop
    | Game
    | WaiveAntes
    | HandForHand
    | LastHands
    | Halt
    | Penalty
    | Sit
    | Leave
    | Away
    | Back
    | Stack
    | Buy
    | Floor
    | Level
    | Timer
    | Break
    | ColourUp
    | Device
    | Time
)

Corrected = Annotated[Entry | None, "a line of its own"]
"""What a line should have been; `None`: it should not have been."""


class Change(Value):
    """One change of what was entered: `line` should have been `to`, or `to` was forgotten just before line `before`."""

    to: Corrected
    line: FromOne | None = None
    before: FromOne | None = None


class Amend(Timed):
    """What was entered is put right, and the hand played again from its lines; `to` and its place as in `Change`.

    `drop`: lines that are taken out with it. `also`: further changes, applied together with it.
    """

    to: Corrected
    line: FromOne | None = None
    before: FromOne | None = None
    drop: tuple[FromOne, ...] = ()
    also: tuple[Change, ...] = ()


Event = Entry | Amend

NAMES: dict[type[Event], str] = {
    Start: "start",
    Card: "card",
    Seen: "seen",
    Done: "done",
    Undo: "undo",
    Motion: "act",
    Act: "act",
    Closed: "closed",
    Draw: "draw",
    Show: "show",
    Muck: "muck",
    Won: "won",
    Twice: "twice",
    Clock: "clock",
    Report: "report",
    Chop: "chop",
    Game: "game",
    WaiveAntes: "waive-antes",
    HandForHand: "hand-for-hand",
    LastHands: "last-hands",
    Halt: "halt",
    Penalty: "penalty",
    Sit: "sit",
    Leave: "leave",
    Away: "away",
    Back: "back",
    Stack: "stack",
    Buy: "buy",
    Floor: "floor",
    Level: "level",
    Timer: "timer",
    Break: "break",
    ColourUp: "colour-up",
    Device: "device",
    Time: "time",
    Amend: "amend",
}
"""The `ev` word of each event."""
