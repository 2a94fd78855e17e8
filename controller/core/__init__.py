"""The rules: pure, without wire, thread, clock, chance or file. Start reading with `table`, `state` and `stretch`."""
