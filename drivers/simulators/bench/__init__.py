"""The bench: one clock, the cables and their faults, and what a simulator is."""
