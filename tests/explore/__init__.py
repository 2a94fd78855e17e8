"""Every state once: tiny tables, explored breadth first through every entry that the table says it would take."""
