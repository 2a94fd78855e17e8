"""The questions that a rulebook answers, one module a table of its file."""
