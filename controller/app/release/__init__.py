"""Signed releases: made, verified, installed between hands, taken back."""
