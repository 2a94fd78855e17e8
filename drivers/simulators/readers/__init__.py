"""The far ends of tag readers."""
