"""The tables as the server reaches them: over NATS."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Mapping
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error, NoRespondersError, TimeoutError
from nats.js.errors import NoKeysError, NotFoundError

from room.archive.brokers import connected
from room.contract.request import Answer, BadRequest, Verb
from room.contract.subjects import STATES, BadName, Told, asked, everybodys, table_of
from room.room_file import Brokers
from room.server.room import Heard

HEARD = (Told.STATE, Told.HEALTH, Told.CALL)

ANSWER_SECONDS = 5.0
LONGEST = 256 * 1024
"""Bytes of what a table may tell at a time; a state has some 10 kB."""

MOST_WAITING = 16 << 20
"""Bytes of what tables tell that wait to be looked at; what comes while so much waits is not heard."""

MOST_STANDINGS = 32 << 20
"""Bytes of what all tables told last; the standing of one that is beyond comes when it tells the next."""

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

        client = self._client = await connected(self._brokers, "room-server")
        try:
            for what in HEARD:
                await client.subscribe(everybodys(what), cb=take, pending_bytes_limit=MOST_WAITING)
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
            found: dict[str, bytes] = {}
            left = MOST_STANDINGS
            for name in await bucket.keys():
                with contextlib.suppress(NotFoundError):  # it is gone since
                    value = (await bucket.get(name)).value or b""
                    left -= len(value)
                    if left < 0:
                        log.warning(
                            "what tables told last is more than %d MB; %s is left out", MOST_STANDINGS >> 20, name
                        )
                        break
                    found[name] = value
            return found
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
