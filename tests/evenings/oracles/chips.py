"""No chip is made and none is lost: stacks, bets and pots change by an entry that says so, and by so much.

Of an undo the former amount is known, as it was seen. What an amendment changes is not reckoned; the table as it then
stands is.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.evenings.oracles.standing import (
    HandWatch,
    Line,
    Watcher,
    count_chips,
    find_entry,
    find_word,
    get_first_step,
    get_line,
    is_overtaken,
    is_set_up_anew,
    is_tracked,
)
from tests.evenings.seen import Seen

UNRECKONED = ("amend", "", "colour-up")
"""Words after which the sum is whatever it then is: many entries at once, stacks that are rounded."""

Chips = Mapping[str, int]


class ChipOracle(Watcher):
    """Reckons what each entry may change of the chips."""

    name = "chips"

    def __init__(self) -> None:
        self.watch = HandWatch()
        self.totals: set[int] = set()
        """What all chips came to at any time since the table was set up: an undo leads back to one of these."""

    def look(self, seen: Seen) -> Iterator[str]:
        """Compare the chips before an entry with those after it."""
        self.watch.follow(seen)
        before, after = get_line(seen.before), get_line(seen.after)
        if not is_tracked(after):
            return
        yield from look_at_amounts(after)
        if not before or is_set_up_anew(seen):
            self.totals = {count_chips(after)}
            return
        if seen.taken and is_tracked(before) and not is_overtaken(seen):
            self.totals.add(count_chips(before))
            yield from self._look_at_sum(seen, before, after)
            yield from self._look_at_seats(seen, before, after)
        self.totals.add(count_chips(after))

    def _look_at_sum(self, seen: Seen, before: Line, after: Line) -> Iterator[str]:
        word = find_word(seen)
        old, new = count_chips(before), count_chips(after)
        if word == "undo":
            if new not in self.totals:
                yield f"after undo there are {new} chips, which there were at no time"
            return
        if word in UNRECKONED:
            return
        wanted = {old + change for change in _find_changes(seen, before, after)}
        if new not in wanted:
            yield f"{old} chips became {new} by {dict(find_entry(seen)) or word}"

    def _look_at_seats(self, seen: Seen, before: Line, after: Line) -> Iterator[str]:
        word, step = find_word(seen), get_first_step(before)
        old, new = before["stacks"], after["stacks"]
        if word == "done" and step.get("step") == "award" and not after.get("rulings"):
            won = dict(zip(map(str, step["seats"]), step["amounts"], strict=True))
            for seat in sorted({*old, *new}):
                gained = new.get(seat, 0) - old.get(seat, 0)
                if gained != won.get(seat, 0):
                    yield f"seat {seat} wins {won.get(seat, 0)} of the pot and has {gained} more"
        if word == "act" and self.watch.is_regular and "do" in find_entry(seen):
            yield from _look_at_act(find_entry(seen), before, after)
        if word in ("card", "show", "muck", "seen") and self.watch.is_regular and old != new:
            yield f"{word} changed the stacks: {old} -> {new}"


def look_at_amounts(line: Line) -> Iterator[str]:
    """Say which amounts of a state cannot be."""
    for what in ("stacks", "bets"):
        yield from (f"{what} of seat {seat}: {chips}" for seat, chips in line.get(what, {}).items() if chips < 0)
    stacks = line["stacks"]
    for pot in line.get("pots", ()):
        if pot["amount"] < 0 or (not pot["seats"] and pot["amount"]):
            yield f"a pot of {pot['amount']} for {pot['seats']}"
        yield from (f"seat {seat} plays for a pot and has no chair" for seat in pot["seats"] if str(seat) not in stacks)
    step = get_first_step(line)
    if step.get("step") == "act" and "to_call" in step:
        seat = str(step["seat"])
        has = stacks.get(seat, 0)
        if not 0 <= step["to_call"] <= has:
            yield f"seat {seat} is to call {step['to_call']} and has {has}"
        most = has + line.get("bets", {}).get(seat, 0)
        if "min_to" in step and not 0 < step["min_to"] <= step["max_to"] <= most:
            yield f"seat {seat} may bet from {step['min_to']} to {step['max_to']} and has {most} in all"
    yield from _look_at_awards(line)


def _look_at_awards(line: Line) -> Iterator[str]:
    """The awards that are due give away each pot, less what the house takes of it first."""
    steps = line.get("next") or []
    awards = [step for step in steps if step.get("step") == "award"]
    if not awards or any("amounts" not in step for step in awards):
        return
    collected = sum(step["amount"] for step in steps if step.get("step") == "collect")
    given = sum(sum(step["amounts"]) for step in awards)
    there = sum(pot["amount"] for pot in line.get("pots", ())) - collected
    if given != there:
        yield f"{given} chips are awarded, and {there} lie in the pots"
    for step in awards:
        if len(step["seats"]) != len(step["amounts"]) or any(amount < 0 for amount in step["amounts"]):
            yield f"an award of {step['amounts']} to {step['seats']}"


def _look_at_act(entry: Mapping[str, Any], before: Line, after: Line) -> Iterator[str]:
    """Whose act it is puts chips out; of the others one may have back what nobody called."""
    seat = str(entry.get("seat"))
    old, new = before["stacks"], after["stacks"]
    gained = {
        each: new.get(each, 0) - old.get(each, 0) for each in {*old, *new} if new.get(each, 0) != old.get(each, 0)
    }
    others = {each: chips for each, chips in gained.items() if each != seat}
    if any(chips < 0 for chips in others.values()) or len([chips for chips in others.values() if chips > 0]) > 1:
        yield f"seat {seat} acts, and others have other stacks: {others}"
    if entry["do"] in ("fold", "check") and gained.get(seat, 0) < 0:
        yield f"seat {seat} {entry['do']}s and has {-gained[seat]} less"
    if "to" in entry and after.get("bets"):
        bet = after["bets"].get(seat, 0)
        if bet != entry["to"] and entry["do"] in ("bet", "raise", "complete"):
            yield f"seat {seat} made it {entry['to']}, and {bet} lie before it"


def _find_changes(seen: Seen, before: Line, after: Line) -> Iterator[int]:
    """By how much the sum of all chips may change with an entry that was taken."""
    entry = find_entry(seen)
    seat, word = str(entry.get("seat", "")), find_word(seen)
    old = before["stacks"]
    yield from _find_returned(after)
    match word:
        case "sit" if "from" in entry:
            yield 0
        case "sit":
            yield int(entry.get("stack", 0)) - (0 if entry.get("over") else old.get(seat, 0))
            yield int(entry.get("stack", 0))
            yield int(entry.get("stack", 0)) - old.get(seat, 0)
        case "leave":
            yield after["stacks"].get(seat, 0) - old.get(seat, 0)
        case "stack":
            yield int(entry.get("stack", 0)) - old.get(seat, 0)
        case "buy":
            yield int(entry.get("chips", 0))
        case "tournament-over":
            yield -count_chips(before)
        case "start":
            yield 0
            yield -sum(int(each.get("amount", 0)) for each in after.get("posted", ()) if isinstance(each, Mapping))
        case "done" | "collect":
            yield 0
            first = get_first_step(before)
            taken = int(first.get("amount", 0)) if first.get("step") == "collect" else 0
            yield -taken
            yield -min(taken, old.get(str(first.get("seat")), taken))  # of a player who has less, the house takes that
            yield -sum(step.get("amount", 0) for step in before.get("next", ()) if step.get("step") == "collect")
        case _:
            yield 0


def _find_returned(after: Line) -> Iterator[int]:
    """Chips that go to somebody who has left (docs/table-script-extensions.md, `left-chips`)."""
    returned = after.get("returned")
    if returned:
        yield -sum(each.get("chips", 0) for each in returned)
