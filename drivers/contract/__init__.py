"""What a driver is, what it says and raises, and which there are."""
