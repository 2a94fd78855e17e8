"""The devices of a table as the loop has them: what they say becomes events, what the table shows goes to them."""
