"""Telling a webhook: what the announcer of a table and the server of a room share."""
