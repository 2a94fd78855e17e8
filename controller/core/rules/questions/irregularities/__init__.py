"""What a house answers when something went wrong with the deal or the board."""
