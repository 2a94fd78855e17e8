"""Stories of a table in the notation of docs/scenario-notation.md, collected from `.scn` files."""
