"""The gate: what proves the project, part by part, in a short form for each change and in a long one for the night."""
