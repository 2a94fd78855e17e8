"""The routes with which a table is put up and kept: the set-up, the backup, the authority that phones are to trust."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from controller.runtime.staff.admission import Code
from controller.web import STATIC
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, refusal, send_json


class Upkeep(Protocol):
    """What the pages want of the machine. What cannot be done is raised as an exception of the kind `refused`."""

    refused: type[Exception]

    def authority(self) -> Path | None:
        """Return the certificate of the local authority, where there is one."""
        ...

    def certificate(self) -> Mapping[str, Any]:
        """Return until when the page's certificate is good, and whether it can be renewed here."""
        ...

    def renew(self) -> None:
        """Have the page's certificate renewed; the table starts anew with it."""
        ...

    def backup(self, *, keys: bool) -> tuple[Path, str]:
        """Write a backup; return the file, which the caller removes, and what to call it."""
        ...

    def found(self) -> Mapping[str, Any]:
        """Return what is plugged in and what can be chosen."""
        ...

    def search(self) -> None:
        """Begin to ask every port who is there; `found` has what answered."""
        ...

    def propose(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the table's file that fits the choice, and everything that is wrong with it."""
        ...

    def write(self, choice: Mapping[str, Any]) -> None:
        """Put the table's file in its place; the table starts anew with it."""
        ...


class UpkeepPage:
    """Makes the routes."""

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep

    def routes(self) -> list[Route]:
        """Make them; the pages themselves are empty."""
        return [
            Route("/ca.crt", self.authority, methods=["GET"]),
            Route("/certificate", self.certificate, methods=["GET"]),
            Route("/certificate", self.renew, methods=["POST"], max_body_size=LONGEST_BODY),
            Route("/backup", self.backup, methods=["POST"], max_body_size=LONGEST_BODY),
            Route("/set-up", self.page, methods=["GET"]),
            Route("/set-up/found", self.found, methods=["GET"]),
            Route("/set-up", self.set_up, methods=["POST"], max_body_size=LONGEST_BODY),
        ]

    async def authority(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        """Give the certificate that a phone is told to trust; it is no secret."""
        path = self._upkeep.authority()
        if path is None:
            return refusal(Code.FORM, "This table has no authority of its own; tablectl certificate make.", status=404)
        return FileResponse(path, media_type="application/x-x509-ca-cert", filename="table-ca.crt")

    async def certificate(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Say until when the page's certificate is good."""
        return JSONResponse(await run_in_threadpool(self._upkeep.certificate))

    async def renew(self, request: Request) -> Response:
        """Renew it."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"do": "renew", **rest} if not rest:
                return await self._answer(self._upkeep.renew, lambda _: Response(status_code=204))
            case _:
                return refusal(Code.FORM, 'Want {"do": "renew"}.')

    async def backup(self, request: Request) -> Response:
        """Give a backup."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"keys": bool() as keys, **rest} if not rest:
                return await self._answer(lambda: self._upkeep.backup(keys=keys), self._file)
            case _:
                return refusal(Code.FORM, 'Want {"keys": true or false}: with the keys of table and page, or without.')

    async def page(self, request: Request) -> Response:
        """Give the empty page of the set-up."""
        return page(request, STATIC / "set-up.html")

    async def found(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Say what is plugged in and what can be chosen."""
        return JSONResponse(await run_in_threadpool(self._upkeep.found))

    async def set_up(self, request: Request) -> Response:
        """Search, propose a file, or write it."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"do": "search", **rest} if not rest:
                return await self._answer(self._upkeep.search, lambda _: Response(status_code=204))
            case {"do": "propose", "choice": dict() as choice, **rest} if not rest:
                return await self._answer(lambda: self._upkeep.propose(choice), JSONResponse)
            case {"do": "write", "choice": dict() as choice, **rest} if not rest:
                return await self._answer(lambda: self._upkeep.write(choice), lambda _: Response(status_code=204))
            case _:
                return refusal(Code.FORM, 'Want {"do": …} with "search", or "propose" or "write" and a choice.')

    async def _answer(self, work: Callable[[], Any], shown: Callable[[Any], Response]) -> Response:
        try:
            done = await run_in_threadpool(work)
        except self._upkeep.refused as why:
            return refusal(Code.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        return shown(done)

    @staticmethod
    def _file(made: tuple[Path, str]) -> Response:
        path, name = made
        gone = BackgroundTask(path.unlink, missing_ok=True)
        return FileResponse(path, media_type="application/x-tar", filename=name, background=gone)
