"""Reads rulebooks, games, schedules and tables from TOML: refuses what it does not know, never guesses."""
