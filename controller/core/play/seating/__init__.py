"""Players who come and go, the button, who is dealt in and who posts."""
