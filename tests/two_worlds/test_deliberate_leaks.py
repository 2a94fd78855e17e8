"""The oracle finds what leaks: one function broken for each surface, and the worlds can be told apart just there."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.announcer import home_assistant
from controller.core.engine.output import hand_redaction, showdown_view
from controller.core.model.hand import Hand
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState
from controller.core.play.showdown import showdown
from controller.core.protocol.events import CardDealt
from controller.core.protocol.table_error import Refused
from controller.records import public_view
from controller.records.broadcast.hand_frames import FilmedEntry
from controller.runtime.broadcast.card_release import CardRelease, EntryReleased
from controller.runtime.journal.sealing.hand_seal import HandSeal
from controller.runtime.loop import view_publisher
from controller.runtime.loop.entry_listeners import MeterListener
from controller.runtime.loop.notice_board import NoticeBoard
from controller.runtime.loop.processed_entry import ProcessedEntry
from controller.web.api import page_state_redaction
from tests.two_worlds.live_table import name_cards
from tests.two_worlds.worlds import Difference, Worlds, play

PUBLISHED: list[Outcome] = []
"""The outcome that was published last, for what is broken where nothing knows the table."""


def cards_of(state: TableState) -> str:
    return str(name_cards(state))


def name_the_cards_in_the_page(outcome: Outcome) -> dict[int, dict[str, object]]:
    return {1: {"player": cards_of(outcome.state), "away": False, "waits": False}}


def lay_every_hand_open(state: TableState) -> dict[str, object]:
    return {"hands": {"1": [cards_of(state)]}, "asked": [], "awards": [], "side_pots": 0}


def publish_as_it_is(outcome: Outcome) -> Any:  # noqa: ANN401 - as it describes players
    PUBLISHED[:] = [outcome]
    return public_view.describe_players(outcome)


def name_the_cards_in_the_api(number: int, who: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    return {"seat": number, "player": cards_of(PUBLISHED[0].state) if PUBLISHED else f"{who}{shown}"}


def name_the_cards_in_a_message(text: str) -> str:
    return text + (cards_of(PUBLISHED[0].state) if PUBLISHED else "")


def seal_kings_longer(seal: HandSeal, card: str, cards: object, at: object) -> object:
    hidden = hide_card(seal, card, cards, at)
    return {**hidden, "sealed": hidden["sealed"] + "=" * (card[0] in "TJQKA")} if "sealed" in hidden else hidden


hide_card: Callable[..., Any] = HandSeal._hide_card


def disclose_all(seal: HandSeal, _cards: object) -> dict[int, str]:
    return {alias: card for card, alias in seal._alias_by_card.items()}


def log_the_card(_board: NoticeBoard, processed: ProcessedEntry) -> None:
    if isinstance(processed.event, CardDealt):
        logging.getLogger(__name__).warning("a card: %s", processed.event.card)


def count_the_card(listener: MeterListener, processed: ProcessedEntry) -> None:
    for _ in range(ord(cards_of(processed.outcome.state)[-4:-3] or "0")):
        listener._meter.on_entry_refused("not-now")


def open_the_gate_by_the_card(outcome: Outcome) -> bool:
    return any(rank in cards_of(outcome.state) for rank in "TJQKA")


def refuse_with_the_cards(hand: Hand, seat: int) -> None:
    cards = [one.card for pile in hand.cards.piles.cards_by_place.values() for one in pile]
    raise Refused("not-to-show", f"seat {seat} shows nothing now: {cards}.")


def release_at_once(release: CardRelease, _now: float, at: float, outcome: Outcome, _history: object) -> None:
    release._send(EntryReleased(FilmedEntry(at, outcome.state, outcome.facts)))


Patch = tuple[object, str, object]

LEAKS: dict[str, tuple[str, list[Patch]]] = {
    "the page names cards": ("page", [(view_publisher, "describe_players", name_the_cards_in_the_page)]),
    "the showdown names cards": ("page", [(showdown_view, "render_showdown", lay_every_hand_open)]),
    "the API names cards": (
        "API, watch",
        [
            (view_publisher, "describe_players", publish_as_it_is),
            (page_state_redaction, "_build_seat", name_the_cards_in_the_api),
        ],
    ),
    "the announcer names cards": (
        "announcer",
        [
            (view_publisher, "describe_players", publish_as_it_is),
            (home_assistant, "_truncate", name_the_cards_in_a_message),
        ],
    ),
    "the journal is in clear": ("journal", [(HandSeal, "hide_cards", lambda _seal, line, _cards: dict(line))]),
    "the journal discloses": ("journal", [(HandSeal, "disclose_public_cards", disclose_all)]),
    "a line is as long as its card is high": ("lengths", [(HandSeal, "_hide_card", seal_kings_longer)]),
    "the log names a card": ("log", [(NoticeBoard, "on_entry", log_the_card)]),
    "Prometheus counts cards": ("metrics", [(MeterListener, "on_entry", count_the_card)]),
    "the gate goes by the card": ("devices", [(Outcome, "gate_open", property(open_the_gate_by_the_card))]),
    "a refusal names cards": ("page", [(showdown, "_require_show_step", refuse_with_the_cards)]),
    "the broadcast is ahead of its time": ("broadcast", [(CardRelease, "on_entry", release_at_once)]),
    "the list of entries names cards": ("entries", [(public_view, "_remove_unseen_cards", lambda line, _seen: line)]),
}
"""What is broken: on which surface the worlds differ then, and the function that is another."""


@pytest.mark.parametrize("leak", LEAKS)
def test_what_leaks_is_found_where_it_leaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    surface, patches = LEAKS[leak]
    PUBLISHED.clear()
    for patch in patches:
        monkeypatch.setattr(*patch)
    worlds = Worlds(tmp_path, "roberts-7", "holdem", 1)
    try:
        with pytest.raises(Difference) as found:
            play(worlds, 60, lambda worlds: worlds.attempt("show", {"ev": "show", "seat": 6}, "dealer"))
    finally:
        worlds.close()
    assert surface in found.value.surfaces


def keep_everything(states: tuple[TableState, ...], _shown: object) -> tuple[TableState, ...]:
    return tuple(states)


def test_a_snapshot_that_keeps_cards_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written down between two hands is looked at as it lies on the disk."""
    monkeypatch.setattr(hand_redaction, "forget_hidden_cards", keep_everything)
    worlds = Worlds(tmp_path, "roberts-7", "holdem", 1)
    try:
        while worlds.state.hand_count < 2:
            worlds.move()
        with pytest.raises(Difference) as found:
            worlds.compare_house()
    finally:
        worlds.close()
    assert "snapshot" in found.value.surfaces
