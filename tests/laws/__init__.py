"""Laws: what holds of every table, whatever its book, game and reports."""
