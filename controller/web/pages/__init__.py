"""The routes of each page, and what they answer."""
