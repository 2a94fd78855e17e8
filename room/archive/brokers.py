"""The servers of NATS as the room's own programs use them: how they are reached, and what must be there."""

import contextlib
import logging
import ssl
from collections.abc import Awaitable, Callable
from functools import partial

from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import BadRequestError, NotFoundError

from controller.room_contract.subjects import JOURNAL_STREAM, STATE_BUCKET, TableTopic, make_wildcard_subject
from controller.uplink.room_connection import connect_to_room
from room.room_file import BrokersSection

CONSUMER = "archive"
JOURNAL_RETENTION_S = 7 * 24 * 3600
MAX_STREAM_BYTES = 1 << 30
MAX_BATCHES_PER_TABLE = 8
"""Batches of a table that wait at a time, the newest: one is on its way, and whoever floods pushes out their own."""

MAX_BATCH_MESSAGE_BYTES = 2 << 20
MAX_STATE_MESSAGE_BYTES = 256 << 10

DUPLICATE_WINDOW_S = 0.1
"""As little as servers allow: no table's message is dropped because of another's. The archive knows by the chain."""

MAX_LOGGED_FAILURES = 32
"""What goes wrong that is remembered as said."""

ACK_TIMEOUT_S = 10
CLUSTER_SIZE = 3

log = logging.getLogger(__name__)


def make_tls_context(brokers: BrokersSection) -> ssl.SSLContext | None:
    """What the servers are known by, and what this program shows there; raises `OSError`."""
    if brokers.authority is None:
        return None
    context = ssl.create_default_context(cafile=str(brokers.authority))
    if brokers.certificate is not None:
        context.load_cert_chain(
            str(brokers.certificate), None if brokers.private_key is None else str(brokers.private_key)
        )
    return context


async def connect(brokers: BrokersSection, name: str) -> Client:
    """Connect, however long it takes; what goes wrong is said in the log, once until it is mended."""
    logged_texts: set[str] = set()

    async def on_failure(why: Exception) -> None:
        text = str(why) or type(why).__name__
        if text not in logged_texts and len(logged_texts) < MAX_LOGGED_FAILURES:
            logged_texts.add(text)
            log.warning("the servers of the room: %s", text)

    async def on_reconnected() -> None:
        logged_texts.clear()
        log.warning("the servers of the room are reached again")

    logging.getLogger("nats").setLevel(logging.CRITICAL)  # what it says is said once, here
    return await connect_to_room(
        list(brokers.servers), tls=make_tls_context(brokers), name=name, connect_timeout=5, reconnect_time_wait=1,
        max_reconnect_attempts=-1, ping_interval=5, max_outstanding_pings=2, error_cb=on_failure,
        reconnected_cb=on_reconnected, pending_size=1024 * 1024,
    )  # fmt: skip


def make_stream_configs(servers: int) -> tuple[StreamConfig, ...]:
    """What tables write: it is acknowledged to nobody, and no header of theirs does more than send the message."""
    replicas = CLUSTER_SIZE if servers >= CLUSTER_SIZE else 1
    journals = StreamConfig(
        name=JOURNAL_STREAM, subjects=[make_wildcard_subject(TableTopic.JOURNAL)], max_age=JOURNAL_RETENTION_S,
        max_bytes=MAX_STREAM_BYTES,
        max_msgs_per_subject=MAX_BATCHES_PER_TABLE, max_msg_size=MAX_BATCH_MESSAGE_BYTES, discard=DiscardPolicy.OLD,
    )  # fmt: skip
    states = StreamConfig(
        name=f"KV_{STATE_BUCKET}", subjects=[f"$KV.{STATE_BUCKET}.>"], max_msgs_per_subject=1,
        max_msg_size=MAX_STATE_MESSAGE_BYTES,
        allow_direct=True, deny_delete=True,
    )  # fmt: skip
    shut = {"no_ack": True, "allow_rollup_hdrs": False, "allow_msg_ttl": False, "allow_msg_schedules": False,
            "allow_atomic": False, "allow_batched": False, "allow_msg_counter": False}  # fmt: skip
    kept = {"storage": StorageType.FILE, "num_replicas": replicas, "duplicate_window": DUPLICATE_WINDOW_S}
    return tuple(config.evolve(**shut, **kept) for config in (journals, states))


async def ensure_streams(js: JetStreamContext, servers: int) -> None:
    """Make the streams and the archive's consumer, or have them be as they should.

    Servers may lose their disks, and an earlier version may have made them otherwise.
    """
    for config in make_stream_configs(servers):
        await _create_if_missing(js.stream_info(config.name or ""), partial(js.add_stream, config))
        await _update_if_different(js, config)
    consumer = ConsumerConfig(
        durable_name=CONSUMER, ack_policy=AckPolicy.EXPLICIT, ack_wait=ACK_TIMEOUT_S, max_ack_pending=1024
    )
    await _create_if_missing(
        js.consumer_info(JOURNAL_STREAM, CONSUMER), partial(js.add_consumer, JOURNAL_STREAM, consumer)
    )


async def _create_if_missing(info: Awaitable[object], make: Callable[[], Awaitable[object]]) -> None:
    """Make what is not there; of two who make it at once, one is told that it is there, and that is well."""
    try:
        await info
    except NotFoundError:
        with contextlib.suppress(BadRequestError):
            await make()


async def _update_if_different(js: JetStreamContext, wanted: StreamConfig) -> None:
    found = (await js.stream_info(wanted.name or "")).config
    left = {"num_replicas"} | ({"allow_msg_ttl"} if found.allow_msg_ttl else set())  # a server takes neither back
    asked = {key: value for key, value in vars(wanted).items() if value is not None and key not in left}
    if any((getattr(found, key) or 0) != (value or 0) for key, value in asked.items()):
        log.info("%s is put right", wanted.name)
        await js.update_stream(found.evolve(**asked))
