"""What a verdict does to the plan, the cards and the money."""
