"""The answer as a line: what is shown, what else would be taken, what stays hidden."""
