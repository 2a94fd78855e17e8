"""Tells the room what its level allows, and asks nothing of the table but what the room may ask (`docs/room.md`).

Whatever fails here is said and tried again: the table does not wait for it and does not know it.
"""

import asyncio
import contextlib
import json
import logging
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import Any, Protocol

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.client.shapes import Inventory, Table
from controller.client.table_client import NotTaken
from room.contract.batch import HEADER, BadBatch, Head
from room.contract.health import FIRMWARE, HEALTH_SECONDS, Health
from room.contract.level import Level
from room.contract.parcel import Parcel, Piece
from room.contract.request import Answer, BadRequest, Verb, object_of
from room.contract.subjects import STATES, Told, archived, asked, told
from room.uplink.outbox import Outbox, Unreadable
from room.uplink.releases import NotFetched, Releases
from room.uplink.sending import Sending
from room.uplink.settings import Settings
from room.uplink.standing import StandingFile

LOOK_SECONDS = 0.1
"""So often the journal's files are looked at; where they are as they were, none is opened."""

PATIENCE = 2.0
"""Seconds for an answer of the room."""

AGAIN_SECONDS = 2.0
"""After so long what failed is tried again."""

NOT_ADMITTED = (
    "the room does not admit this table, or does so no longer; at the room: tablectl room enrol (docs/room.md)"
)

MOST_ASKED = 512 * 1024
"""Bytes of what the room may ask."""

log = logging.getLogger(__name__)


class TableApi(Protocol):
    """What the uplink needs of the table's API: `controller.client.table_client.TableClient`."""

    def table(self) -> Table:
        """Return the table as it stands."""
        ...

    def inventory(self) -> Inventory:
        """Return what runs there."""
        ...

    def events(self) -> Iterator[Table]:
        """Yield the table as it stands and each time that it changes."""
        ...

    def ask_as_room(self, verb: str, content: Mapping[str, object]) -> dict[str, Any]:
        """Pass on what the room asks; return the table's answer."""
        ...


class Uplink:
    """The link of one table. `standing` is where this machine is told whether the room is reached.

    `releases`: the folder for what the room sends to be installed; without one nothing is fetched.
    """

    def __init__(
        self, settings: Settings, table: TableApi, standing: StandingFile, releases: Path | None = None
    ) -> None:
        self._settings = settings
        self._name = settings.name
        self._level = settings.level
        self._table = table
        self._standing = standing
        self._releases = None if releases is None else Releases(releases)
        self._outbox = Outbox(settings.state)
        self._sending: Sending | None = None
        self._moved = asyncio.Event()
        self._said = asyncio.Event()
        """The archive has said something since it was asked."""
        self._away: float | None = None
        self._refused = False
        """The servers have refused this table's certificate since it was connected last."""
        self._refusal_said = False
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Leave off; to be called in the loop's thread."""
        self._ended.set()

    async def run(self) -> None:
        """Run until `end`; raises `ConfigError` for files that cannot be used."""
        trust = self._settings.trust()
        states = _States(self._table) if self._level is Level.LIVE else None
        try:
            while not self._ended.is_set():
                closed = asyncio.Event()
                try:
                    async with self._connected(trust, closed) as nc:
                        await self._talk(nc, closed, states)
                except (NatsError, OSError, TimeoutError) as why:
                    self._lost(_said(why))
                if not self._ended.is_set():
                    await _either(self._ended, timeout=AGAIN_SECONDS)
        finally:
            self._standing.remove()
            if states is not None:
                states.end()

    @contextlib.asynccontextmanager
    async def _connected(self, trust: object, closed: asyncio.Event) -> AsyncIterator[Client]:
        async def failed(why: Exception) -> None:
            self._refused = self._refused or "authorization" in str(why).lower()
            self._lost(_said(why))

        async def gone() -> None:
            self._lost("the connection is lost")

        async def back() -> None:
            log.info("the room is reached again")
            if self._sending is not None:
                self._sending.anew()
            self._moved.set()

        async def over() -> None:
            closed.set()

        connecting = asyncio.ensure_future(
            nats.connect(
                list(self._settings.servers), tls=trust, name=self._name, connect_timeout=5, reconnect_time_wait=1,
                max_reconnect_attempts=-1, ping_interval=5, max_outstanding_pings=2, pending_size=2 * 1024 * 1024,
                error_cb=failed, disconnected_cb=gone, reconnected_cb=back, closed_cb=over,
            )
        )  # fmt: skip
        ended = asyncio.ensure_future(self._ended.wait())
        await asyncio.wait((connecting, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not connecting.done():
            connecting.cancel()
            raise ConnectionError("it is ended before the room was reached")
        nc = connecting.result()
        self._refused = False
        log.info("connected to the room as %s, level %s", self._name, self._level.value)
        try:
            yield nc
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await nc.close()

    async def _talk(self, nc: Client, closed: asyncio.Event, states: "_States | None") -> None:
        """Do all that the level allows until the connection is over or one of it fails."""
        work = [self._tell_health(nc), closed.wait(), self._ended.wait()]
        if self._level.ships_the_journal:
            await nc.subscribe(archived(self._name), cb=self._take_head)
            if self._sending is not None:
                self._sending.anew()
            work.append(self._ship(nc))
        if states is not None:
            await nc.subscribe(asked(self._name, "*"), cb=self._answer, pending_msgs_limit=16)
            work.append(self._tell_states(nc, states))
        tasks = [asyncio.ensure_future(part) for part in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # The journal.

    async def _ship(self, nc: Client) -> None:
        while True:
            self._moved.clear()
            wait = LOOK_SECONDS
            try:
                wait = await self._ship_once(nc)
            except Unreadable as why:
                log.warning("%s", why)
                wait = AGAIN_SECONDS
            if wait:
                await _either(self._moved, timeout=wait)

    async def _ship_once(self, nc: Client) -> float:
        """Send what is due; return how many seconds there is nothing to do, unless the head moves."""
        reach = await asyncio.to_thread(self._outbox.reach)
        if reach is None:
            return LOOK_SECONDS
        if self._sending is None or self._sending.journal != reach.journal:
            self._sending = Sending(reach.journal)
        sending = self._sending
        if not sending.known and not await self._ask(nc):
            sending.unheard(monotonic())
            self._judge(nc, monotonic())
            return LOOK_SECONDS
        now = monotonic()
        if sending.flying is not None and sending.due(now):
            self._judge(nc, now)
            return sending.due(now)
        if sending.flying is not None and nc.is_connected:
            await self._ask(nc)  # its word may have been lost
        batch = sending.flying
        if batch is None:
            upto = reach.last if self._level is Level.LIVE else reach.settled
            batch = await asyncio.to_thread(self._outbox.after, sending.head, upto)
        if batch is None:
            self._judge(nc, now)
            return LOOK_SECONDS
        if not nc.is_connected:  # what it would keep for later may be out of date by then
            self._judge(nc, now)
            return LOOK_SECONDS
        sending.sent(batch, monotonic())
        await nc.publish(told(self._name, Told.JOURNAL), batch.written(), headers={HEADER: batch.identity})
        self._judge(nc, now)
        return sending.due(monotonic())

    def _judge(self, nc: Client, now: float) -> None:
        assert self._sending is not None
        if self._sending.late(now):
            self._lost(self._sending.wrong or "the room's archive does not answer")
        elif nc.is_connected and self._sending.known and self._sending.flying is None:
            self._reached()

    async def _ask(self, nc: Client) -> bool:
        """Ask how far the archive is; return whether it says so in time."""
        self._said.clear()
        if nc.is_connected:
            await nc.publish(told(self._name, Told.ASKS))
        await _either(self._said, timeout=PATIENCE)
        return self._said.is_set()

    async def _take_head(self, message: Msg) -> None:
        if self._sending is None:
            return
        try:
            head = Head.read(message.data)
        except BadBatch as why:
            log.warning("%s", why)
            return
        before = self._sending.wrong
        if self._sending.heard(head):
            self._moved.set()
        self._said.set()
        if self._sending.wrong and self._sending.wrong != before:
            log.error("the room's archive takes no more: %s", self._sending.wrong)

    # Health.

    async def _tell_health(self, nc: Client) -> None:
        while True:
            health = await asyncio.to_thread(self._health)
            if nc.is_connected:
                await nc.publish(told(self._name, Told.HEALTH), health.written())
                with contextlib.suppress(NatsError, TimeoutError):
                    await nc.flush(timeout=5)
                    if self._sending is None:
                        self._reached()
            await asyncio.sleep(HEALTH_SECONDS)

    def _health(self) -> Health:
        """Gather what may be told at every level: versions, counters, faults; no card, no game."""
        health = Health(time(), self._level.value)
        try:
            health = _with_table(health, self._table.table())
            health = _with_inventory(health, self._table.inventory())
        except (OSError, NotTaken, KeyError, TypeError, ValueError) as why:
            log.info("the table's own page does not answer: %s", why)
        last, disks = 0, {}
        for part, place in (("journal", self._settings.state), ("system", Path(sys.prefix))):
            with contextlib.suppress(OSError):
                disks[part] = shutil.disk_usage(place).free
        if self._level.ships_the_journal:
            with contextlib.suppress(Unreadable):
                reach = self._outbox.reach()
                last = 0 if reach is None else reach.last
        head, wrong = (None, "") if self._sending is None else (self._sending.head, self._sending.wrong)
        archived = 0 if head is None else head.number
        return replace(
            health, at=time(), disk_free=disks.get("journal"), last=last, archived=archived, wrong=wrong, disks=disks
        )

    # The table as every spectator sees it, and what the room asks.

    async def _tell_states(self, nc: Client, states: "_States") -> None:
        called = False
        async for table in states.each():
            public = {key: value for key, value in table.items() if key != "staff"}
            body = json.dumps(public, separators=(",", ":"), ensure_ascii=False).encode()
            if not nc.is_connected:
                continue
            await nc.publish(told(self._name, Told.STATE), body)
            await nc.publish(f"$KV.{STATES}.{self._name}", body)
            if table["floor_called"] is not called:
                called = table["floor_called"]
                call = json.dumps({"wanted": called, "at": time()}).encode()
                await nc.publish(told(self._name, Told.CALL), call)

    async def _answer(self, message: Msg) -> None:
        if message.reply:
            verb = message.subject.rpartition(".")[2]
            await message.respond((await asyncio.to_thread(self._ask_table, verb, message.data)).written())

    def _ask_table(self, verb: str, content: bytes) -> Answer:
        if not self._settings.asks:
            return Answer(False, None, "not-allowed", "This table takes nothing from the room (asks is off).")
        if verb not in [known.value for known in Verb] or len(content) > MOST_ASKED:
            verbs = ", ".join(known.value for known in Verb)
            return Answer(False, None, "bad-request", f"A table may be asked for {verbs}, in {MOST_ASKED} bytes.")
        try:
            asked = object_of(content)
            if verb == Verb.PIECE.value:
                return self._take_piece(Piece.read(asked))
            return self._fetch(asked) if verb == Verb.FETCH.value else self._pass_on(verb, asked)
        except BadRequest as why:
            return Answer(False, None, "bad-request", str(why))
        except NotFetched as why:
            return Answer(False, None, why.code, why.message)
        except NotTaken as why:
            return Answer(False, None, why.code, str(why))
        except OSError:
            return Answer(False, None, "table-away", "The table's program does not answer.")

    def _pass_on(self, verb: str, asked: Mapping[str, object]) -> Answer:
        return Answer.read(json.dumps(self._table.ask_as_room(verb, asked)).encode())

    # Releases: by a technician's word, which the table judges, and then piece by piece.

    def _fetch(self, asked: Mapping[str, Any]) -> Answer:
        if self._releases is None:
            raise NotFetched("not-installed", "This uplink has no folder for releases (StateDirectory of its unit).")
        parcel = Parcel.read(asked)
        self._releases.room_for(parcel)
        answer = self._pass_on(Verb.FETCH.value, {**parcel.told(), "by": asked.get("by")})
        if not answer.taken:
            return answer
        have = self._releases.expect(parcel)
        log.info("%s is to come: %d bytes, %d are here", parcel.name, parcel.size, have)
        return Answer(True, told={"have": have, "size": parcel.size})

    def _take_piece(self, piece: Piece) -> Answer:
        if self._releases is None:
            raise NotFetched("not-expected", "Nothing is to come.")
        have, size = self._releases.take(piece)
        if piece.data and have == size:
            log.info("a release of %d bytes is here", size)
        return Answer(True, told={"have": have, "size": size})

    # Whether the room is reached.

    def _lost(self, why: str) -> None:
        why = NOT_ADMITTED if self._refused else why
        if self._away is None or (self._refused and not self._refusal_said):
            log.warning("the room is not reached: %s", why)
        self._refusal_said = self._refused
        self._away = self._away or time()
        self._standing.say(self._away, why)

    def _reached(self) -> None:
        self._away = None
        self._refused = self._refusal_said = False
        self._standing.say(None)


class _States:
    """The newest standing of the table: read in a thread of its own, and one is kept, however fast they come."""

    def __init__(self, table: TableApi) -> None:
        self._table = table
        self._loop = asyncio.get_running_loop()
        self._newest: Table | None = None
        self._come = asyncio.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._read, name="states", daemon=True).start()

    def end(self) -> None:
        """Read no more."""
        self._ended.set()

    async def each(self) -> AsyncIterator[Table]:
        """Yield the newest at once, and then each that comes and is not overtaken."""
        newest = self._newest
        while True:
            if newest is not None:
                yield newest
            await self._come.wait()
            self._come.clear()
            newest = self._newest

    def _read(self) -> None:
        while not self._ended.is_set():
            try:
                for table in self._table.events():
                    if self._ended.is_set():
                        return
                    self._tell(partial(self._take, table))
            except (OSError, NotTaken, ValueError) as why:
                log.info("the table's own page does not answer: %s", why)
            self._ended.wait(AGAIN_SECONDS)

    def _tell(self, what: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(what)

    def _take(self, table: Table) -> None:
        self._newest = table
        self._come.set()


def _with_table(health: Health, table: Table) -> Health:
    """What is told of a table at every level: by name, and nothing of it that is not listed here."""
    firmware = {
        f"{FIRMWARE}{device['name']}": device["firmware"]
        for device in table["staff"]["devices"] if device.get("firmware")
    }  # fmt: skip
    return replace(
        health,
        up=True,
        halted=table["halted"],
        versions={"program": table["program"], **firmware},
        faults=tuple(fault["code"] for fault in table["faults"]),
        since={fault["code"]: fault["since"] for fault in reversed(table["faults"]) if "since" in fault},
    )


def _with_inventory(health: Health, found: Inventory) -> Health:
    """What is told of its program and rulebook."""
    parts = {"program": found["program"], "rulebook": found["rulebook"]}
    return replace(
        health,
        versions={**health.versions, "rulebook": found["rulebook"]["version"]},
        hashes={name: part["sha256"] for name, part in parts.items() if part["sha256"]},
        update={key: str(value) for key, value in (found["update"] or {}).items()},
    )


async def _either(event: asyncio.Event, *, timeout: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), timeout)


def _said(why: BaseException) -> str:
    """A failure in words; of TLS and the broker the words are their own."""
    return f"{type(why).__name__}: {why}" if str(why) else type(why).__name__
