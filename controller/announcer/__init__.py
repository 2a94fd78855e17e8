"""Tells the room what the table does, by MQTT and webhooks: a process of its own that reads the table's API.

Nothing here can reach the table but through that API, with the rights of its token; nothing of the table imports this.
"""
