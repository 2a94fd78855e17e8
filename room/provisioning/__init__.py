"""Puts a room up: its authority, the configuration of its servers, and who of the tables may speak there."""
