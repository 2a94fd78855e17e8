"""The journal: written, chained, sealed, read, proved, and the table taken up from it."""
