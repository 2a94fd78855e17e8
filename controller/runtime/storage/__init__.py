"""What the disk keeps of a table: its SQLite files, small files that are whole or not there, its state directory."""
