"""Irregularities of people: out of turn, away, on the clock, and what the floor decides."""
