"""Why somebody is not let in, or a request is not taken: stable codes, each with an entry in the error catalogue."""

from enum import Enum, unique


@unique
class Code(Enum):
    """Codes of the page's own answers and of the `staff` command; `docs/errors.md` says what each person does."""

    SIGN_IN = "sign-in-needed"
    """Nobody is signed in there, or no longer."""
    ROLE = "not-your-role"
    """Whoever is signed in has a role that may not do this."""
    TOKEN = "token-missing"
    """The request does not carry the token of its own session: another site's page may have sent it."""
    ORIGIN = "other-origin"
    """The request comes from a page of another site, or does not say from where."""
    NAME = "other-host-name"
    """The page was asked for under a name that the table does not have."""
    PLAIN = "plain-http"
    """The connection comes over the network and is not enciphered."""
    PIN = "wrong-pin"
    """Name and PIN do not belong together."""
    WAIT = "wait"
    """After wrong tries the next one has to wait."""
    LOCKED = "locked-out"
    """There were too many wrong tries."""
    BUSY = "sign-in-busy"
    """Others are signing in."""
    CODE = "wrong-code"
    """The one-time code is wrong, used up or too old."""
    PIN_UNFIT = "pin-unfit"
    """The new PIN is too short, too long or too easy."""
    PIN_DUE = "pin-due"
    """The PIN is a quarter of a year old: nothing is done with it but to choose another."""
    NAME_UNFIT = "name-unfit"
    """The new name cannot be used."""
    NAME_TAKEN = "name-taken"
    """Somebody has, or had, that name here."""
    UNKNOWN = "unknown-staff"
    """Nobody of that name is enrolled."""
    LAST = "last-who-enrols"
    """Without this person nobody could enrol staff."""
    RECORDS = "staff-file"
    """The staff's file cannot be read or written."""
    NO_HAND = "no-such-hand"
    """The record has no hand of that number."""
    NO_LESSON = "no-such-lesson"
    """The dealers' school has no such lesson, or book."""
    UNREADABLE = "record-unreadable"
    """The journal cannot be read or replayed."""
    NO_CLAUSE = "no-such-clause"
    """The catalogue has no clause of that id."""
    NO_TEXT = "no-printed-text"
    """The printed passage of a clause cannot be shown."""
    NOT_NOW = "not-now-here"
    """The technician's work cannot be done as the table stands."""
    FORM = "not-understood"
    """The request is not of the form that this route takes."""
    FLOOR = "floor-only"
    """Only the floor decides this."""
    MOVED = "moved-on"
    """The table has moved on since the page showed what was touched."""
    TOO_MUCH = "too-much"
    """More is entered than the table can take."""
    FAULT = "page-fault"
    """The program failed on the request."""


class NotAdmitted(Exception):
    """Somebody was not let in; the message says why, and what to do, and names no secret."""

    def __init__(self, code: Code, message: str, wait: float = 0.0) -> None:
        """Keep the parts; `wait` is in how many seconds to try again, 0 where waiting does not help."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait = wait
