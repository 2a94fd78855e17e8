"""The loop: the one place that owns the table.

Theory of operation. Threads put messages on the queue (`readers`, the page); the loop takes them one by one. Bytes go
through the driver, what the driver says through a translator (`shoe`, `panel`, `health`), and what comes out is an
event of the table. For each event, in this order: the journal has it on the disk, the table handles it, every driver
is offered the outcome, the subscribers get the new standing. Silence is a message too: `tick` is called some fifty
times a second and gives drivers and translators their time-outs, and the table its `time` events when a clock runs
out.

Drivers are touched by the loop alone, except that pin drivers are sampled by their own thread; both hold `pins_lock`.
Time is handed in: `turn` and `tick` ask no clock, so tests need no sleep; only `run` does.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty
from time import monotonic
from typing import TYPE_CHECKING, Any

from controller.core.engine.display import besides
from controller.core.model.outcome import Outcome
from controller.core.protocol import events, script
from controller.core.protocol.display import Sound
from controller.core.protocol.errors import Refused
from controller.core.values.value import replace
from controller.records.told import entered, players_of
from controller.runtime.devices.decks import Deck
from controller.runtime.devices.device_bus import DeviceBus, DeviceMap
from controller.runtime.devices.health import Health
from controller.runtime.devices.router import Changed, Missed, Routed, Router, Take
from controller.runtime.devices.sounds import sound_of
from controller.runtime.devices.workshop import Workshop, in_service
from controller.runtime.faults.alarm import OWN, Alarm
from controller.runtime.faults.faults import FAULTS, cleared, latched
from controller.runtime.faults.latch import FaultStanding, standings
from controller.runtime.faults.self_check import Check, Result
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.keeping import Keeping
from controller.runtime.journal.recovery.recovery import Recovered
from controller.runtime.journal.sealing.sealing import cards_at
from controller.runtime.loop.certificate_watch import Certificate, CertificateWatch
from controller.runtime.loop.inbox import Inbox
from controller.runtime.loop.messages import (
    Announced,
    Asked,
    BroadcastDelayed,
    Checked,
    DeckChanged,
    DeckChosen,
    DeckRegistered,
    DevicesSaid,
    Entered,
    FloorCalled,
    Message,
    PortBytes,
    PortLost,
    PortOpened,
    RoomAsked,
    SignIn,
    SignOut,
    Stop,
)
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.notices import Code, Notice
from controller.runtime.loop.ruling import Answer, answer, where
from controller.runtime.loop.standing import LIVE, SIMULATION, TEST, RefusedEntry, Standing, betting_of
from controller.runtime.loop.timer import SOURCE as CLOCK
from controller.runtime.loop.timer import TournamentTimer
from controller.runtime.staff import amendments, floor_only, signature
from controller.runtime.staff.signature import By
from drivers.contract.base import DeviceEvent, DeviceLost

if TYPE_CHECKING:  # a table without a broadcast does not load it
    from controller.runtime.broadcast.release import Release

TICK_SECONDS = 0.02
"""How often silence is looked at: often enough for a reader that must be asked for each card."""

NOTICES_KEPT = 8

DOUBTFUL = "Entry {} comes to other chips with this program than before. Compare the stacks before the next hand."

HELD = "Another program holds the journal's file; what happens is kept beside it for some hours."

NOT_WRITTEN_DOWN = (
    "The table could not be written down after this hand; a start would take longer. Tell the technician."
)

TOLD_SECONDS = 1.0
"""How often it is said that messages were dropped."""

CUT = FAULTS["power-lost"]
PROGRAM_FAULT = FAULTS["program-fault"]

REST_SECONDS = 0.5
"""After so long without an entry the table rests, and there is time to write it down."""

ROOM_SECONDS = 10.0
"""How often it is looked at how much room the journal has."""

Subscriber = Callable[[Standing], None]
"""Called in the loop's thread; it must only put the standing somewhere."""

log = logging.getLogger(__name__)


class Loop:
    """Runs one table. Make it with the table as its journal leaves it (`recovery`), then `start`, then `run`."""

    def __init__(
        self,
        recovered: Recovered,
        journal: Journal,
        devices: DeviceMap,
        health: Health,
        *,
        mode: str,
        power_lost: bool = False,
        clock: Callable[[], float] = monotonic,
        reopen: Callable[[str], None] = lambda _device: None,
        check: Check | None = None,
        timer: TournamentTimer | None = None,
        workshop: Workshop | None = None,
        hands: HandIndex | None = None,
        free: Callable[[], int] | None = None,
        certificate: Certificate | None = None,
        link: Callable[[], Notice | None] | None = None,
        meter: Meter | None = None,
        release: "Release | None" = None,
    ) -> None:
        self._meter = meter
        self._table = recovered.table
        self._history = recovered.table.history
        self._hands = hands
        self._free, self._link, self._next_room = free, link, 0.0
        """How many bytes are free for the journal (may raise `OSError`), what is new of the room, when both are due."""
        self._certificate = CertificateWatch(certificate)
        self._release = release
        """What lets hole cards go to a broadcast; nothing where there is none."""
        self._unshown: bool | None = None
        """Whether the table was halted already when a subscriber failed; nothing where none has since the last tick."""
        self._journal = journal
        self._devices = devices
        self._health = health
        self._mode = mode
        self._power_lost = power_lost
        self.clock = clock
        self._queue = Inbox()
        self._reopen = reopen
        self._timer = timer or TournamentTimer()
        self._floor_called = False
        # Name -> the key with which that person signed in last, as the journal of this run has it.
        self._keys: dict[str, str] = {}
        self._withdrawing, self._withdrawing_lock = False, threading.Lock()
        """Whether the last word about the broadcast's delay that waits on the queue takes it back."""
        self._bus = DeviceBus(devices, lost=self._said_lost, gone=self._port_gone)
        self._subscribers: list[Subscriber] = []
        self._notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)
        self._alarm = Alarm(
            self._take, self._notice, lambda: self._table.outcome, anybody=mode == SIMULATION, check=check
        )
        self._router = Router(devices, health, workshop)
        self._own_faults: tuple[FaultStanding, ...] = ()
        self._published = 0
        self._news = journal.last
        self._stopped: str | None = None
        self._longest_delay = 0.0
        self._next_told = 0.0
        self._t = recovered.t
        self._taken_at = clock()
        """When something was last entered."""
        self._started_at, self._started_t = clock(), recovered.t
        self._refusal: RefusedEntry | None = None
        self._rung: tuple[int, float] | None = None
        """The called clock, seat and second, whose end the table has been told."""
        self._kept = Keeping(journal, recovered)
        self._rulings = recovered.rulings
        self._ruled_in = recovered.ruled_in
        self._doubtful = recovered.doubtful
        if recovered.last is None:
            raise ValueError("a table without an entry cannot run")
        self._last = recovered.last
        self._output: dict[str, object] = recovered.last.output()

    @property
    def outcome(self) -> Outcome:
        """How the table stands."""
        return self._table.outcome

    def entered(self) -> list[dict[str, Any]]:
        """What was entered since the end of the hand before, as `records.told.entered` tells it; from any thread."""
        return entered(self._history)

    @property
    def pins_lock(self) -> threading.Lock:
        """Held while pins are touched; for the sampler."""
        return self._bus.pins_lock

    @property
    def longest_delay(self) -> float:
        """The longest that a message waited on the queue, in seconds."""
        return self._longest_delay

    @property
    def waiting(self) -> int:
        """How many messages wait on the queue now; from any thread."""
        return self._queue.waiting

    def put(self, message: Message) -> bool:
        """Take a message from any thread; return whether the queue had room for it."""
        return self._queue.put(message)

    def enter(self, event: events.Event, source: str, by: By | None = None) -> bool:
        """Take an event from a page or terminal, in any thread; its time is set here. Returns as `put`."""
        return self._queue.put(Entered(event, source, self.clock(), by))

    def ask(self, event: events.Event, source: str, by: By, asked: Asked) -> bool:
        """Take an event of somebody who is not at the table, as `enter` does; `asked.heard` is told what came of it."""
        return self._queue.put(Entered(event, source, self.clock(), by, asked))

    def note_asked(self, line: Mapping[str, object], by: By) -> bool:
        """Record what somebody of the room asked that is no entry, from any thread. Returns as `put`."""
        return self._queue.put(RoomAsked(line, by, self.clock()))

    def announce(self, text: str, by: str) -> None:
        """Show a word of the room, from any thread."""
        self._queue.put(Announced(text, by, self.clock()))

    def signed_in(self, name: str, role: str, key: str) -> None:
        """Record a sign-in, from any thread; `key` as `messages.SignIn` has it."""
        self._queue.put(SignIn(name, role, key, self.clock()))

    def signed_out(self, name: str, role: str) -> None:
        """Record that somebody signed out, from any thread."""
        self._queue.put(SignOut(name, role, self.clock()))

    def call_floor(self, wanted: bool, by: str) -> bool:
        """Record that the floor is called, or has come, from any thread, and show it. Returns as `put`."""
        return self._queue.put(FloorCalled(wanted, by, self.clock()))

    def deck_registered(self, deck: Deck, by: str) -> None:
        """Record that a deck was registered at the table, from any thread: the receipt of a check of its cards."""
        self._queue.put(DeckRegistered(deck.name, len(deck.cards), deck.checksum(), by, self.clock()))

    def deal_from(self, deck: Deck, by: str) -> None:
        """Put a registered deck in play, if no hand is on when it is this message's turn; from any thread."""
        self._queue.put(DeckChosen(deck, by, self.clock()))

    def deck_changed(self, deck: Deck, by: str = "") -> None:
        """Record which deck is in play from now on, and who chose it, from any thread."""
        self._queue.put(DeckChanged(deck.name, len(deck.cards), deck.checksum(), by, self.clock()))

    def delay_broadcast(self, delay: int | None, by: tuple[By, ...]) -> bool:
        """Record who agreed to show hole cards `delay` seconds later, or took that back, and do so; from any thread.

        Returns as `put`. A withdrawal is always taken; one that would wait behind another is the same as that.
        """
        with self._withdrawing_lock:
            if delay is None and self._withdrawing:
                return True
            taken = self._queue.put(BroadcastDelayed(delay, by, self.clock()))
            if taken:
                self._withdrawing = delay is None
            return taken

    def checked(self, results: Sequence[Result], source: str) -> None:
        """Take the results of a self-check that somebody at `source` asked for, from any thread."""
        self._queue.put(Checked(tuple(results), source, self.clock()))

    def stop(self, why: str) -> None:
        """End `run` after the message in hand; from any thread or signal handler."""
        self._queue.put(Stop(why, self.clock()))

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send every standing to `subscriber`, from now on; call it before `run`."""
        self._subscribers.append(subscriber)

    def start(self) -> None:
        """Show the table as it stands on all pins, hear which devices are back by the mere start, check the program."""
        power_lost = self._power_lost
        self._bus.perform_on_pins(self._table.outcome)
        with self._journal_trouble_shown():
            now = self.clock()
            self._do(self._router.started(), now)
            self._do(self._router.faults_taken_up(self._table.outcome.state), now)
            self._alarm.at_start(self.clock(), power_lost=power_lost)
            if self._release is not None:
                aired = self._journal.last_hand_was_aired()
                self._journal.note("broadcast", {"delay": None, "by": []})
                self._release.take_up(self._table.outcome.state, self._table.history, aired=aired)
        if self._doubtful is not None:
            self._notice(Notice(Code.ANSWERED_OTHERWISE, "journal", DOUBTFUL.format(self._doubtful)))
        self._power_lost = power_lost
        self._publish()

    def run(self, turned: Callable[[float], None] = lambda _now: None) -> str:
        """Turn until `stop`, after `start`; return why it ended. `turned` is called in every round.

        Raises `DatabaseError` when the journal cannot be written: the table stops rather than act unrecorded.
        """
        next_tick = self.clock()
        while self._stopped is None:
            try:
                message = self._queue.get(timeout=max(0.0, next_tick - self.clock()))
            except Empty:
                heard_until = self.clock()
            else:
                self.turn(message, self.clock())
                heard_until = message.at
            # While messages wait, time has passed for the devices only as far as they were heard: a slow disk must
            # not look like the silence of a line.
            if heard_until >= next_tick:
                self.tick(heard_until)
                next_tick = heard_until + TICK_SECONDS
            turned(self.clock())
        self._keep(at_leisure=True)
        return self._stopped

    def turn(self, message: Message, now: float) -> None:
        """Deal with one message; raises `DatabaseError`, shown before, when the journal cannot be written."""
        shown = self._published
        with self._journal_trouble_shown():
            self._turn(message, now)
        self._queue.charge(message, self._published - shown, now)

    def tick(self, now: float) -> None:
        """Let time pass for drivers, translators and the table; raises as `turn`."""
        with self._journal_trouble_shown():
            self._tick(now)

    @contextmanager
    def _journal_trouble_shown(self) -> Iterator[None]:
        """The journal cannot be written: whoever looks at the table must see why it stops."""
        try:
            yield
        except DatabaseError:
            self._own_faults = (FaultStanding.of(FAULTS["journal-trouble"]),)
            self._publish()
            raise

    def _turn(self, message: Message, now: float) -> None:
        self._longest_delay = max(self._longest_delay, now - message.at)
        self._tell_dropped(now)
        match message:
            case PortBytes(device=device, data=data, at=at):
                for event in self._bus.received(device, data, at):
                    self._said(event, at)
            case DevicesSaid(events=said, at=at):
                for event in said:
                    self._said(event, at)
            case Entered(event=event, source=source, at=at, by=by, asked=asked):
                self._entered(event, source, at, by, asked)
            case RoomAsked(line=line, by=by):
                self._know(by, "room")
                self._journal.note("asked", {"line": dict(line), "by": dict(by)})
            case Announced(text=text, by=name):
                self._notice(Notice(Code.ANNOUNCED, name, text), publish=True)
            case Checked(results=results, source=source, at=at):
                self._alarm.judge(results, source, at)
            case SignIn(name=name, role=role, key=key):
                self._sign_in(name, role, key)
            case SignOut(name=name, role=role):
                self._journal.note("sign-out", {"name": name, "role": role})
            case FloorCalled(wanted=wanted) if wanted == self._floor_called:
                pass
            case FloorCalled(wanted=wanted, by=by):
                self._journal.note("call", {"wanted": wanted, "by": by})
                self._floor_called = wanted
                self._bus.let_hear(Sound.FLOOR if wanted else None)
                self._bus.perform(self._table.outcome)
                self._publish()
            case PortOpened(device=device, port=port, at=at):
                self._router.opening(device)
                if self._bus.opened(device, port, self._table.outcome):
                    self._do(self._router.opened(device), at)
            case PortLost(device=device, why=why, at=at):
                self._bus.closed(device)
                self._do(self._router.lost(device, why), at)
            case DeckRegistered(deck=deck, cards=cards, checksum=checksum, by=by):
                self._journal.note("deck", {"deck": deck, "cards": cards, "checksum": checksum, "by": by})
            case DeckChosen(deck=deck, by=by):
                self._deck_chosen(deck, by)
            case DeckChanged(deck=name, cards=cards, checksum=checksum, by=by):
                chosen = {"by": by} if by else {}
                self._journal.note(
                    "deck", {"deck": name, "cards": cards, "checksum": checksum, "in_play": True, **chosen}
                )
            case BroadcastDelayed(delay=delay, by=words):
                self._delay_broadcast(delay, words)
            case Stop(why=why):
                self._stopped = why

    def _delay_broadcast(self, delay: int | None, by: tuple[By, ...]) -> None:
        if delay is None:
            with self._withdrawing_lock:
                self._withdrawing = False
        if self._release is None or (delay is None and self._release.delay is None):
            return
        self._journal.note("broadcast", {"delay": delay, "by": list(by)})  # on the disk before a card goes by it
        self._release.agree(delay)
        self._publish()

    def _deck_chosen(self, deck: Deck, by: str) -> None:
        if self._table.outcome.plan:
            text = f"Deck {deck.name!r} was not put in play: a hand began meanwhile. Choose it when the hand is over."
        else:
            self._devices.put_in_play(deck, by)
            text = f"Deck {deck.name!r} is in play from the next hand on."
        self._notice(Notice(Code.DECK_CHANGED, "page", text), publish=True)

    def _tell_dropped(self, now: float) -> None:
        """Say what was dropped, at once and then now and then: what never ends must not fill the page."""
        if now < self._next_told:
            return
        for source, count in self._queue.dropped().items():
            self._next_told = now + TOLD_SECONDS
            self._alarm.dropped(source, count, now)

    def _look_for_room(self, now: float) -> None:
        if self._free is None or now < self._next_room:
            return
        self._next_room = now + ROOM_SECONDS
        try:
            free: int | None = self._free()
        except OSError:
            free = None
        if self._alarm.room(free, now):
            self._publish()
        if self._journal.newly_held():
            self._notice(Notice(Code.JOURNAL_HELD, "journal", HELD), publish=True)
        if self._link is not None and (news := self._link()) is not None:
            self._notice(news, publish=True)

    def _show_failure(self, now: float) -> None:
        """Halt a table that could not be shown; one that cannot be shown halted either must not look alive."""
        if self._unshown is None:
            return
        halted, self._unshown = self._unshown, None
        if halted:
            raise RuntimeError("the table cannot be shown, so it ends")
        self._alarm.latch([PROGRAM_FAULT.code], now)

    def _tick(self, now: float) -> None:
        self._tell_dropped(now)
        self._look_for_room(now)
        if self._certificate.look(now, self._notices.appendleft):
            self._publish()
        self._show_failure(now)
        for device in self._bus.open:
            for event in self._bus.tick(device, now):
                self._said(event, now)
        self._do(self._router.silence(now), now)
        if self._release is not None:
            self._release.tick(now)
        by_hand = self._router.by_hand(self._table.outcome.state)
        if by_hand != self._bus.by_hand:
            self._bus.by_hand = by_hand
            self._bus.perform(self._table.outcome)
        called = self._table.outcome.state.time.clock
        if called is not None and called != self._rung and self._table_time(now) >= called[1]:
            self._rung = called
            self._take(events.Time(), CLOCK, now)
        while (due := self._timer.due(self._table.outcome.state, self._entry_time(now))) is not None:
            self._take(due, CLOCK, now)
        if now - self._taken_at >= REST_SECONDS:
            self._keep(at_leisure=True)

    def _said(self, event: DeviceEvent, at: float) -> None:
        if self._meter is not None:
            self._meter.heard(event)
        self._do(self._router.said(event, at, self._table.outcome, self._output), at)

    def _do(self, routed: Iterable[Routed], at: float) -> None:
        """Do what comes of what devices said, one by one."""
        for item in routed:
            match item:
                case Take(event=event, source=source, entered=True):
                    self._entered(event, source, at, None)
                case Take(event=event, source=source):
                    self._take(event, source, at)
                case Missed():
                    self._alarm.missed(at)
                case Changed():
                    self._publish()
                case Notice():
                    self._notice(item, publish=True)

    def _sign_in(self, name: str, role: str, key: str, **where: str) -> None:
        self._journal.note("sign-in", {"name": name, "role": role, "key": key, **where})
        self._keys[name] = key

    def _know(self, by: By, source: str) -> None:
        """Record with which key a person signs who is not at the table, before the first thing signed with it."""
        if self._keys.get(str(by["name"])) != by["key"]:
            self._sign_in(str(by["name"]), str(by["role"]), str(by["key"]), at=source)

    def _entered(self, event: events.Event, source: str, at: float, by: By | None, asked: Asked | None = None) -> None:
        """Take what a person entered, if no fault is against it.

        After a cut of the power in a hand, the first `done` says that the table is as the display shows it.
        """
        if asked is not None and asked.seen != self._news:
            asked.heard(None, None)
            return
        told = event
        if isinstance(event, events.Done) and CUT in latched(self._table.outcome.state.down):
            event = cleared(CUT.code)
        refused = self._alarm.refusal(event, by)
        if refused is None and self._mode == LIVE:
            refused = floor_only.refusal(event, by, self._table.outcome.state)
        if refused is None:
            event, refused = self._meant(event)
        if refused is None and asked is not None and event is not told:
            refused = Refused("value", "This means something else at the table now: enter it there.")
        if refused is None and isinstance(event, events.Amend):
            timed = replace(event, t=self._entry_time(at))
            as_floor = by if self._mode == LIVE else {"role": "floor"}
            refused = amendments.refusal(self._table, timed, as_floor, self._journal.last + 1)
        if refused is None:
            if asked is not None and by is not None:
                self._know(by, source)
            if by is not None and event is not told:
                by = {**by, "said": signature.stated(script.write(told))}
            given = self._take(event, source, at, by)
            if asked is not None:
                asked.heard(given.entry, given.error)
            return
        if asked is not None:
            asked.heard(None, refused)
        log.warning("not taken from %s: %s", source, refused.code)
        if self._meter is not None:
            self._meter.turned_away(refused.code)
        self._refusal = RefusedEntry(refused.code, refused.message, source)
        self._publish()

    def _meant(self, event: events.Event) -> tuple[events.Event, Refused | None]:
        """What an entry comes to; the refusal where it names what is not there."""
        try:
            return self._table.meant(event), None
        except Refused as refused:
            return event, refused

    def _take(self, event: events.Event, source: str, at: float, by: By | None = None) -> Answer:
        """Journal, handle, show, publish: the way of every event."""
        self._t = self._entry_time(at)
        timed = replace(event, t=self._t)
        in_hand, before = self._alarm.in_hand, self._table.outcome
        entry = self._journal.append(script.write(timed), source, by)
        self._last = given = answer(self._table, timed, entry)
        if self._last.error is None:
            self._bus.let_hear(sound_of(timed, before, self._last.outcome))
            self._bus.perform(self._last.outcome)
        self._output = self._last.output()
        if self._hands is not None and self._last.error is None:
            outcome = self._last.outcome
            ruled = (
                bool(outcome.rulings) or outcome.amended is not None or isinstance(event, events.Undo | events.Floor)
            )
            rests = not outcome.plan
            self._hands.after(entry, outcome.state.number, self._table.history, rests=rests, ruled=ruled, by=by)
        error = self._last.error
        refused = None if error is None else error.code
        self._journal.settle(entry, self._last.digest(self._output), refused, cards_at(self._last.outcome))
        self._power_lost = self._power_lost and source in (CLOCK, OWN)
        self._note(self._last, source)
        if self._release is not None and self._last.error is None:
            self._release.after(at, self._t, self._last.outcome.state, self._table.history)
        if (
            isinstance(event, events.Card)
            and event.card is None
            and not event.foreign
            and source in self._devices.shoes
        ):
            self._notice(Notice(Code.UNREAD, source, "A card left the shoe unread."))
        if not isinstance(event, events.Time) or self._last.outcome.rulings:
            self._news = entry
        self._publish()
        if self._meter is not None:
            over = in_hand and not self._alarm.in_hand
            self._meter.entered(event, source, self._last, self.clock() - at, hand_over=over)
        self._kept.after(event, self._last, self._t)  # before the alarm, which may enter something of its own
        self._alarm.after(event, self._last, at, in_hand=in_hand)
        self._taken_at = at
        self._keep()
        if self._devices.shoes:
            self._router.look_at(self._table.outcome)
        return given

    def _keep(self, *, at_leisure: bool = False) -> None:
        if not self._kept.keep(self._rulings, self._ruled_in, at_leisure=at_leisure):
            self._notice(Notice(Code.NOT_WRITTEN_DOWN, "journal", NOT_WRITTEN_DOWN), publish=True)

    def _note(self, given: Answer, source: str) -> None:
        error = given.error
        if source != OWN:
            self._refusal = None if error is None else RefusedEntry(error.code, error.message, source)
        rulings = self._output.get("rulings")
        if isinstance(rulings, list) and rulings and error is None:
            self._rulings = tuple(rulings)
            self._ruled_in = given.outcome.state.number

    def _table_time(self, at: float) -> float:
        return self._started_t + (at - self._started_at)

    def _entry_time(self, at: float) -> float:
        return max(self._t, round(self._table_time(at), 3))

    def _said_lost(self, event: DeviceLost) -> None:
        self.put(DevicesSaid((event,), self.clock()))

    def _port_gone(self, device: str, why: str) -> None:
        # In this order: what comes after the loss on the queue is the port that was opened for it.
        self.put(PortLost(device, why, self.clock()))
        self._reopen(device)

    def _notice(self, notice: Notice, *, publish: bool = False) -> None:
        log.warning("%s: %s", notice.device, notice.text)
        if self._meter is not None:
            self._meter.noticed(notice)
        self._notices.appendleft(notice)
        if publish:
            self._publish()

    def _publish(self) -> None:
        self._published += 1
        state = self._table.outcome.state
        self._history = self._table.history
        coming = besides.coming(state)
        standing = Standing(
            number=self._published,
            entry=self._news,
            mode=TEST if in_service(self._table.outcome.state) else self._mode,
            output=self._output,
            players=players_of(self._table.outcome),
            rulings=self._rulings,
            ruled_in=self._ruled_in,
            refusal=self._refusal,
            notices=tuple(self._notices),
            floor_called=self._floor_called,
            faults=(*self._own_faults, *self._certificate.faults, *standings(self._table.outcome.state.down)),
            devices=self._health.standings(),
            power_lost=self._power_lost,
            longest_delay=self._longest_delay,
            besides=tuple(script.write(event) for event in besides.entries(state)),
            for_floor=tuple(script.write(event) for event in besides.for_the_floor(state)),
            hands_left=state.tournament.hands_left,
            betting=betting_of((state.hand or state).setup.betting),
            sound=self._bus.heard(),
            broadcast=None if self._release is None else {"delay": self._release.delay},
            coming=None if coming is None else {"burn": coming.burn, "cards": coming.cards},
        )
        for subscriber in self._subscribers:
            try:
                subscriber(standing)
            except Exception as failure:
                log.error("a subscriber failed: %s", where(failure))
                self._unshown = PROGRAM_FAULT in latched(state.down) or bool(self._unshown)
