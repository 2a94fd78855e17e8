"""Regular play: seats and button, the deal, opening, betting and the showdown."""
