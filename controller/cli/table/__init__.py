"""Commands of a table as a whole: run, watch, check, doctor, play and replay it, its staff, its program."""
