"""The people of the house: who they are, what each may do, and what they sign."""
