"""The tables as the server reaches them: over NATS."""

import asyncio
import contextlib
import json
import logging
import ssl
from collections.abc import Mapping
from typing import Any

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error, NoRespondersError, TimeoutError
from nats.js.errors import NoKeysError

from room.contract.request import Answer, BadRequest, Verb
from room.contract.subjects import STATES, BadName, Told, asked, everybodys, table_of
from room.room_file import Brokers
from room.server.room import Heard

HEARD = (Told.STATE, Told.HEALTH, Told.CALL)

ANSWER_SECONDS = 5.0
RECONNECT_SECONDS = 0.5
LONGEST = 256 * 1024
"""Bytes of what a table may tell at a time; a state has some 10 kB."""

log = logging.getLogger(__name__)


class OverNats:
    """The tables of a room, as its brokers carry what they tell."""

    def __init__(self, brokers: Brokers) -> None:
        self._brokers = brokers
        self._client: Client | None = None

    async def listen(self, heard: Heard) -> None:
        """Tell `heard` whatever tables tell, until cancelled."""

        async def take(message: Msg) -> None:
            try:
                table = table_of(message.subject)
            except BadName:
                return
            if len(message.data) <= LONGEST:
                heard(table, Told(message.subject.rpartition(".")[2]), message.data)

        client = self._client = await self._connected()
        try:
            for what in HEARD:
                await client.subscribe(everybodys(what), cb=take)
            await asyncio.Event().wait()
        finally:
            self._client = None
            with contextlib.suppress(Error, OSError):
                await client.close()

    async def standings(self) -> Mapping[str, bytes]:
        """What each table told last of itself, those too that are away; raises `OSError` while it is not known."""
        if self._client is None:
            raise ConnectionError("no broker is reached")
        try:
            bucket = await self._client.jetstream().key_value(STATES)
            return {name: (await bucket.get(name)).value or b"" for name in await bucket.keys()}
        except NoKeysError:
            return {}
        except (Error, OSError) as why:
            raise ConnectionError(f"the tables' last standings are not to be had ({type(why).__name__})") from why

    async def ask(self, table: str, verb: Verb, what: Mapping[str, Any]) -> Answer:
        """Ask a table to do something; a table that cannot be reached is an answer, too."""
        if self._client is None or not self._client.is_connected:
            return Answer(False, None, "no-broker", "The room's brokers are not reached.")
        try:
            text = json.dumps(what, ensure_ascii=False).encode()
            answer = await self._client.request(asked(table, verb.value), text, timeout=ANSWER_SECONDS)
            return Answer.read(answer.data)
        except NoRespondersError:
            return Answer(False, None, "not-reached", f"{table} is not reached, or does not let the room ask.")
        except TimeoutError:
            return Answer(False, None, "no-answer", f"{table} has not answered; whether it was done is not known.")
        except (Error, OSError, BadRequest) as why:
            return Answer(False, None, "no-answer", f"{table} could not be asked: {type(why).__name__}.")

    async def _connected(self) -> Client:
        """Connect as soon as a broker answers, and again whenever it is lost."""
        tls = None
        if self._brokers.authority is not None:
            tls = ssl.create_default_context(cafile=str(self._brokers.authority))
            if self._brokers.certificate is not None and self._brokers.key is not None:
                tls.load_cert_chain(self._brokers.certificate, self._brokers.key)
        lost = False

        async def failed(why: Exception) -> None:
            log.warning("the brokers: %s", type(why).__name__)

        while True:
            try:
                return await nats.connect(
                    list(self._brokers.servers), tls=tls, name="room-server", error_cb=failed,
                    max_reconnect_attempts=-1, reconnect_time_wait=RECONNECT_SECONDS, allow_reconnect=True,
                    pending_size=1024 * 1024,
                )  # fmt: skip
            except (Error, OSError) as why:
                if not lost:
                    log.warning("no broker is reached (%s); tried again until one is", type(why).__name__)
                lost = True
                await asyncio.sleep(RECONNECT_SECONDS)
