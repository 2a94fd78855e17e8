"""The servers of NATS as the room's own programs use them: how they are reached, and what must be there."""

import contextlib
import logging
import ssl
from typing import Protocol

import nats
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    KeyValueConfig,
    ObjectStoreConfig,
    StorageType,
    StreamConfig,
)
from nats.js.errors import BadRequestError, NotFoundError

from room.contract.subjects import HEADS, RELEASES, STATES, STREAM, Told, everybodys

CONSUMER = "archive"
KEPT_SECONDS = 7 * 24 * 3600
KEPT_BYTES = 1 << 30
DOUBLES_SECONDS = 2
"""So long a server hears a message once. The archive knows by the chain, and what it refused must come again."""

ACK_SECONDS = 10
CLUSTER = 3

log = logging.getLogger(__name__)


class Where(Protocol):
    """How the servers are reached: `room.room_file.Brokers`."""

    @property
    def servers(self) -> tuple[str, ...]:
        """Their addresses."""
        ...


def trust_of(brokers: object) -> ssl.SSLContext | None:
    """What the servers are known by, and what this program shows there; raises `OSError`."""
    authority, certificate, key = (getattr(brokers, name, None) for name in ("authority", "certificate", "key"))
    if authority is None:
        return None
    context = ssl.create_default_context(cafile=str(authority))
    if certificate is not None:
        context.load_cert_chain(str(certificate), None if key is None else str(key))
    return context


async def connected(brokers: Where, name: str) -> Client:
    """Connect, however long it takes; what goes wrong is said in the log."""

    async def failed(why: Exception) -> None:
        log.warning("the servers of the room: %s", why or type(why).__name__)

    logging.getLogger("nats").setLevel(logging.CRITICAL)  # what it says is said once, here
    return await nats.connect(
        list(brokers.servers), tls=trust_of(brokers), name=name, connect_timeout=5, reconnect_time_wait=1,
        max_reconnect_attempts=-1, ping_interval=5, max_outstanding_pings=2, error_cb=failed,
    )  # fmt: skip


async def set_up(js: JetStreamContext, servers: int) -> None:
    """Make the stream, the archive's consumer, and the buckets, where they are not: servers may lose their disks."""
    replicas = CLUSTER if servers >= CLUSTER else 1
    journals = StreamConfig(
        name=STREAM, subjects=[everybodys(Told.JOURNAL)], storage=StorageType.FILE, num_replicas=replicas,
        max_age=KEPT_SECONDS, max_bytes=KEPT_BYTES, discard=DiscardPolicy.OLD, duplicate_window=DOUBLES_SECONDS,
    )  # fmt: skip
    await _there(js.stream_info(STREAM), lambda: js.add_stream(journals))
    consumer = ConsumerConfig(
        durable_name=CONSUMER, ack_policy=AckPolicy.EXPLICIT, ack_wait=ACK_SECONDS, max_ack_pending=1024
    )
    await _there(js.consumer_info(STREAM, CONSUMER), lambda: js.add_consumer(STREAM, consumer))
    for bucket, largest in ((HEADS, 1024), (STATES, 1 << 19)):
        config = KeyValueConfig(bucket, history=1, max_value_size=largest, replicas=replicas, direct=True)
        await _there(js.stream_info(f"KV_{bucket}"), lambda config=config: js.create_key_value(config))
    releases = ObjectStoreConfig(bucket=RELEASES, replicas=replicas)
    await _there(js.stream_info(f"OBJ_{RELEASES}"), lambda: js.create_object_store(RELEASES, releases))


async def _there(info: object, make: object) -> None:
    """Make what is not there; of two who make it at once, one is told that it is there, and that is well."""
    try:
        await info  # type: ignore[misc]
    except NotFoundError:
        with contextlib.suppress(BadRequestError):
            await make()  # type: ignore[operator]
