"""Commands of a technician: ports and their names, wiring, what devices say, lamps, gate."""
