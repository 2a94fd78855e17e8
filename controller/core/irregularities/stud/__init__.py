"""Irregularities of stud: its first deal and its later streets."""
