"""The room: many tables at one desk (`docs/room.md`). Nothing of a table imports it; a table plays on without one."""
