"""What a device is told does not depend on a card that nobody has seen; and the command, looked at from outside."""

import json
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from config.table_file import load_table_file
from controller.app.table.table_devices import build_devices
from controller.core.model.outcome import Outcome
from controller.core.protocol.script_lines import parse_line
from controller.runtime.devices.device_bus import build_signals
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import TOKENS_FILE
from drivers.contract.driver_interface import Signals
from drivers.simulators.bench.bench import Bench
from tests.app.canary import Canaries, faces_in, strings_in
from tests.app.rig import demo_deck, random_deck
from tests.app.table.test_process import table
from tests.playing import play

TABLES = sorted((Path(__file__).parents[3] / "config" / "tables").glob("*.toml"))


def outcomes(seed: int) -> list[Outcome]:
    """A hand with a fault in it, dealt from a deck in an order of its own: nothing of it is ever shown."""
    played = play("roberts-7", "start")
    found = [played.table.outcome]
    for card in random_deck(seed)[:7]:
        found.append(played.table.handle(parse_line({"ev": "card", "card": card})))
    found.append(played.table.handle(parse_line({"ev": "device", "id": "fault:events-missed", "status": "lost"})))
    found.append(played.table.handle(parse_line({"ev": "device", "id": "fault:events-missed", "status": "back"})))
    return found


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_no_byte_to_a_device_depends_on_a_card_that_lies_face_down(path: Path) -> None:
    told = []
    shown: list[Signals] = []
    for seed in (1, 2):
        devices = build_devices(load_table_file(path))
        said = {name: [driver.on_port_opened()] for name, driver in devices.byte_drivers.items()}
        with Bench("wire") as bench:
            for outcome in outcomes(seed):
                signals = build_signals(outcome)
                shown.append(signals)
                for name, driver in devices.byte_drivers.items():
                    said[name] += [driver.show_signals(signals), driver.on_tick(1.0)[0]]
            assert bench.pins is not None
        told.append(said)
    assert told[0] == told[1]
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :], "the gate too, which hangs on a pin"


def has_dealt_cards(depth: int, state: dict[str, Any]) -> bool:
    return bool(52 - state["table"]["piles"]["stub"] >= depth)


def test_the_command_names_no_card_that_is_not_on_the_board(tmp_path: Path) -> None:
    """Every answer of the page, the log, and every file but the register of decks, over some hands and a kill."""
    canaries = Canaries(*demo_deck().card_by_tag)
    paths = ("/", "/watch", "/state", "/errors", "/who", "/staff", "/sign-in", "/answers", "/hands/list", "/floor")
    log = token = ""
    for _ in range(2):
        with table(tmp_path) as running:
            token = token or TokenStore(tmp_path / TOKENS_FILE).add("canary", TokenRole.FLOOR_READ)
            for depth in (4, 14, 16):
                state = running.play_until(partial(has_dealt_cards, depth))
                for path in ("/api/v1/table", "/api/v1/hands", "/api/v1/errors"):
                    status, text = running.ask("GET", path, headers={"Authorization": f"Bearer {token}"})
                    assert status == 200
                    canaries.raw(path, text.encode())
                shown = {card for card in state["table"]["board"] if card}
                for path in paths:
                    _, text = running.ask("GET", path)
                    canaries.raw(path, text.encode())
                assert {face for said in strings_in(state) for face in faces_in(said)} <= shown
                _, text = running.ask("GET", "/answers")
                assert {face for said in strings_in(json.loads(text)) for face in faces_in(said)} <= shown
            os.kill(running.process.pid, signal.SIGKILL)
            assert running.process.stderr is not None
            log += running.process.stderr.read()
    canaries.raw("log", log.encode())
    assert faces_in(log) == set()
    for file in sorted(tmp_path.rglob("*")):
        if file.is_file() and not file.name.startswith("table.sqlite"):
            canaries.raw(file.name, file.read_bytes())
    assert canaries.looked_at["journal.sqlite"] > 0
