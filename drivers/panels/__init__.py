"""Keys: debounced presses, and how they are wired."""
