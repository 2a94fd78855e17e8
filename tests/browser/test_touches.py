"""Every act that a table offers to the seat whose turn it is has a key on the page, or the pad."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.alone import page_alone
from tests.browser.publications import SCENARIOS, of_lines, read_lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LIST_KEYS = """async (text) => {
  const { getWagerOffer, makeActButtons, makeAmountButtons } = await import("/static/act-buttons.js");
  const state = JSON.parse(text), step = state.table.next[0], lines = [];
  const makeButton = (words, enterLine) => {
    if (!words.endsWith("…")) enterLine();
    const button = document.createElement("button");
    button.append(document.createElement("kbd"));
    return button;
  };
  for (const make of [makeActButtons, makeAmountButtons]) make(step, state, makeButton, (line) => lines.push(line));
  return { lines, any: getWagerOffer(step.seat, state).any };
}"""
"""The line that each key enters, and whether the pad takes any total."""


def is_entered_by(act: Mapping[str, Any], key: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    """A script may leave out the one amount that there is; a wager of all that a seat has is its key all-in."""
    seat = str(act["seat"])
    total = act.get("to", key.get("to", table["next"][0].get("min_to")))
    has = table.get("bets", {}).get(seat, 0) + table.get("stacks", {}).get(seat, 0)
    return key == {**act, **({"to": total} if "to" in key else {})} or (key["do"] == "all-in" and total == has)


@pytest.mark.parametrize("folder", sorted({file.parent.name for file in SCENARIOS.glob("*/*.jsonl")}))
def test_every_act_that_is_offered_can_be_touched(browser: "Browser", folder: str) -> None:
    page = page_alone(browser)
    for file in sorted((SCENARIOS / folder).glob("*.jsonl"))[::12]:
        lines = read_lines(file)
        for line, told in zip(lines[1:], of_lines(lines), strict=False):
            table = json.loads(told)["table"]
            step = (table["next"] or [{}])[0]
            if line["ev"] != "act" or line["seat"] != step.get("seat") or line["do"] not in step["options"]:
                continue
            keys = page.evaluate(LIST_KEYS, told)
            assert any(is_entered_by(line, key, table) for key in keys["lines"]) or (keys["any"] and "to" in line), line
    page.close()
