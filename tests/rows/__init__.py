"""Each row of the catalogue that the program enforces is broken, and its own tests must notice."""
