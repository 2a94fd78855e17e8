"""Who is signed in on which browser. Kept in memory: after a restart everybody signs in again.

A browser holds one token, in a cookie. It is renewed at every sign-in, so that a token that somebody planted is worth
nothing, and only its hash is kept here. On a dealer's page the floor may sign in over the dealer: when the floor signs
out, or looks away for too long, the dealer is signed in as before: `BROWSER_LIFE` says who is signed in after what.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from enum import Enum

from controller.runtime.life_cycle import LifeCycle, Move
from controller.runtime.staff.permissions import (
    DECIDING_TIMEOUT_S,
    IDLE_TIMEOUT_S_BY_ROLE,
    MAX_SESSION_DURATION_S,
    Role,
)
from controller.runtime.staff.staff_store import AuthenticatedPerson

MAX_SESSIONS = 64
"""Browsers with a session; one more, and the one that was touched longest ago is signed out."""


@dataclass(slots=True)
class Session:
    """Somebody signed in; `csrf_token` is the token that the pages of this session send with what changes something.

    `confirmed_at`: when it was last certain that this person is still there, by the PIN or by a touch soon after.
    """

    person: AuthenticatedPerson
    csrf_token: str = field(repr=False)
    started_at: float
    last_active_at: float
    confirmed_at: float
    is_over_dealer: bool = False

    def follow(self, person: AuthenticatedPerson) -> None:
        """Go on with a person who has another PIN."""
        self.person = person


class BrowserState(Enum):
    """Who is signed in on a browser."""

    OUT = "out"
    DEALER = "dealer"
    OFFICE = "office"
    """Somebody who is no dealer."""
    OVER = "over"
    """Somebody who is no dealer, over the dealer."""


class SignInChange(Enum):
    """What the table hears of a browser."""

    SIGNED_IN = "sign-in"
    SIGNED_OUT = "sign-out"


_IN, _OUT = SignInChange.SIGNED_IN, SignInChange.SIGNED_OUT

BROWSER_LIFE = LifeCycle[BrowserState, SignInChange](
    (
        Move("signed_in", BrowserState.OUT, BrowserState.DEALER, "is_dealer", tells=_IN),
        Move("signed_in", BrowserState.OUT, BrowserState.OFFICE, tells=_IN),
        Move("signed_in", BrowserState.DEALER, BrowserState.DEALER, "is_dealer", tells=_IN),
        Move("signed_in", BrowserState.DEALER, BrowserState.OVER, tells=_IN),
        Move("signed_in", BrowserState.OFFICE, BrowserState.DEALER, "is_dealer", tells=_IN),
        Move("signed_in", BrowserState.OFFICE, BrowserState.OFFICE, tells=_IN),
        Move("signed_in", BrowserState.OVER, BrowserState.DEALER, "is_dealer", tells=_IN),
        Move("signed_in", BrowserState.OVER, BrowserState.OVER, tells=_IN),
        Move("signed_out", BrowserState.DEALER, BrowserState.OUT, tells=_OUT),
        Move("signed_out", BrowserState.OFFICE, BrowserState.OUT, tells=_OUT),
        Move("signed_out", BrowserState.OVER, BrowserState.DEALER, "has_dealer", tells=_OUT),
        Move("signed_out", BrowserState.OVER, BrowserState.OUT, tells=_OUT),
        # Whoever touched nothing for too long, or is enrolled no longer.
        Move("ran_out", BrowserState.DEALER, BrowserState.OUT),
        Move("ran_out", BrowserState.OFFICE, BrowserState.OUT),
        Move("ran_out", BrowserState.OVER, BrowserState.DEALER, "has_dealer"),
        Move("ran_out", BrowserState.OVER, BrowserState.OUT),
    ),
    BrowserState,
)
"""Who is signed in after what, and what the table hears of it."""


@dataclass(slots=True)
class _Browser:
    """A browser with a token: `session` is who is signed in, `dealer` who is beneath."""

    state: BrowserState = BrowserState.OUT
    session: Session | None = None
    dealer: Session | None = None

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Everybody who is signed in, the dealer beneath last."""
        return tuple(session for session in (self.session, self.dealer) if session is not None)

    def sign_in(self, session: Session) -> SignInChange | None:
        """Sign somebody in, over the dealer if there is one and it is not a dealer."""
        beneath = self.session if self.state is BrowserState.DEALER else self.dealer
        told = BROWSER_LIFE.move(self, "signed_in", session)
        session.is_over_dealer = self.state is BrowserState.OVER
        self.session, self.dealer = session, beneath if session.is_over_dealer else None
        return told

    def leave(self, trigger: str, is_over: Callable[[Session], bool]) -> SignInChange | None:
        """End the session of whoever is signed in; `is_over` says whether the dealer's beneath is over too."""
        told = BROWSER_LIFE.move(self, trigger, is_over)
        self.session, self.dealer = self.dealer if self.state is BrowserState.DEALER else None, None
        return told

    def is_dealer(self, session: Session) -> bool:
        """Whether a dealer signs in."""
        return session.person.role is Role.DEALER

    def has_dealer(self, is_over: Callable[[Session], bool]) -> bool:
        """Whether the dealer beneath is still signed in."""
        return self.dealer is not None and not is_over(self.dealer)


class SessionStore:
    """The sessions of one page; `stands` says whether somebody is still enrolled. Time is that of `clock`.

    `began` is told of every sign-in before anything can be entered with it, `ended` of whoever signs out by their own
    word; `idle`: seconds after which who touches nothing is signed out. `deciding`: after so many the floor types the
    PIN again before it changes anything (`None`: never), and over a dealer it is signed out.
    """

    def __init__(
        self,
        stands: Callable[[AuthenticatedPerson], bool],
        clock: Callable[[], float] = time.monotonic,
        *,
        began: Callable[[AuthenticatedPerson], None] = lambda _person: None,
        ended: Callable[[AuthenticatedPerson], None] = lambda _person: None,
        idle: Mapping[Role, float] = IDLE_TIMEOUT_S_BY_ROLE,
        deciding: float | None = DECIDING_TIMEOUT_S,
    ) -> None:
        self._is_still_enrolled = stands
        self._on_signed_in = began
        self._on_signed_out = ended
        self._clock = clock
        self._idle_timeout_s_by_role = idle
        self._deciding_timeout_s = deciding
        self._browser_by_token_hash: dict[str, _Browser] = {}
        self._lock = threading.Lock()

    def begin(self, person: AuthenticatedPerson, old_token: str | None) -> str:
        """Sign somebody in; return the token for the browser, whose `old_token` is worth nothing from now on."""
        with self._lock:
            browser = copy(self._find_browser(old_token) or _Browser())  # as it was, if nobody can be told
            now = self._clock()
            self._tell(browser.sign_in(Session(person, secrets.token_urlsafe(32), now, now, now)), person)
            self._browser_by_token_hash.pop(_hash_token(old_token), None)
            return self._store(browser)

    def end(self, token: str | None) -> str | None:
        """Sign out; return the token of whoever is signed in beneath, or `None`."""
        with self._lock:
            browser = self._find_browser(token)
            if browser is None or browser.session is None:
                return None
            person = browser.session.person
            self._tell(browser.leave("signed_out", self._is_over), person)
            del self._browser_by_token_hash[_hash_token(token)]
            return None if browser.session is None else self._store(browser)

    def find(self, token: str | None) -> Session | None:
        """Look up who is signed in on the browser that sends this token."""
        with self._lock:
            browser = self._find_browser(token)
            return None if browser is None else browser.session

    def is_active(self, session: Session) -> bool:
        """Whether a session is not over, for what is done or told long after its request."""
        with self._lock:
            return not self._is_over(session) and any(
                session is one for browser in self._browser_by_token_hash.values() for one in browser.sessions
            )

    def touch(self, session: Session) -> None:
        """Somebody did something: the idle time begins anew."""
        session.last_active_at = self._clock()
        if self.is_confirmed(session):
            session.confirmed_at = session.last_active_at

    def is_confirmed(self, session: Session) -> bool:
        """Whether this person may change something without typing the PIN again."""
        if self._deciding_timeout_s is None or session.person.role is not Role.FLOOR:
            return True
        return self._clock() - session.confirmed_at < self._deciding_timeout_s

    def get_remaining_s(self, session: Session) -> float:
        """In how many seconds this sign-in ends unless something is touched."""
        now = self._clock()
        role = session.person.role
        timeout_s = self._idle_timeout_s_by_role[role]
        if session.is_over_dealer and role is Role.FLOOR and self._deciding_timeout_s is not None:
            timeout_s = min(timeout_s, self._deciding_timeout_s)
        idle = session.last_active_at + timeout_s - now
        return min(idle, session.started_at + MAX_SESSION_DURATION_S - now)

    def _tell(self, change: SignInChange | None, person: AuthenticatedPerson) -> None:
        if change is SignInChange.SIGNED_IN:
            self._on_signed_in(person)
        elif change is SignInChange.SIGNED_OUT:
            self._on_signed_out(person)

    def _store(self, browser: _Browser) -> str:
        browsers = self._browser_by_token_hash
        for key in [key for key, kept in browsers.items() if all(map(self._is_over, kept.sessions))]:
            del browsers[key]
        if len(browsers) >= MAX_SESSIONS:
            del browsers[min(browsers, key=lambda key: browsers[key].sessions[0].last_active_at)]
        token = secrets.token_urlsafe(32)
        browsers[_hash_token(token)] = browser
        return token

    def _find_browser(self, token: str | None) -> _Browser | None:
        """Look up the browser that has this token; whoever is over there is signed out first."""
        browser = self._browser_by_token_hash.get(_hash_token(token))
        if browser is not None and browser.session is not None and self._is_over(browser.session):
            browser.leave("ran_out", self._is_over)
        return browser

    def _is_over(self, session: Session) -> bool:
        person = session.person
        if self.get_remaining_s(session) <= 0:
            return True
        while not self._is_still_enrolled(person):
            if session.person is person:
                return True
            person = session.person  # the PIN was changed on this page meanwhile
        return False


def _hash_token(token: str | None) -> str:
    return hashlib.sha256((token or "").encode("utf-8", "surrogatepass")).hexdigest()
