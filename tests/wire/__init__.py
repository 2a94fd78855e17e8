"""The wire to the board: frames, messages, link, simulator."""
