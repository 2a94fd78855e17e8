"""Playing for what lies in the pot: the option of a player whose last card came face up [R7-8.stud.17, AU-19.20]."""

from controller.core.model.hand import Hand

SUBSTANTIAL_ACTION_PLAYERS = 2
"""How many players must act on the last round before an option that lasts beyond its first act is gone [AU-19.20#b]."""


def can_declare_all_in(hand: Hand, seat: int) -> bool:
    """Whether the seat may still say that it plays as if all-in."""
    if seat not in hand.stud.all_in_option_seats:
        return False
    late = hand.setup.rulebook.upcards[hand.setup.game.rules_form].last_up_late.value
    acted = hand.betting.acted_seats[
        hand.betting.acted_count_by_street.get(len(hand.setup.game.streets) - 1, len(hand.betting.acted_seats)) :
    ]
    return len(set(acted)) < (SUBSTANTIAL_ACTION_PLAYERS if late else 1)
