"""Signed releases: made, verified, installed between hands, taken back."""

from pathlib import Path

UPDATE_LOG = Path("/var/lib/table-controller-updates/log.jsonl")
"""What was installed when, by whom, and what was refused; root's, and everybody may read it."""
