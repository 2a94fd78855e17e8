"""The table in a terminal: the same publication as the page's, and the command that shows it."""

import json
import threading
from typing import Any

import pytest

from controller.cli import main
from controller.cli.table import watch_command
from controller.client.page_address import PageAddress
from controller.core.engine.output.showdown_view import render_showdown
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.loop.table_view import SIMULATION
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving.listener import list_host_names, listen
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app
from controller.web.terminal_screen import render_screen
from controller.web.wording.step_instructions import format_instruction
from tests.playing import ScriptedTable, play
from tests.web.test_pages import standing

SETUP = {"game": "holdem", "rulebook": "Robert's Rules", "places": 8}


def publish_lines(played: ScriptedTable) -> tuple[PageStateHub, dict[str, Any]]:
    hub = PageStateHub(SETUP)
    rulings: tuple[Any, ...] = ()
    for number, line in enumerate(played.lines, start=1):
        rulings = tuple(line["rulings"]) or rulings
        players = {seat: {"player": f"Player {seat}", "away": False, "waits": False} for seat in (1, 2, 3, 4)}
        hub.publish(standing(number, mode=SIMULATION, output_line=line, rulings=rulings, player_by_seat=players))
    latest = hub.get_latest()
    assert latest is not None
    return hub, json.loads(latest[1])


def test_what_is_due_now_comes_first_and_large() -> None:
    _, publication = publish_lines(play("roberts-7", "start", "card As Kd"))
    lines = render_screen(publication, styled=False)
    assert "Card to seat 4" in lines[2]
    assert lines[0].startswith("SIMULATION  DEAL  hand 1  preflop  gate open")
    assert any(line.startswith("  4") and "v CARD" in line for line in lines)


def test_a_showdown_names_the_winner_and_lays_the_hands_open() -> None:
    cards = "card 9c As 9h Ad"
    played = play("roberts-7", "start", cards, "act 1 all-in", "act 2 all-in", "card - Ah 9d Qd - 4s - 7h", seats=2)
    for step in played.lines[-1]["next"]:
        played(f"show {step['seat']}")
    hub = PageStateHub(SETUP)
    players = {seat: {"player": f"Player {seat}", "away": False, "waits": False} for seat in (1, 2)}
    showdown = render_showdown(played.table.outcome.state)
    hub.publish(standing(1, output_line=played.lines[-1], player_by_seat=players, showdown=showdown))
    latest = hub.get_latest()
    assert latest is not None
    lines = render_screen(json.loads(latest[1]), styled=False)
    assert "Seat 1 wins 400: three aces" in lines[2]
    assert any("Player 1" in line and "A♠ A♦" in line and "#" not in line for line in lines)


def test_a_ruling_is_shown_with_its_clause_and_its_steps() -> None:
    _, publication = publish_lines(play("roberts-7", "start", "card As Kd", "report exposed", "done"))
    text = "\n".join(render_screen(publication, styled=False))
    assert "exposed, seat 3: misdeal [R7-5.holdem.1" in text
    assert "[x] All cards back into the deck" in text
    assert "[ ] Shuffle" in text


def test_a_fault_that_is_up_is_the_first_thing_said_with_who_clears_it() -> None:
    played = play("roberts-7", "start", {"ev": "device", "id": "fault:deck-foreign", "status": "lost"})
    hub = PageStateHub(SETUP)
    faults = (FaultStatus.from_fault(FAULTS["deck-foreign"]), FaultStatus.from_fault(FAULTS["jam"], "shoe"))
    players = {4: {"player": "Ana", "away": False, "waits": False}}
    hub.publish(standing(1, mode=SIMULATION, output_line=played.lines[-1], player_by_seat=players, faults=faults))
    latest = hub.get_latest()
    assert latest is not None
    lines = render_screen(json.loads(latest[1]), width=120, styled=False)
    assert lines[0].startswith("SIMULATION  HALTED")
    assert "Stop: deck foreign, jam (when all is well: Card to seat 2)" in lines[2]
    text = "\n".join(lines)
    assert "! A card of another deck was in the shoe: this deck must leave the table. Take the deck off" in text
    assert "Cleared by floor." in text
    assert "! A card stands in the mouth of the shoe. (shoe) Free the card" in text


def test_no_card_that_lies_face_down_is_drawn() -> None:
    _, publication = publish_lines(play("roberts-7", "start", "card As Kd 9h 4c 2d 5s 7c 8c"))
    text = "\n".join(render_screen(publication))
    for card in ("A♠", "K♦", "9♥", "4♣", "2♦", "As", "Kd"):
        assert card not in text


@pytest.mark.parametrize("width", [40, 80, 132])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    _, publication = publish_lines(play("roberts-7", "start", "card As Kd", "report exposed"))
    assert max(len(line) for line in render_screen(publication, width=width, styled=False)[1:]) <= width


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"step": "burn"}, "Burn a card"),
        ({"step": "board", "street": "flop", "n": 3}, "Flop: 3 cards"),
        ({"step": "deal", "seat": 3, "face": "up"}, "Card to seat 3, face up"),
        ({"step": "act", "seat": 3, "options": []}, "Seat 3 acts"),
        ({"step": "award", "pot": 0, "seats": [1, 2], "amounts": [5, 6]}, "Pot: 5 to seat 1, 6 to seat 2"),
        ({"step": "award", "pot": 0, "seats": [1]}, "Pot to seat 1"),
        ({"step": "say", "options": ["put-back"]}, "What happened?"),
        ({"step": "shuffle"}, "Shuffle"),
        ({"step": "floor", "question": "out-of-turn", "options": ["bind"]}, "Call the floor: out of turn"),
    ],
)
def test_every_step_is_said_in_words(step: dict[str, Any], words: str) -> None:
    assert format_instruction(step) == words


def test_the_command_shows_a_served_table(capsys: pytest.CaptureFixture[str]) -> None:
    hub, _ = publish_lines(play("roberts-7", "start"))
    bound = listen("127.0.0.1", 0)
    server = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub)
    server.start()
    url, port = server.url, bound.getsockname()[1]
    assert main(["watch", "--once", "--url", url]) == 0
    assert "Card to seat 2" in capsys.readouterr().out
    stream = watch_command.read_page_states(PageAddress("127.0.0.1", port))
    assert next(stream)["table"]["hand"] == 1
    closing = threading.Thread(target=server.end)
    closing.start()
    assert list(stream) == []
    closing.join()
    assert main(["watch", "--once", "--url", url]) == 1
    assert "no table at 127.0.0.1" in capsys.readouterr().err


def test_an_address_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--url", "table-7"]) == 2
    assert "http://127.0.0.1:8080/" in capsys.readouterr().err
