"""How a table stands again after a start: replay, snapshots, what is kept for long."""
