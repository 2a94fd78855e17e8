"""Byte ports by URL, who holds them, and handlers for what pyserial does not open."""
