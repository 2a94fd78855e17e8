"""What a newcomer types first."""
