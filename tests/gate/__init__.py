"""The gate of a change and of a night: its table of parts, its runner and its records."""
