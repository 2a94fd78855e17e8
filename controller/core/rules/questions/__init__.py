"""The questions that a rulebook answers, as `rules/rulebook.py` puts them together."""
