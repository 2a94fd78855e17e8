"""Irregularities of the deck: defective, fouled, or not prepared as it must be."""
