"""The start of a hand, its plan, and cards that fulfil it."""
