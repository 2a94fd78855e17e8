"""What keeps a table going for years: the certificate of its page, copies of all it knows, a second store."""
