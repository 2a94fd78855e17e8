"""Seat lamps: the lamp language and what carries it."""
