"""What all irregularities ask: which card is meant, whether a misdeal may still be called."""
