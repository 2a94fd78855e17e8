"""The far ends of what makes itself heard."""
