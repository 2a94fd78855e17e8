"""The compiled core for another machine or another Python than the one that builds it."""
