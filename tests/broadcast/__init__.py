"""What viewers are shown, and when."""
