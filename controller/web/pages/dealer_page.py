"""The routes of the dealer's page and of the public pages: keys, decks, calls of the floor, the simulation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse

from controller.runtime.staff.admission import RefusalCode
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import get_principal
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.http.responses import (
    is_json,
    make_not_json_refusal,
    make_overload_refusal,
    make_refusal,
    read_json,
)
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.wording.error_page import render_error_page
from controller.web.wording.page_translation import choose_language, make_page_response, make_script_response
from controller.web.wording.step_instructions import translate_line

MAX_SEAT_DIGITS = 4

MIN_SPEED, MAX_SPEED = 0.25, 20.0

MISHAPS = (
    "exposed", "boxed", "off-table", "wrong-seat", "double-burn", "no-burn", "premature", "duplicate", "foreign",
    "unplug", "plug",
)  # fmt: skip
"""What can be made to go wrong in a simulated room."""


class Simulation(Protocol):
    """What the page can do to a simulated room."""

    def play(self) -> None:
        """Go on by itself."""
        ...

    def pause(self) -> None:
        """Stop after the move in hand."""
        ...

    def step(self) -> None:
        """Make one move."""
        ...

    def set_speed(self, speed: float) -> None:
        """Go `speed` times as fast as people do."""
        ...

    def cause_mishap(self, fault: str) -> None:
        """Let one of `MISHAPS` happen as soon as it can."""
        ...

    def set_table(self, game: str, rulebook: str) -> str | None:
        """Begin a new session with another game or rulebook; return why not, if not."""
        ...

    def compare_rulings(self) -> Sequence[Mapping[str, Any]]:
        """Return what every rulebook says to the event that was ruled on last, this table's own first."""
        ...


class Decks(Protocol):
    """The registered decks, and which of them is dealt from."""

    def describe(self) -> Mapping[str, Any]:
        """Return the name of the deck `in_play`, and the `decks` there are by name."""
        ...

    def choose(self, name: str, by: str) -> str | None:
        """Put a deck in play, between hands; return why not, if not."""
        ...


class PublicPages:
    """What everybody may look at."""

    def __init__(self, hub: PageStateHub) -> None:
        self._hub = hub

    async def get_dealer_page(self, request: Request) -> Response:
        """Answer with the dealer's page."""
        return make_page_response(request, STATIC_FOLDER / "dealer.html")

    async def get_spectator_page(self, request: Request) -> Response:
        """Answer with the page that everybody may look at."""
        return make_page_response(request, STATIC_FOLDER / "watch.html")

    async def get_notice_page(self, request: Request) -> Response:
        """Answer with the sheet that is displayed at the table [AU-7.2, AU-8.1]."""
        return make_page_response(request, STATIC_FOLDER / "notice.html")

    async def get_catalogue_script(self, request: Request) -> Response:
        """Answer with the words of the pages, in the language that is wanted."""
        return make_script_response(request)

    async def get_icon(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        """Answer with the icon."""
        return FileResponse(STATIC_FOLDER / "icon.svg", media_type="image/svg+xml")

    async def get_error_catalogue(self, request: Request) -> Response:
        """Answer with every error that there is."""
        return HTMLResponse(render_error_page(choose_language(request)))

    async def get_state(self, request: Request) -> Response:
        """Answer with what the table shows now, or 503 before it shows anything."""
        latest = self._hub.get_latest(choose_language(request))
        if latest is None:
            return PlainTextResponse("The table is not up yet.\n", status_code=503)
        return Response(latest[1], media_type="application/json")

    async def stream_events(self, request: Request) -> Response:
        """Push what the table shows, from the event on that the browser saw last."""
        lines = self._hub.iter_event_lines(request.headers.get("last-event-id", ""), choose_language(request))
        return StreamingResponse(lines, media_type="text/event-stream")


class EntryRoute:
    """The keys of the dealer's and the floor's pages."""

    def __init__(self, desk: EntryEndpoint) -> None:
        self._entry_endpoint = desk

    async def post(self, request: Request) -> Response:
        """Enter what was touched."""
        if not is_json(request):
            return make_not_json_refusal()
        answer = self._entry_endpoint.submit(await read_json(request), get_principal(request))
        if answer.message is None:
            return Response(status_code=answer.status)
        return JSONResponse({"code": answer.code, "message": answer.message}, status_code=answer.status)


class AmendableEntriesRoute:
    """What was entered, for whoever puts it right."""

    def __init__(self, hub: PageStateHub, entered: Callable[[], Sequence[Mapping[str, Any]]]) -> None:
        self._hub = hub
        self._list_amendable_entries = entered

    async def get(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        """Answer with the entries that may be put right, and the newest that was shown before."""
        seen = self._hub.shown_entry  # first: what is told may be newer, and a touch then comes too late
        return JSONResponse({"seen": seen, "entries": await run_in_threadpool(self._list_amendable_entries)})


class OffersRoute:
    """What a dealer may say of a seat, as it is touched, or of the table, as he asks what happened."""

    def __init__(self, hub: PageStateHub, offers: Callable[[int | None], Mapping[str, Any]]) -> None:
        self._hub = hub
        self._describe_offers = offers

    async def get(self, request: Request) -> Response:
        """Answer with the lines that the table would take now, and the newest entry that was shown before."""
        seat = request.query_params.get("seat")
        if seat is not None and not (seat.isascii() and seat.isdecimal() and len(seat) < MAX_SEAT_DIGITS):
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, "Want `seat`, the number of a chair; or leave it out.")
        seen = self._hub.shown_entry  # first, as above
        asked = None if seat is None else int(seat)
        return JSONResponse({"seen": seen, **await run_in_threadpool(self._describe_offers, asked)})


class DeckRoutes:
    """The deck in play, which people may choose between hands."""

    def __init__(self, decks: Decks) -> None:
        self._decks = decks

    async def get(self, request: Request) -> Response:  # noqa: ARG002 - as Starlette calls it
        """Answer with the registered decks, and which of them is in play."""
        return JSONResponse(await run_in_threadpool(self._decks.describe))

    async def post(self, request: Request) -> Response:
        """Put another deck in play."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"deck": str() as name, **rest} if not rest:
                why_not = await run_in_threadpool(self._decks.choose, name, get_principal(request).name or "")
                return Response(status_code=204) if why_not is None else make_refusal(RefusalCode.NOT_NOW, why_not)
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"deck": …} with the name of a registered deck.')


class FloorCallRoute:
    """Calls the floor to the table, or says that it has come."""

    def __init__(self, call_floor: Callable[[bool, str], object]) -> None:
        self._call_floor = call_floor

    async def post(self, request: Request) -> Response:
        """Call the floor, or end the call."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"wanted": bool() as wanted, **rest} if not rest:
                if self._call_floor(wanted, get_principal(request).name or "") is False:
                    return make_overload_refusal()
                return Response(status_code=204)
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"wanted": true} to call the floor, false when it has come.'
                )


class SimulationRoutes:
    """The keys of the simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    async def post(self, request: Request) -> Response:
        """Do what the touched key says."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"do": "play", **rest} if not rest:
                self._simulation.play()
            case {"do": "pause", **rest} if not rest:
                self._simulation.pause()
            case {"do": "step", **rest} if not rest:
                self._simulation.step()
            case {"do": "speed", "speed": int() | float() as speed, **rest} if not rest and _is_speed(speed):
                self._simulation.set_speed(float(speed))
            case {"do": "fault", "fault": str() as fault, **rest} if not rest and fault in MISHAPS:
                self._simulation.cause_mishap(fault)
            case {"do": "table", "game": str() as game, "rulebook": str() as rulebook, **rest} if not rest:
                why_not = await run_in_threadpool(self._simulation.set_table, game, rulebook)
                if why_not is not None:
                    return JSONResponse({"message": why_not}, status_code=409)
            case _:
                accepted = (
                    f'"play", "pause", "step", "speed" with a speed of {MIN_SPEED:g} to {MAX_SPEED:g}, '
                    f'"fault" with one of {", ".join(MISHAPS)}, or "table" with game and rulebook'
                )
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, f'Want {{"do": …}} with {accepted}.')
        return Response(status_code=204)

    async def compare_rulings(self, request: Request) -> Response:
        """Answer with what every rulebook says to the last ruling."""
        answers, language = await run_in_threadpool(self._simulation.compare_rulings), choose_language(request)
        return JSONResponse([translate_line(each, language) for each in answers])


def _is_speed(value: float) -> bool:
    return not isinstance(value, bool) and MIN_SPEED <= value <= MAX_SPEED
