"""python-rdm6300 against our simulated RDM6300. It knows no CR LF, so an ID-20LA is beyond it."""

import queue
import threading
from time import monotonic
from typing import Any

import pytest

from drivers.simulators.readers.rdm6300_simulator import Rdm6300Simulator
from tests.drivers.independent.pseudo_terminal import PATIENCE_S, PseudoTerminal

rdm6300: Any = pytest.importorskip("rdm6300", reason="rdm6300 is not installed (requirements/dev.txt)")


def test_python_rdm6300_reads_cards_that_come_and_go() -> None:
    """It counts a card as gone when no frame has come for a second: the repeats every 65 ms keep it there."""
    simulator, seen = Rdm6300Simulator(monotonic), queue.Queue[tuple[str, str]]()

    class Reader(rdm6300.BaseReader):  # type: ignore[misc]
        def card_inserted(self, card: Any) -> None:
            assert card.is_valid
            seen.put(("came", f"{card.type:02X}{card.value:08X}"))

        def card_removed(self, card: Any) -> None:
            seen.put(("went", f"{card.type:02X}{card.value:08X}"))

        def invalid_card(self, card: Any) -> None:
            seen.put(("invalid", repr(card)))

    for _ in range(2):
        with PseudoTerminal(simulator) as terminal:
            reader = Reader(terminal.path, heartbeat_interval=1.0)
            thread = threading.Thread(target=reader.start)
            thread.start()
            try:
                for number in (1, 2):
                    tag = simulator.nth_tag(number)
                    simulator.present(tag)
                    assert seen.get(timeout=PATIENCE_S) == ("came", tag)
                    simulator.remove()
                    assert seen.get(timeout=PATIENCE_S) == ("went", tag)
            finally:
                reader.stop()
                thread.join(PATIENCE_S)
                reader.close()
    assert seen.empty()


def test_python_rdm6300_reads_the_same_card_twice() -> None:
    simulator = Rdm6300Simulator(monotonic)
    with PseudoTerminal(simulator) as terminal:
        reader = rdm6300.Reader(terminal.path)
        simulator.present(simulator.nth_tag(3))
        for _ in range(2):
            assert reader.read(timeout=PATIENCE_S).value == 0x007B3903
        simulator.remove()
        reader.close()
