"""Regular play: seats and button, forced money, the deal, opening, betting and the showdown."""
