"""A card that passes the mouth is one card, whenever it is read; what is said twice is one thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.protocol.events import CardDealt, DeviceChanged
from controller.runtime.devices.deck_store import STANDARD_DECK, Deck
from controller.runtime.devices.shoe_translator import CardsOut, ShoeTranslator
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import CardEdgeSensed, DeviceEvent, ShoeJammed, TagRead
from tests.runtime.conftest import tag_of

EVENT_BY_WORD: dict[str, DeviceEvent] = {
    "covered": CardEdgeSensed("edge", True),
    "freed": CardEdgeSensed("edge", False),
    "jam": ShoeJammed("edge"),
}


class Mouth:
    """A shoe with an edge sensor, of whose cards the table holds out what was dealt."""

    def __init__(self) -> None:
        self.shoe = ShoeTranslator(
            "shoe", Deck("red", {tag_of(card): card for card in STANDARD_DECK}), gone_after=0.4, edge_sensor=True
        )
        self.out = set[str]()
        self.said = list[str]()

    def hear(self, word: str, at: float) -> None:
        """Take a card's name as its read, `tick` as time; note what comes of it: a card, `?`, a notice or a word."""
        if word == "tick":
            found = self.shoe.on_tick(at)
        else:
            event = EVENT_BY_WORD.get(word) or TagRead("shoe", tag_of(word))
            found = self.shoe.translate(event, at, CardsOut(1, frozenset(self.out)))
        for item in found:
            match item:
                case CardDealt(card=card):
                    self.said.append(card or "?")
                    self.out |= {card} if card else set()
                case DeviceChanged(change=change):
                    self.said.append(change.value)
                case Notice(code=code):
                    self.said.append(code.name)
                case _:
                    raise AssertionError(item)

    def tell(self, story: str) -> str:
        """Hear words with their seconds, `covered 0.1 As 0.2 …`, then silence, and a card; say what came of it."""
        words = story.split()
        for word, at in zip(words[::2], words[1::2], strict=True):
            self.hear(word, float(at))
        self.hear("tick", float(words[-1]) + 1.5)
        self.hear("Jc", float(words[-1]) + 3.0)
        return " ".join(self.said)


READ_BY_WORD = {"early": -0.2, "passing": 0.05, "awaited": 0.2, "late": 0.9, "never": None}
"""When a card is read, in seconds after it covers the edge, which is free again after 0.1."""


@given(st.lists(st.sampled_from(list(READ_BY_WORD)), max_size=12), st.sampled_from((0.21, 1.5)))
def test_each_card_that_passes_is_one_card(reads: list[str], pause: float) -> None:
    mouth, now, expected = Mouth(), 1.0, list[str]()
    for card, how in zip(STANDARD_DECK, reads, strict=False):
        delay = READ_BY_WORD[how]
        moments = [(now, "covered"), (now + 0.1, "freed")] + ([(now + delay, card)] if delay is not None else [])
        moments += [(now + 0.4, "tick")] if how in ("late", "never") else []
        for at, word in sorted(moments):
            mouth.hear(word, at)
        expected.append(card if how in ("early", "passing", "awaited") else "?")
        now += 2.0 if how in ("late", "never") else 0.1 + pause + 0.2
    mouth.hear("tick", now + 1)
    assert [word for word in mouth.said if word not in NoticeCode.__members__] == expected
    assert mouth.said.count("LATE_READ") == reads.count("late")
    assert mouth.said.count("NO_EDGE") == reads.count("early")


STORIES = [
    # read in time
    "covered 1 freed 1.1 tick 1.34 As 1.345 -> As",
    # two unread
    "covered 1 freed 1.1 covered 1.2 freed 1.3 -> ? ?",
    # unread, then two
    "covered 1 freed 1.1 covered 1.2 As 1.25 Kd 1.27 freed 1.3 -> ? As TWO_READS Kd",
    # free not heard, both unread
    "covered 1 covered 1.2 freed 1.3 -> ?",
    # free not heard, one unread
    "covered 1 covered 1.2 tick 2 As 3 freed 3.1 -> As",
    # free not heard, both read
    "covered 1 As 1.05 covered 1.2 tick 2 Kd 3 freed 3.1 -> As Kd",
    # free not heard, the second unread
    "covered 1 As 1.05 covered 1.2 freed 1.3 -> As ?",
    # free not heard, the first moved
    "As 1 covered 5 As 5.1 covered 5.2 tick 6 Kd 6.1 freed 7 -> NO_EDGE As TAG_REPEATED Kd",
    # moved, free not heard, unread
    "As 1 covered 5 As 5.1 covered 5.2 freed 5.3 -> NO_EDGE As TAG_REPEATED ?",
    # free twice, the wait goes on
    "covered 1 freed 1.1 freed 1.3 tick 1.36 As 1.4 -> ? LATE_READ",
    # early, then another
    "As 1 covered 1.2 Kd 1.25 freed 1.3 -> NO_EDGE As TWO_READS Kd",
    # early once
    "As 1 covered 1.1 freed 1.15 covered 1.2 freed 1.25 -> NO_EDGE As ?",
    # late once
    "covered 1 freed 1.1 tick 1.4 As 1.5 Kd 1.6 -> ? LATE_READ NO_EDGE Kd",
    # moved, read after it passed
    "As 1 covered 5 freed 5.1 As 5.2 -> NO_EDGE As TAG_REPEATED",
    # moved, then two
    "As 1 covered 5 As 5.1 Kd 5.2 Qh 5.3 freed 5.4 -> NO_EDGE As TAG_REPEATED Kd TWO_READS Qh",
    # moved, read twice
    "As 1 covered 5 As 5.1 As 5.6 Kd 5.7 freed 6 -> NO_EDGE As TAG_REPEATED TAG_REPEATED Kd",
    # moved, read twice, and no other
    "As 1 covered 5 As 5.1 As 5.6 freed 6 -> NO_EDGE As TAG_REPEATED TAG_REPEATED",
    # read, one moved, then two
    "As 1 covered 5 Kd 5.1 As 5.2 Qh 5.3 Tc 5.4 freed 6 -> NO_EDGE As Kd TAG_REPEATED TWO_READS Qh TWO_READS Tc",
    # moved, and none passes
    "As 1 As 5 -> NO_EDGE As TAG_REPEATED",
    # jam, unread
    "covered 1 jam 3 freed 4 -> jam JAM_UNREAD back",
    # read, then jam, told twice
    "covered 1 As 1.1 jam 3 jam 3.5 freed 4 freed 5 -> As jam jam back",
]


@pytest.mark.parametrize("story", STORIES)
def test_what_the_mouth_makes_of_it(story: str) -> None:
    heard, _, expected = story.partition(" -> ")
    assert Mouth().tell(heard) == f"{expected} NO_EDGE Jc", "and nothing of it is left"
