"""Commands about registered decks."""
