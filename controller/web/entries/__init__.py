"""Entries by the page or from the room: who may make them, what the floor may enter now, what came of them."""
