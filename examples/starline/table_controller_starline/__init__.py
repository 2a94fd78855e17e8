"""The Starline reader, its far end, and the room's rulebook and game, which lie here as a house's files do."""
