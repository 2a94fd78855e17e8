"""What a house answers about regular play: dealing, betting, the draw, the showdown."""
