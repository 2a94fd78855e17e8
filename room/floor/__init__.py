"""What the floor of a room keeps in mind: lists, tables, dealers, high hands. Pure folds of lines."""
