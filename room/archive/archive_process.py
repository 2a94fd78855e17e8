"""The archive: takes batches of journals from JetStream, commits them, and only then says how far it is.

Memory is bounded by one fetch; what is not acknowledged comes again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic

import psycopg
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from psycopg.rows import TupleRow

from controller.room_contract.batch import BATCH_HEADER, Head
from controller.room_contract.subjects import (
    JOURNAL_STREAM,
    TableNameError,
    TableTopic,
    make_head_subject,
    make_wildcard_subject,
    parse_table_name,
)
from room.archive.brokers import CONSUMER, connect, ensure_streams
from room.archive.journal_store import BatchReceived, JournalStore, parse_batch_message
from room.room_file import BrokersSection

MAX_FETCHED_MESSAGES = 32
"""So many are in memory at once: 8 MB."""

FETCH_TIMEOUT_S = 1.0
RETRY_INTERVAL_S = 0.5
MAX_PENDING_HEAD_REQUESTS = 1024
"""Tables that may wait for a word at a time; whoever is not answered asks again."""

IDLE_CHECK_INTERVAL_S = 5.0
"""So long without a message, and it is looked whether the servers still have stream and consumer."""

log = logging.getLogger(__name__)


class ArchiveProcess:
    """The process; `open_database` opens the room's database and raises `ConnectionError`."""

    def __init__(self, brokers: BrokersSection, open_database: Callable[[], psycopg.Connection[TupleRow]]) -> None:
        self._brokers = brokers
        self._open_database = open_database
        self._store: JournalStore | None = None
        self._database: psycopg.Connection[TupleRow] | None = None
        self._stop_requested = asyncio.Event()
        self._published_head_by_table: dict[str, Head] = {}
        """Table -> what it was told last."""
        self._logged_reason_by_table: dict[str, str] = {}
        """Table -> what is wrong with what it sends, which is said once."""

    def stop(self) -> None:
        """Leave off; to be called in the loop's thread."""
        self._stop_requested.set()

    async def run(self) -> None:
        """Run until `stop`."""
        work = asyncio.ensure_future(self._keep_following())
        ended = asyncio.ensure_future(self._stop_requested.wait())
        done, waiting = await asyncio.wait((work, ended), return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        if self._database is not None:
            self._database.close()
        for task in done:
            task.result()

    async def _keep_following(self) -> None:
        nc = await connect(self._brokers, "room-archive")
        try:
            while True:
                try:
                    await self._follow_stream(nc)
                except (NatsError, OSError, TimeoutError) as why:
                    log.warning("%s; tried again", why or type(why).__name__)
                await asyncio.sleep(RETRY_INTERVAL_S)
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await nc.close()

    async def _follow_stream(self, nc: Client) -> None:
        """Take messages until something fails; what was committed has been said to everybody first."""
        js = nc.jetstream(timeout=5)
        await ensure_streams(js, len(self._brokers.servers))
        journals = await self._ensure_store()
        heads = journals.read_heads()
        await self._publish_heads(nc, heads)
        asking = await nc.subscribe(
            make_wildcard_subject(TableTopic.HEAD_REQUEST),
            cb=partial(self._on_head_request, nc),
            pending_msgs_limit=MAX_PENDING_HEAD_REQUESTS,
        )
        subscription = await js.pull_subscribe_bind(consumer=CONSUMER, stream=JOURNAL_STREAM)
        log.info("up: takes the journals of all tables; it has those of %d", len(heads))
        heard = monotonic()
        try:
            while True:
                try:
                    messages = await subscription.fetch(MAX_FETCHED_MESSAGES, timeout=FETCH_TIMEOUT_S)
                except TimeoutError:
                    messages = []
                if messages:
                    await self._archive_messages(nc, messages)
                    heard = monotonic()
                elif monotonic() - heard > IDLE_CHECK_INTERVAL_S:
                    await js.consumer_info(JOURNAL_STREAM, CONSUMER)
                    heard = monotonic()
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await asking.unsubscribe()
                await subscription.unsubscribe()

    async def _on_head_request(self, nc: Client, message: Msg) -> None:
        """Tell a table how far its journal is here: on the subject that is its own, whatever reply it names."""
        with contextlib.suppress(TableNameError):
            table = parse_table_name(message.subject)
            await self._publish_heads(nc, {table: self._published_head_by_table.get(table, Head(""))})

    async def _archive_messages(self, nc: Client, messages: Sequence[Msg]) -> None:
        read = [found for message in messages if (found := _read_message(message)) is not None]
        while True:
            try:
                journals = await self._ensure_store()
                told = await asyncio.to_thread(journals.store_batches, read)
                break
            except ConnectionError as why:
                log.error("%s; tried again", why)
                self._close_database()
                await asyncio.sleep(RETRY_INTERVAL_S)
        for table, head in told.items():
            if head.reason and head.reason != self._logged_reason_by_table.get(table):
                log.error("table %s: %s", table, head.reason)
            self._logged_reason_by_table[table] = head.reason
        await self._publish_heads(nc, told)
        for message in messages:
            await message.ack()

    async def _ensure_store(self) -> JournalStore:
        if self._store is None:
            self._store = await asyncio.to_thread(self._open_store)
        return self._store

    def _open_store(self) -> JournalStore:
        self._database = self._open_database()
        return JournalStore(self._database)

    def _close_database(self) -> None:
        """Open the database anew: what was not committed is not known, either."""
        if self._database is not None:
            with contextlib.suppress(psycopg.Error):
                self._database.close()
        self._database = self._store = None

    async def _publish_heads(self, nc: Client, heads: Mapping[str, Head]) -> None:
        """Say how far journals are here. No reply is named: no table answers, and for a word that is lost it asks."""
        for table, head in heads.items():
            if head.journal:
                self._published_head_by_table[table] = head
            await nc.publish(make_head_subject(table), head.to_json())


def _read_message(message: Msg) -> BatchReceived | None:
    try:
        table = parse_table_name(message.subject)
    except TableNameError as why:  # no table has such a subject, so that nobody is to be told
        log.error("%s", why)
        return None
    return parse_batch_message(table, (message.headers or {}).get(BATCH_HEADER, ""), message.data)
