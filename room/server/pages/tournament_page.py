"""The tournament's pages: the director's desk, the board on the wall, and slips to print."""

import asyncio
import contextlib
import csv
import html
import io
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from config import payout_file, rulebook_file, schedule_file
from config.config_error import ConfigError
from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.tournament.ledger import LEDGER_COLUMNS, make_ledger_rows
from controller.core.tournament.money_terms import TERMS_KEYS, structure_to_json
from controller.core.tournament.river_jackpot import sell_cards
from controller.core.tournament.tournament import TournamentError
from controller.core.values.cards import build_deck
from controller.room_contract.subjects import TableNameError, TableTopic, require_table_name
from controller.room_contract.table_request import MessageFormatError, RequestKind, TableReply, parse_json_object
from controller.runtime.staff.admission import RefusalCode
from controller.web.access.authenticator import Principal, get_principal
from controller.web.http.responses import MAX_BODY_BYTES, is_json, make_not_json_refusal, make_refusal, read_json
from controller.web.wording.page_translation import make_page_response
from room.record.folded_stream import FoldedStream
from room.record.room_record import RecordLine
from room.server import STATIC_FOLDER
from room.server.request_client import send_signed_request
from room.server.room_context import RoomContext, describe_failure
from room.server.tournament.tournament_desk import TournamentDesk
from room.server.tournament.tournament_views import make_board_values, make_desk_values, make_shown_line
from room.staff.signed_requests import sign_script_line
from room.tournament import schedule_codec
from room.tournament.line_handlers import apply_tournament_line, open_tournament
from room.tournament.proposals import pick_newcomer_seat
from room.tournament.seat_cards import SeatCard, make_move_cards, make_seat_cards
from room.tournament.table_release import complete_line, find_tables_in_use
from room.tournament.tournament_state import RoomTournament

STREAM_PREFIX = "event:"
TICK_INTERVAL_S = 0.25
SHOW_INTERVAL_S = 1.0
MAX_OPEN_TOURNAMENTS = 20
"""So many events may be open at a time."""

MAX_CLOSED_TOURNAMENTS = 5
"""So many of the newest that were closed are still shown; older ones are in the record."""

MAX_READ_CLOSED = MAX_CLOSED_TOURNAMENTS + MAX_OPEN_TOURNAMENTS
"""So many of the newest that were closed are looked through at a start for tables that have not been let go."""

DEMO_DEFAULTS = {"samples": True, "proposed": {"rulebook": "tda-2024", "schedule": "T2000", "stack": 2000, "places": 8}}
"""What the desk says besides where sample players may enter: what the tables of a showroom play."""

NEWCOMER_WORDS = ("register", "late-entry", "re-entry", "rebuy")
"""Words whose seat is drawn by lot where the line names none."""

LOT_GENERATOR = SystemRandom()

log = logging.getLogger(__name__)

OptionalTournament = RoomTournament | None


def load_rules(name: str) -> TournamentRules:
    """Find a book's rules; raises `ValueError`."""
    if name not in rulebook_file.list_rulebooks():
        raise ValueError(f"there is no rulebook {name!r}; there are {', '.join(rulebook_file.list_rulebooks())}")
    return rulebook_file.load_rulebook(name).tournament


def fold_line(event: OptionalTournament, line: RecordLine) -> OptionalTournament:
    """The event after a line."""
    return open_tournament(line, load_rules) if event is None else apply_tournament_line(event, line)


@dataclass(slots=True)
class _RunningTournament:
    """One event: its lines, its desk, and which keys its screens have."""

    stream: FoldedStream[OptionalTournament]
    desk: TournamentDesk
    shown_keys: set[str] = field(default_factory=set)
    shown_at: float = 0.0
    is_dirty: bool = True


class TournamentPage:
    """Makes the routes, works the duties off, and keeps what the screens show."""

    def __init__(self, room: RoomContext) -> None:
        self._room = room
        self._running_by_name: dict[str, _RunningTournament] = {}
        self._principal_by_name: dict[str, Principal] = {}
        """Whose word the desk has, by name, as long as they are signed in: their keys sign what tables are asked."""
        self._last_state_by_table: dict[str, Mapping[str, Any]] = {}
        self._newest_number = 0
        """The number of the newest event, those too that are being opened."""
        self._opening_count = 0
        self._opening_by_table: dict[str, str] = {}
        """The tables of events that are being opened -> the sentence that says so."""
        self._has_read = False

    def make_routes(self) -> Sequence[BaseRoute]:
        """Make them."""
        return [
            Route("/events", self.get_page, methods=["GET"]),
            Route("/events/board", self.get_board, methods=["GET"]),
            Route("/events/list", self.list_tournaments, methods=["GET"]),
            Route("/events/{event}/told", self.stream_board, methods=["GET"]),
            Route("/events/{event}/desk", self.stream_desk, methods=["GET"]),
            Route("/events/{event}/slips", self.get_seat_cards, methods=["GET"]),
            Route("/events/{event}/account.csv", self.get_account, methods=["GET"]),
            Route("/events/open", self.post_tournament, methods=["POST"], max_body_size=MAX_BODY_BYTES),
            Route("/events/{event}/say", self.post_line, methods=["POST"], max_body_size=MAX_BODY_BYTES),
        ]

    async def get_page(self, request: Request) -> Response:
        """Answer with the director's desk, which is empty."""
        return make_page_response(request, STATIC_FOLDER / "tournament-desk.html")

    async def get_board(self, request: Request) -> Response:
        """Answer with the board for a screen on the wall."""
        return make_page_response(request, STATIC_FOLDER / "tournament-board.html")

    async def list_tournaments(self, request: Request) -> Response:  # noqa: ARG002 - it is the same for everybody
        """Answer with the events, the newest last, and what one may be opened with."""
        events = [
            {"event": name, "title": state.title, "closed": bool(state.closed_by)}
            for name, running in self._running_by_name.items()
            if (state := running.stream.state)
        ]
        return JSONResponse(
            {
                "events": events,
                "rulebooks": list(rulebook_file.list_rulebooks()),
                "schedules": list(schedule_file.list_schedules()),
                "payouts": list(payout_file.list_payouts()),
                **(DEMO_DEFAULTS if self._room.file.allows_sample_players else {}),
            }
        )

    async def stream_board(self, request: Request) -> Response:
        """Answer with what everybody may see of an event, as it changes."""
        return self._respond_with_feed(request, STREAM_PREFIX)

    async def stream_desk(self, request: Request) -> Response:
        """Answer with what the desk has to confirm, as it changes."""
        self._remember_principal(get_principal(request))
        return self._respond_with_feed(request, "desk:")

    def _respond_with_feed(self, request: Request, topic: str) -> Response:
        name = request.path_params["event"]
        if name not in self._running_by_name:
            return make_refusal(RefusalCode.NO_ROUTE, "The room has no such event.")
        return self._room.hub.make_stream_response(request, f"{topic}{name}")

    async def get_seat_cards(self, request: Request) -> Response:
        """Answer with slips to print: of all seats, or with `?moves` of the last moves."""
        running = self._running_by_name.get(request.path_params["event"])
        event = running.stream.state if running else None
        if event is None:
            return make_refusal(RefusalCode.NO_ROUTE, "The room has no such event.")
        moves = tuple(
            move
            for move in event.moves
            if move.final_sit in event.instruction_by_number or move.moved_at == event.moves[-1].moved_at
        )
        slips = make_move_cards(event, moves) if "moves" in request.query_params else make_seat_cards(event)
        return HTMLResponse(_render_seat_cards(slips))

    async def get_account(self, request: Request) -> Response:
        """Answer with the event's account as CSV: a line an amount, and the difference last."""
        running = self._running_by_name.get(request.path_params["event"])
        event = running.stream.state if running else None
        if event is None or event.progress is None or not event.terms.has_account:
            return make_refusal(RefusalCode.NO_ROUTE, "There is no account: the event has not begun, or keeps none.")
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\r\n")
        rows.writerow(LEDGER_COLUMNS)
        rows.writerows(make_ledger_rows(event.progress.make_ledger()))
        name = f'attachment; filename="event-{request.path_params["event"]}.csv"'
        return Response(text.getvalue(), media_type="text/csv", headers={"content-disposition": name})

    async def post_tournament(self, request: Request) -> Response:
        """Open an event with a title, a rulebook, a schedule, tables, and what the first line may say."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"schedule": str(schedule), "tables": [*tables], **rest}:
                pass
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, "Want title, rulebook, schedule, buy_in, stack and tables."
                )
        try:
            levels = schedule_codec.to_json(schedule_file.load_schedule(schedule))
            for one in tables:
                require_table_name(str(one["name"]))
            money = _complete_terms(rest)
        except (ConfigError, TableNameError, KeyError, TypeError, ValueError) as why:
            return make_refusal(RefusalCode.NOT_UNDERSTOOD, str(why))
        try:
            await self._read_tournaments()
        except OSError as why:
            log.error("no event is opened: %s", why)
            return make_refusal(
                RefusalCode.STAFF_FILE_UNUSABLE, "The room's database does not answer; nothing was entered."
            )
        if len(self._list_open()) + self._opening_count >= MAX_OPEN_TOURNAMENTS:
            return make_refusal(
                RefusalCode.MOVED_ON, f"{MAX_OPEN_TOURNAMENTS} tournaments are open; close one that is over first."
            )
        name = str(self._newest_number + 1)
        running = self._make_running(name)
        uses = self._list_uses(running)
        wanted = [str(one["name"]) for one in tables]
        if taken := [uses[table] for table in wanted if table in uses]:
            return make_refusal(RefusalCode.MOVED_ON, " ".join(taken))
        self._newest_number += 1
        what: dict[str, Any] = {**_to_string_keys(rest), **money, "do": "open", "schedule": levels, "tables": tables}
        self._remember_principal(get_principal(request))
        self._opening_count += 1
        self._opening_by_table |= {table: f"{table} is taken: tournament {name} is being opened." for table in wanted}
        try:
            answer = await self._enter_or_refuse(running, what, get_principal(request).name or "")
            if answer is None:
                self._running_by_name[name] = running
        finally:
            self._opening_count -= 1
            self._opening_by_table = {
                table: why for table, why in self._opening_by_table.items() if table not in wanted
            }
        if answer is None:
            self._replay_last_states(running)
            return JSONResponse({"event": name})
        return answer

    def _list_uses(self, besides: _RunningTournament) -> Mapping[str, str]:
        """The tables that another event than this one uses -> the sentence that says so."""
        found = dict(self._opening_by_table)
        for name, running in self._running_by_name.items():
            if running is besides or running.stream.state is None:
                continue
            event = running.stream.state
            what = f"tournament {name} ({event.title})"
            still = f"{what} still uses it, and lets it go when it is over, or closed"
            leaving = f"{what} is over there, and the table has not entered yet that it is let go"
            for table in find_tables_in_use(event):
                in_play = table in event.seat_count_by_table and not event.closed_by and not event.is_let_go
                found[table] = f"{table} is taken: {still if in_play else leaving}."
        return found

    def _list_open(self) -> Sequence[str]:
        """Name the events that nobody has closed."""
        return [name for name, running in self._running_by_name.items() if not _is_closed(running)]

    async def post_line(self, request: Request) -> Response:
        """Enter a line of an event, or confirm what was proposed: `{"confirm": its line}`."""
        if not is_json(request):
            return make_not_json_refusal()
        running = self._running_by_name.get(request.path_params["event"])
        if running is None:
            return make_refusal(RefusalCode.NO_ROUTE, "The room has no such event.")
        person = get_principal(request)
        self._remember_principal(person)
        match await read_json(request):
            case {"confirm": {**line}, **changed}:
                what = self._find_proposed_line(running, _to_string_keys(line), _to_string_keys(changed))
                if what is None:
                    return make_refusal(RefusalCode.MOVED_ON, "The event has moved on since; look again.")
            case {"do": str(word), **rest}:
                what = {**_to_string_keys(rest), "do": word}
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD,
                    'Want {"do": …} and what the word needs, or {"confirm": the line proposed}.',
                )
        if what["do"] in ("asked", "entered", "refused"):
            return make_refusal(
                RefusalCode.NOT_UNDERSTOOD, "Tables answer for themselves; a person says `by-hand`, `again` or `drop`."
            )
        if what["do"] == "open-table" and (taken := self._list_uses(running).get(str(what.get("table")))):
            return make_refusal(RefusalCode.MOVED_ON, taken)
        return await self._enter_or_refuse(
            running, self._draw_missing_lot(running, _say_whose_bounty(running, what)), person.name or ""
        ) or Response(status_code=204)

    def _find_proposed_line(
        self, running: _RunningTournament, line: Mapping[str, Any], changed: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """The line of a proposal, with what the director has put right in it; `None`: it is no more."""
        if running.stream.state is None:
            return None
        found = (one for one in running.desk.find_proposals(self._room.wall_clock()) if make_shown_line(one) == line)
        proposal = next(found, None)
        if proposal is None:
            return None
        what = running.desk.insert_lot(proposal)
        if what["do"] == "eliminate":
            what |= {key: changed[key] for key in ("hand", "stack", "knocked_by", "shares") if key in changed}
            if "knocked_by" in changed and "shares" not in changed:
                what.pop("shares", None)
        return what

    def _draw_missing_lot(self, running: _RunningTournament, what: dict[str, Any]) -> dict[str, Any]:
        """What wants a lot gets one here, and the line keeps it; so does a start that players are seated first."""
        event = running.stream.state
        if event is None:
            return what
        if what["do"] == "start":
            return {**what, "seats_first": True}
        if what["do"] == "draw":
            size = max(event.seat_count_by_table.values()) * len(event.seat_count_by_table)
            return {**what, "draw": LOT_GENERATOR.sample(range(size), size)}
        if what["do"] == "jackpot" and "sold" not in what:
            deck = list(build_deck())
            LOT_GENERATOR.shuffle(deck)
            return {**what, "sold": _sell_cards(what.get("wanted"), deck, is_last=what.get("last") is True)}
        wants = what["do"] in NEWCOMER_WORDS and "seat" not in what
        if wants and (what["do"] != "register" or event.seats_drawn):
            seat = pick_newcomer_seat(event, LOT_GENERATOR.randrange(10**9))
            return {**what, "seat": None if seat is None else list(seat)}
        return what

    async def _enter_or_refuse(self, running: _RunningTournament, what: Mapping[str, Any], by: str) -> Response | None:
        try:
            await self._enter_line(running, what, by)
        except TournamentError as why:
            return make_refusal(RefusalCode.MOVED_ON, str(why))
        except OSError as why:
            log.error("a line of an event cannot be kept: %s", why)
            return make_refusal(
                RefusalCode.STAFF_FILE_UNUSABLE, "The room's database does not answer; nothing was entered."
            )
        self._show_tournament(running, self._room.wall_clock())
        if what["do"] == "close":
            self._hide_old_closed()
        return None

    def _hide_old_closed(self) -> None:
        """Show no more of the closed than the newest; what is asked of tables still is done first."""
        closed = [name for name, running in self._running_by_name.items() if _is_closed(running)]
        for name in closed[:-MAX_CLOSED_TOURNAMENTS]:
            if _is_pending(self._running_by_name[name]):
                continue
            running = self._running_by_name.pop(name)
            for key in (*running.shown_keys, "time"):
                self._room.hub.put(f"{STREAM_PREFIX}{name}", key, None)

    async def _enter_line(self, running: _RunningTournament, what: Mapping[str, Any], by: str) -> RoomTournament:
        """Enter a line that the event takes; raises `TournamentError` and `OSError`."""
        folded, now = running.stream, self._room.wall_clock()

        elsewhere = frozenset(self._list_uses(running))

        def decide(event: OptionalTournament) -> Mapping[str, Any]:
            def fold(line: Mapping[str, Any]) -> OptionalTournament:
                return fold_line(event, RecordLine(folded.stream, folded.last_number + 1, now, by, line))

            line = complete_line(what, event, fold, elsewhere)
            paid = fold(line)
            if line["do"] != "pay" or paid is None or paid.progress is None:
                return line
            prizes = {one.player: one.prize_cents for one in paid.progress.finishes()}
            return {**line, "prize": prizes.get(line["player"], 0)}

        await self._room.enter(folded, by, decide)
        running.is_dirty = True
        assert folded.state is not None
        return folded.state

    def on_table_message(self, table: str, what: TableTopic, text: bytes) -> None:
        """A table has told something."""
        if what is not TableTopic.STATE:
            return
        try:
            state = parse_json_object(text)
        except MessageFormatError:
            return
        self._last_state_by_table[table] = state
        for running in self._running_by_name.values():
            if running.stream.state is not None and running.desk.receive_state(table, state, self._room.wall_clock()):
                running.is_dirty = True

    async def run(self) -> None:
        """Read the events, then ask tables and show what has changed, all the time."""
        while True:
            try:
                await self._recover()
                break
            except OSError as why:
                log.error("%s; tried again", why)
                await asyncio.sleep(SHOW_INTERVAL_S)
        while True:
            for running in tuple(self._running_by_name.values()):
                try:
                    await self._process(running)
                except OSError as why:
                    log.error("an event waits: %s", why)
                except Exception as failure:  # the other events go on
                    log.error("event %s waits: %s", running.stream.stream, describe_failure(failure))
            await asyncio.sleep(TICK_INTERVAL_S)

    async def _recover(self) -> None:
        """Take up the events, and how tables stood last at which nothing has happened since the server's start."""
        for table, text in (await self._room.tables.read_last_states()).items():
            with contextlib.suppress(MessageFormatError):
                self._last_state_by_table.setdefault(table, parse_json_object(text))
        await self._read_tournaments()

    async def _read_tournaments(self) -> None:
        if self._has_read:
            return
        record = self._room.record
        numbers = _parse_numbers(await asyncio.to_thread(record.list_streams, STREAM_PREFIX))
        are_open = _parse_numbers(await asyncio.to_thread(record.list_streams, STREAM_PREFIX, "close"))
        closed = [number for number in numbers if number not in are_open]
        for number in sorted({*are_open, *closed[-MAX_READ_CLOSED:]}):
            if str(number) in self._running_by_name:
                continue
            running = self._make_running(str(number))
            try:
                await asyncio.to_thread(running.stream.read)
            except TournamentError as why:
                log.error("event %d cannot be read: %s", number, why)
                continue
            self._running_by_name.setdefault(str(number), running)
            self._replay_last_states(running)
        self._newest_number = max(self._newest_number, *numbers, 0)
        self._hide_old_closed()
        self._has_read = True

    def _replay_last_states(self, running: _RunningTournament) -> None:
        """Let a desk know how tables stand at which nothing has happened since."""
        for table, state in self._last_state_by_table.items():
            running.desk.receive_state(table, state, self._room.wall_clock())

    def _make_running(self, name: str) -> _RunningTournament:
        folded: FoldedStream[OptionalTournament] = FoldedStream(
            self._room.record, f"{STREAM_PREFIX}{name}", None, fold_line
        )

        def state() -> RoomTournament:
            assert folded.state is not None
            return folded.state

        async def write(what: Mapping[str, Any], by: str) -> RoomTournament:
            return await self._enter_line(running, what, by)

        running = _RunningTournament(
            folded, TournamentDesk(state, write, self, lambda count: LOT_GENERATOR.sample(range(count), count))
        )
        return running

    async def _process(self, running: _RunningTournament) -> None:
        event, now = running.stream.state, self._room.wall_clock()
        if event is None:
            return
        if (event.is_over or event.closed_by) and not event.instruction_by_number:
            if running.is_dirty:
                self._show_tournament(running, now)
            return
        await running.desk.step(now)
        if running.is_dirty or now - running.shown_at >= SHOW_INTERVAL_S:
            self._show_tournament(running, now)

    def _show_tournament(self, running: _RunningTournament, now: float) -> None:
        event = running.stream.state
        if event is None:
            return
        running.is_dirty, running.shown_at = False, now
        name = running.stream.stream.removeprefix(STREAM_PREFIX)
        hub, topic = self._room.hub, f"{STREAM_PREFIX}{name}"
        keys = make_board_values(event, now) | {"time": {"at": round(now / 5) * 5, "now": now}}
        if self._is_same_time(topic, keys["time"]):
            del keys["time"]
        for key, value in keys.items():
            hub.put(topic, key, value)
        for key in running.shown_keys - set(keys) - {"time"}:
            hub.put(topic, key, None)
        running.shown_keys = set(keys)
        for key, value in make_desk_values(running.desk, now).items():
            hub.put(f"desk:{name}", key, value)

    def _is_same_time(self, topic: str, time: Mapping[str, Any]) -> bool:
        return bool(self._room.hub.read_values(topic).get("time", {}).get("at") == time["at"])

    def _remember_principal(self, person: Principal) -> None:
        if person.person is not None:
            self._principal_by_name[person.person.name] = person

    async def enter(self, table: str, line: Mapping[str, Any], by: str, seen: int) -> TableReply:
        """Have a table enter a line by somebody's word, signed with their key while they are signed in."""
        person = self._principal_by_name.get(by)
        if person is None or person.person is None or not self._room.authenticator.is_signed_in(person):
            self._principal_by_name.pop(by, None)
            return TableReply(
                False, None, RefusalCode.SIGN_IN_NEEDED.value, f"{by} is not signed in: nothing can be signed."
            )
        signer = person.person
        return await send_signed_request(
            self._room.tables, table, RequestKind.ENTER, lambda at: sign_script_line(signer, line, at), seen
        )


def _to_string_keys(body: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): value for key, value in body.items()}


def _sell_cards(wanted: object, deck: Sequence[str], *, is_last: bool) -> object:
    """Whose card is which, where `wanted` is a list of [player, number]; what makes no sense the event refuses."""
    pairs = wanted if isinstance(wanted, list) else []
    if not all(isinstance(one, list) and len(one) == 2 and type(one[1]) is int for one in pairs):
        return None
    with contextlib.suppress(ValueError):
        return sell_cards([(str(player), number) for player, number in pairs], deck, is_last) or None
    return None


def _complete_terms(said: Mapping[Any, Any]) -> dict[str, Any]:
    """What an event's line says of its money, by the book where the desk says nothing; raises `ValueError`.

    The payout structure stands in the line: an event pays by what it began with, whatever becomes of the file.
    """
    rules, name = load_rules(str(said.get("rulebook"))), said.get("payouts")
    if name and name not in payout_file.list_payouts():
        raise ValueError(f"there are no payouts {name!r}; there are {', '.join(payout_file.list_payouts())}.")
    structure = payout_file.load_payouts(str(name)) if name else payout_file.load_default_payouts(rules)
    default = {"carried": 0 if said.get("carried_in") else rules.carried_percent.value}
    found = {key: default.get(key, 0) if said.get(key) is None else said[key] for key in TERMS_KEYS}
    return {**found, "payouts": structure_to_json(structure)}


def _say_whose_bounty(running: _RunningTournament, what: dict[str, Any]) -> dict[str, Any]:
    """Nobody has knocked out who is disqualified, unless somebody is named, and the line keeps it [by default]."""
    event = running.stream.state
    if event is None or not event.bounty or what["do"] != "eliminate" or not what.get("disqualified"):
        return what
    return {"knocked_by": [], **what}


def _is_closed(running: _RunningTournament) -> bool:
    return running.stream.state is not None and bool(running.stream.state.closed_by)


def _is_pending(running: _RunningTournament) -> bool:
    """Whether tables have still to enter something."""
    return running.stream.state is not None and bool(running.stream.state.instruction_by_number)


def _parse_numbers(streams: Sequence[str]) -> list[int]:
    return sorted(int(name) for one in streams if (name := one.removeprefix(STREAM_PREFIX)).isdecimal())


def _render_seat_cards(slips: Sequence[SeatCard]) -> str:
    """The slips as a page of paper, which a browser prints."""
    cards = "".join(f"<pre>{html.escape(slip.render_text())}</pre>" for slip in slips)
    head = '<meta charset="utf-8"><title></title><link rel="stylesheet" href="/room/seat-cards.css">'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{cards}</body></html>'
