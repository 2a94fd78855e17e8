"""The far ends of key panels."""
