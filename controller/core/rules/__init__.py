"""Rulebooks and games as data: the questions, the answers that are functions, the rulings."""
