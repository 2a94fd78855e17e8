"""What was entered, and the hand played again as it was amended."""
