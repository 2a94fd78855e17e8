"""Composition: the one place that sees everything. Reads the configuration, opens the devices, runs the loop."""
