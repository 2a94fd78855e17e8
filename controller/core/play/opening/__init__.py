"""Who opens, and what opening needs."""
