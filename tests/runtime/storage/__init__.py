"""The files of a state directory, and who or what keeps them from being used."""
