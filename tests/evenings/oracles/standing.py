"""How a page's state is read: the few questions that every oracle asks of it, by the pages that document it alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.evenings.seen import Evening, Seen

Page = Mapping[str, Any]
Line = Mapping[str, Any]
Step = Mapping[str, Any]

CARD_STEPS = ("deal", "burn", "board")
"""Steps that the next card out of the shoe fulfils."""

NOTED = ("dead-button", "moving-button", "entry", "seat-change", "short-buy-in", "game-change", "short-blind")
"""Findings that only say how a hand begins or who sits where: nothing has gone wrong."""

REGULAR_WORDS = ("start", "card", "act", "draw", "show", "muck", "won", "done", "seen", "time", "call-floor")
"""Words of the table script that a hand needs in which nothing goes wrong."""


KEY_LINES: Mapping[str, Mapping[str, Any]] = {
    "start": {"ev": "start"},
    "done": {"ev": "done"},
    "undo": {"ev": "undo"},
    "fold": {"ev": "act", "do": ["fold"]},
    "call": {"ev": "act", "do": ["check", "call", "bring-in", "all-in"]},
    "raise": {"ev": "act", "do": ["bet", "raise", "complete", "all-in"], "to": "min_to"},
    "show": {"ev": "show"},
    "muck": {"ev": "muck"},
    "exposed": {"ev": "report", "what": "exposed"},
    "boxed": {"ev": "report", "what": "boxed"},
    "off_table": {"ev": "report", "what": "off-table"},
    "premature": {"ev": "report", "what": "premature"},
    "put_back": {"ev": "report", "what": "put-back"},
    "no_burn": {"ev": "report", "what": "no-burn"},
    "floor": {"ev": "call-floor"},
    "misdeal": {"ev": "floor", "decide": "misdeal"},
}
"""What the keys of a panel enter; the seat is that of the first step, of several words the first that it offers."""


class Watcher:
    """An oracle that looks at entries and has nothing to add when the evening is over."""

    name = ""

    def end(self, evening: Evening) -> Iterator[str]:
        """Say nothing more: every entry was looked at."""
        del evening
        yield from ()


def get_line(page: Page) -> Line:
    """The table's own line of a page's state; empty where the page shows no table."""
    line: Line = page.get("table") or {}
    return line


def find_words(seen: Seen) -> list[Mapping[str, Any]]:
    """The lines of the table script that were sent with this entry; none for a card, a cable or the power."""
    entry = seen.entry
    if isinstance(entry.get("lines"), Sequence):
        return list(entry["lines"])
    if "key" in entry:
        return [_press(str(entry["key"]), get_first_step(get_line(seen.before)))]
    return [entry] if "ev" in entry else []


def _press(key: str, step: Step) -> Mapping[str, Any]:
    """What a key of the panel enters while this step is first."""
    line = dict(KEY_LINES.get(key, {"ev": ""}))
    if line["ev"] in ("act", "show", "muck") and "seat" in step:
        line["seat"] = step["seat"]
    if "do" in line:
        line["do"] = next((word for word in line["do"] if word in step.get("options", ())), "")
    if line.pop("to", None) and "min_to" in step and line["do"] != "all-in":
        line["to"] = step["min_to"]
    return line


def find_entry(seen: Seen) -> Mapping[str, Any]:
    """The one line of the table script that was sent; empty where it is none or several."""
    words = find_words(seen)
    return words[0] if len(words) == 1 else {}


def find_word(seen: Seen) -> str:
    """The one word that was sent; empty where it is none or several."""
    if "card" in seen.entry and "ev" not in seen.entry:
        return "card"
    return str(find_entry(seen).get("ev", ""))


def get_first_step(line: Line) -> Step:
    """The step that must happen now; empty where none must."""
    steps = line.get("next") or []
    return steps[0] if steps else {}


def is_played(line: Line) -> bool:
    """Whether a hand is on: not before the first, and not between two."""
    return bool(line) and line.get("street") is not None


def count_cards(line: Line) -> int:
    """All cards of all piles."""
    piles = line.get("piles") or {}
    counts: list[int] = [count for pile, count in piles.items() if pile != "seats"]
    held: list[int] = list(piles.get("seats", {}).values())
    return sum(counts) + sum(held)


def is_tracked(line: Line) -> bool:
    """Whether amounts are kept."""
    return "stacks" in line


def count_chips(line: Line) -> int:
    """All chips that the table shows: stacks, bets and pots."""
    pots: list[int] = [pot["amount"] for pot in line.get("pots", ())]
    own: list[int] = [*line.get("stacks", {}).values(), *line.get("bets", {}).values()]
    return sum(own) + sum(pots)


def list_open_cards(line: Line) -> list[str]:
    """The cards that lie face up, each where it lies: board (all boards) and upcards."""
    boards = line.get("boards")
    if boards:
        common = _count_common(boards)
        board = list(boards[0][:common]) + [card for each in boards for card in each[common:]]
    else:
        board = list(line.get("board") or ())
    return [card for card in (*board, *_list_upcards(line)) if card is not None]


def _count_common(boards: Sequence[Sequence[str | None]]) -> int:
    count = 0
    for cards in zip(*boards, strict=False):
        if len(set(cards)) != 1:
            break
        count += 1
    return count


def _list_upcards(line: Line) -> Iterator[str | None]:
    for cards in (line.get("up") or {}).values():
        yield from cards


def get_game(page: Page) -> str:
    """The game that is on."""
    return str(get_line(page).get("game") or page.get("setup", {}).get("game", ""))


def is_set_up_anew(seen: Seen) -> bool:
    """Whether the table is another one now: other rules, or a count of hands that began again."""
    before, after = seen.before, seen.after
    first, second = get_line(before), get_line(after)
    if not first or not second or seen.entry.get("power") == "set-up":
        return True
    one, two = before.get("setup", {}), after.get("setup", {})
    if any(one.get(key) != two.get(key) for key in ("rulebook", "book", "game", "tournament", "places", "follow")):
        return True
    return bool(second.get("hand", 0) < first.get("hand", 0)) and second.get("hand", 0) == 0


def count_entries(seen: Seen) -> int:
    """How many entries one touch or key came to; several where it enters several lines."""
    return int(seen.after["entry"]) - int(seen.before["entry"])


def enters_several(seen: Seen) -> bool:
    """Whether a touch or a key entered several lines: some may be taken, and the next refused."""
    return len(find_words(seen)) > 1 or (seen.way == "key" and count_entries(seen) > 1)


def is_overtaken(seen: Seen) -> bool:
    """Whether the page after the entry is perhaps that of another: the tournament's timer has begun or ended meanwhile.

    The table starts it by an entry of its own, beside whatever somebody enters at that moment.
    """
    return ("timer" in get_line(seen.before)) != ("timer" in get_line(seen.after))


@dataclass
class HandWatch:
    """The hand that is on: what was entered in it and what was ruled."""

    number: int = -1
    is_regular: bool = True
    """Nothing has gone wrong in it, nothing was reported, decided, put right or taken back."""
    words: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    cards_out: int = 0

    def follow(self, seen: Seen) -> None:
        """Take an entry that was looked at."""
        line, word = get_line(seen.after), find_word(seen)
        if not line:
            self.is_regular = False
            return
        if line.get("hand", 0) != self.number or (word == "start" and seen.taken) or is_set_up_anew(seen):
            self.number, self.words, self.findings, self.cards_out = line.get("hand", 0), [], [], 0
            self.is_regular = word == "start" and seen.taken
        if not seen.taken:
            return
        self.words.append(word)
        self.cards_out += word == "card"
        rulings = [*(line.get("rulings") or ()), *_list_rulings_of_hand(seen.after, self.number)]
        self.findings += [str(ruling.get("finding")) for ruling in rulings]
        if any(ruling.get("finding") not in NOTED for ruling in rulings):
            self.is_regular = False
        if word not in REGULAR_WORDS or line.get("phase") in ("halted", "floor"):
            self.is_regular = False


def _list_rulings_of_hand(page: Page, hand: int) -> list[Mapping[str, Any]]:
    """The latest rulings of a hand: an entry that a device makes at once may follow before anybody has looked."""
    return list(page.get("rulings") or ()) if page.get("ruled_in") == hand else []


def compare(before: Mapping[str, Any], after: Mapping[str, Any], but: Sequence[str] = ()) -> Iterator[str]:
    """The keys by which two objects differ."""
    for key in sorted({*before, *after}):
        if key not in but and before.get(key) != after.get(key):
            yield key
