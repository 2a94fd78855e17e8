"""Translators between the bytes and pins of devices and the table's events."""
