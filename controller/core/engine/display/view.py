"""An outcome as one line of the contract (`docs/table-script.md`, section 2)."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from controller.core.model.hand import Hand
from controller.core.model.outcome import Amended, Outcome
from controller.core.model.state import State
from controller.core.play.betting import pots
from controller.core.play.betting.legal_actions import options_of
from controller.core.play.deal import draws, hand_for_hand, mixed_games, tournament_levels
from controller.core.play.showdown.run_it_twice import board_number, boards
from controller.core.protocol.display import Lamps
from controller.core.protocol.errors import Refused
from controller.core.protocol.steps import (
    Act,
    Award,
    Bet,
    Board,
    Burn,
    Cut,
    Deal,
    Discard,
    Draw,
    Floor,
    Hold,
    Move,
    Post,
    Return,
    Say,
    Show,
    Shuffle,
    Step,
    Turn,
)
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling, printed
from controller.core.values.cards import deck
from controller.core.values.piles import ASIDE, BOARD, BURN, MUCK, STUB, Lying, hand_of, seat_of

LAMP_ROLES = tuple(field.name for field in fields(Lamps))


def line(outcome: Outcome, number: int, error: Refused | None = None, *, live: bool = False) -> dict[str, Any]:
    """One output line; with an `error` it has no rulings, and all else is as it was.

    A `live` table believes what its people say of a card, but names one that was dealt face down only where a sensor
    or the floor agrees that it lies open; `replay` names what its script says.
    """
    state = outcome.state
    hand = state.hand
    shown: dict[str, Any] = {
        "line": number,
        "hand": state.number,
        "phase": outcome.phase.value,
        "street": state.street,
        "next": [step_shown(hand, step) for step in _as_far_as_the_betting(state.plan) or hand_for_hand.between(state)],
        "lamps": lamps_shown(outcome),
        "gate": "open" if outcome.gate_open else "locked",
        "rulings": [] if error else [ruling_shown(ruling) for ruling in outcome.rulings],
        "piles": piles_shown(state),
        "board": [] if hand is None else _named(boards(hand)[0], live=live),
    }
    if hand is not None and hand.showdown.boards_from:
        shown["boards"] = [_named(board, live=live) for board in boards(hand)]
    if hand is not None and not hand.setup.game.button:
        shown["up"] = {
            str(seat): _named((lying for lying in hand.cards.piles.at(hand_of(seat)) if lying.up), live=live)
            for seat in sorted(hand.order)
            if any(lying.up for lying in hand.cards.piles.at(hand_of(seat)))
        }
    if state.setup.mode is Mode.TOURNAMENT:
        shown["killed"] = killed_shown(state)
    if state.setup.tracked:
        shown |= money_shown(state)
    if (called := outcome.time_called) is not None:
        shown["clock"] = {"seat": called.seat, "warning": called.warning, "until": called.until}
    shown |= mixed_games.shown(state)
    if (timer := tournament_levels.shown(state)) is not None:
        shown["timer"] = timer
    if error is not None:
        shown["error"] = {"code": error.code, "message": error.message}
    elif outcome.amended is not None:
        shown["amended"] = amended_shown(outcome.amended)
    return shown


def _as_far_as_the_betting(plan: tuple[Step, ...]) -> tuple[Step, ...]:
    """What of the plan comes before anybody can know how it goes on: a hand given back may act before cards come."""
    place = next((i for i, step in enumerate(plan) if isinstance(step, Turn)), len(plan))
    return plan[: place + 1]


def _named(cards: Iterable[Lying], *, live: bool) -> list[str | None]:
    return [lying.public if live else lying.card for lying in cards]


def amended_shown(amended: Amended) -> dict[str, Any]:
    """What an amendment changed."""
    return {
        "line": amended.line,
        "was": None if amended.was is None else dict(amended.was),
        "now": None if amended.now is None else dict(amended.now),
        "dropped": list(amended.dropped),
        "chips": {str(seat): chips for seat, chips in sorted(amended.chips.items())},
        "gone": list(amended.gone),
    }


def nothing(number: int, error: Refused) -> dict[str, Any]:
    """The line of a table that does not stand yet."""
    return {
        "line": number,
        "hand": 0,
        "phase": "idle",
        "street": None,
        "next": [],
        "lamps": {role: [] for role in LAMP_ROLES},
        "gate": "locked",
        "rulings": [],
        "piles": {"stub": 0, "burn": 0, "board": 0, "muck": 0, "aside": 0, "seats": {}},
        "board": [],
        "error": {"code": error.code, "message": error.message},
    }


def lamps_shown(outcome: Outcome) -> dict[str, list[int]]:
    """Each role's seats."""
    return {role: list(getattr(outcome.lamps, role)) for role in LAMP_ROLES}


def ruling_shown(ruling: Ruling) -> dict[str, Any]:
    """A ruling."""
    shown: dict[str, Any] = {"finding": ruling.finding, "verdict": ruling.verdict.value}
    if ruling.seat is not None:
        shown["seat"] = ruling.seat
    cited = dict.fromkeys(map(printed, ruling.cite))
    return {**shown, "cite": list(cited), "text": ruling.text}


def piles_shown(state: State) -> dict[str, Any]:
    """Counts of every pile."""
    hand = state.hand
    if hand is None:
        whole = len(deck(state.setup.deck, state.setup.joker))
        return {"stub": whole, "burn": 0, "board": 0, "muck": 0, "aside": 0, "seats": {}}
    piles = hand.cards.piles
    seats = {seat: len(pile) for place, pile in piles.out.items() if pile and (seat := seat_of(place)) is not None}
    return {
        "stub": piles.stub + len(piles.at(STUB)),
        "burn": len(piles.at(BURN)),
        "board": len(piles.at(BOARD)),
        "muck": len(piles.at(MUCK)),
        "aside": len(piles.at(ASIDE)),
        "seats": {str(seat): seats[seat] for seat in sorted(seats)},
    }


def killed_shown(state: State) -> list[int]:
    """Seats of the hand that is on whose cards a ruling has killed, and whose chips lie in it all the same."""
    hand = state.hand
    if hand is None or not hand.plan:
        return []
    chips = {
        seat for put in (hand.chips.bets, hand.chips.paid, hand.chips.dead_posts) for seat, sum_ in put.items() if sum_
    }
    return sorted(hand.betting.killed & chips if hand.setup.tracked else hand.betting.killed)


def money_shown(state: State) -> dict[str, Any]:
    """Stacks, pots and bets."""
    hand = state.hand
    if hand is None or not hand.plan:
        stacks = {str(seat): chair.stack for seat, chair in sorted(state.seating.chairs.items())}
        left = (
            [{"amount": state.carried_pot.chips, "seats": sorted(state.seating.chairs)}]
            if state.carried_pot.chips
            else []
        )
        return {"stacks": stacks, "pots": left, "bets": {}}
    held = {seat: chair.stack for seat, chair in state.seating.chairs.items()} | hand.chips.stacks
    given: dict[int, int] = {}
    for part, amount in hand.showdown.given.items():
        given[part.pot] = given.get(part.pot, 0) + amount
    unpaid = [
        {"amount": pot.amount - given.get(index, 0), "seats": list(pot.seats)}
        for index, pot in enumerate(pots.pots(hand))
        if index not in hand.showdown.settled
    ]
    return {
        "stacks": {str(seat): held[seat] for seat in sorted(held)},
        "pots": unpaid,
        "bets": {str(seat): bet for seat, bet in sorted(hand.chips.bets.items()) if bet},
    }


def step_shown(hand: Hand | None, step: Step) -> dict[str, Any]:
    """A step of the plan."""
    match step:
        case Deal(seat=seat, face=face, why=why):
            return {"step": "deal", "seat": seat, "face": face} | ({"why": why} if why else {})
        case Burn():
            return {"step": "burn"}
        case Board(street=street, n=n, of=of):
            which = 0 if hand is None else board_number(hand, of)
            return {"step": "board", "street": street, "n": n} | ({"board": which} if which else {})
        case Act(seat=seat):
            assert hand is not None
            return {"step": "act", "seat": seat, **_options_shown(hand, seat)}
        case Bet(street=street, seats=seats):
            return {"step": "bet", "street": street, "seats": list(seats)}
        case Draw(seat=seat, of=of):
            due = 0 if hand is None else draws.to_throw_away(hand, seat, of)
            return {"step": "draw", "seat": seat} | ({"discard": due} if due else {})
        case Post(seat=seat, kind=kind, amount=amount):
            return {"step": "post", "seat": seat, "kind": kind, "amount": amount}
        case Return(what=what, source=source, to=to, count=count):
            return {"step": "return", "what": what, "from": source, "to": to, "count": count}
        case Shuffle():
            return {"step": "shuffle"}
        case Cut():
            return {"step": "cut"}
        case Move(what=what, source=source, to=to, count=count):
            return {"step": "move", "what": what, "from": source, "to": to, "count": count}
        case Discard(count=count, to=to):
            return {"step": "discard", "count": count, "to": to}
        case Show(seat=seat):
            return {"step": "show", "seat": seat}
        case Award(pot=pot, seats=seats, amounts=amounts, board=which):
            award = {"step": "award", "pot": pot, "seats": list(seats)} | ({"board": which} if which else {})
            return award | ({} if amounts is None else {"amounts": list(amounts)})
        case Floor(question=question, options=options):
            return {"step": "floor", "question": question, "options": list(options)}
        case Hold():
            return {"step": "hold"}
        case Say(options=options):
            return {"step": "say", "options": list(options)}


def _options_shown(hand: Hand, seat: int) -> dict[str, Any]:
    open_ = options_of(hand, seat)
    shown: dict[str, Any] = {"options": list(open_.words)}
    if open_.to_call is not None:
        shown["to_call"] = open_.to_call
    if open_.min_to is not None:
        shown |= {"min_to": open_.min_to, "max_to": open_.max_to}
    return shown
