"""Values without a rule of their own: cards, piles, chairs, the order of seats."""
