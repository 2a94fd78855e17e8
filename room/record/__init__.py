"""The room's own record: what its people entered, from which everything that it knows of itself follows."""
