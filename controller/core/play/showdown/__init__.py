"""Who shows, which hand is best, and who gets what."""
