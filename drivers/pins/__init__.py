"""GPIO: the header, and the one module that drives it."""
