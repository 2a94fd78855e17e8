"""When hole cards may leave the table for a broadcast, and who agreed to it."""
