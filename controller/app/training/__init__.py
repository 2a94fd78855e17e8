"""The school for dealers: lessons played by the engine, which alone knows what is right."""
