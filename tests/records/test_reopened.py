"""A hand that was over and is on again, because its deck proves defective: what its record is then."""

import pytest

from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, BoardStep, BurnStep, DealStep, ShowStep
from controller.core.values.cards import build_deck
from controller.records.hand_record import HandRecord
from tests.records.simulated import Room
from tests.records.test_phh import NO_LIMIT

DUPLICATE = {"ev": "report", "what": "duplicate", "where": "hand", "seat": 4}


class ReopenedRoom(Room):
    """Four under TDA's rules, whose first hand is over: seat 4 raised, as was put right, and all others folded."""

    def __init__(self) -> None:
        seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 3, 4)]
        super().__init__(1, rulebook="tda-2024", game="holdem", betting=NO_LIMIT, seats=seats, button=1)
        self.start()
        for _ in range(8):
            self.card()
        self.say(ev="act", seat=4, do="call")
        line = self.entry
        self.take(parse_line({"ev": "amend", "line": line, "to": {"ev": "act", "seat": 4, "do": "raise", "to": 6}}))
        self.finish()

    def finish(self) -> HandRecord:
        """Everybody folds, whatever comes in between."""
        while plan := self.table.outcome.plan:
            step = plan[0]
            if isinstance(step, ActStep):
                self.say(ev="act", seat=step.seat, do="fold")
            elif isinstance(step, DealStep | BurnStep | BoardStep):
                hand = self.table.outcome.state.hand_in_play
                card = next(card for card in build_deck() if not hand.cards.piles.has_card(card))
                self.say(ev="card", card=card)
            elif isinstance(step, ShowStep):
                self.say(ev="show", seat=step.seat)
            else:
                self.say(ev="done")
        return self.records[-1]


@pytest.fixture
def room() -> ReopenedRoom:
    return ReopenedRoom()


def list_findings(record: HandRecord) -> list[str]:
    return [made.ruling.finding for made in record.rulings]


def test_it_is_the_record_of_the_new_deal_and_has_every_ruling_once(room: ReopenedRoom) -> None:
    first = room.records[-1]
    assert list_findings(first) == ["amended"]
    room.take(parse_line(DUPLICATE))
    again = room.finish()
    assert (again.number, again.deal_count, again.first_entry) == (first.number, 2, first.first_entry)
    assert sorted(list_findings(again)) == ["amended", "duplicate"]
    assert len(room.records) == 1
    assert again.actions[0].action_type.value == "fold"


def test_set_aside_it_is_over_as_it_was(room: ReopenedRoom) -> None:
    first = room.records[-1]
    room.take(parse_line(DUPLICATE))
    room.say(ev="floor", decide="play-on", who="Floor", why="it was none")
    (over,) = room.records
    assert (over.actions, over.pot_pushes, over.last_entry) == (first.actions, first.pot_pushes, first.last_entry)
    assert list_findings(over) == ["amended", "floor"]
