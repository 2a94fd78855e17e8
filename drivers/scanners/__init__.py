"""Scanners of printed codes."""
