"""The room, part by part, and with its real counterparts."""
