"""The pages of the room, a module each (`room.server.app` says how one is added)."""
