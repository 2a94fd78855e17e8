"""What every route shares: which hosts and origins may ask, how requests are read, and answers that are no page."""
