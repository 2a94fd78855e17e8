"""Whole hands of random acts, played through `Table.handle`, and what the recorder made of them."""

import random
from typing import Any

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.setup import AnyEvent, BettingStructure, TableOpened
from controller.core.protocol.script_lines import parse_line
from controller.core.values.cards import build_deck
from controller.records.hand_record import HandRecord, HandRecorder


class Room:
    """A table at which chance plays; `records` are the finished hands."""

    def __init__(self, seed: int, **line: Any) -> None:  # noqa: ANN401 - keys of the table line
        self.chance = random.Random(seed)
        self.table = Table()
        self.recorder = HandRecorder()
        self.entry = 0
        self.stub: list[str] = []
        self.take(parse_table_line({"ev": "table", "discards": "first", **line}))

    @property
    def records(self) -> tuple[HandRecord, ...]:
        return self.recorder.finished_records

    def take(self, event: AnyEvent) -> Outcome:
        self.entry += 1
        outcome = self.table.handle(event, self.entry)
        self.recorder.receive_event(event, outcome, self.entry, self.table.history)
        if isinstance(event, TableOpened):
            self.cards = build_deck(event.setup.deck_size, event.setup.has_joker)
        return outcome

    def say(self, **line: Any) -> Outcome:  # noqa: ANN401 - keys of a script line
        return self.take(parse_line(line))

    def start(self, **time: float) -> None:
        self.stub = list(self.cards)
        self.chance.shuffle(self.stub)
        self.say(ev="start", **time)

    def card(self) -> None:
        self.say(ev="card", card=self.stub.pop())

    def move(self) -> None:
        """Do what the first step asks."""
        step = outcome_rendering.render_outcome(self.table.outcome, 0)["next"][0]
        match step["step"]:
            case "deal" | "burn" | "board":
                self.card()
            case "act":
                self.act(step)
            case "draw":
                self.say(ev="draw", seat=step["seat"], discard=self.chance.choice((0, 1, 1, 2, 3)))
            case "show":
                self.say(ev="muck" if self.may_muck() else "show", seat=step["seat"])
            case "floor":
                self.say(ev="floor", decide=step["options"][0])
            case _:
                if step["step"] == "shuffle":
                    self.shuffle()
                self.say(ev="done")

    def shuffle(self) -> None:
        """Shuffle what is in the stub."""
        hand = self.table.outcome.state.hand
        assert hand is not None
        out = {lying.card for pile in hand.cards.piles.cards_by_place.values() for lying in pile}
        self.stub = [card for card in self.cards if card not in out]
        self.chance.shuffle(self.stub)

    def may_muck(self) -> bool:
        """Now and then a hand is given up, behind one that was shown and with nobody all-in."""
        hand = self.table.outcome.state.hand
        assert hand is not None
        return (
            bool(hand.showdown.tabled_cards_by_seat)
            and not hand.betting.all_in_seats
            and len(hand.betting.live_seats) > 1
            and self.chance.random() < 0.3
        )

    def act(self, step: dict[str, Any]) -> None:
        options = [word for word in step["options"] if word != "fold" or step.get("to_call")]
        weights = [{"fold": 3, "all-in": 0.4, "raise": 2, "bet": 2, "complete": 2}.get(word, 6) for word in options]
        word = self.chance.choices(options, weights)[0]
        line: dict[str, Any] = {"ev": "act", "seat": step["seat"], "do": word}
        if word in ("bet", "raise", "complete"):
            low, high = step["min_to"], step["max_to"]
            fixed = self.table.outcome.state.setup.stakes.structure is BettingStructure.FIXED_LIMIT
            more = not fixed and self.chance.random() < 0.3
            line["to"] = self.chance.randint(low, min(high, low * 4)) if more else low
        self.say(**line)

    def hand(self, **time: float) -> HandRecord:
        """Play a hand, which begins at the `t` of the table that is said."""
        self.start(**time)
        while self.table.outcome.plan:
            self.move()
        return self.records[-1]
