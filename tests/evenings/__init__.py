"""Evenings: whole evenings at a live table, played as people play them, and watched by oracles that know no code."""
