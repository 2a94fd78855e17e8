"""Who opens, what opening needs, and a pot that nobody opened."""
