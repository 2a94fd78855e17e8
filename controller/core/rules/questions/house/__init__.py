"""What a house answers about its table: who sits where, who decides, how time is kept."""
