"""Fingerprints of what the table answered, by which another program proves that it says the same where it matters.

What matters is in two parts: the stakes (chips and cards: where they lie, which come next, who is paid), and the rest
of the play (phase, plan, lamps, gate, verdicts with their clauses). Words for the dealer, and keys that a later program
adds, are in neither, so that an update that changes a sentence changes no fingerprint.
"""

import hashlib
import json
from collections.abc import Mapping
from enum import Enum, unique
from typing import Any

FORM = "2"
"""The form of these fingerprints; the first was the SHA-256 of the whole line, words and all, and had no mark."""

STAKES = ("hand", "board", "boards", "up", "stacks", "pots", "bets")
PILES = ("stub", "burn", "board", "muck", "aside", "seats")
PLAY = ("phase", "street", "gate")
LAMPS = ("button", "small_blind", "big_blind", "winner_button", "kill", "act", "deal", "attention")
RULING = ("finding", "verdict", "seat", "cite")
STEP = (
    "step", "seat", "face", "why", "street", "n", "board", "options", "to_call", "min_to", "max_to", "kind", "amount",
    "what", "from", "to", "count", "pot", "seats", "amounts", "question",
)  # fmt: skip
AT_STAKE = ("deal", "burn", "board", "award")
"""Steps that move a card out of the shoe or chips out of the pot."""


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@unique
class Match(Enum):
    """How an answer compares with its record."""

    ALIKE = "alike"
    OTHER_PLAY = "other play"
    """Chips and cards are the same; plan, lamps, gate or rulings are not."""
    OTHER_STAKES = "other stakes"
    """Chips or cards are not the same, or a record of the first form leaves it open."""


def digest(output: Mapping[str, Any]) -> str:
    """Fingerprint an output line of the table script, as the journal records it."""
    steps = [_chosen(step, STEP) for step in output["next"]]
    due = [step for step in steps if step["step"] in AT_STAKE]
    stakes = {**_chosen(output, STAKES), "piles": _chosen(output["piles"], PILES), "due": due}
    rulings = [_chosen(ruling, RULING) for ruling in output["rulings"]]
    play = {**_chosen(output, PLAY), "next": steps, "lamps": _chosen(output["lamps"], LAMPS), "rulings": rulings}
    return f"{FORM}:{_hashed(stakes)[:32]}:{_hashed(play)[:32]}"


def compared(recorded: str, output: Mapping[str, Any]) -> Match:
    """Compare an answer with the recorded fingerprint, of this form or the first."""
    if not recorded.startswith(f"{FORM}:"):
        whole = _hashed({key: value for key, value in output.items() if key != "line"})
        return Match.ALIKE if recorded == whole else Match.OTHER_STAKES
    found = digest(output)
    if recorded == found:
        return Match.ALIKE
    return Match.OTHER_PLAY if recorded.split(":")[1] == found.split(":")[1] else Match.OTHER_STAKES


def _chosen(whole: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: whole[key] for key in keys if key in whole}


def _hashed(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(_CANONICAL.encode(content).encode()).hexdigest()
