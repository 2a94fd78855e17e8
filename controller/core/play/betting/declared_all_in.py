"""Playing for what lies in the pot: the option of a player whose last card came face up [R7-8.stud.17, AU-19.20]."""

from controller.core.model.hand import Hand

SUBSTANTIAL = 2
"""How many players must act on the last round before an option that lasts beyond its first act is gone [AU-19.20#b]."""


def open_to(hand: Hand, seat: int) -> bool:
    """Whether the seat may still say that it plays as if all-in."""
    if seat not in hand.stud.may_declare:
        return False
    late = hand.setup.rulebook.upcards[hand.setup.game.form].last_up_late.value
    acted = hand.betting.acted[
        hand.betting.acted_before.get(len(hand.setup.game.streets) - 1, len(hand.betting.acted)) :
    ]
    return len(set(acted)) < (SUBSTANTIAL if late else 1)
