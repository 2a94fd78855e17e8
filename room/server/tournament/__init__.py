"""A tournament in the server's process: what the director has confirmed goes to the tables, and their answers back."""
