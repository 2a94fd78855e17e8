"""Forced money, what a seat may do, wagers, and the pots they make."""
