"""Readers of tags (RFID, NFC)."""
