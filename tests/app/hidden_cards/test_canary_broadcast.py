"""The canaries with a broadcast: cards reach the air and the feed in their time, and no other edge sooner for it."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from controller.app.table.broadcast.broadcast_producer import BroadcastProducer
from controller.core.model.outcome import Outcome
from controller.records.broadcast.hand_frames import FilmedEntry
from controller.runtime.broadcast import card_release as releases
from controller.runtime.broadcast.card_release import CardRelease, EntryReleased, HandReleased, ReleaseItem
from tests.app.canary import Canaries, LeakError, faces_in, strings_in
from tests.app.hidden_cards.test_canary import Edges, canaries, make_meter, something_goes_wrong
from tests.app.rig import Rig

__all__ = ["canaries"]

HANDS = 3
DELAY = 300


class OnAir:
    """The air and the feed of one rig, looked at after everything that is published."""

    def __init__(self, canaries: Canaries, monkeypatch: pytest.MonkeyPatch) -> None:
        self.canaries = canaries
        self.studio = BroadcastProducer("test")
        monkeypatch.setattr(self.studio._equity_client, "ask", lambda _situation: None)
        self.rig: Rig
        self.is_true = True
        """Whether the table keeps to its word, which is looked at."""
        self.pictures = 0
        self.begun = 0
        """The newest hand of which a card has left the shoe: those before it are over for good."""
        self.cards: set[str] = set()
        self.seen_at: dict[int, dict[str, float]] = {}
        """Hand -> card -> when the table had it."""

    def send(self, released: ReleaseItem) -> None:
        if isinstance(released, EntryReleased) and self.is_true:
            assert self.rig.loop._card_release is not None
            now = self.rig.loop._time.to_table_time(self.rig.clock())
            assert released.entry.table_time_s + DELAY <= now + 0.1, "before its time"
        self.studio.process_item(released, self.rig.clock())

    def look(self) -> None:
        """What is on air or in the feed must be of a hand before this one, or old enough."""
        self.studio.process_item(None, self.rig.clock())
        state = self.rig.loop.outcome.state
        hand, now = state.hand, self.rig.clock()
        if hand is not None:
            if hand.cards.piles.dealt_count:
                self.begun = state.hand_count
            had = self.seen_at.setdefault(state.hand_count, {})
            for pile in hand.cards.piles.cards_by_place.values():
                for lying in pile:
                    if lying.card is not None:
                        had.setdefault(lying.card, now)
        picture = json.loads(self.studio.stream.frame_json)
        told = self.studio.stream.build_feed()
        for number, part in [(picture["hand"], picture)] if picture else []:
            self._judge("air", number, part)
        for part in told["Hands"]:
            self._judge("feed", part["HandNum"], part)

    def _judge(self, edge: str, number: int, part: object) -> None:
        text = json.dumps(part)
        self.canaries.raw(edge, text.encode())
        faces = {face for string in strings_in(part) for face in faces_in(string[:1].upper() + string[1:])}
        self.pictures += 1
        self.cards |= faces
        if number < self.begun:
            return
        had, now = self.seen_at.get(number, {}), self.rig.clock()
        early = {face for face in faces if now - had.get(face, now) < DELAY - 0.1}
        if early:
            self.canaries._leak(f"{edge}: {', '.join(sorted(early))} of hand {number}, which is not over")


def play_watched_hands(
    directory: Path, canaries: Canaries, air: OnAir, *, hands: int, mistakes: float, wrong: bool, wait: float = 0.0
) -> None:
    """Let a room play some hands, with everything looked at."""
    chance = random.Random(3)
    with Rig(directory, lossless=True, meter=make_meter(), release=CardRelease(air.send)) as rig:
        air.rig = rig
        rig.loop.subscribe(lambda _standing: air.look())
        edges = Edges(rig, canaries, directory)
        if wait:
            rig.loop.change_broadcast_delay(DELAY, ())
            rig.drain()
        room = rig.room(2, mistakes=mistakes)
        for move in range(400 * hands):
            rig.live(room, 1)
            if wrong and rig.output["next"] and chance.random() < 0.03:
                something_goes_wrong(rig, chance)
            if wait and move % 10 == 9:
                rig.clock.advance(wait)
                rig.loop.on_tick(rig.clock())
                air.look()
            if move % 40 == 0:
                edges.files()
            if rig.output["hand"] > hands:
                break
        edges.files()
        edges.close()


def test_cards_of_a_hand_are_on_air_when_it_is_over_and_no_edge_names_them_sooner(
    tmp_path: Path, canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    air = OnAir(canaries, monkeypatch)
    play_watched_hands(tmp_path, canaries, air, hands=HANDS, mistakes=0.05, wrong=True)
    assert air.pictures > 20
    assert len(air.cards) > 10, "the hands that are over were shown"


def test_with_a_delay_no_card_is_on_air_before_it_is_that_old(
    tmp_path: Path, canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    air = OnAir(canaries, monkeypatch)
    play_watched_hands(tmp_path, canaries, air, hands=2, mistakes=0.0, wrong=False, wait=100.0)
    assert air.pictures > 10
    assert air.cards


def release_at_once(release: CardRelease, _now: float, at: float, outcome: Outcome, _history: object) -> None:
    release._send(EntryReleased(FilmedEntry(at, outcome.state, outcome.facts)))


LEAKS: dict[str, tuple[object, str, Callable[..., object]]] = {
    "what happens goes out at once": (CardRelease, "on_entry", release_at_once),
    "a hand goes out when it is over, before the next": (
        CardRelease,
        "on_entry",
        lambda release, _now, _at, outcome, history: (
            release._send(releases.HandReleased(releases._list_hand_entries(history))) if outcome.state.hand else None
        ),
    ),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_table_that_shows_cards_too_early_is_found_out(
    tmp_path: Path, canaries: Canaries, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    air = OnAir(canaries, monkeypatch)
    air.is_true = False
    with Rig(tmp_path, lossless=True, release=CardRelease(air.send)) as rig:
        air.rig = rig
        rig.press("start")
        for card in list(rig.tags)[:6]:
            rig.card(card)
            with suppress(LeakError):
                air.look()
    assert canaries.leaks
    canaries.leaks.clear()


@pytest.mark.parametrize("aired", [True, False])
def test_a_hand_dealt_before_the_house_wanted_a_broadcast_is_not_on_air_after_a_restart(
    tmp_path: Path, aired: bool
) -> None:
    released: list[ReleaseItem] = []
    with Rig(tmp_path, lossless=True, release=CardRelease(released.append) if aired else None) as rig:
        rig.press("start")
        rig.deal(list(rig.tags)[:6])
        began = rig.output["hand"]
    assert released == []
    with Rig(tmp_path, lossless=True, release=CardRelease(released.append)) as rig:
        room = rig.room(2, mistakes=0.0)
        for _ in range(800):
            rig.live(room, 1)
            if rig.output["hand"] > began + 1 and rig.output["phase"] != "idle" and len(released) > aired:
                break
    shown = [hand.entries[-1].state.hand_count for hand in released if isinstance(hand, HandReleased)]
    assert shown == ([began, began + 1] if aired else [began + 1])
