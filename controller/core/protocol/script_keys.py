"""The keys of each line of the table script, in the order of its event's fields.

A key is stored and spoken; a field's name is neither. So each key stands here, and a field has the key in its place:
another name for a field changes no line. `t`, which every line may have, is not among them.
"""

from collections.abc import Mapping

from controller.core.protocol import events

LINE_KEYS: Mapping[type, tuple[str, ...]] = {
    events.Start: ("bomb_pot", "alone"),
    events.Card: ("card", "face", "foreign"),
    events.Seen: ("at", "card"),
    events.Done: ("card",),
    events.Undo: (),
    events.Motion: ("seat", "chips", "said", "prior"),
    events.Act: ("seat", "do", "to", "full"),
    events.Closed: (),
    events.Draw: ("seat", "discard"),
    events.Show: ("seat", "cards", "asked"),
    events.Muck: ("seat",),
    events.Won: ("seat", "pot", "board"),
    events.Twice: ("count",),
    events.Clock: ("seat", "seconds", "extend"),
    events.Report: (
        "what", "seat", "nth", "count", "card", "by", "where", "hand", "burned", "street", "from", "acted", "chips",
        "witnessed", "mixed", "to",
    ),
    events.Chop: (),
    events.Game: ("game", "structure"),
    events.WaiveAntes: (),
    events.HandForHand: ("on", "go"),
    events.LastHands: ("hands",),
    events.Halt: ("on",),
    events.Penalty: ("seat", "hands", "rounds"),
    events.Sit: ("seat", "player", "stack", "post", "moved", "over", "from", "kill", "buys_button", "must_move"),
    events.Leave: ("seat",),
    events.Away: ("seat",),
    events.Back: ("seat", "post", "straddle"),
    events.Stack: ("seat", "stack"),
    events.Buy: ("seat", "chips"),
    events.Floor: ("decide", "seat", "who", "why"),
    events.Level: ("due", "hand"),
    events.Timer: ("set", "due"),
    events.Break: ("due",),
    events.ColourUp: ("chip", "to", "cards", "due"),
    events.Device: ("id", "status", "needed"),
    events.Time: (),
    events.Amend: ("to", "line", "before", "drop", "also"),
}  # fmt: skip
