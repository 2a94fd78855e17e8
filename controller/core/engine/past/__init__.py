"""What was entered, and the hand played again: amended, or under another book."""
