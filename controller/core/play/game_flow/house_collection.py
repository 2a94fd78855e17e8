"""What the house takes beside the pots, and the account of it all: time charges, the button's fee, a change of terms.

Time charges come before the first card, one step a player; who declines plays on for now, or is dealt out, by the book.
Source: table script 3, section 1; AU-8.2(c), R7-2.proc.2.
"""

from controller.core.model.table_state import TableCollection, TableState
from controller.core.play.seating.lineup import Lineup
from controller.core.protocol.collection_terms import CollectionKind, CollectionTerms
from controller.core.protocol.events import CollectionChanged
from controller.core.protocol.steps import CollectStep
from controller.core.protocol.table_error import Refused
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulebook import Rulebook
from controller.core.rules.rulings import Ruling
from controller.core.values.seat_order import seats_after
from controller.core.values.seat_state import ChargeStanding, SeatState
from controller.core.values.value import replace

SECONDS_PER_MINUTE = 60.0
KEYS_BY_KIND: dict[CollectionKind, tuple[str, ...]] = {
    CollectionKind.NONE: (),
    CollectionKind.RAKE: ("percent", "cap", "step", "caps", "no_flop_no_drop"),
    CollectionKind.HAND: ("fee",),
    CollectionKind.BUTTON: ("fee",),
    CollectionKind.TIME: ("fee", "minutes"),
}
"""Kind -> its keys."""


def check_terms(terms: CollectionTerms, keys: frozenset[str], book: Rulebook, mode: GameMode) -> CollectionTerms | None:
    """The terms, which are said with these keys, where they fit; `None` where nothing is taken.

    Raises `Refused` (`value`, `key-missing`, `unused-key`).
    """
    if mode is GameMode.TOURNAMENT:
        raise Refused("value", "a tournament has no `collection`: its fee is part of the entry; leave it out.")
    known = KEYS_BY_KIND[terms.kind]
    for key in sorted(keys):
        if key not in known:
            may = ", ".join(("kind", *known))
            raise Refused(
                "unused-key", f"a collection of kind `{terms.kind.value}` does not use `{key}`; it may have {may}."
            )
    needed = {CollectionKind.RAKE: ("percent",), CollectionKind.NONE: ()}.get(terms.kind, known)
    for key in needed:
        if key not in keys:
            raise Refused("key-missing", f"a collection of kind `{terms.kind.value}` needs the key `{key}`.")
    if "fee" in known and not terms.fee:
        raise Refused("value", "`fee` cannot be 0; it is a whole number from 1, or the kind is `none`.")
    if "minutes" in known and not terms.minutes:
        raise Refused("value", "`minutes` cannot be 0; it is a whole number from 1.")
    least = book.collection.least_percent
    if terms.kind is CollectionKind.RAKE and 0 < terms.half_percent < 2 * least.value:
        told = f"{terms.half_percent / 2:g}"
        raise Refused("value", f"`percent` cannot be {told}; it is 0, or {least.value} to 10 ({least.source}).")
    return None if terms.kind is CollectionKind.NONE else terms


def change_collection(state: TableState, event: CollectionChanged) -> tuple[Ruling, ...]:
    """The floor changes what the house takes, before a hand begins [AU-8.3, AU-8.4].

    Without a time charge nobody owes one, and who was dealt out for it may come back. A period that was paid for is not
    paid again because something else was taken in it; where nothing is taken any more it is over.
    Raises `Refused` (`value`, `key-missing`, `unused-key`).
    """
    new = check_event_terms(event, state.setup.rulebook, state.setup.mode)
    state.setup = replace(state.setup, collection=new)
    account = state.collection or (TableCollection() if new is not None else None)
    if account is not None and new is None:
        account = replace(account, due_since_s=None)
    state.collection = account
    if new is None or new.kind is not CollectionKind.TIME:
        for chair in state.seating.state_by_seat.values():
            store_chair(state, replace(chair, charge=ChargeStanding.SETTLED))
    return ()


def check_event_terms(event: CollectionChanged, book: Rulebook, mode: GameMode) -> CollectionTerms | None:
    """The terms of a line, checked with the keys that it has.

    Raises `Refused` (`value`, `key-missing`, `unused-key`).
    """
    said = {
        "percent": event.half_percent,
        "cap": event.cap,
        "step": event.step,
        "caps": event.caps,
        "no_flop_no_drop": event.is_flop_needed,
        "fee": event.fee,
        "minutes": event.minutes,
    }
    keys = frozenset(key for key, value in said.items() if value is not None)
    return check_terms(event.terms, keys, book, mode)


def pay_button_fee(state: TableState, found: Lineup) -> tuple[Lineup, int]:
    """The seat with the button pays before the deal; with nothing left it is not dealt in. Returns what it paid.

    A dead button pays nothing. Raises `Refused` (`too-few-players`).
    """
    terms, seat = state.setup.collection, found.positions.button
    chair = state.seating.state_by_seat.get(seat)
    if terms is None or terms.kind is not CollectionKind.BUTTON or not state.setup.game.has_button:
        return found, 0
    if chair is None or chair.stack is None or seat not in found.seats:
        return found, 0
    paid = min(terms.fee, chair.stack)
    store_chair(state, replace(chair, stack=chair.stack - paid))
    if paid < chair.stack:
        return found, paid
    left = tuple(each for each in found.seats if each != seat)
    if len(left) < 2 or seat in (*found.positions.blind_chairs, *found.positions.big_blind_seats):
        raise Refused(
            "too-few-players",
            f"seat {seat} has nothing left after the button's fee, and cannot be dealt in: "
            "it needs more chips (`stack`).",
        )
    return replace(found, seats=left), paid


def ask_for_time_charges(state: TableState) -> None:
    """Put a step for each player before the first card, where a period begins with this hand [AU-8.2(c)]."""
    terms, account = state.setup.collection, state.collection
    if terms is None or terms.kind is not CollectionKind.TIME or account is None:
        return
    now, period = state.time.time_s, terms.minutes * SECONDS_PER_MINUTE
    if account.due_since_s is not None and now < account.due_since_s + period:
        return
    begun = now if account.due_since_s is None else account.due_since_s + (now - account.due_since_s) // period * period
    state.collection = replace(account, due_since_s=begun)
    hand, absent_pay = state.hand_in_play, state.setup.rulebook.collection.charges_absent.value
    paying = [
        seat
        for seat, chair in sorted(state.seating.state_by_seat.items())
        if (absent_pay or not chair.is_away) and chair.stack != 0
    ]
    button = hand.positions.button
    in_order = tuple(paying) if button is None else seats_after(paying, button)
    amount = terms.fee if state.setup.tracks_amounts else None
    hand.plan = hand.plan.prepend(*(CollectStep(amount, seat=seat) for seat in in_order))


def keep_unpaid_out(state: TableState) -> None:
    """Who declined in a game without a button has had its hand: it is dealt out until it pays [R7-2.proc.2#c]."""
    if state.setup.game.has_button:
        return
    for chair in state.seating.state_by_seat.values():
        if chair.charge is ChargeStanding.DECLINED:
            store_chair(state, decline(chair, out=True), before=True)


def list_unpaid_out(state: TableState) -> list[int]:
    """The seats that are dealt out because they have not paid the time charge."""
    chairs = sorted(state.seating.state_by_seat.items())
    return [seat for seat, chair in chairs if chair.charge is ChargeStanding.DEALT_OUT]


def deal_out_unpaid_blind(state: TableState, found: Lineup) -> bool:
    """Whether the big blind reaches a seat that declined: it is dealt out from now on [R7-2.proc.2#b]."""
    if state.button.bomb_pot_ante:
        return False
    due = [state.seating.state_by_seat[seat] for seat in found.positions.big_blind_seats if seat in found.seats]
    unpaid = [chair for chair in due if chair.charge is ChargeStanding.DECLINED]
    for chair in unpaid:
        store_chair(state, decline(chair, out=True), before=True)
    return bool(unpaid)


def is_big_blind_due(state: TableState, seat: int) -> bool:
    """Whether the big blind of this hand is the seat's, or would be where the game has none; a bomb pot has none."""
    hand, positions = state.hand_in_play, state.button.positions
    if hand.positions.big_blinds or positions is None or state.button.bomb_pot_ante:
        return seat in hand.positions.big_blinds
    return seat in positions.big_blind_seats


def decline(chair: SeatState, *, out: bool) -> SeatState:
    """The chair of a player who declined, and is dealt out at once, or plays on for now."""
    if not out:
        return replace(chair, charge=ChargeStanding.DECLINED)
    return replace(chair, charge=ChargeStanding.DEALT_OUT, is_away=True)


def count_stack(state: TableState, chair: SeatState) -> int:
    """The chips of a seat now, in the hand or beside it."""
    if state.is_hand_on and chair.seat in state.hand_in_play.chips.stack_by_seat:
        return state.hand_in_play.chips.stack_by_seat[chair.seat]
    return chair.stack or 0


def take_chips(state: TableState, seat: int, amount: int) -> None:
    """Take chips off a seat, also off the table as it was before the hand: a misdeal gives no time charge back."""
    if state.is_hand_on and seat in state.hand_in_play.chips.stack_by_seat:
        hand = state.hand_in_play
        stacks = {**hand.chips.stack_by_seat, seat: hand.chips.stack_by_seat[seat] - amount}
        hand.chips = replace(hand.chips, stack_by_seat=stacks)
        if not stacks[seat]:
            hand.betting = replace(hand.betting, all_in_seats=hand.betting.all_in_seats | {seat})
    chair = state.seating.state_by_seat[seat]
    store_chair(state, replace(chair, stack=(chair.stack or 0) - amount))
    before = state.state_before_hand
    if before is not None and (old := before.seating.state_by_seat.get(seat)) is not None and old.stack is not None:
        before = before.copy()
        store_chair(before, replace(old, stack=old.stack - amount))
        state.state_before_hand = before


def store_chair(state: TableState, chair: SeatState, *, before: bool = False) -> None:
    """Keep a chair; `before`: its standing to the charge also at the table as it was before the hand."""
    state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, chair.seat: chair})
    earlier = state.state_before_hand
    if before and earlier is not None and chair.seat in earlier.seating.state_by_seat:
        old = earlier.seating.state_by_seat[chair.seat]
        earlier = earlier.copy()
        store_chair(earlier, replace(old, charge=chair.charge, is_away=chair.is_away))
        state.state_before_hand = earlier
