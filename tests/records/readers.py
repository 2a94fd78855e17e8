"""Readers of what trackers read, written from the formats alone: they know nothing of how a table writes them."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = Draft202012Validator(json.loads((Path(__file__).parent / "open_hand_history.schema.json").read_text()))


@dataclass
class Account:
    """What a reader makes of a hand: who did what, and the chips that each player has after it, by name or id."""

    stacks: dict[Any, int] = field(default_factory=dict)
    acts: list[tuple[Any, str, int]] = field(default_factory=list)
    """Who, a word, and how many chips went in with it."""
    won: Counter[Any] = field(default_factory=Counter)
    cards: set[str] = field(default_factory=set)
    """Every card that is named."""
    raked: int = 0
    """What the house took of the pots."""


def of_ohh(content: Mapping[str, Any]) -> Account:
    """Account for a hand of Open Hand History; fails where it is not as specified, or does not add up."""
    errors = [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(content)]
    assert not errors, errors
    hand = content["ohh"]
    found = Account({player["id"]: player["starting_stack"] for player in hand["players"]})
    numbers = [action["action_number"] for round_ in hand["rounds"] for action in round_["actions"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [round_["id"] for round_ in hand["rounds"]] == list(range(len(hand["rounds"])))
    paid = 0
    for round_ in hand["rounds"]:
        found.cards |= set(round_.get("cards", ()))
        bets: Counter[int] = Counter()
        folded = set()
        for action in round_["actions"]:
            seat, word, amount = action["player_id"], action["action"], action["amount"]
            found.cards |= set(action.get("cards", ()))
            found.stacks[seat] -= amount
            assert action["is_allin"] == (amount > 0 and not found.stacks[seat])
            paid += amount
            if word not in ("Post Ante", "Post Dead"):
                bets[seat] += amount
            if word == "Fold":
                folded.add(seat)
            if not word.startswith(("Post", "Straddle", "Shows", "Mucks", "Dealt")):
                found.acts.append((seat, word.lower(), amount))
        most, second = [*sorted(bets.values(), reverse=True), 0, 0][:2]
        for seat in [seat for seat, bet in bets.items() if bet == most > second and seat not in folded]:
            found.stacks[seat] += most - second  # nobody called it
            paid -= most - second
    for pot in hand["pots"]:
        assert pot["amount"] == pot["rake"] + sum(win["win_amount"] for win in pot["player_wins"])
        found.raked += pot["rake"]
        for win in pot["player_wins"]:
            found.won[win["player_id"]] += win["win_amount"]
            found.stacks[win["player_id"]] += win["win_amount"]
    assert paid == sum(pot["amount"] for pot in hand["pots"])
    return found


CHIPS = r"[$€£]?(\d+)"
SEAT = re.compile(rf"Seat \d+: (.+) \({CHIPS} in chips\)")
POSTS = re.compile(
    rf"(.+?): posts (the ante|(?:small|big) blind|small & big blinds|straddle) {CHIPS}(?: and is all-in)?"
)
ACTS = re.compile(
    rf"(.+?): (folds|checks|calls|bets|raises|brings in for)(?: {CHIPS})?(?: to {CHIPS})?(?: and is all-in)?"
)
DRAWS = re.compile(r"(.+?): (?:stands pat|discards \d cards?)")
BACK = re.compile(rf"Uncalled bet \({CHIPS}\) returned to (.+)")
COLLECTED = re.compile(rf"(.+) collected {CHIPS} from (?:main |side )?pot(?:-\d+)?")
TOTAL = re.compile(rf"Total pot {CHIPS}.* \| Rake {CHIPS}")
QUIET = re.compile(
    r"PokerStars Hand #\d+:  .+|Table '.+' \d+-max.*|\*\*\* .+|Dealt to .+|Board \[.+\]|Seat \d+: .+|"
    r".+: (?:shows \[.+\] \(.+\)|mucks hand|doesn't show hand)"
)
"""Lines without chips; what is none of all these fails."""
CARD = re.compile(r"(?<=[\[ ])[2-9TJQKA][hsdc](?=[\] ])")


def of_text(text: str) -> Account:
    """Account for a hand of PokerStars text; fails at a line of another form, and where it does not add up."""
    found, bets = Account(), Counter[str]()
    collected = total = 0
    is_post_short = False
    head, _, summary = text.partition("*** SUMMARY ***\n")
    for line in head.splitlines():
        found.cards |= set(CARD.findall(line))
        if seat := SEAT.fullmatch(line):
            found.stacks[seat[1]] = int(seat[2])
        elif posts := POSTS.fullmatch(line):
            found.stacks[posts[1]] -= int(posts[3])
            is_post_short |= line.endswith("all-in")
            dead = {"the ante": int(posts[3]), "small & big blinds": int(posts[3]) // 3}.get(posts[2], 0)
            small = posts[2] == "small blind" and any(bets.values())
            bets[posts[1]] += 0 if small else int(posts[3]) - dead
        elif line.startswith("*** ") and "HOLE" not in line and "DEALING" not in line and "3rd" not in line:
            bets.clear()
        elif DRAWS.fullmatch(line):
            bets.clear() if "DRAW ***" not in head else None
        elif act := ACTS.fullmatch(line):
            name, word, amount, to = act.groups()
            paid = int(to) - bets[name] if to else int(amount or 0)
            if word == "raises":
                most = max(bets.values(), default=0)
                assert int(to) - int(amount) == most or (is_post_short and int(to) - int(amount) > most)
            bets[name] += paid
            found.stacks[name] -= paid
            assert (found.stacks[name] == 0 and paid > 0) == line.endswith("all-in")
            is_post_short |= word == "brings in for" and line.endswith("all-in")
            found.acts.append((name, word, paid))
        elif back := BACK.fullmatch(line):
            found.stacks[back[2]] += int(back[1])
        elif won := COLLECTED.fullmatch(line):
            found.stacks[won[1]] += int(won[2])
            found.won[won[1]] += int(won[2])
            collected += int(won[2])
        else:
            assert QUIET.fullmatch(line), line
    for line in summary.strip().splitlines():
        if whole := TOTAL.fullmatch(line):
            found.raked = int(whole[2])
            total = int(whole[1]) - found.raked
        else:
            assert QUIET.fullmatch(line), line
    assert total == collected
    return found
