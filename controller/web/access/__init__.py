"""Authentication and authorization: who is signed in, and which route is for whom."""
