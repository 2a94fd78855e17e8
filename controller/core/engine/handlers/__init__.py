"""Which event may come when, as rows, and what each of them does."""
