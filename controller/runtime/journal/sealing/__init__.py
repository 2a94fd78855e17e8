"""Hands whose cards the journal hides: keys, aliases, and who may open them."""
