"""Takes what tables send of their journals: number and chain are checked, and what was committed is said, no more."""
