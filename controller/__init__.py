"""The controller of a poker table."""
