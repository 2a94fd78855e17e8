"""Asks a table for something by the word of whoever is signed in: where it is first, then the thing itself."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.responses import JSONResponse

from room.contract.request import Answer, BadRequest, Verb
from room.server.room import Tables
from room.staff.asking import NotAsked, Standing

Sign = Callable[[Standing], Mapping[str, Any]]
"""Signs what is asked for the place where the table is; raises `NotAsked`."""


async def ask(tables: Tables, table: str, verb: Verb, sign: Sign, seen: int | None = None) -> Answer:
    """Ask it; `seen`: the entry that the person saw, where they saw one: a table that has moved on is not asked."""
    there = await tables.ask(table, Verb.STANDING, {})
    if not there.taken:
        return there
    try:
        standing = Standing.of(there)
        if seen not in (None, standing.entry):
            return Answer(False, None, "moved-on", "The table has moved on since; look again.")
        return await tables.ask(table, verb, sign(standing))
    except (NotAsked, BadRequest) as why:
        return Answer(False, None, getattr(why, "code", "not-understood"), str(why))


def told(answer: Answer) -> JSONResponse:
    """Tell a page what a table answered."""
    body = {"taken": answer.taken, "entry": answer.entry, "code": answer.code, "message": answer.message}
    return JSONResponse(body, status_code=200 if answer.taken else 409)
