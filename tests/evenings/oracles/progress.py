"""From wherever the table stands it goes on: it asks for something, and what it asked for and was given counts."""

from collections.abc import Iterator, Sequence

from tests.evenings.oracles.standing import CARD_STEPS, Watcher, find_entry, find_word, get_first_step, get_line
from tests.evenings.seen import Seen

MAX_REPEATS = 4
"""So often the same may be asked after it was given; a board of four cards looks alike in `next` but for its count."""

RESTING_PHASES = ("idle", "halted")
WAITING_STEPS = ("hold",)
ANSWERS = {"show": ("show", "muck", "done", "won"), "draw": ("draw",), "act": ("act",), "bet": ("closed", "act")}
MALFORMED = ("unused-key", "key-missing", "unknown-key", "unknown-value", "value", "not-understood")
"""Codes of lines that nobody could take: what was sent is no answer."""
COMPARED = ("hand", "phase", "street", "next", "piles", "board", "stacks", "bets", "pots")


def is_stuck(history: Sequence[Seen], repeats: int = MAX_REPEATS) -> str | None:
    """Why the table does not go on, seen from the last entries, the newest last; `None` where it does.

    The table asks for nothing and no hand is over; or it asks for the same after it was truthfully given so often.
    """
    if not history or not history[-1].after:
        return None
    line = get_line(history[-1].after)
    step = get_first_step(line)
    if not step and line.get("phase") not in RESTING_PHASES:
        return f"nothing is asked in phase {line.get('phase')} of hand {line.get('hand')}"
    if step.get("step") in WAITING_STEPS or line.get("phase") == "halted":
        return None
    count = 0
    for seen in reversed(history):
        if not seen.after or _select(seen) != {key: line.get(key) for key in COMPARED}:
            break
        count += _answers(seen)
    if count > repeats:
        return f"{step.get('step', 'start')} was given {count} times and is asked for still: {dict(step)}"
    return None


class ProgressOracle(Watcher):
    """Complains when an evening stands still."""

    name = "progress"

    def __init__(self) -> None:
        self.history: list[Seen] = []

    def look(self, seen: Seen) -> Iterator[str]:
        """Judge the last entries."""
        self.history = [*self.history[-3 * MAX_REPEATS :], seen]
        why = is_stuck(self.history)
        if why is not None:
            yield why
            self.history.clear()


def _select(seen: Seen) -> dict[str, object]:
    line = get_line(seen.after)
    return {key: line.get(key) for key in COMPARED}


def is_unheard(seen: Seen) -> bool:
    """Whether an entry never reached the table: who sent it may not, came too late, or sent something else."""
    if seen.taken or seen.way not in ("page", "api", "room"):
        return False
    return bool(seen.answer.get("status", 202) >= 300 or seen.answer.get("code") in MALFORMED)


def is_surely_so(seen: Seen) -> bool:
    """Whether an answer to what happened cannot be untrue, whatever happened: the table has no reason to refuse it."""
    line, entry, truth = get_line(seen.before), find_entry(seen), seen.truth
    details = {key: value for key, value in entry.items() if key not in ("ev", "what")}
    match entry.get("what"):
        case "put-back" | "opened" | "passed-out":
            return not details
        case "acted":
            return details in ({"count": 1, "chips": True}, {"count": 1, "chips": False})
        case "misread":
            up = (line.get("up") or {}).get(str(details.get("seat")), ())
            unread = {*truth.deck} - {*truth.in_shoe} - {*truth.left_shoe}
            return details.keys() == {"seat", "card"} and list(up).count(None) == 1 and details["card"] in unread
        case _:
            return False  # whether it was so only somebody at the table knows


def _answers(seen: Seen) -> bool:
    """Whether an entry gave what the table asked for before it."""
    step, word = get_first_step(get_line(seen.before)), find_word(seen)
    kind = step.get("step")
    if kind is None or int(seen.answer.get("status") or 200) >= 400:
        return False  # nothing is asked, or what was said did not come to the table at all: who may not, too late
    if kind in CARD_STEPS:
        return word == "card" and seen.way == "device"
    entry = find_entry(seen)
    if kind == "act":
        return word == "act" and entry.get("seat") == step.get("seat") and entry.get("do") in step.get("options", ())
    if kind == "floor":
        asked = {key: step[key] for key in ("seat", "nth", "where") if key in step}
        is_answer = entry.get("decide") in step.get("options", ()) and seen.role == "floor"
        return word == "floor" and is_answer and all(entry.get(key) == value for key, value in asked.items())
    if kind == "award" and len(step.get("seats", ())) > 1 and "amounts" not in step:
        return word == "won"  # nobody can read the hands: the winner is to be named
    if kind == "say":
        is_answer = word == "report" and entry.get("what") in step.get("options", ())
        return is_answer and (seen.taken or is_surely_so(seen))
    if word == "muck" and not seen.taken:
        return False  # not every hand may be mucked: what it must do is still asked for
    return word in ANSWERS.get(str(kind), ("done",))
