"""The firmware of the board: the C core natively, and the AVR build in simavr."""
