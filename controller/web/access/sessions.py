"""Who is signed in on which browser. Kept in memory: after a restart everybody signs in again.

A browser holds one token, in a cookie. It is renewed at every sign-in, so that a token that somebody planted is worth
nothing, and only its hash is kept here. On a dealer's page the floor may sign in over the dealer: when the floor signs
out, or looks away for too long, the dealer is signed in as before.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.runtime.staff.authority import IDLE_SECONDS, LONGEST_SECONDS, Role
from controller.runtime.staff.staff import SignedIn

MOST = 64
"""Browsers with a session; one more, and the one that was touched longest ago is signed out."""


@dataclass(slots=True)
class Session:
    """Somebody signed in; `csrf` is the token that the pages of this session send with what changes something."""

    person: SignedIn
    csrf: str = field(repr=False)
    began: float
    touched: float
    beneath: "Session | None" = None


class Sessions:
    """The sessions of one page; `stands` says whether somebody is still enrolled. Time is that of `clock`.

    `began` is told of every sign-in before anything can be entered with it, `ended` of whoever signs out by their own
    word; `idle`: seconds after which who touches nothing is signed out.
    """

    def __init__(
        self,
        stands: Callable[[SignedIn], bool],
        clock: Callable[[], float] = time.monotonic,
        *,
        began: Callable[[SignedIn], None] = lambda _person: None,
        ended: Callable[[SignedIn], None] = lambda _person: None,
        idle: Mapping[Role, float] = IDLE_SECONDS,
    ) -> None:
        self._stands = stands
        self._began = began
        self._ended = ended
        self._clock = clock
        self._idle = idle
        self._sessions: dict[str, Session] = {}
        self._lock = threading.Lock()

    def begin(self, person: SignedIn, old_token: str | None) -> str:
        """Sign somebody in; return the token for the browser, whose `old_token` is worth nothing from now on."""
        self._began(person)
        with self._lock:
            before = self._alive(old_token)
            self._sessions.pop(_hash(old_token), None)
            now = self._clock()
            beneath = _dealer(before) if person.role is not Role.DEALER else None
            return self._keep(Session(person, secrets.token_urlsafe(32), now, now, beneath))

    def end(self, token: str | None) -> str | None:
        """Sign out; return the token of whoever is signed in beneath, or `None`."""
        with self._lock:
            session = self._alive(token)
            self._sessions.pop(_hash(token), None)
            if session is not None:
                self._ended(session.person)
            beneath = None if session is None else session.beneath
            if beneath is None or self._is_over(beneath):
                return None
            return self._keep(beneath)

    def find(self, token: str | None) -> Session | None:
        """Look up who is signed in on the browser that sends this token."""
        with self._lock:
            return self._alive(token)

    def goes_on(self, session: Session) -> bool:
        """Whether a session is not over, for what is done or told long after its request."""
        with self._lock:
            kept: list[Session | None] = list(self._sessions.values())
            while kept:
                one = kept.pop()
                if one is session:
                    return not self._is_over(session)
                if one is not None:
                    kept.append(one.beneath)
            return False

    def touch(self, session: Session) -> None:
        """Somebody did something: the idle time begins anew."""
        session.touched = self._clock()

    def seconds_left(self, session: Session) -> float:
        """In how many seconds this sign-in ends unless something is touched."""
        now = self._clock()
        idle = session.touched + self._idle[session.person.role] - now
        return min(idle, session.began + LONGEST_SECONDS - now)

    def _keep(self, session: Session) -> str:
        for key in [key for key, kept in self._sessions.items() if self._is_over(kept) and kept.beneath is None]:
            del self._sessions[key]
        if len(self._sessions) >= MOST:
            del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].touched)]
        token = secrets.token_urlsafe(32)
        self._sessions[_hash(token)] = session
        return token

    def _alive(self, token: str | None) -> Session | None:
        key = _hash(token)
        session = self._sessions.get(key)
        while session is not None and self._is_over(session):
            session = session.beneath
        if session is None:
            self._sessions.pop(key, None)
        else:
            self._sessions[key] = session
        return session

    def _is_over(self, session: Session) -> bool:
        return self.seconds_left(session) <= 0 or not self._stands(session.person)


def _dealer(session: Session | None) -> Session | None:
    while session is not None and session.person.role is not Role.DEALER:
        session = session.beneath
    return session


def _hash(token: str | None) -> str:
    return hashlib.sha256((token or "").encode("utf-8", "surrogatepass")).hexdigest()
