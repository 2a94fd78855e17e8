"""The far ends of the shoe's gate and sensors."""
