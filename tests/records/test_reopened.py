"""A hand that was over: what is ruled on it since, and that it is on again because its deck proves defective."""

import pytest

from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, BoardStep, BurnStep, DealStep, ShowStep
from controller.core.values.cards import build_deck
from controller.records.hand_record import HandRecord, compute_gains
from tests.records.simulated import Room
from tests.records.test_phh import NO_LIMIT

DUPLICATE = {"ev": "report", "what": "duplicate", "where": "hand", "seat": 4}


class ReopenedRoom(Room):
    """Four under TDA's rules, whose second hand is over: seat 4 raised, as was put right, and all others folded."""

    def __init__(self) -> None:
        seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 3, 4)]
        super().__init__(1, rulebook="tda-2024", game="holdem", betting=NO_LIMIT, seats=seats, button=4)
        self.deal()
        self.finish()
        self.deal()
        self.say(ev="act", seat=4, do="call")
        line = self.entry
        self.take(parse_line({"ev": "amend", "line": line, "to": {"ev": "act", "seat": 4, "do": "raise", "to": 6}}))
        self.finish()

    def deal(self) -> None:
        """Begin a hand; everybody has two cards."""
        self.start()
        for _ in range(8):
            self.card()

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
    assert [record.number for record in room.records] == [1, 2]
    assert again.actions[0].action_type.value == "fold"


def test_set_aside_it_is_over_as_it_was(room: ReopenedRoom) -> None:
    first = room.records[-1]
    room.take(parse_line(DUPLICATE))
    room.say(ev="floor", decide="play-on", who="Floor", why="it was none")
    before, over = room.records
    assert before.number == 1
    assert (over.actions, over.pot_pushes, over.last_entry) == (first.actions, first.pot_pushes, first.last_entry)
    assert list_findings(over) == ["amended", "floor"]


def test_what_is_ruled_between_two_hands_is_about_the_one_before(room: ReopenedRoom) -> None:
    room.take(parse_line({"ev": "report", "what": "missing-card", "where": "stub"}))
    before, last = room.records
    assert (list_findings(before), list_findings(last)) == ([], ["amended", "missing-card"])


def test_who_gained_nothing_has_won_nothing(room: ReopenedRoom) -> None:
    assert compute_gains(room.records[-1]) == {4: 3}
