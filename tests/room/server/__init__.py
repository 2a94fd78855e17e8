"""The room's server."""
