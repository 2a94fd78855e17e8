"""The two-worlds oracle: what differs in hidden cards alone is the same, byte for byte, to everybody outside."""
