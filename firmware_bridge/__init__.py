"""The host's side of the wire to the microcontroller board: frames, messages, link. Pure: told the time, no port.

`wire_frames` cuts bytes, `wire_messages` is the table of what may be said, `link` keeps the conversation going,
`board_simulator` is a board in Python with the behaviour of the firmware in `firmware/`. The protocol is specified in
`docs/wire.md`.
"""
