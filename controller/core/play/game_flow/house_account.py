"""The account of what the house has taken at this table: of the last hand, and of all so far (`drop`)."""

from controller.core.model.table_state import TableState
from controller.core.values.value import replace


def settle_account(state: TableState) -> None:
    """A hand is over: what it gave is in the account."""
    account = state.collection
    if account is None:
        return
    gave = state.hand_in_play.collection.taken_chips + account.charge_chips
    state.collection = replace(
        account,
        settled_chips=account.settled_chips + gave,
        last_hand_chips=gave,
        last_charge_chips=account.charge_chips,
        charge_chips=0,
    )


def reopen_account(state: TableState, before: TableState) -> None:
    """The last hand is on again: what it gave is not settled, and its time charges stay."""
    account = state.collection
    if account is None or before.collection is None:
        return
    state.collection = replace(
        account,
        settled_chips=account.settled_chips - account.last_hand_chips,
        last_hand_chips=before.collection.last_hand_chips,
        last_charge_chips=before.collection.last_charge_chips,
        charge_chips=account.charge_chips + account.last_charge_chips,
    )


def count_session_chips(state: TableState) -> int:
    """All that the house has taken so far, the hand that is on included."""
    account, hand = state.collection, state.hand
    if account is None:
        return 0
    taken = hand.collection.taken_chips if hand is not None and state.is_hand_on else 0
    return account.settled_chips + account.charge_chips + taken
