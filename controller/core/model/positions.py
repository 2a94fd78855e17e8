"""Where the button and the blinds are."""

from controller.core.values.value import Value


class Positions(Value):
    """Where button and blinds are by the rule, whoever sits there.

    `small_blind` and `big_blind` are chairs: the small blind is dead unless `is_small_blind_posted`.
    `big_blind_seats`: all seats that post a big blind; with a moving button there may be more than one.
    `middle_blinds`: the chairs of the blinds between the small and the big one, in order, each dead where nobody there
    is dealt in.
    """

    button: int
    small_blind: int
    big_blind: int
    is_small_blind_posted: bool
    big_blind_seats: tuple[int, ...]
    middle_blinds: tuple[int, ...] = ()

    @property
    def blind_chairs(self) -> tuple[int, ...]:
        """The chairs of the blinds, from the button on; a single blind is one chair."""
        first = () if self.small_blind == self.big_blind else (self.small_blind,)
        return (*first, *self.middle_blinds, self.big_blind)
