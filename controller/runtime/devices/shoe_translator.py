"""Turns what the sensors of a card shoe say into cards of the table.

Told the time, it keeps apart what looks alike:

* a *repeat read*: the tag that lies, or a moment ago lay, on the reader is read again. Not a second card;
* a *duplicate card*: a second tag (or a second printed code) of a face that is out already. A card, and the core
  rules on it;
* an *unread card*: the edge sensor saw a card pass and nothing was read;
* a *foreign card*: a tag that belongs to no card of the deck in play. Where it is the first card of a hand and belongs
  to another registered deck, that deck is in play from now on: two decks may be dealt in turn, and nobody names them.

A tag is one piece of plastic. While the table holds that card out of the stub, its tag cannot leave the shoe a second
time: the card was waved past the reader, or pulled back, and where it covered the edge it is what passed there. A
printed code has no such certainty; there, the passage of an
edge, or a pause, makes the next read a new card.

Any sensor but the reader may be absent. Where there is a face sensor it must lie before the reader on the card's way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.core.model.outcome import Outcome
from controller.core.play.showdown import unknown_discards
from controller.core.protocol import events, vocabulary
from controller.runtime.devices import shoe_mouth
from controller.runtime.devices.deck_store import CardMarking, Deck
from controller.runtime.devices.shoe_mouth import MouthState
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import CardEdgeSensed, DeviceEvent, FaceSensed, LidMoved, ShoeJammed, TagRead

TranslatedEvents = Sequence[events.Event | Notice]

MESSAGE_BY_CODE = {
    NoticeCode.LATE_READ: "The card counted as unread was read after all.",
    NoticeCode.NO_EDGE: "A card was read that the edge sensor did not see: clean the sensor.",
    NoticeCode.TWO_READS: "Two cards were read as one passed: look at the last two.",
    NoticeCode.JAM_UNREAD: "The card that had jammed was not read: see whether it left the shoe.",
}
"""What is said of a card at the mouth."""

SENSOR_SETTLE_TIME_S = 2.0
"""Sensors that were there for so long and said nothing of a jam or an open lid see neither: a sensor tells of changes
from rest, and a board that is asked anew tells how it stands within a second."""

FACE_VALIDITY_S = 1.5
"""How long a face seen by the face sensor belongs to the next card; longer than any card stands in the mouth."""


@dataclass(frozen=True, slots=True)
class CardsOut:
    """What the table knows to lie outside its stub in hand number `hand_number`."""

    hand_number: int = 0
    faces: frozenset[str] = field(default=frozenset(), repr=False)
    is_before_first_card: bool = False
    """Whether a hand has begun and no card of it has left the stub yet."""


def find_cards_out(outcome: Outcome) -> CardsOut:
    """Read off the table which cards cannot be in the shoe."""
    state = outcome.state
    if state.hand is None:
        return CardsOut(state.hand_count)
    doubtful = unknown_discards.find_doubtful_serials(state.hand)
    return CardsOut(
        state.hand_count,
        frozenset(
            lying.card
            for pile in state.hand.cards.piles.cards_by_place.values()
            for lying in pile
            if lying.card and not lying.is_foreign and lying.serial not in doubtful
        ),
        is_before_first_card=not any(state.hand.cards.piles.cards_by_place.values()),
    )


class ShoeTranslator:
    """The translator of one shoe.

    `name` is the device that the table hears of when the lid opens or a card jams; `edge_sensor` says whether there
    is one; `gone_after` is how many seconds a tag stays unread before it has left the reader. Times are monotonic
    seconds.
    """

    def __init__(
        self,
        name: str,
        deck: Deck,
        *,
        edge_sensor: bool = False,
        gone_after: float,
        unread_seconds: float = shoe_mouth.UNREAD_DELAY_S,
    ) -> None:
        self.name = name
        self.deck = deck
        self.list_registered_decks: Callable[[], Sequence[Deck]] = tuple
        """Looks up every registered deck, the one in play among them; takes a moment."""
        self.on_deck_changed: Callable[[Deck], None] = lambda _deck: None
        """Is told which deck is in play from now on."""
        self.repeat_count = 0
        """Reads that were no new card, for the technician."""
        self._has_edge_sensor = edge_sensor
        self._absence_timeout_s = gone_after
        self._mouth = shoe_mouth.ShoeMouth(unread_seconds)
        self._last_read_at_by_tag: dict[str, float] = {}
        self._foreign_tags: tuple[int, set[str]] = (0, set())
        self._face_up_at: float | None = None
        self._unconfirmed_faults: set[vocabulary.DeviceChange] = set()
        self._sensors_ready_since: float | None = None

    @property
    def is_jammed(self) -> bool:
        """Whether a card stands in the mouth and does not move, as far as is known."""
        return self._mouth.is_jammed

    def resume_fault(self, fault: vocabulary.DeviceChange) -> None:
        """Begin with a fault, `JAM` or `LID_OPEN`, of which the table knows from before this start."""
        self._unconfirmed_faults.add(fault)
        if fault is vocabulary.DeviceChange.JAM:
            self._mouth.on_jammed()

    def translate(self, event: DeviceEvent, now: float, out: CardsOut) -> TranslatedEvents:
        """Say what `event` means at a table whose cards `out` lie outside its stub."""
        match event:
            case TagRead(tag=tag):
                return self._on_tag_read(tag, now, out)
            case CardEdgeSensed(is_covered=True):
                return self._on_edge_covered(now)
            case CardEdgeSensed():
                return self._on_edge_freed(now)
            case FaceSensed(face_up=up):
                if up:
                    self._face_up_at = now
                return ()
            case LidMoved(is_open=is_open):
                self._unconfirmed_faults.discard(vocabulary.DeviceChange.LID_OPEN)
                status = vocabulary.DeviceChange.LID_OPEN if is_open else vocabulary.DeviceChange.LID_CLOSED
                return (events.DeviceChanged(self.name, status, is_needed=True),)
            case ShoeJammed():
                self._unconfirmed_faults.discard(vocabulary.DeviceChange.JAM)
                self._mouth.on_jammed()
                return (events.DeviceChanged(self.name, vocabulary.DeviceChange.JAM, is_needed=True),)
            case _:
                return ()

    def on_tick(self, now: float, *, sensors_there: bool = True) -> TranslatedEvents:
        """Say what the silence means: a card that passed and was not read, a fault that is over since the last run."""
        if self._last_read_at_by_tag:  # what has left the reader is nobody's business any more
            self._last_read_at_by_tag = {
                tag: at for tag, at in self._last_read_at_by_tag.items() if now - at <= self._absence_timeout_s
            }
        over = self._clear_outlived_faults(now, there=sensors_there) if self._unconfirmed_faults else ()
        return (*over, *self._make_mouth_events(self._mouth.on_tick(now), now))

    def _clear_outlived_faults(self, now: float, *, there: bool) -> TranslatedEvents:
        if not there:
            self._sensors_ready_since = None
            return ()
        if self._sensors_ready_since is None:
            self._sensors_ready_since = now
        if now - self._sensors_ready_since < SENSOR_SETTLE_TIME_S:
            return ()
        over, self._unconfirmed_faults = self._unconfirmed_faults, set()
        found: list[events.Event] = []
        if vocabulary.DeviceChange.LID_OPEN in over:
            found.append(events.DeviceChanged(self.name, vocabulary.DeviceChange.LID_CLOSED))
        if vocabulary.DeviceChange.JAM in over:
            self._mouth.on_jam_cleared()
            found.append(events.DeviceChanged(self.name, vocabulary.DeviceChange.BACK))
        return found

    def _on_tag_read(self, tag: str, now: float, out: CardsOut) -> TranslatedEvents:
        last = self._last_read_at_by_tag.get(tag)
        self._last_read_at_by_tag = {
            known: at for known, at in self._last_read_at_by_tag.items() if now - at <= self._absence_timeout_s
        }
        self._last_read_at_by_tag[tag] = now
        if last is not None and now - last <= self._absence_timeout_s:
            self.repeat_count += 1
            return ()
        notices: list[events.Event | Notice] = []
        if out.is_before_first_card and (other := self._find_other_deck(tag)) is not None:
            text = f"Deck {other.name!r} is in play from this hand on, in place of {self.deck.name!r}."
            notices.append(Notice(NoticeCode.DECK_CHANGED, self.name, text))
            self.deck = other
            self.on_deck_changed(other)
        card = self.deck.card_by_tag.get(tag)
        if self.deck.marking is CardMarking.TAGGED and (card in out.faces or self._is_known_foreign_tag(tag, out)):
            self.repeat_count += 1
            self._mouth.on_card_moved(now)
            return (
                Notice(
                    NoticeCode.TAG_REPEATED, self.name, "A card that is already out was read again; it was not dealt."
                ),
            )
        if self._has_edge_sensor:
            told = self._mouth.on_card_read(now)
            notices += self._make_mouth_events(told, now)
            if told is NoticeCode.LATE_READ:
                return notices
        return (*notices, self._make_card_event(tag, card, now, out))

    def _find_other_deck(self, tag: str) -> Deck | None:
        """Another registered deck whose card this is: its tags are in no other deck, which a printed code may be."""
        if (
            self.deck.marking is not CardMarking.TAGGED
            or tag in self.deck.card_by_tag
            or tag in self.deck.retired_card_by_tag
        ):
            return None
        return next(
            (
                deck
                for deck in self.list_registered_decks()
                if deck.marking is CardMarking.TAGGED and tag in deck.card_by_tag
            ),
            None,
        )

    def _is_known_foreign_tag(self, tag: str, out: CardsOut) -> bool:
        hand, tags = self._foreign_tags
        return hand == out.hand_number and tag in tags

    def _make_card_event(self, tag: str, card: str | None, now: float, out: CardsOut) -> events.CardDealt:
        face_up = self._take_face(now)
        if card is not None:
            return events.CardDealt(card, face_up=face_up)
        if self._foreign_tags[0] != out.hand_number:
            self._foreign_tags = (out.hand_number, set())
        self._foreign_tags[1].add(tag)
        withdrawn = self.deck.retired_card_by_tag.get(tag)
        if withdrawn is not None and withdrawn in out.faces:
            return events.CardDealt(withdrawn, face_up=face_up)
        return events.CardDealt(None, face_up=face_up, is_foreign=True)

    def _on_edge_covered(self, now: float) -> TranslatedEvents:
        told = self._mouth.on_covered(now)
        self._unconfirmed_faults.discard(vocabulary.DeviceChange.JAM)
        if self.deck.marking is CardMarking.PRINTED and self._mouth.state is MouthState.PASSING:
            self._last_read_at_by_tag.clear()
        return self._make_mouth_events(told, now)

    def _on_edge_freed(self, now: float) -> TranslatedEvents:
        was_jammed = self.is_jammed
        found = self._make_mouth_events(self._mouth.on_freed(now), now)
        return (*found, events.DeviceChanged(self.name, vocabulary.DeviceChange.BACK)) if was_jammed else found

    def _make_mouth_events(self, told: NoticeCode | None, now: float) -> TranslatedEvents:
        if told is None:
            return ()
        if told is NoticeCode.CARD_UNREAD:
            return (events.CardDealt(None, face_up=self._take_face(now)),)
        return (Notice(told, self.name, MESSAGE_BY_CODE[told]),)

    def _take_face(self, now: float) -> bool:
        seen, self._face_up_at = self._face_up_at, None
        return seen is not None and now - seen <= FACE_VALIDITY_S
