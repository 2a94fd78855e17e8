"""The typed client of a running table's API (docs/api.md): the standard library alone, nothing of the table itself."""
