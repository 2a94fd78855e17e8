"""The rules: pure, without wire, thread, clock, chance or file. Read `engine/table.py` first."""
