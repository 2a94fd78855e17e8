"""The table's side of the link to its room: a process of its own beside the table, and the only one that may reach it.

It reads the journal's files and the table's API, and can do nothing else to a table (`docs/room.md`).
"""
