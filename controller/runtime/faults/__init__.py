"""What stops a table, what latches, and how the program looks at itself."""
