"""The loop that owns the table, what reaches it, and what it tells."""
