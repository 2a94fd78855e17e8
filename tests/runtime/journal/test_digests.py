"""A fingerprint changes with chips, cards, plan, lamps, gate, verdicts and clauses, and with nothing else."""

import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from controller.runtime.journal.proof.output_digest import DigestMatch, compare_digest, compute_output_digest
from tests.playing import play

Output = dict[str, Any]


def make_output_with_ruling() -> Output:
    """A line with a ruling, a plan and money."""
    played = play("roberts-7", "start", "card As Kd 2c")
    return played("report exposed seat=3 nth=1 by=dealer")


def set_to(*path: str | int, value: object) -> Callable[[Output], None]:
    def change(output: Output) -> None:
        place: Any = output
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (set_to("line", value=99), DigestMatch.SAME),
        (set_to("rulings", 0, "text", value="Other words."), DigestMatch.SAME),
        (set_to("a_new_key", value=[1]), DigestMatch.SAME),
        (set_to("next", 0, "hint", value="left"), DigestMatch.SAME),
        (set_to("lamps", "cooler", value=[1]), DigestMatch.SAME),
        (set_to("rulings", 0, "verdict", value="void-hand"), DigestMatch.OTHER_PLAY),
        (set_to("rulings", 0, "cite", value=["R7-1"]), DigestMatch.OTHER_PLAY),
        (set_to("lamps", "act", value=[1]), DigestMatch.OTHER_PLAY),
        (set_to("gate", value="ajar"), DigestMatch.OTHER_PLAY),
        (set_to("phase", value="floor"), DigestMatch.OTHER_PLAY),
        (set_to("stacks", "1", value=1), DigestMatch.OTHER_STAKES),
        (set_to("pots", value=[{"amount": 9, "seats": [1]}]), DigestMatch.OTHER_STAKES),
        (set_to("bets", value={"1": 7}), DigestMatch.OTHER_STAKES),
        (set_to("piles", "stub", value=1), DigestMatch.OTHER_STAKES),
        (set_to("board", value=["As"]), DigestMatch.OTHER_STAKES),
        (set_to("next", 0, value={"step": "burn"}), DigestMatch.OTHER_STAKES),
    ],
)
def test_only_what_matters_counts(change: Callable[[Output], None], match: DigestMatch) -> None:
    recorded = make_output_with_ruling()
    assert recorded["rulings"]
    other = copy.deepcopy(recorded)
    change(other)
    assert compare_digest(compute_output_digest(recorded), other) is match


def test_a_record_of_the_first_form_is_the_whole_line() -> None:
    output = make_output_with_ruling()
    text = json.dumps(
        {key: value for key, value in output.items() if key != "line"},
        sort_keys=True, separators=(",", ":"), ensure_ascii=False,
    )  # fmt: skip
    recorded = hashlib.sha256(text.encode()).hexdigest()
    assert compare_digest(recorded, output) is DigestMatch.SAME
    output["rulings"][0]["text"] = "Other words."
    assert compare_digest(recorded, output) is DigestMatch.OTHER_STAKES


def test_a_ruling_in_other_words_after_an_amendment_is_as_it_was_recorded() -> None:
    """A program that told of it by finding, verdict and seat alone has recorded the same."""
    played = play("tda-2024", "start", "card - - - - - - - -", {"ev": "act", "seat": 4, "chips": [50]})
    output = played({"ev": "amend", "line": 11, "to": {"ev": "act", "seat": 4, "chips": [50], "said": "raise"}})
    earlier = copy.deepcopy(output)
    assert [ruling["finding"] for ruling in output["rulings"]] == ["amended", "chips"]
    del earlier["rulings"][1], earlier["amended"]["withdrawn"]
    assert compare_digest(compute_output_digest(earlier), output) is DigestMatch.SAME
    output["amended"]["withdrawn"] = []
    assert compare_digest(compute_output_digest(earlier), output) is DigestMatch.OTHER_PLAY
