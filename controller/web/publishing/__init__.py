"""What a table pushes as it changes: the state of the page to browsers, the picture of a broadcast to its overlays."""
