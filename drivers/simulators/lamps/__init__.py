"""The far ends of seat lamps."""
