"""How pages are served beside the table: the thread, the event streams, the error catalogue."""
