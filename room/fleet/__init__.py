"""The tables' programs: which runs where, and which is wanted."""
