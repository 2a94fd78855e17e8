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
from ssl import SSLContext
from time import monotonic, time
from typing import Any, Protocol

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from controller.client.api_types import Inventory, Table
from controller.client.table_client import RequestRefusedError
from controller.room_contract.artifact import Artifact, Chunk
from controller.room_contract.batch import BATCH_HEADER, BatchError, Head
from controller.room_contract.disclosure_level import DisclosureLevel
from controller.room_contract.subjects import (
    STATE_BUCKET,
    TableTopic,
    make_head_subject,
    make_request_subject,
    make_topic_subject,
)
from controller.room_contract.table_health import FIRMWARE_PREFIX, HEALTH_INTERVAL_S, TableHealth
from controller.room_contract.table_request import MessageFormatError, RequestKind, TableReply, parse_json_object
from controller.uplink.batch_transfer import BatchTransfer
from controller.uplink.fetched_releases import FetchedReleases, FetchRefusedError
from controller.uplink.link_status_file import LinkStatusFile
from controller.uplink.room_connection import connect_to_room
from controller.uplink.uplink_file import UplinkFile
from controller.uplink.uplink_outbox import JournalUnreadableError, UplinkOutbox

POLL_INTERVAL_S = 0.1
"""So often the journal's files are looked at; where they are as they were, none is opened."""

HEAD_TIMEOUT_S = 2.0
"""Seconds for an answer of the room."""

RETRY_INTERVAL_S = 2.0
"""After so long what failed is tried again."""

NOT_ADMITTED_MESSAGE = (
    "the room does not admit this table, or does so no longer; at the room: tablectl room enrol (docs/room.md)"
)

MAX_REQUEST_BYTES = 512 * 1024
"""Bytes of what the room may ask."""

MAX_WAITING_HEADS, MAX_WAITING_REQUESTS = 64, 16
"""Words of the room that wait; what is more is dropped, and its sender asks again."""

log = logging.getLogger(__name__)


class UplinkTableApi(Protocol):
    """What the uplink needs of the table's API: `controller.client.table_client.TableClient`."""

    def fetch_table(self) -> Table:
        """Return the table as it stands."""
        ...

    def fetch_inventory(self) -> Inventory:
        """Return what runs there."""
        ...

    def iter_tables(self) -> Iterator[Table]:
        """Yield the table as it stands and each time that it changes."""
        ...

    def send_room_request(self, verb: str, content: Mapping[str, object]) -> dict[str, Any]:
        """Pass on what the room asks; return the table's answer."""
        ...


class Uplink:
    """The link of one table. `standing` is where this machine is told whether the room is reached.

    `releases`: the folder for what the room sends to be installed; without one nothing is fetched.
    """

    def __init__(
        self, settings: UplinkFile, table: UplinkTableApi, standing: LinkStatusFile, releases: Path | None = None
    ) -> None:
        self._file = settings
        self._name = settings.table_name
        self._level = settings.level
        self._table = table
        self._status_file = standing
        self._releases = None if releases is None else FetchedReleases(releases)
        self._outbox = UplinkOutbox(settings.state_directory)
        self._transfer: BatchTransfer | None = None
        self._head_moved = asyncio.Event()
        self._head_received = asyncio.Event()
        """The archive has said something since it was asked."""
        self._away_since: float | None = None
        self._is_refused = False
        """The servers have refused this table's certificate since it was connected last."""
        self._refusal_logged = False
        self._stop_requested = asyncio.Event()

    def stop(self) -> None:
        """Leave off; to be called in the loop's thread."""
        self._stop_requested.set()

    async def run(self) -> None:
        """Run until `stop`; raises `ConfigError` for files that cannot be used."""
        trust = self._file.make_tls_context()
        states = _StateReader(self._table) if self._level is DisclosureLevel.LIVE else None
        try:
            while not self._stop_requested.is_set():
                closed = asyncio.Event()
                try:
                    async with self._connect(trust, closed) as nc:
                        await self._run_connected(nc, closed, states)
                except (NatsError, OSError, TimeoutError) as why:
                    self._report_lost(_describe_failure(why))
                if not self._stop_requested.is_set():
                    await _wait_for_event(self._stop_requested, timeout=RETRY_INTERVAL_S)
        finally:
            self._status_file.remove()
            if states is not None:
                states.stop()

    @contextlib.asynccontextmanager
    async def _connect(self, trust: SSLContext, closed: asyncio.Event) -> AsyncIterator[Client]:
        async def on_failure(why: Exception) -> None:
            self._is_refused = self._is_refused or "authorization" in str(why).lower()
            self._report_lost(_describe_failure(why))

        async def on_disconnected() -> None:
            self._report_lost("the connection is lost")

        async def on_reconnected() -> None:
            log.info("the room is reached again")
            if self._transfer is not None:
                self._transfer.reset()
            self._head_moved.set()

        async def on_closed() -> None:
            closed.set()

        connecting = asyncio.ensure_future(
            connect_to_room(
                list(self._file.servers), tls=trust, name=self._name, connect_timeout=5, reconnect_time_wait=1,
                max_reconnect_attempts=-1, ping_interval=5, max_outstanding_pings=2, pending_size=2 * 1024 * 1024,
                error_cb=on_failure, disconnected_cb=on_disconnected, reconnected_cb=on_reconnected,
                closed_cb=on_closed,
            )
        )  # fmt: skip
        ended = asyncio.ensure_future(self._stop_requested.wait())
        await asyncio.wait((connecting, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not connecting.done():
            connecting.cancel()
            raise ConnectionError("it is ended before the room was reached")
        nc = connecting.result()
        self._is_refused = False
        log.info("connected to the room as %s, level %s", self._name, self._level.value)
        try:
            yield nc
        finally:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await nc.close()

    async def _run_connected(self, nc: Client, closed: asyncio.Event, states: "_StateReader | None") -> None:
        """Do all that the level allows until the connection is over or one of it fails."""
        work = [self._send_health(nc), closed.wait(), self._stop_requested.wait()]
        if self._level.sends_journal:
            await nc.subscribe(
                make_head_subject(self._name), cb=self._on_head,
                pending_msgs_limit=MAX_WAITING_HEADS, pending_bytes_limit=MAX_REQUEST_BYTES,
            )  # fmt: skip
            if self._transfer is not None:
                self._transfer.reset()
            work.append(self._send_journal(nc))
        if states is not None:
            await nc.subscribe(
                make_request_subject(self._name, "*"), cb=self._on_request,
                pending_msgs_limit=MAX_WAITING_REQUESTS, pending_bytes_limit=MAX_WAITING_REQUESTS * MAX_REQUEST_BYTES,
            )  # fmt: skip
            work.append(self._send_states(nc, states))
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

    async def _send_journal(self, nc: Client) -> None:
        while True:
            self._head_moved.clear()
            wait = POLL_INTERVAL_S
            try:
                wait = await self._send_due_batch(nc)
            except JournalUnreadableError as why:
                log.warning("%s", why)
                wait = RETRY_INTERVAL_S
            if wait:
                await _wait_for_event(self._head_moved, timeout=wait)

    async def _send_due_batch(self, nc: Client) -> float:
        """Send what is due; return how many seconds there is nothing to do, unless the head moves."""
        reach = await asyncio.to_thread(self._outbox.read_position)
        if reach is None:
            return POLL_INTERVAL_S
        if self._transfer is None or self._transfer.journal != reach.journal:
            self._transfer = BatchTransfer(reach.journal)
        sending = self._transfer
        if not sending.is_head_known and not await self._request_head(nc):
            sending.record_no_answer(monotonic())
            self._update_reachability(nc, monotonic())
            return POLL_INTERVAL_S
        now = monotonic()
        if sending.batch_in_flight is not None and sending.seconds_to_retry(now):
            self._update_reachability(nc, now)
            return sending.seconds_to_retry(now)
        if sending.batch_in_flight is not None and nc.is_connected:
            await self._request_head(nc)  # its word may have been lost
        batch = sending.batch_in_flight
        if batch is None:
            upto = reach.last_record if self._level is DisclosureLevel.LIVE else reach.last_settled_record
            batch = await asyncio.to_thread(self._outbox.read_batch_after, sending.head, upto)
        if batch is None:
            self._update_reachability(nc, now)
            return POLL_INTERVAL_S
        if not nc.is_connected:  # what it would keep for later may be out of date by then
            self._update_reachability(nc, now)
            return POLL_INTERVAL_S
        sending.record_sent(batch, monotonic())
        await nc.publish(
            make_topic_subject(self._name, TableTopic.JOURNAL), batch.to_bytes(), headers={BATCH_HEADER: batch.identity}
        )
        self._update_reachability(nc, now)
        return sending.seconds_to_retry(monotonic())

    def _update_reachability(self, nc: Client, now: float) -> None:
        assert self._transfer is not None
        if self._transfer.is_late(now):
            self._report_lost(self._transfer.archive_refusal or "the room's archive does not answer")
        elif nc.is_connected and self._transfer.is_head_known and self._transfer.batch_in_flight is None:
            self._report_reached()

    async def _request_head(self, nc: Client) -> bool:
        """Ask how far the archive is; return whether it says so in time."""
        self._head_received.clear()
        if nc.is_connected:
            await nc.publish(make_topic_subject(self._name, TableTopic.HEAD_REQUEST))
        await _wait_for_event(self._head_received, timeout=HEAD_TIMEOUT_S)
        return self._head_received.is_set()

    async def _on_head(self, message: Msg) -> None:
        if self._transfer is None:
            return
        try:
            head = Head.from_json(message.data)
        except BatchError as why:
            log.warning("%s", why)
            return
        before = self._transfer.archive_refusal
        if self._transfer.receive_head(head):
            self._head_moved.set()
        self._head_received.set()
        if self._transfer.archive_refusal and self._transfer.archive_refusal != before:
            log.error("the room's archive takes no more: %s", self._transfer.archive_refusal)

    # Health.

    async def _send_health(self, nc: Client) -> None:
        while True:
            health = await asyncio.to_thread(self._gather_health)
            if nc.is_connected:
                await nc.publish(make_topic_subject(self._name, TableTopic.HEALTH), health.to_json())
                with contextlib.suppress(NatsError, TimeoutError):
                    await nc.flush(timeout=5)
                    if self._transfer is None:
                        self._report_reached()
            await asyncio.sleep(HEALTH_INTERVAL_S)

    def _gather_health(self) -> TableHealth:
        """Gather what may be told at every level: versions, counters, faults; no card, no game."""
        health = TableHealth(time(), self._level.value)
        try:
            health = _with_table(health, self._table.fetch_table())
            health = _with_inventory(health, self._table.fetch_inventory())
        except (OSError, RequestRefusedError, KeyError, TypeError, ValueError) as why:
            log.info("the table's own page does not answer: %s", why)
        last, disks = 0, {}
        for part, place in (("journal", self._file.state_directory), ("system", Path(sys.prefix))):
            with contextlib.suppress(OSError):
                disks[part] = shutil.disk_usage(place).free
        if self._level.sends_journal:
            with contextlib.suppress(JournalUnreadableError):
                reach = self._outbox.read_position()
                last = 0 if reach is None else reach.last_record
        head, wrong = (None, "") if self._transfer is None else (self._transfer.head, self._transfer.archive_refusal)
        archived = 0 if head is None else head.number
        return replace(
            health,
            reported_at=time(),
            journal_free_bytes=disks.get("journal"),
            last_record=last,
            last_archived_record=archived,
            archive_refusal=wrong,
            free_bytes_by_disk=disks,
        )

    # The table as every spectator sees it, and what the room asks.

    async def _send_states(self, nc: Client, states: "_StateReader") -> None:
        called = False
        async for table in states.iter_states():
            public = {key: value for key, value in table.items() if key != "staff"}
            body = json.dumps(public, separators=(",", ":"), ensure_ascii=False).encode()
            if not nc.is_connected:
                continue
            await nc.publish(make_topic_subject(self._name, TableTopic.STATE), body)
            await nc.publish(f"$KV.{STATE_BUCKET}.{self._name}", body)
            if table["floor_called"] is not called:
                called = table["floor_called"]
                call = json.dumps({"wanted": called, "at": time()}).encode()
                await nc.publish(make_topic_subject(self._name, TableTopic.CALL), call)

    async def _on_request(self, message: Msg) -> None:
        if message.reply:
            verb = message.subject.rpartition(".")[2]
            await message.respond((await asyncio.to_thread(self._handle_request, verb, message.data)).to_json())

    def _handle_request(self, verb: str, content: bytes) -> TableReply:
        if not self._file.allows_requests:
            return TableReply(False, None, "not-allowed", "This table takes nothing from the room (asks is off).")
        if verb not in [known.value for known in RequestKind] or len(content) > MAX_REQUEST_BYTES:
            verbs = ", ".join(known.value for known in RequestKind)
            return TableReply(
                False, None, "bad-request", f"A table may be asked for {verbs}, in {MAX_REQUEST_BYTES} bytes."
            )
        try:
            asked = parse_json_object(content)
            if verb == RequestKind.CHUNK.value:
                return self._handle_chunk(Chunk.from_json(asked))
            return (
                self._expect_release(asked) if verb == RequestKind.FETCH.value else self._forward_request(verb, asked)
            )
        except MessageFormatError as why:
            return TableReply(False, None, "bad-request", str(why))
        except FetchRefusedError as why:
            return TableReply(False, None, why.code, why.message)
        except RecursionError:  # it could just be read, and not be written again
            return TableReply(False, None, "bad-request", "want a JSON object that is less deep.")
        except RequestRefusedError as why:
            return TableReply(False, None, why.code, str(why))
        except OSError:
            return TableReply(False, None, "table-away", "The table's program does not answer.")

    def _forward_request(self, verb: str, asked: Mapping[str, object]) -> TableReply:
        return TableReply.from_json(json.dumps(self._table.send_room_request(verb, asked)).encode())

    # Releases: by a technician's word, which the table judges, and then piece by piece.

    def _expect_release(self, asked: Mapping[str, Any]) -> TableReply:
        if self._releases is None:
            raise FetchRefusedError(
                "not-installed", "This uplink has no folder for releases (StateDirectory of its unit)."
            )
        parcel = Artifact.from_json(asked)
        self._releases.ensure_space(parcel)
        answer = self._forward_request(RequestKind.FETCH.value, {**parcel.to_signed_json(), "by": asked.get("by")})
        if not answer.is_accepted:
            return answer
        have = self._releases.expect(parcel)
        log.info("%s is to come: %d bytes, %d are here", parcel.name, parcel.size_bytes, have)
        return TableReply(True, content={"have": have, "size": parcel.size_bytes})

    def _handle_chunk(self, piece: Chunk) -> TableReply:
        if self._releases is None:
            raise FetchRefusedError("not-expected", "Nothing is to come.")
        have, size = self._releases.write_chunk(piece)
        if piece.data and have == size:
            log.info("a release of %d bytes is here", size)
        return TableReply(True, content={"have": have, "size": size})

    # Whether the room is reached.

    def _report_lost(self, why: str) -> None:
        why = NOT_ADMITTED_MESSAGE if self._is_refused else why
        if self._away_since is None or (self._is_refused and not self._refusal_logged):
            log.warning("the room is not reached: %s", why)
        self._refusal_logged = self._is_refused
        self._away_since = self._away_since or time()
        self._status_file.write_status(self._away_since, why)

    def _report_reached(self) -> None:
        self._away_since = None
        self._is_refused = self._refusal_logged = False
        self._status_file.write_status(None)


class _StateReader:
    """The newest standing of the table: read in a thread of its own, and one is kept, however fast they come."""

    def __init__(self, table: UplinkTableApi) -> None:
        self._table = table
        self._loop = asyncio.get_running_loop()
        self._newest: Table | None = None
        self._state_arrived = asyncio.Event()
        self._stop_requested = threading.Event()
        threading.Thread(target=self._read, name="states", daemon=True).start()

    def stop(self) -> None:
        """Read no more."""
        self._stop_requested.set()

    async def iter_states(self) -> AsyncIterator[Table]:
        """Yield the newest at once, and then each that comes and is not overtaken."""
        newest = self._newest
        while True:
            if newest is not None:
                yield newest
            await self._state_arrived.wait()
            self._state_arrived.clear()
            newest = self._newest

    def _read(self) -> None:
        while not self._stop_requested.is_set():
            try:
                for table in self._table.iter_tables():
                    if self._stop_requested.is_set():
                        return
                    self._call_in_loop(partial(self._store_newest, table))
            except (OSError, RequestRefusedError, ValueError) as why:
                log.info("the table's own page does not answer: %s", why)
            self._stop_requested.wait(RETRY_INTERVAL_S)

    def _call_in_loop(self, what: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(what)

    def _store_newest(self, table: Table) -> None:
        self._newest = table
        self._state_arrived.set()


def _with_table(health: TableHealth, table: Table) -> TableHealth:
    """What is told of a table at every level: by name, and nothing of it that is not listed here."""
    firmware = {
        f"{FIRMWARE_PREFIX}{device['name']}": device["firmware"]
        for device in table["staff"]["devices"] if device.get("firmware")
    }  # fmt: skip
    return replace(
        health,
        is_up=True,
        is_halted=table["halted"],
        version_by_component={"program": table["program"], **firmware},
        fault_codes=tuple(fault["code"] for fault in table["faults"]),
        raised_at_by_fault={fault["code"]: fault["since"] for fault in reversed(table["faults"]) if "since" in fault},
    )


def _with_inventory(health: TableHealth, found: Inventory) -> TableHealth:
    """What is told of its program and rulebook."""
    parts = {"program": found["program"], "rulebook": found["rulebook"]}
    return replace(
        health,
        version_by_component={**health.version_by_component, "rulebook": found["rulebook"]["version"]},
        hash_by_component={name: part["sha256"] for name, part in parts.items() if part["sha256"]},
        last_update={key: str(value) for key, value in (found["update"] or {}).items()},
    )


async def _wait_for_event(event: asyncio.Event, *, timeout: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), timeout)


def _describe_failure(why: BaseException) -> str:
    """A failure in words; of TLS and the broker the words are their own."""
    return f"{type(why).__name__}: {why}" if str(why) else type(why).__name__
