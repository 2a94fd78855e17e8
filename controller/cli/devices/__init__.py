"""Commands of a technician: ports, wires, lamps, gate, pins."""
