"""The keys of each line of the table script, in the order of its event's fields.

A key is stored and spoken; a field's name is neither. So each key stands here, and a field has the key in its place:
another name for a field changes no line. `t`, which every line may have, is not among them.
"""

from collections.abc import Mapping

from controller.core.protocol import events

LINE_KEYS: Mapping[type, tuple[str, ...]] = {
    events.HandStarted: ("bomb_pot", "alone"),
    events.CardDealt: ("card", "face", "foreign", "duplicate", "named"),
    events.CardDetected: ("at", "card"),
    events.StepConfirmed: ("card",),
    events.EntryUndone: (),
    events.ChipMotion: ("seat", "chips", "said", "prior"),
    events.PlayerActed: ("seat", "do", "to", "full"),
    events.RoundClosed: (),
    events.DrawRequested: ("seat", "discard"),
    events.HandTabled: ("seat", "cards", "asked"),
    events.HandMucked: ("seat",),
    events.WinnerNamed: ("seat", "pot", "board"),
    events.RunItTwiceAgreed: ("count",),
    events.ClockCalled: ("seat", "seconds", "extend"),
    events.Report: (
        "what", "seat", "nth", "count", "card", "by", "where", "hand", "burned", "street", "from", "acted", "chips",
        "witnessed", "mixed", "to", "refused",
    ),
    events.BlindsChopped: (),
    events.GameChosen: ("game", "structure"),
    events.AntesWaived: (),
    events.HandForHandChanged: ("on", "go"),
    events.LastHandsAnnounced: ("hands",),
    events.HaltChanged: ("on",),
    events.TournamentEnded: (),
    events.PenaltyImposed: ("seat", "hands", "rounds"),
    events.PlayerSeated: ("seat", "player", "stack", "post", "moved", "over", "from", "kill", "buys_button",
    "must_move"),
    events.PlayerLeft: ("seat",),
    events.PlayerWentAway: ("seat",),
    events.PlayerReturned: ("seat", "post", "straddle"),
    events.StackChanged: ("seat", "stack"),
    events.RebuyAnnounced: ("seat", "chips"),
    events.FloorDecided: ("decide", "seat", "who", "why", "nth", "where"),
    events.CollectionChanged: ("kind", "percent", "cap", "step", "caps", "no_flop_no_drop", "fee", "minutes"),
    events.TimeCharged: ("seat", "paid", "waiting"),
    events.LevelAdvanced: ("due", "hand"),
    events.TimerChanged: ("set", "due"),
    events.BreakStarted: ("due",),
    events.ChipsColouredUp: ("chip", "to", "cards", "due"),
    events.DeviceChanged: ("id", "status", "needed"),
    events.TimePassed: (),
    events.AmendmentMade: ("to", "line", "before", "drop", "also"),
}  # fmt: skip
