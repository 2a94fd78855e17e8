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

from controller.runtime.staff.permissions import IDLE_TIMEOUT_S_BY_ROLE, MAX_SESSION_DURATION_S, Role
from controller.runtime.staff.staff_store import AuthenticatedPerson

MAX_SESSIONS = 64
"""Browsers with a session; one more, and the one that was touched longest ago is signed out."""


@dataclass(slots=True)
class Session:
    """Somebody signed in; `csrf_token` is the token that the pages of this session send with what changes something."""

    person: AuthenticatedPerson
    csrf_token: str = field(repr=False)
    started_at: float
    last_active_at: float
    underlying_session: "Session | None" = None


class SessionStore:
    """The sessions of one page; `stands` says whether somebody is still enrolled. Time is that of `clock`.

    `began` is told of every sign-in before anything can be entered with it, `ended` of whoever signs out by their own
    word; `idle`: seconds after which who touches nothing is signed out.
    """

    def __init__(
        self,
        stands: Callable[[AuthenticatedPerson], bool],
        clock: Callable[[], float] = time.monotonic,
        *,
        began: Callable[[AuthenticatedPerson], None] = lambda _person: None,
        ended: Callable[[AuthenticatedPerson], None] = lambda _person: None,
        idle: Mapping[Role, float] = IDLE_TIMEOUT_S_BY_ROLE,
    ) -> None:
        self._is_still_enrolled = stands
        self._on_signed_in = began
        self._on_signed_out = ended
        self._clock = clock
        self._idle_timeout_s_by_role = idle
        self._session_by_token_hash: dict[str, Session] = {}
        self._lock = threading.Lock()

    def begin(self, person: AuthenticatedPerson, old_token: str | None) -> str:
        """Sign somebody in; return the token for the browser, whose `old_token` is worth nothing from now on."""
        self._on_signed_in(person)
        with self._lock:
            before = self._find_active(old_token)
            self._session_by_token_hash.pop(_hash_token(old_token), None)
            now = self._clock()
            beneath = _find_dealer_session(before) if person.role is not Role.DEALER else None
            return self._store(Session(person, secrets.token_urlsafe(32), now, now, beneath))

    def end(self, token: str | None) -> str | None:
        """Sign out; return the token of whoever is signed in beneath, or `None`."""
        with self._lock:
            session = self._find_active(token)
            self._session_by_token_hash.pop(_hash_token(token), None)
            if session is not None:
                self._on_signed_out(session.person)
            beneath = None if session is None else session.underlying_session
            if beneath is None or self._is_over(beneath):
                return None
            return self._store(beneath)

    def find(self, token: str | None) -> Session | None:
        """Look up who is signed in on the browser that sends this token."""
        with self._lock:
            return self._find_active(token)

    def is_active(self, session: Session) -> bool:
        """Whether a session is not over, for what is done or told long after its request."""
        with self._lock:
            kept: list[Session | None] = list(self._session_by_token_hash.values())
            while kept:
                one = kept.pop()
                if one is session:
                    return not self._is_over(session)
                if one is not None:
                    kept.append(one.underlying_session)
            return False

    def touch(self, session: Session) -> None:
        """Somebody did something: the idle time begins anew."""
        session.last_active_at = self._clock()

    def get_remaining_s(self, session: Session) -> float:
        """In how many seconds this sign-in ends unless something is touched."""
        now = self._clock()
        idle = session.last_active_at + self._idle_timeout_s_by_role[session.person.role] - now
        return min(idle, session.started_at + MAX_SESSION_DURATION_S - now)

    def _store(self, session: Session) -> str:
        for key in [
            key
            for key, kept in self._session_by_token_hash.items()
            if self._is_over(kept) and kept.underlying_session is None
        ]:
            del self._session_by_token_hash[key]
        if len(self._session_by_token_hash) >= MAX_SESSIONS:
            del self._session_by_token_hash[
                min(self._session_by_token_hash, key=lambda key: self._session_by_token_hash[key].last_active_at)
            ]
        token = secrets.token_urlsafe(32)
        self._session_by_token_hash[_hash_token(token)] = session
        return token

    def _find_active(self, token: str | None) -> Session | None:
        key = _hash_token(token)
        session = self._session_by_token_hash.get(key)
        while session is not None and self._is_over(session):
            session = session.underlying_session
        if session is None:
            self._session_by_token_hash.pop(key, None)
        else:
            self._session_by_token_hash[key] = session
        return session

    def _is_over(self, session: Session) -> bool:
        return self.get_remaining_s(session) <= 0 or not self._is_still_enrolled(session.person)


def _find_dealer_session(session: Session | None) -> Session | None:
    while session is not None and session.person.role is not Role.DEALER:
        session = session.underlying_session
    return session


def _hash_token(token: str | None) -> str:
    return hashlib.sha256((token or "").encode("utf-8", "surrogatepass")).hexdigest()
