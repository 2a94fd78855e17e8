"""The table script: events in, steps and lamps out, refusals."""
