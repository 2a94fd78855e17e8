"""Speaks for many tables over real servers: each has its own certificate, its own subjects, and no table behind it."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client

from controller.room_contract.disclosure_level import DisclosureLevel
from controller.room_contract.subjects import STATE_BUCKET, TableTopic, make_topic_subject
from controller.room_contract.table_health import TableHealth
from tests.room.real_parts import RealRoom


def trust(folder: Path) -> ssl.SSLContext:
    """What a table shows, from the files that its enrolment left."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cafile=str(folder / "room-ca.crt"))
    context.load_cert_chain(str(folder / "uplink.crt"), str(folder / "uplink.key"))
    return context


async def connect(room: RealRoom, table: str, **more: Any) -> Client:  # noqa: ANN401 - what nats.connect takes
    """Connect as a table that was enrolled."""
    return await nats.connect(
        room.servers, tls=trust(room.folder / table), name=table, connect_timeout=60, **more,
    )  # fmt: skip


@asynccontextmanager
async def fake_tables(room: RealRoom, names: list[str]) -> AsyncIterator[dict[str, Client]]:
    """Connect as so many tables at once; they are enrolled already."""
    found = await asyncio.gather(*(connect(room, name) for name in names))
    try:
        yield dict(zip(names, found, strict=True))
    finally:
        await asyncio.gather(*(client.close() for client in found), return_exceptions=True)


async def say_states(tables: dict[str, Client], rate: float, seconds: float, state: Callable[[str, int], bytes]) -> int:
    """Have the tables in turn say `state(name, number)`, so many a second in all; return how many were said."""
    names, began, said = list(tables), time.monotonic(), 0
    while time.monotonic() - began < seconds:
        name = names[said % len(names)]
        said += 1
        body = state(name, said)
        await tables[name].publish(make_topic_subject(name, TableTopic.STATE), body)
        await tables[name].publish(f"$KV.{STATE_BUCKET}.{name}", body)
        if said % (10 * len(names)) == len(names):
            await tables[name].publish(
                make_topic_subject(name, TableTopic.HEALTH),
                TableHealth(time.time(), DisclosureLevel.LIVE.value, True).to_json(),
            )
        await asyncio.sleep(max(0.0, began + said / rate - time.monotonic()))
    return said
