"""What makes itself heard at a table."""
