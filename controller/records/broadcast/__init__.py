"""A hand as it is shown to viewers, once it may be: its pictures, equities, when each goes on air, and as JSON."""
