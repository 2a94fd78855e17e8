"""The room: many tables at one desk (`docs/room.md`).

Nothing of a table imports it. What tables and room say to each other is in `controller.room_contract`.
"""
