"""`Table.handle`, the rows it runs by, what each event does, and what the outside may see."""
