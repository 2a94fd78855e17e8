"""What is wrong with the machine, its devices and this program, and what to do."""
