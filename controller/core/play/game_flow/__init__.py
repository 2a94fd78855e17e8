"""Game_flow."""
