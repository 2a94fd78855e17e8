"""The start of a hand (its level, chips bought in time), its plan, and cards that fulfil it."""
