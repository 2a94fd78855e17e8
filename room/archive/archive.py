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

from room.archive.brokers import CONSUMER, connected, set_up
from room.archive.journals import Arrived, Journals, arrived
from room.contract.batch import HEADER, Head
from room.contract.subjects import STREAM, BadName, Told, archived, everybodys, table_of
from room.room_file import Brokers

MOST_MESSAGES = 32
"""So many are in memory at once: 8 MB."""

FETCH_SECONDS = 1.0
AGAIN_SECONDS = 0.5
MOST_ASKING = 1024
"""Tables that may wait for a word at a time; whoever is not answered asks again."""

LOOK_SECONDS = 5.0
"""So long without a message, and it is looked whether the servers still have stream and consumer."""

log = logging.getLogger(__name__)


class ArchiveProcess:
    """The process; `open_database` opens the room's database and raises `ConnectionError`."""

    def __init__(self, brokers: Brokers, open_database: Callable[[], psycopg.Connection[TupleRow]]) -> None:
        self._brokers = brokers
        self._open = open_database
        self._journals: Journals | None = None
        self._database: psycopg.Connection[TupleRow] | None = None
        self._ended = asyncio.Event()
        self._said: dict[str, Head] = {}
        """Table -> what it was told last."""
        self._wrong: dict[str, str] = {}
        """Table -> what is wrong with what it sends, which is said once."""

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
        heads = journals.heads()
        await self._say(nc, heads)
        asking = await nc.subscribe(everybodys(Told.ASKS), cb=partial(self._answer, nc), pending_msgs_limit=MOST_ASKING)
        subscription = await js.pull_subscribe_bind(consumer=CONSUMER, stream=STREAM)
        log.info("up: takes the journals of all tables; it has those of %d", len(heads))
        heard = monotonic()
        try:
            while True:
                try:
                    messages = await subscription.fetch(MOST_MESSAGES, timeout=FETCH_SECONDS)
                except TimeoutError:
                    messages = []
                if messages:
                    await self._take(nc, messages)
                    heard = monotonic()
                elif monotonic() - heard > LOOK_SECONDS:
                    await js.consumer_info(STREAM, CONSUMER)
                    heard = monotonic()
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await asking.unsubscribe()
                await subscription.unsubscribe()

    async def _answer(self, nc: Client, message: Msg) -> None:
        """Tell a table how far its journal is here: on the subject that is its own, whatever reply it names."""
        with contextlib.suppress(BadName):
            table = table_of(message.subject)
            await self._say(nc, {table: self._said.get(table, Head(""))})

    async def _take(self, nc: Client, messages: Sequence[Msg]) -> None:
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
            if head.why and head.why != self._wrong.get(table):
                log.error("table %s: %s", table, head.why)
            self._wrong[table] = head.why
        await self._say(nc, told)
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

    async def _say(self, nc: Client, heads: Mapping[str, Head]) -> None:
        """Say how far journals are here. No reply is named: no table answers, and for a word that is lost it asks."""
        for table, head in heads.items():
            if head.journal:
                self._said[table] = head
            await nc.publish(archived(table), head.written())


def _read(message: Msg) -> Arrived | None:
    try:
        table = table_of(message.subject)
    except BadName as why:  # no table has such a subject, so that nobody is to be told
        log.error("%s", why)
        return None
    return arrived(table, (message.headers or {}).get(HEADER, ""), message.data)
