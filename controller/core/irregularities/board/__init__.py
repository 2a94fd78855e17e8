"""Irregularities of board and burns: extra and premature cards, missing and wrong burns."""
