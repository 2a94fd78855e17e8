"""A tournament over tables: lines, real tables, and whole events against a check of its own."""
