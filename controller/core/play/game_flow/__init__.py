"""How a hand begins, which game is played, and what holds play up: bomb pots, mixed games, a tournament's levels."""
