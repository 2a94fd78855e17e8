"""Clean decks and real sensors: reads that fail or repeat and antennas that are late must find nothing wrong."""

import os
import random
from collections import deque

import pytest

from config import game_file
from config.rulebook_file import list_rulebooks, load_rulebook
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.protocol import events, vocabulary
from controller.core.protocol.steps import (
    ActStep,
    AwardStep,
    BoardStep,
    BurnStep,
    DealStep,
    DrawStep,
    QuestionStep,
    ShowStep,
)
from controller.core.rules.rulings import Ruling
from controller.core.values.cards import build_deck
from controller.core.values.piles import Piles, hand_place, seat_of_place
from controller.runtime.devices.deck_store import CardMarking, Deck
from controller.runtime.devices.shoe_translator import ShoeTranslator, find_cards_out
from drivers.contract.driver_interface import CardEdgeSensed, DeviceEvent, TagRead

UNREAD, REPEATED = 0.01, 0.02
BETTING = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
NO_MISTAKE = ("insufficient-cards", "passed-out", "false-openers", "unread-card", "misread")
"""What is ruled on though neither the deck nor the dealer was wrong."""
HANDS = int(os.environ.get("CLEAN_DECKS", "64"))


class Sensors:
    """A shoe with edge sensor and reader, antennas at seats and board, and a dealer who makes no mistake."""

    def __init__(self, seed: int, book: str, game: str = "holdem") -> None:
        self.chance = random.Random(seed)
        seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 4, 5, 7, 9)]
        line = {
            "ev": "table",
            "rulebook": book,
            "game": game,
            "betting": BETTING if game_file.load_game(game).has_button else STUD,
            "seats": seats,
            "joker": False,
            "sensors": ["identity", "face", "seat", "board"],
        } | ({"button": 1} if game_file.load_game(game).has_button else {})
        self.table = Table()
        self.table.handle(parse_table_line(line))
        self.cards = build_deck(self.table.outcome.state.setup.deck_size)
        self.tags = {card: f"{index:010X}" for index, card in enumerate(self.cards)}
        cards = {tag: card for card, tag in self.tags.items()}
        self.shoe = ShoeTranslator("shoe", Deck("clean", cards, CardMarking.TAGGED), edge_sensor=True, gone_after=0.3)
        self.now = 0.0
        self.stub: list[str] = []
        self.left: dict[int, str] = {}
        """The number of each card that left the shoe, and what it truly is."""
        self.late: deque[tuple[int, str, str]] = deque()
        self.rulings: list[Ruling] = []
        self.passed = self.unread = self.repeats = self.named = 0

    def take(self, event: events.Event) -> Outcome:
        outcome = self.table.handle(event)
        self.rulings += outcome.rulings
        return outcome

    def card(self, step: DealStep | BurnStep | BoardStep) -> None:
        """One card passes the edge and the reader; an antenna sees it some events later."""
        card = self.stub.pop()
        self.left[self.piles().dealt_count + 1] = card
        self.passed += 1
        read = self.chance.random() >= UNREAD
        self.unread += not read
        said: list[DeviceEvent] = [CardEdgeSensed("shoe", True), CardEdgeSensed("shoe", False)]
        if read:
            said.insert(1, TagRead("shoe", self.tags[card]))
            if self.chance.random() < REPEATED:
                self.repeats += 1
                said.insert(2, TagRead("shoe", self.tags[card]))
        for word in said:
            self.now += 0.05
            for event in self.shoe.translate(word, self.now, find_cards_out(self.table.outcome)):
                if isinstance(event, events.CardDealt):
                    self.take(event)
        self.now += 1.0
        for event in self.shoe.on_tick(self.now):
            if isinstance(event, events.CardDealt):
                self.take(event)
        if not isinstance(step, BurnStep):
            place = "board" if isinstance(step, BoardStep) else f"seat {step.seat}"
            self.late.append((self.chance.randrange(6), place, card))
        if read and self.chance.random() < REPEATED:
            self.repeats += 1
            self.now += 1.0
            for event in self.shoe.translate(
                TagRead("shoe", self.tags[card]), self.now, find_cards_out(self.table.outcome)
            ):
                assert not isinstance(event, events.CardDealt), "a repeat became a card"

    def antennas(self) -> None:
        """What the antennas see by now."""
        waiting: deque[tuple[int, str, str]] = deque()
        for after, place, card in self.late:
            if after:
                waiting.append((after - 1, place, card))
            elif any(seat.startswith(place) for seat in self.list_filled_places()):
                self.take(events.CardDetected(place, card))
        self.late = waiting

    def list_filled_places(self) -> list[str]:
        hand = self.table.outcome.state.hand
        return [] if hand is None else [place for place, pile in hand.cards.piles.cards_by_place.items() if pile]

    def hand(self) -> None:
        """A hand from the riffle to the last award."""
        self.stub = list(self.cards)
        self.chance.shuffle(self.stub)
        self.late.clear()
        self.left.clear()
        self.take(events.HandStarted())
        while self.table.outcome.plan:
            step = self.table.outcome.plan[0]
            match step:
                case DealStep() | BurnStep() | BoardStep():
                    self.card(step)
                case ActStep(seat=seat):
                    self.act(seat)
                case DrawStep(seat=seat):
                    self.draw(seat)
                case ShowStep(seat=seat):
                    self.take(events.HandTabled(seat))
                case AwardStep(is_unread=True, seats=seats, pot=pot):
                    self.take(events.WinnerNamed(seats[0], pot))
                case QuestionStep(options=("misread",)):
                    self.upcard()
                case _:
                    self.take(events.StepConfirmed())
                    self.return_cards_to_stub()
            self.antennas()

    def upcard(self) -> None:
        """An upcard that nobody read decides who acts: once no antenna is late, the dealer says which card it is.

        Its antenna has told it in vain only where the same card lay in its field in the hand before, too.
        """
        if self.late:
            return
        places = self.piles().cards_by_place.items()
        unread = [(place, lying.serial) for place, pile in places for lying in pile if lying.card is None]
        place, serial = max(unread, key=lambda each: each[1])
        self.named += 1
        self.take(events.Report(vocabulary.ReportKind.MISREAD, seat=seat_of_place(place), card=self.left[serial]))

    def draw(self, seat: int) -> None:
        """Any cards of the seat's go to the muck, whichever the table believes them to be."""
        asked = outcome_rendering.render_outcome(self.table.outcome, 1)["next"][0].get("discard")
        count = self.chance.randrange(4) if asked is None else asked
        held = [lying.serial for lying in self.piles().cards_at(hand_place(seat))]
        cards = self.chance.sample([self.left[serial] for serial in held], len(held))
        self.take(events.DrawRequested(seat, count))
        kept = {lying.serial for lying in self.piles().cards_at(hand_place(seat))}
        for serial in sorted(held, key=kept.__contains__):
            self.left[serial] = cards.pop(0)
            self.late = deque(each for each in self.late if serial in kept or each[2] != self.left[serial])

    def return_cards_to_stub(self) -> None:
        """Cards that went back into the stub are shuffled in."""
        back = [serial for serial in self.left if self.piles().find_place(serial) is None]
        self.stub += [self.left.pop(serial) for serial in back]
        self.chance.shuffle(self.stub)

    def piles(self) -> Piles:
        return self.table.outcome.state.hand_in_play.cards.piles

    def act(self, seat: int) -> None:
        hand = self.table.outcome.state.hand
        assert hand is not None
        words = find_legal_actions(hand, seat).actions
        quiet = (
            "bring-in"
            if "bring-in" in words
            else "check"
            if "check" in words
            else self.chance.choice(("call", "call", "call", "fold"))
        )
        self.take(events.PlayerActed(seat, vocabulary.ActionType(quiet)))


@pytest.mark.parametrize("book", list_rulebooks())
def test_nothing_is_found_wrong_with_clean_decks(book: str) -> None:
    """1 % unread, 2 % read twice at once, 2 % read again later, antennas up to five events late: no finding."""
    sensors = Sensors(7, book)
    for _ in range(HANDS // len(list_rulebooks()) or 1):
        sensors.hand()
    assert sensors.passed > 100
    assert sensors.repeats
    assert sensors.rulings == []


@pytest.mark.parametrize("game", game_file.list_games())
def test_nothing_is_found_wrong_with_clean_decks_of_any_game(game: str) -> None:
    """The same with draws, discards, upcards and decks of any size, under one of the books that list the game."""
    books = [book for book in list_rulebooks() if game in load_rulebook(book).games]
    sensors = Sensors(11, books[len(game) % len(books)], game)
    for _ in range(HANDS // 32):
        sensors.hand()
    found = [ruling for ruling in sensors.rulings if ruling.finding not in NO_MISTAKE]
    assert found == []
    assert sum(ruling.finding == "misread" for ruling in sensors.rulings) == sensors.named <= 1
    assert sensors.passed > 15
