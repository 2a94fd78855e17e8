"""Commands about the journal and its hands."""
