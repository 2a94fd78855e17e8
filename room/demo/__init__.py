"""A whole room on one machine, to look at: brokers, database, archive, server, and tables on simulated devices."""
