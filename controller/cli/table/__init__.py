"""Commands that run, watch, check, play and replay a table."""
