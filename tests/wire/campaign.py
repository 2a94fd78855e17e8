"""Many keys over a bad line: what was pressed must be what was told, whoever is at the far end."""

from random import Random

from firmware_bridge.link_events import EventGap
from firmware_bridge.wire_messages import Key, KeyAction
from tests.wire.bench import Bench, FarEnd, Line

GROUP = 8
WAITING = 8
"""Not told when the next group moves: with that group and its "held" still well below the board's 32."""

SETTLE_SECONDS = 0.03


def bad_line(random: Random, bit_errors: float) -> Line:
    return Line(random, bit_errors=bit_errors, drops=0.01, duplicates=0.01, splits=True)


def campaign(far: FarEnd, bit_errors: float, events: int, seed: int = 1) -> Bench:
    """Press and release keys until `events` happened, and compare with what the link said, to the last one."""
    random = Random(seed)
    down, up = bad_line(Random(seed + 1), bit_errors), bad_line(Random(seed + 2), bit_errors)
    bench = Bench(far, down=down, up=up)
    bench.run_until(lambda: bench.link.hello is not None)
    truth: list[tuple[int, KeyAction]] = []
    told: list[tuple[int, KeyAction]] = []
    held: list[int] = []

    def listen(seconds: float) -> None:
        end = far.now + seconds
        while far.now < end:
            keys = [one for one in bench.step() if isinstance(one, Key)]
            told.extend((one.key, one.action) for one in keys if one.action in (KeyAction.DOWN, KeyAction.UP))
            bench.said = (
                [one for one in bench.said if isinstance(one[1], EventGap)] if len(bench.said) > 50 else bench.said
            )

    while len(truth) < events:
        action = KeyAction.UP if held else KeyAction.DOWN
        group = held or sorted(random.sample(range(56), GROUP))
        for number in group:
            far.key(number, action is KeyAction.DOWN)
        truth += [(number, action) for number in group]
        held = [] if held else group
        listen(SETTLE_SECONDS)
        waited = far.now
        while len(truth) - len(told) > WAITING:
            assert far.now - waited < 5, "the events stopped coming"
            listen(0.005)
    listen(1.5)
    first = next((n for n, (a, b) in enumerate(zip(told, truth, strict=False)) if a != b), len(told))
    assert told == truth, f"from event {first}: told {told[first : first + 5]}, happened {truth[first : first + 5]}"
    assert not bench.find_events(EventGap)
    if events >= 1_000:
        assert down.hit > 0 < up.hit, "the line was not bad at all"
    return bench
