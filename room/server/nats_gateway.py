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

from controller.room_contract.subjects import (
    STATE_BUCKET,
    TableNameError,
    TableTopic,
    make_request_subject,
    make_wildcard_subject,
    parse_table_name,
)
from controller.room_contract.table_request import MessageFormatError, RequestKind, TableReply
from room.archive.brokers import connect
from room.room_file import BrokersSection
from room.server.room_context import TableListener

SUBSCRIBED_TOPICS = (TableTopic.STATE, TableTopic.HEALTH, TableTopic.CALL)

REPLY_TIMEOUT_S = 5.0
MAX_MESSAGE_BYTES = 256 * 1024
"""Bytes of what a table may tell at a time; a state has some 10 kB."""

MAX_PENDING_BYTES = 16 << 20
"""Bytes of what tables tell that wait to be looked at; what comes while so much waits is not heard."""

MAX_STATES_BYTES = 32 << 20
"""Bytes of what all tables told last; the standing of one that is beyond comes when it tells the next."""

log = logging.getLogger(__name__)


class NatsGateway:
    """The tables of a room, as its brokers carry what they tell."""

    def __init__(self, brokers: BrokersSection) -> None:
        self._brokers = brokers
        self._client: Client | None = None

    async def listen(self, heard: TableListener) -> None:
        """Tell `heard` whatever tables tell, until cancelled."""

        async def take(message: Msg) -> None:
            try:
                table = parse_table_name(message.subject)
            except TableNameError:
                return
            if len(message.data) <= MAX_MESSAGE_BYTES:
                heard(table, TableTopic(message.subject.rpartition(".")[2]), message.data)

        client = self._client = await connect(self._brokers, "room-server")
        try:
            for what in SUBSCRIBED_TOPICS:
                await client.subscribe(make_wildcard_subject(what), cb=take, pending_bytes_limit=MAX_PENDING_BYTES)
            await asyncio.Event().wait()
        finally:
            self._client = None
            with contextlib.suppress(Error, OSError):
                await client.close()

    async def read_last_states(self) -> Mapping[str, bytes]:
        """What each table told last of itself, those too that are away; raises `OSError` while it is not known."""
        if self._client is None:
            raise ConnectionError("no broker is reached")
        try:
            bucket = await self._client.jetstream().key_value(STATE_BUCKET)
            found: dict[str, bytes] = {}
            left = MAX_STATES_BYTES
            for name in await bucket.keys():
                with contextlib.suppress(NotFoundError):  # it is gone since
                    value = (await bucket.get(name)).value or b""
                    left -= len(value)
                    if left < 0:
                        log.warning(
                            "what tables told last is more than %d MB; %s is left out", MAX_STATES_BYTES >> 20, name
                        )
                        break
                    found[name] = value
            return found
        except NoKeysError:
            return {}
        except (Error, OSError) as why:
            raise ConnectionError(f"the tables' last standings are not to be had ({type(why).__name__})") from why

    async def ask(self, table: str, verb: RequestKind, what: Mapping[str, Any]) -> TableReply:
        """Ask a table to do something; a table that cannot be reached is an answer, too."""
        if self._client is None or not self._client.is_connected:
            return TableReply(False, None, "no-broker", "The room's brokers are not reached.")
        try:
            text = json.dumps(what, ensure_ascii=False).encode()
            answer = await self._client.request(make_request_subject(table, verb.value), text, timeout=REPLY_TIMEOUT_S)
            return TableReply.from_json(answer.data)
        except NoRespondersError:
            return TableReply(False, None, "not-reached", f"{table} is not reached, or does not let the room ask.")
        except TimeoutError:
            return TableReply(False, None, "no-answer", f"{table} has not answered; whether it was done is not known.")
        except (Error, OSError, MessageFormatError) as why:
            return TableReply(False, None, "no-answer", f"{table} could not be asked: {type(why).__name__}.")
