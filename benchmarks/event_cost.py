"""The cost of one event in the core: a plain hand of hold'em, event by event."""

import statistics
import time

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.events import Event
from controller.core.protocol.script_lines import parse_line

HAND_SCRIPT = (
    "start,card As,card Qc,card 7h,card Kh,card Qd,card 2s,act 5 raise 6,act 8 call,act 2 call,card 3c,card Ah,card Qs,"
    "card 9d,act 8 check,act 2 bet 10,act 5 fold,act 8 call,card 4h,card 5c,act 8 check,act 2 check,card 6d,card Jd,"
    "act 8 bet 20,act 2 fold,done"
)
TABLE_LINE = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": 2, "stack": 200}, {"seat": 5, "stack": 200}, {"seat": 8, "stack": 200}],
    "button": 5,
}


MAX_EVENING_RATIO = 1.1
"""How much dearer an event may be at the end of an evening than at its beginning."""


def parse_hand() -> list[tuple[str, Event]]:
    """The hand's events and the kind of each."""
    found = []
    for phrase in HAND_SCRIPT.split(","):
        word, *rest = phrase.split()
        line: dict[str, object] = {"ev": word}
        if word == "card":
            line["card"] = rest[0]
        elif word == "act":
            line |= {"seat": int(rest[0]), "do": rest[1]} | ({"to": int(rest[2])} if len(rest) > 2 else {})
        found.append((word, parse_line(line)))
    return found


def measure_yardstick_us() -> float:
    """Return the microseconds of a loop of plain Python that never changes: what an event costs is told in these."""
    begun = time.thread_time_ns()
    seen: dict[int, tuple[int, str]] = {}
    for number in range(100):
        seen[number % 7] = (number, str(number))
    return (time.thread_time_ns() - begun) / 1000


def main(rounds: int = 400, hands: int = 100_000) -> dict[str, float]:
    """Print the cost by kind of event, and that a long evening does not make an event dearer; return the ratios.

    `event`: the median event of the hand over the yardstick beside it; `evening`: a hand after so many `hands` over one
    early. Of each event, and of each hand, the best of all rounds counts: others on the machine make it dearer only.
    """
    hand = parse_hand()
    best = [float("inf")] * len(hand)
    plain = float("inf")
    for _ in range(rounds):
        plain = min(plain, measure_yardstick_us())
        table = Table()
        table.handle(parse_table_line(TABLE_LINE))
        for number, (_word, event) in enumerate(hand):
            begun = time.thread_time_ns()
            table.handle(event)
            best[number] = min(best[number], (time.thread_time_ns() - begun) / 1000)
    ratio = statistics.median(best) / plain
    print(f"core: median of the events of a hand {statistics.median(best):.1f} us (aim 10)")
    for word in dict.fromkeys(word for word, _ in hand):
        costs = [cost for cost, (one, _) in zip(best, hand, strict=True) if one == word]
        print(f"  {word:6} {statistics.median(costs):6.1f} us")
    print(f"  over {plain:.1f} us of plain Python: {ratio:.2f}")
    old, young = _make_deep_table(), _make_deep_table()
    for _ in range(hands):
        _time_folded_hand(old)
    late, early = [], []
    for _ in range(200):
        early.append(_time_folded_hand(young))
        late.append(_time_folded_hand(old))
    evening = min(late) / min(early)
    print(f"  the same hand early and {hands} hands later, in turns: {evening:.2f} x (at most {MAX_EVENING_RATIO})")
    return {"event": ratio, "evening": evening}


def _make_deep_table() -> Table:
    table = Table()
    table.handle(parse_table_line(TABLE_LINE | {"seats": [{"seat": seat, "stack": 10**9} for seat in (2, 5, 8)]}))
    return table


def _time_folded_hand(table: Table) -> float:
    """One hand that everybody folds, in microseconds."""
    begun = time.thread_time_ns()
    table.handle(parse_line({"ev": "start"}))
    for card in ("As", "Qc", "7h", "Kh", "Qd", "2s"):
        table.handle(parse_line({"ev": "card", "card": card}))
    for _ in range(2):
        first = table.outcome.plan[0]
        table.handle(parse_line({"ev": "act", "seat": first.seat, "do": "fold"}))  # type: ignore[union-attr]  # an act step
    table.handle(parse_line({"ev": "done"}))
    return (time.thread_time_ns() - begun) / 1000


if __name__ == "__main__":
    main()
