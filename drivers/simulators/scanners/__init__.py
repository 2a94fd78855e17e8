"""The far ends of scanners."""
