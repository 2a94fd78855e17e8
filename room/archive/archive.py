"""The archive: takes batches of journals from JetStream, commits them, and only then says how far it is.

Memory is bounded by one fetch; what is not acknowledged comes again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from time import monotonic

import psycopg
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from psycopg.rows import TupleRow

from room.archive.brokers import CONSUMER, Where, connected, set_up
from room.archive.journals import Arrived, Journals, arrived
from room.contract.batch import Head
from room.contract.subjects import HEADS, STREAM, BadName, table_of

MOST_MESSAGES = 32
"""So many are in memory at once: 8 MB."""

FETCH_SECONDS = 1.0
AGAIN_SECONDS = 0.5
LOOK_SECONDS = 5.0
"""So long without a message, and it is looked whether the servers still have stream and consumer."""

log = logging.getLogger(__name__)


class ArchiveProcess:
    """The process; `open_database` opens the room's database and raises `ConnectionError`."""

    def __init__(self, brokers: Where, open_database: Callable[[], psycopg.Connection[TupleRow]]) -> None:
        self._brokers = brokers
        self._open = open_database
        self._journals: Journals | None = None
        self._database: psycopg.Connection[TupleRow] | None = None
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Leave off; to be called in the loop's thread."""
        self._ended.set()

    async def run(self) -> None:
        """Run until `end`."""
        work = asyncio.ensure_future(self._work())
        ended = asyncio.ensure_future(self._ended.wait())
        done, waiting = await asyncio.wait((work, ended), return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        if self._database is not None:
            self._database.close()
        for task in done:
            task.result()

    async def _work(self) -> None:
        nc = await connected(self._brokers, "room-archive")
        try:
            while True:
                try:
                    await self._follow(nc)
                except (NatsError, OSError, TimeoutError) as why:
                    log.warning("%s; tried again", why or type(why).__name__)
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await nc.close()

    async def _follow(self, nc: Client) -> None:
        """Take messages until something fails; what was committed has been said to everybody first."""
        js = nc.jetstream(timeout=5)
        await set_up(js, len(self._brokers.servers))
        journals = await self._in_database()
        await self._say(js, journals.heads())
        subscription = await js.pull_subscribe_bind(consumer=CONSUMER, stream=STREAM)
        heard = monotonic()
        try:
            while True:
                try:
                    messages = await subscription.fetch(MOST_MESSAGES, timeout=FETCH_SECONDS)
                except TimeoutError:
                    messages = []
                if messages:
                    await self._take(js, messages)
                    heard = monotonic()
                elif monotonic() - heard > LOOK_SECONDS:
                    await js.consumer_info(STREAM, CONSUMER)
                    heard = monotonic()
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await subscription.unsubscribe()

    async def _take(self, js: JetStreamContext, messages: Sequence[Msg]) -> None:
        read = [found for message in messages if (found := _read(message)) is not None]
        while True:
            try:
                journals = await self._in_database()
                told = await asyncio.to_thread(journals.take, read)
                break
            except ConnectionError as why:
                log.error("%s; tried again", why)
                self._forget()
                await asyncio.sleep(AGAIN_SECONDS)
        for table, head in told.items():
            if head.why:
                log.error("table %s: %s", table, head.why)
        await self._say(js, told)
        for message in messages:
            await message.ack()

    async def _in_database(self) -> Journals:
        if self._journals is None:
            self._journals = await asyncio.to_thread(self._opened)
        return self._journals

    def _opened(self) -> Journals:
        self._database = self._open()
        return Journals(self._database)

    def _forget(self) -> None:
        """Open the database anew: what was not committed is not known, either."""
        if self._database is not None:
            with contextlib.suppress(psycopg.Error):
                self._database.close()
        self._database = self._journals = None

    async def _say(self, js: JetStreamContext, heads: Mapping[str, Head]) -> None:
        await asyncio.gather(
            *(js.publish(f"$KV.{HEADS}.{table}", head.written(), stream=f"KV_{HEADS}") for table, head in heads.items())
        )


def _read(message: Msg) -> Arrived | None:
    try:
        table = table_of(message.subject)
    except BadName as why:  # no table has such a subject, so that nobody is to be told
        log.error("%s", why)
        return None
    return arrived(table, (message.headers or {}).get("Nats-Msg-Id", ""), message.data)
