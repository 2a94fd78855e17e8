"""mypy knows what is done to a Struct: `plugin.py` teaches it."""
