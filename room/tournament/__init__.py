"""A tournament over tables: its lines and what follows from them. Pure; the rules are `controller.core.tournament`."""
