"""A table file before it runs: checked, described as JSON Schema, drawn as wiring."""
