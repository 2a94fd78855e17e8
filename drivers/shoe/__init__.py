"""The shoe's gate and its sensors."""
