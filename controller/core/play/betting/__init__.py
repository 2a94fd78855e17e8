"""What a seat may do, wagers, the pots they make, and a pot that nobody opened."""
