"""The words of pages and terminal: steps, errors, clauses and the printed rulebook, in the reader's language."""
