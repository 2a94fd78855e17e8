"""What all tables ruled, played and mistook: found by clause, table, dealer, person, time, and summed up by shift."""
