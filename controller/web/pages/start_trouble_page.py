"""What is served at the page's address while the table cannot start: why, and who does what about it.

It is the same at every path, and needs nothing of the state directory. Files and processes are named to whoever sits at
the machine itself; to others the code says enough.
"""

import html
import ipaddress
from collections.abc import Collection

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from config.language_file import Language
from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.http.host_check import HostCheck
from controller.web.http.responses import STATUS_BY_CODE, make_refusal
from controller.web.wording.error_catalogue import CatalogueEntry, load_catalogue
from controller.web.wording.page_translation import choose_language, translate_page

PAGE_FILE = STATIC_FOLDER / "start-trouble.html"

START_TROUBLE_CODES = (
    RefusalCode.DISK_FULL,
    RefusalCode.DISK_READ_ONLY,
    RefusalCode.DISK_FAILING,
    RefusalCode.FILE_HELD,
)
"""What keeps a table from starting and may pass. Of these a page says what the floor and the technician do, too."""

RETRY_INTERVAL_S = 5.0
"""How often a page looks again, as its file says."""

ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"]


def make_start_trouble_app(code: RefusalCode, details: str, names: Collection[str], language: Language) -> Starlette:
    """Make the application; `details` names the file and what exactly is wrong with it, in English.

    `names` are the host names under which it may be asked for, `language` is the house's.
    """
    entry = load_catalogue()["page", code.value]

    async def answer(request: Request) -> Response:
        is_near = request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
        shown = details if is_near else ""
        if request.method not in ("GET", "HEAD") or "text/html" not in request.headers.get("accept", ""):
            return make_refusal(code, shown or entry.cause, wait=RETRY_INTERVAL_S)
        page = _render_page(entry, shown, choose_language(request))
        return HTMLResponse(page, status_code=STATUS_BY_CODE[code], headers={"Retry-After": str(int(RETRY_INTERVAL_S))})

    app = Starlette(
        routes=[
            Mount("/static", StaticFiles(directory=STATIC_FOLDER)),
            Route("/favicon.ico", _get_icon, methods=["GET"]),
            Route("/{path:path}", answer, methods=ALL_METHODS),
        ],
        middleware=[Middleware(HostCheck, names=names)],
    )
    app.state.language = language
    return app


async def _get_icon(request: Request) -> Response:  # noqa: ARG001 - it is the same for everybody
    return FileResponse(STATIC_FOLDER / "icon.svg", media_type="image/svg+xml")


def _render_page(entry: CatalogueEntry, details: str, language: Language) -> str:
    page = translate_page(PAGE_FILE.read_text(encoding="utf-8"), language)
    texts = {
        "cause": language.translate(entry.cause),
        "dealer": language.translate(entry.dealer_advice),
        "floor": language.translate(entry.floor_advice),
        "technician": language.translate(entry.technician_advice),
        "details": details,
    }
    for place, text in texts.items():
        page = page.replace(f' id="{place}">', f' id="{place}">{html.escape(text)}', 1)
    return page
