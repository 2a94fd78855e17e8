"""The room's server: its pages and boards, what they are told as it happens, what its people enter (docs/room.md)."""
