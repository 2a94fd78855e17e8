"""Commands about the rulebooks."""
