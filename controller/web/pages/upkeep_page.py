"""The routes with which a table is put up and kept: the set-up, the backup, the authority that phones are to trust."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import make_page_response


class Upkeep(Protocol):
    """What the pages want of the machine. What cannot be done is raised as an exception of the kind `error_type`."""

    error_type: type[Exception]

    def ca_certificate(self) -> Path | None:
        """Return the certificate of the local authority, where there is one."""
        ...

    def describe_certificate(self) -> Mapping[str, Any]:
        """Return until when the page's certificate is good, and whether it can be renewed here."""
        ...

    def renew(self) -> None:
        """Have the page's certificate renewed; the table starts anew with it."""
        ...

    def make_backup(self, *, keys: bool) -> tuple[Path, str]:
        """Write a backup; return the file, which the caller removes, and what to call it."""
        ...

    def describe_setup(self) -> Mapping[str, Any]:
        """Return what is plugged in and what can be chosen."""
        ...

    def search(self) -> None:
        """Begin to ask every port who is there; `describe_setup` has what answered."""
        ...

    def propose(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the table's file that fits the choice, and everything that is wrong with it."""
        ...

    def request_chosen_file(self, choice: Mapping[str, Any]) -> None:
        """Put the table's file in its place; the table starts anew with it."""
        ...


class UpkeepPage:
    """Makes the routes."""

    def __init__(self, upkeep: Upkeep) -> None:
        self._upkeep = upkeep

    def make_routes(self) -> list[Route]:
        """Make them; the pages themselves are empty."""
        return [
            Route("/ca.crt", self.get_ca_certificate, methods=["GET"]),
            Route("/certificate", self.get_certificate, methods=["GET"]),
            Route("/certificate", self.renew_certificate, methods=["POST"], max_body_size=MAX_BODY_BYTES),
            Route("/backup", self.make_backup, methods=["POST"], max_body_size=MAX_BODY_BYTES),
            Route("/set-up", self.get_setup_page, methods=["GET"]),
            Route("/set-up/found", self.get_setup, methods=["GET"]),
            Route("/set-up", self.handle_setup, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_ca_certificate(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        """Give the certificate that a phone is told to trust; it is no secret."""
        path = self._upkeep.ca_certificate()
        if path is None:
            return make_refusal(
                RefusalCode.NOT_UNDERSTOOD,
                "This table has no authority of its own; tablectl certificate make.",
                status=404,
            )
        return FileResponse(path, media_type="application/x-x509-ca-cert", filename="table-ca.crt")

    async def get_certificate(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Say until when the page's certificate is good."""
        return JSONResponse(await run_in_threadpool(self._upkeep.describe_certificate))

    async def renew_certificate(self, request: Request) -> Response:
        """Renew it."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"do": "renew", **rest} if not rest:
                return await self._run_work(self._upkeep.renew, lambda _: Response(status_code=204))
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"do": "renew"}.')

    async def make_backup(self, request: Request) -> Response:
        """Give a backup."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"keys": bool() as keys, **rest} if not rest:
                return await self._run_work(lambda: self._upkeep.make_backup(keys=keys), self._make_file_response)
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD,
                    'Want {"keys": true or false}: with the keys of table and page, or without.',
                )

    async def get_setup_page(self, request: Request) -> Response:
        """Give the empty page of the set-up."""
        return make_page_response(request, STATIC_FOLDER / "set-up.html")

    async def get_setup(self, request: Request) -> Response:  # noqa: ARG002 - as above
        """Say what is plugged in and what can be chosen."""
        return JSONResponse(await run_in_threadpool(self._upkeep.describe_setup))

    async def handle_setup(self, request: Request) -> Response:
        """Search, propose a file, or write it."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"do": "search", **rest} if not rest:
                return await self._run_work(self._upkeep.search, lambda _: Response(status_code=204))
            case {"do": "propose", "choice": dict() as choice, **rest} if not rest:
                return await self._run_work(lambda: self._upkeep.propose(choice), JSONResponse)
            case {"do": "write", "choice": dict() as choice, **rest} if not rest:
                return await self._run_work(
                    lambda: self._upkeep.request_chosen_file(choice), lambda _: Response(status_code=204)
                )
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"do": …} with "search", or "propose" or "write" and a choice.'
                )

    async def _run_work(self, work: Callable[[], Any], shown: Callable[[Any], Response]) -> Response:
        try:
            done = await run_in_threadpool(work)
        except self._upkeep.error_type as why:
            return make_refusal(RefusalCode.NOT_NOW, f"{str(why)[:1].upper()}{str(why)[1:]}.")
        return shown(done)

    @staticmethod
    def _make_file_response(made: tuple[Path, str]) -> Response:
        path, name = made
        gone = BackgroundTask(path.unlink, missing_ok=True)
        return FileResponse(path, media_type="application/x-tar", filename=name, background=gone)
