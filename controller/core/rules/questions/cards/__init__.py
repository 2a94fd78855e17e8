"""What a house answers about the cards themselves: the deck, the stub, a boxed card."""
