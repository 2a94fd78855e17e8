"""Reads rulebooks, games, schedules, payouts and tables from TOML: refuses what it does not know, never guesses."""
