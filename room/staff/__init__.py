"""The room's people: enrolled once, on a list that the room signs, and what they sign when they ask a table."""
