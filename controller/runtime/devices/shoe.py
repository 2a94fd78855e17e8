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

from controller.core.irregularities.draw import thrown_away
from controller.core.model.outcome import Outcome
from controller.core.protocol import events, vocabulary
from controller.runtime.devices.decks import Deck, Marks
from controller.runtime.loop.notices import Code, Notice
from drivers.contract.base import CardEdge, DeviceEvent, FaceSensed, Jammed, LidMoved, TagRead

Translated = Sequence[events.Event | Notice]

UNREAD_SECONDS = 0.25
"""How long after the edge has come free a read may still arrive: a poll of a slow reader and its frame."""

LATE_SECONDS = 1.0
"""A first read this soon after a card was counted as unread is that card."""

EARLY_SECONDS = 0.3
"""An edge this soon after a read that no edge had announced belongs to that card: it came by a slower way, such as a
line on which it had to be said twice."""

JAM_UNREAD = "The card that had jammed was not read: see whether it left the shoe."

SETTLED_SECONDS = 2.0
"""Sensors that were there for so long and said nothing of a jam or an open lid see neither: a sensor tells of changes
from rest, and a board that is asked anew tells how it stands within a second."""

FACE_SECONDS = 1.5
"""How long a face seen by the face sensor belongs to the next card; longer than any card stands in the mouth."""


@dataclass(frozen=True, slots=True)
class CardsOut:
    """What the table knows to lie outside its stub in hand number `hand`."""

    hand: int = 0
    faces: frozenset[str] = field(default=frozenset(), repr=False)
    fresh: bool = False
    """Whether a hand has begun and no card of it has left the stub yet."""


def cards_out(outcome: Outcome) -> CardsOut:
    """Read off the table which cards cannot be in the shoe."""
    state = outcome.state
    if state.hand is None:
        return CardsOut(state.number)
    doubtful = thrown_away.doubtful(state.hand)
    return CardsOut(
        state.number,
        frozenset(
            lying.card
            for pile in state.hand.cards.piles.out.values()
            for lying in pile
            if lying.card and not lying.strange and lying.serial not in doubtful
        ),
        fresh=not any(state.hand.cards.piles.out.values()),
    )


class Shoe:
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
        unread_seconds: float = UNREAD_SECONDS,
    ) -> None:
        self.name = name
        self.deck = deck
        self.others: Callable[[], Sequence[Deck]] = tuple
        """Looks up every registered deck, the one in play among them; takes a moment."""
        self.changed: Callable[[Deck], None] = lambda _deck: None
        """Is told which deck is in play from now on."""
        self.repeats = 0
        """Reads that were no new card, for the technician."""
        self._edge_sensor = edge_sensor
        self._gone_after = gone_after
        self._unread_seconds = unread_seconds
        self._heard: dict[str, float] = {}
        self._strangers: tuple[int, set[str]] = (0, set())
        self._passage_reads: int | None = None
        self._passage_explained = False
        """Whether a card that is out came back into the field as the edge was covered: it moved, and no other."""
        self._unread_due: float | None = None
        self._unread_at: float | None = None
        self._early_read_at: float | None = None
        self._face_up_at: float | None = None
        self.jammed = False
        """Whether a card stands in the mouth, as far as is known."""
        self._unconfirmed: set[vocabulary.Status] = set()
        self._there_since: float | None = None

    def take_up(self, fault: vocabulary.Status) -> None:
        """Begin with a fault, `JAM` or `LID_OPEN`, of which the table knows from before this start."""
        self._unconfirmed.add(fault)
        self.jammed = self.jammed or fault is vocabulary.Status.JAM

    def translate(self, event: DeviceEvent, now: float, out: CardsOut) -> Translated:
        """Say what `event` means at a table whose cards `out` lie outside its stub."""
        match event:
            case TagRead(tag=tag):
                return self._read(tag, now, out)
            case CardEdge(covered=True):
                return self._covered(now)
            case CardEdge():
                return self._free(now)
            case FaceSensed(up=up):
                if up:
                    self._face_up_at = now
                return ()
            case LidMoved(open=is_open):
                self._unconfirmed.discard(vocabulary.Status.LID_OPEN)
                status = vocabulary.Status.LID_OPEN if is_open else vocabulary.Status.LID_CLOSED
                return (events.Device(self.name, status, needed=True),)
            case Jammed():
                self._unconfirmed.discard(vocabulary.Status.JAM)
                self.jammed = True
                return (events.Device(self.name, vocabulary.Status.JAM, needed=True),)
            case _:
                return ()

    def tick(self, now: float, *, sensors_there: bool = True) -> Translated:
        """Say what the silence means: a card that passed and was not read, a fault that is over since the last run."""
        if self._heard:  # what has left the reader is nobody's business any more
            self._heard = {tag: at for tag, at in self._heard.items() if now - at <= self._gone_after}
        over = self._outlived(now, there=sensors_there) if self._unconfirmed else ()
        if self._unread_due is None or now < self._unread_due:
            return over
        return (*over, *self._unread(now))

    def _outlived(self, now: float, *, there: bool) -> Translated:
        if not there:
            self._there_since = None
            return ()
        if self._there_since is None:
            self._there_since = now
        if now - self._there_since < SETTLED_SECONDS:
            return ()
        over, self._unconfirmed = self._unconfirmed, set()
        found: list[events.Event] = []
        if vocabulary.Status.LID_OPEN in over:
            found.append(events.Device(self.name, vocabulary.Status.LID_CLOSED))
        if vocabulary.Status.JAM in over:
            self.jammed = False
            found.append(events.Device(self.name, vocabulary.Status.BACK))
        return found

    def _read(self, tag: str, now: float, out: CardsOut) -> Translated:
        last = self._heard.get(tag)
        self._heard = {known: at for known, at in self._heard.items() if now - at <= self._gone_after}
        self._heard[tag] = now
        if last is not None and now - last <= self._gone_after:
            self.repeats += 1
            return ()
        notices: list[events.Event | Notice] = []
        if out.fresh and (other := self._other_deck(tag)) is not None:
            text = f"Deck {other.name!r} is in play from this hand on, in place of {self.deck.name!r}."
            notices.append(Notice(Code.DECK_CHANGED, self.name, text))
            self.deck = other
            self.changed(other)
        card = self.deck.cards.get(tag)
        if self.deck.marks is Marks.TAGGED and (card in out.faces or self._known_stranger(tag, out)):
            self.repeats += 1
            self._passage_explained, self._unread_due = True, None
            return (Notice(Code.TAG_AGAIN, self.name, "A card that is already out was read again; it was not dealt."),)
        if self._edge_sensor:
            if self._belongs_to_no_passage():
                if self._unread_at is not None and now - self._unread_at <= LATE_SECONDS:
                    self._unread_at = None
                    return (Notice(Code.LATE_READ, self.name, "The card counted as unread was read after all."),)
                self._early_read_at = now
                notices.append(
                    Notice(
                        Code.NO_EDGE, self.name, "A card was read that the edge sensor did not see: clean the sensor."
                    )
                )
            elif self._passage_reads:
                notices.append(
                    Notice(Code.TWO_READS, self.name, "Two cards were read as one passed: look at the last two.")
                )
            if self._passage_reads is not None:
                self._passage_reads += 1
            self._unread_due = None
        return (*notices, self._card(tag, card, now, out))

    def _other_deck(self, tag: str) -> Deck | None:
        """Another registered deck whose card this is: its tags are in no other deck, which a printed code may be."""
        if self.deck.marks is not Marks.TAGGED or tag in self.deck.cards or tag in self.deck.withdrawn:
            return None
        return next((deck for deck in self.others() if deck.marks is Marks.TAGGED and tag in deck.cards), None)

    def _known_stranger(self, tag: str, out: CardsOut) -> bool:
        hand, tags = self._strangers
        return hand == out.hand and tag in tags

    def _belongs_to_no_passage(self) -> bool:
        return self._passage_reads is None and self._unread_due is None

    def _card(self, tag: str, card: str | None, now: float, out: CardsOut) -> events.Card:
        face_up = self._take_face(now)
        if card is not None:
            return events.Card(card, face_up=face_up)
        if self._strangers[0] != out.hand:
            self._strangers = (out.hand, set())
        self._strangers[1].add(tag)
        withdrawn = self.deck.withdrawn.get(tag)
        if withdrawn is not None and withdrawn in out.faces:
            return events.Card(withdrawn, face_up=face_up)
        return events.Card(None, face_up=face_up, foreign=True)

    def _covered(self, now: float) -> Translated:
        before = self._unread(now) if self._unread_due is not None else ()
        early, self._early_read_at = self._early_read_at, None
        was_read = early is not None and now - early <= EARLY_SECONDS
        self._passage_reads, self._passage_explained = int(was_read), False
        self._unconfirmed.discard(vocabulary.Status.JAM)
        if self.deck.marks is Marks.PRINTED and not was_read:
            self._heard.clear()
        return before

    def _free(self, now: float) -> Translated:
        unread, self._passage_reads = self._passage_reads == 0 and not self._passage_explained, None
        if self.jammed:
            self.jammed = False
            back = events.Device(self.name, vocabulary.Status.BACK)
            return (Notice(Code.JAM_UNREAD, self.name, JAM_UNREAD), back) if unread else (back,)
        if unread:
            self._unread_due = now + self._unread_seconds
        return ()

    def _unread(self, now: float) -> Translated:
        self._unread_due = None
        self._unread_at = now
        return (events.Card(None, face_up=self._take_face(now)),)

    def _take_face(self, now: float) -> bool:
        seen, self._face_up_at = self._face_up_at, None
        return seen is not None and now - seen <= FACE_SECONDS
