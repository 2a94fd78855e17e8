"""How pages are served beside the table: the sockets, TLS and its certificate, and a thread of its own."""
