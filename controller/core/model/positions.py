"""Where the button and the blinds are."""

from controller.core.values.value import Value


class Positions(Value):
    """Where button and blinds are by the rule, whoever sits there.

    `small_blind` and `big_blind` are chairs: the small blind is dead unless `is_small_blind_posted`.
    `big_blind_seats`: all seats that post a big blind; with a moving button there may be more than one.
    """

    button: int
    small_blind: int
    big_blind: int
    is_small_blind_posted: bool
    big_blind_seats: tuple[int, ...]
