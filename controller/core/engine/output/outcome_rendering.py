"""An outcome as one line of the contract (`docs/table-script.md`, section 2)."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from controller.core.model.hand import Hand
from controller.core.model.outcome import AmendmentEffect, LineChange, Outcome
from controller.core.model.table_state import TableState
from controller.core.play.betting import pot_collection, pots
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.play.dealing import draws
from controller.core.play.game_flow import house_account, mixed_games, tournament_holds, tournament_levels
from controller.core.play.showdown.run_it_twice import board_number, boards
from controller.core.protocol.facts import ChipsReturned
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BettingRoundStep,
    BettingStep,
    BoardStep,
    BurnStep,
    CollectStep,
    CutStep,
    DealStep,
    DiscardStep,
    DrawStep,
    FloorStep,
    HoldStep,
    MoveStep,
    PostStep,
    QuestionStep,
    ReturnStep,
    ShowStep,
    ShuffleStep,
    Step,
)
from controller.core.protocol.table_display import Lamps
from controller.core.protocol.table_error import Refused
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling, printed_rule_id
from controller.core.values.cards import build_deck
from controller.core.values.piles import ASIDE, BOARD, BURN, MUCK, STUB, PlacedCard, hand_place, seat_of_place

LAMP_ROLES = tuple(field.name for field in fields(Lamps) if field.name != "middle_blind")
"""The roles that every answer names. `middle_blind` is named only where it is lit: few tables have more blinds."""


def render_outcome(
    outcome: Outcome, number: int, error: Refused | None = None, *, live: bool = False
) -> dict[str, Any]:
    """One output line; with an `error` it has no rulings, and all else is as it was.

    A `live` table believes what its people say of a card, but names one that was dealt face down only where a sensor
    or the floor agrees that it lies open; `replay` names what its script says.
    """
    state = outcome.state
    hand = state.hand
    shown: dict[str, Any] = {
        "line": number,
        "hand": state.hand_count,
        "phase": outcome.phase.value,
        "street": state.street_name,
        "next": render_plan(state),
        "lamps": render_lamps(outcome),
        "gate": "open" if outcome.gate_open else "locked",
        "rulings": [] if error else [render_ruling(ruling) for ruling in outcome.rulings],
        "piles": render_piles(state),
        "board": [] if hand is None else _render_cards(boards(hand)[0], live=live),
    }
    if hand is not None and hand.showdown.board_start_streets:
        shown["boards"] = [_render_cards(board, live=live) for board in boards(hand)]
    if hand is not None and not hand.setup.game.has_button:
        shown["up"] = {
            str(seat): _render_cards(
                (lying for lying in hand.cards.piles.cards_at(hand_place(seat)) if lying.is_face_up), live=live
            )
            for seat in sorted(hand.dealing_order)
            if any(lying.is_face_up for lying in hand.cards.piles.cards_at(hand_place(seat)))
        }
    if state.setup.mode is GameMode.TOURNAMENT:
        shown["killed"] = render_killed_seats(state)
    if state.setup.tracks_amounts:
        shown |= render_money(state)
        shown |= render_knockouts(state)
        shown |= {} if error else render_returned_chips(outcome)
    shown |= render_collection(state)
    if (called := outcome.clock_display) is not None:
        shown["clock"] = {"seat": called.seat, "warning": called.warns_at_s, "until": called.ends_at_s}
    shown |= mixed_games.render_rotation(state)
    if (timer := tournament_levels.render_timer(state)) is not None:
        shown["timer"] = timer
    if error is not None:
        shown["error"] = {"code": error.code, "message": error.message}
    elif outcome.amendment_effect is not None:
        shown["amended"] = render_amendment(outcome.amendment_effect, live=live)
    return shown


def render_plan(state: TableState) -> list[dict[str, Any]]:
    """The steps of the plan that are told."""
    steps = _steps_up_to_betting(_drop_empty_awards(state)) or tournament_holds.hold_steps(state)
    return [render_step(state.hand, step) for step in steps]


def _drop_empty_awards(state: TableState) -> tuple[Step, ...]:
    """The plan without awards of nothing: the house takes all of that pot."""
    if state.hand is None or not state.hand.collection.planned_by_pot:
        return state.plan
    return tuple(
        step for step in state.plan if not (isinstance(step, AwardStep) and step.amounts and not any(step.amounts))
    )


def _steps_up_to_betting(plan: tuple[Step, ...]) -> tuple[Step, ...]:
    """What of the plan comes before anybody can know how it goes on: a hand given back may act before cards come."""
    place = next((i for i, step in enumerate(plan) if isinstance(step, BettingStep)), len(plan))
    return plan[: place + 1]


def _render_cards(cards: Iterable[PlacedCard], *, live: bool) -> list[str | None]:
    return [lying.known_card if live else lying.card for lying in cards]


def render_amendment(amended: AmendmentEffect, *, live: bool) -> dict[str, Any]:
    """What an amendment changed; a `live` table names no card that somebody need only say lies open."""
    shown: dict[str, Any] = {
        **_render_line_change(amended.change, live=live),
        "dropped": list(amended.dropped_lines),
        "chips": {str(seat): chips for seat, chips in sorted(amended.chip_change_by_seat.items())},
        "gone": list(amended.lapsed_findings),
        "withdrawn": [render_ruling(ruling) for ruling in amended.withdrawn_rulings],
    }
    if amended.before_line is not None:
        shown["before"] = amended.before_line
    if (act := amended.resulting_act) is not None:
        told = {"do": act.action_type.value}
        shown["act"] = told | ({"to": act.total} if act.is_wager and act.total is not None else {})
    if amended.further_changes:
        shown["also"] = [_render_line_change(change, live=live) for change in amended.further_changes]
    return shown


def _render_line_change(change: LineChange, *, live: bool) -> dict[str, Any]:
    left_out = ("card",) if live and not change.is_card_public else ()
    was, now = (
        None if line is None else {key: value for key, value in line.items() if key not in left_out}
        for line in (change.old_line, change.new_line)
    )
    return {"line": change.line, "was": was, "now": now}


def render_missing_table(number: int, error: Refused) -> dict[str, Any]:
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


def render_lamps(outcome: Outcome) -> dict[str, list[int]]:
    """Each role's seats."""
    lamps = outcome.lamps
    lit = {role: list(getattr(lamps, role)) for role in LAMP_ROLES}
    return lit | ({"middle_blind": list(lamps.middle_blind)} if lamps.middle_blind else {})


def render_ruling(ruling: Ruling) -> dict[str, Any]:
    """A ruling."""
    shown: dict[str, Any] = {"finding": ruling.finding, "verdict": ruling.verdict.value}
    if ruling.seat is not None:
        shown["seat"] = ruling.seat
    cited = dict.fromkeys(map(printed_rule_id, ruling.cite))
    return {**shown, "cite": list(cited), "text": ruling.text}


def render_piles(state: TableState) -> dict[str, Any]:
    """Counts of every pile."""
    hand = state.hand
    if hand is None:
        whole = len(build_deck(state.setup.deck_size, state.setup.has_joker))
        return {"stub": whole, "burn": 0, "board": 0, "muck": 0, "aside": 0, "seats": {}}
    piles = hand.cards.piles
    seats = {
        seat: len(pile)
        for place, pile in piles.cards_by_place.items()
        if pile and (seat := seat_of_place(place)) is not None
    }
    return {
        "stub": piles.stub_count + len(piles.cards_at(STUB)),
        "burn": len(piles.cards_at(BURN)),
        "board": len(piles.cards_at(BOARD)),
        "muck": len(piles.cards_at(MUCK)),
        "aside": len(piles.cards_at(ASIDE)),
        "seats": {str(seat): seats[seat] for seat in sorted(seats)},
    }


def render_killed_seats(state: TableState) -> list[int]:
    """Seats of the hand that is on whose cards a ruling has killed, and whose chips lie in it all the same."""
    hand = state.hand
    if hand is None or not hand.plan:
        return []
    chips = {
        seat
        for put in (hand.chips.bet_by_seat, hand.chips.paid_earlier_by_seat, hand.chips.dead_post_by_seat)
        for seat, sum_ in put.items()
        if sum_
    }
    return sorted(hand.betting.killed_seats & chips if hand.setup.tracks_amounts else hand.betting.killed_seats)


def render_money(state: TableState) -> dict[str, Any]:
    """Stacks, pots and bets."""
    hand = state.hand
    if hand is None or not hand.plan:
        stacks = {str(seat): chair.stack for seat, chair in sorted(state.seating.state_by_seat.items())}
        left = (
            [{"amount": state.carried_pot.chips, "seats": sorted(state.seating.state_by_seat)}]
            if state.carried_pot.chips
            else []
        )
        return {"stacks": stacks, "pots": left, "bets": {}}
    held = {seat: chair.stack for seat, chair in state.seating.state_by_seat.items()} | hand.chips.stack_by_seat
    given: dict[int, int] = {}
    for part, amount in hand.showdown.pushed_chips_by_part.items():
        given[part.pot] = given.get(part.pot, 0) + amount
    for pot_index, amount in (hand.collection.taken_by_pot or {}).items():
        given[pot_index] = given.get(pot_index, 0) + amount
    unpaid = [
        {"amount": pot.amount - given.get(index, 0), "seats": list(pot.seats)}
        for index, pot in enumerate(pots.build_pots(hand))
        if index not in hand.showdown.settled_pots
    ]
    return {
        "stacks": {str(seat): held[seat] for seat in sorted(held)},
        "pots": unpaid,
        "bets": {str(seat): bet for seat, bet in sorted(hand.chips.bet_by_seat.items()) if bet},
    }


def render_knockouts(state: TableState) -> dict[str, Any]:
    """Who is out of the tournament with the hand that is over, and who has knocked them out."""
    hand = state.hand
    if hand is None or hand.plan or not hand.showdown.knockouts:
        return {}
    return {
        "out": [
            {"seat": out.seat, "by": list(out.by)} | ({"shares": list(out.shares)} if out.shares else {})
            for out in hand.showdown.knockouts
        ]
    }


def render_returned_chips(outcome: Outcome) -> dict[str, Any]:
    """What those get back, or owe, who had left before the hand was to be dealt again."""
    returned = [
        {"seat": fact.seat, "player": fact.player, "chips": fact.amount}
        for fact in outcome.facts
        if isinstance(fact, ChipsReturned)
    ]
    return {"returned": returned} if returned else {}


def render_collection(state: TableState) -> dict[str, Any]:
    """What the house takes: what is due by now; before the first card what it has, and what the button has paid."""
    hand, account = state.hand, state.collection
    if account is None or not state.setup.tracks_amounts:
        return {}
    shown: dict[str, Any] = {}
    due = 0 if hand is None else pot_collection.find_due_chips(hand)
    if due:
        shown["collection"] = {"due": due}
    begins = hand is not None and state.is_hand_on and not hand.cards.piles.dealt_count
    if hand is None or begins:
        shown["drop"] = {"hand": account.last_hand_chips, "session": house_account.count_session_chips(state)}
    if hand is not None and begins and hand.collection.button_fee:
        paid = hand.collection
        shown["posted"] = [{"seat": paid.button_payer, "kind": "collection", "amount": paid.button_fee}]
    return shown


def render_step(hand: Hand | None, step: Step) -> dict[str, Any]:
    """A step of the plan."""
    match step:
        case DealStep(seat=seat, face=face, reason=why):
            return {"step": "deal", "seat": seat, "face": face} | ({"why": why} if why else {})
        case BurnStep():
            return {"step": "burn"}
        case BoardStep(street=street, count=n, street_index=of):
            which = 0 if hand is None else board_number(hand, of)
            return {"step": "board", "street": street, "n": n} | ({"board": which} if which else {})
        case ActStep(seat=seat):
            assert hand is not None
            return {"step": "act", "seat": seat, **_render_legal_actions(hand, seat)}
        case BettingRoundStep(street=street, seats=seats):
            return {"step": "bet", "street": street, "seats": list(seats)}
        case DrawStep(seat=seat, street_index=of):
            due = 0 if hand is None else draws.surplus_card_count(hand, seat, of)
            return {"step": "draw", "seat": seat} | ({"discard": due} if due else {})
        case PostStep(seat=seat, kind=kind, amount=amount):
            return {"step": "post", "seat": seat, "kind": kind, "amount": amount}
        case ReturnStep(label=what, source=source, destination=to, count=count):
            return {"step": "return", "what": what, "from": source, "to": to, "count": count}
        case ShuffleStep():
            return {"step": "shuffle"}
        case CutStep():
            return {"step": "cut"}
        case MoveStep(label=what, source=source, destination=to, count=count):
            return {"step": "move", "what": what, "from": source, "to": to, "count": count}
        case DiscardStep(count=count, destination=to):
            return {"step": "discard", "count": count, "to": to}
        case ShowStep(seat=seat):
            return {"step": "show", "seat": seat}
        case AwardStep(pot=pot, seats=seats, amounts=amounts, board=which):
            award = {"step": "award", "pot": pot, "seats": list(seats)} | ({"board": which} if which else {})
            return award | ({} if amounts is None else {"amounts": list(amounts)})
        case CollectStep(amount=amount, amounts_by_pot=parts, seat=seat):
            collect: dict[str, Any] = {"step": "collect"} | ({} if amount is None else {"amount": amount})
            return (
                collect | ({"from": [list(part) for part in parts]} if parts else {}) | ({"seat": seat} if seat else {})
            )
        case FloorStep(question=question, options=options):
            return {"step": "floor", "question": question, "options": list(options)}
        case HoldStep():
            return {"step": "hold"}
        case QuestionStep(options=options):
            return {"step": "say", "options": list(options)}


def _render_legal_actions(hand: Hand, seat: int) -> dict[str, Any]:
    open_ = find_legal_actions(hand, seat)
    shown: dict[str, Any] = {"options": list(open_.actions)}
    if open_.to_call is not None:
        shown["to_call"] = open_.to_call
    if open_.min_total is not None:
        shown |= {"min_to": open_.min_total, "max_to": open_.max_total}
    return shown
