"""Irregularities of the draw: its burns, cards exposed on it, openers that were none."""
