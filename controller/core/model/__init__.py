"""The facts of a table and of a hand, and the answer to an event."""
