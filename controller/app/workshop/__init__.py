"""A table out of service: lamps and devices tried by hand, decks registered."""
