"""A live table: its devices built from the file, its session, its page, and the run."""
