"""What is left of a hand when it is over: its facts, gathered from the replay, and how they are written down."""
