"""A simulated room: a dealer and players who move cards between simulated devices."""
