"""Makes the show of a broadcast out of what the table has released."""
