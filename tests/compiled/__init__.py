"""The compiled form of the core: what is rewritten before it is compiled."""
