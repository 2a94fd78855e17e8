"""Findings: what went wrong, and what the rulebook says to it; one room a family.

A finding is a function of the table's state and of the report (or the card) that brought it up. It asks the rulebook,
has a remedy rewrite the plan and answers with its rulings. No finding knows which book it asks.
"""
