"""Fingerprints of what the table answered, by which another program proves that it says the same where it matters.

What matters is in two parts: the stakes (chips and cards: where they lie, which come next, who is paid), and the rest
of the play (phase, plan, lamps, gate, verdicts with their clauses). Words for the dealer, and keys that a later program
adds, are in neither, so that an update that changes a sentence changes no fingerprint.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum, unique
from typing import Any

DIGEST_FORMAT = "2"
"""The form of these fingerprints; the first was the SHA-256 of the whole line, words and all, and had no mark."""

STAKES_KEYS = ("hand", "board", "boards", "up", "stacks", "pots", "bets")
PILE_KEYS = ("stub", "burn", "board", "muck", "aside", "seats")
PLAY_KEYS = ("phase", "street", "gate")
LAMP_KEYS = ("button", "small_blind", "middle_blind", "big_blind", "winner_button", "kill", "act", "deal", "attention")
RULING_KEYS = ("finding", "verdict", "seat", "cite")
STEP_KEYS = (
    "step", "seat", "face", "why", "street", "n", "board", "options", "to_call", "min_to", "max_to", "kind", "amount",
    "what", "from", "to", "count", "pot", "seats", "amounts", "question",
)  # fmt: skip
STAKES_STEPS = ("deal", "burn", "board", "award")
"""Steps that move a card out of the shoe or chips out of the pot."""


_CANONICAL_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@unique
class DigestMatch(Enum):
    """How an answer compares with its record."""

    SAME = "alike"
    OTHER_PLAY = "other play"
    """Chips and cards are the same; plan, lamps, gate or rulings are not."""
    OTHER_STAKES = "other stakes"
    """Chips or cards are not the same, or a record of the first form leaves it open."""


def compute_output_digest(output: Mapping[str, Any]) -> str:
    """Fingerprint an output line of the table script, as the journal records it."""
    steps = [_select_keys(step, STEP_KEYS) for step in output["next"]]
    due = [step for step in steps if step["step"] in STAKES_STEPS]
    stakes = {**_select_keys(output, STAKES_KEYS), "piles": _select_keys(output["piles"], PILE_KEYS), "due": due}
    rulings = [_select_keys(ruling, RULING_KEYS) for ruling in _leave_out_restated(output)]
    play = {
        **_select_keys(output, PLAY_KEYS),
        "next": steps,
        "lamps": _select_keys(output["lamps"], LAMP_KEYS),
        "rulings": rulings,
    }
    return f"{DIGEST_FORMAT}:{_hash_content(stakes)[:32]}:{_hash_content(play)[:32]}"


def _leave_out_restated(output: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The rulings of an output line, of an amendment's without those that only say in other words what one said before.

    Earlier programs did not tell these.
    """
    withdrawn = Counter(_identify_ruling(ruling) for ruling in output.get("amended", {}).get("withdrawn", ()))
    for ruling in output["rulings"]:
        key = _identify_ruling(ruling)
        if withdrawn[key]:
            withdrawn[key] -= 1
        else:
            yield ruling


def _identify_ruling(ruling: Mapping[str, Any]) -> tuple[object, ...]:
    return ruling["finding"], ruling["verdict"], ruling.get("seat")


def compare_digest(recorded: str, output: Mapping[str, Any]) -> DigestMatch:
    """Compare an answer with the recorded fingerprint, of this form or the first."""
    if not recorded.startswith(f"{DIGEST_FORMAT}:"):
        whole = _hash_content({key: value for key, value in output.items() if key != "line"})
        return DigestMatch.SAME if recorded == whole else DigestMatch.OTHER_STAKES
    found = compute_output_digest(output)
    if recorded == found:
        return DigestMatch.SAME
    return DigestMatch.OTHER_PLAY if recorded.split(":")[1] == found.split(":")[1] else DigestMatch.OTHER_STAKES


def _select_keys(whole: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: whole[key] for key in keys if key in whole}


def _hash_content(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(_CANONICAL_ENCODER.encode(content).encode()).hexdigest()
