"""Lets people in at the page: the staff's file, their sessions, and the one-time code of a first start."""

import ipaddress
import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from nacl.signing import VerifyKey

from config.table_file import PageSection
from controller.runtime.loop.certificate_watch import CertificateCheck
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.permissions import IDLE_TIMEOUT_S_BY_ROLE, Role
from controller.runtime.staff.staff_store import AuthenticatedPerson, StaffStore, format_code
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.revision_counter import ACCEPT_REMEDY
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import STAFF_FILE, TOKENS_FILE
from controller.wall_clock import read_wall_clock
from controller.web.access.authenticator import Authenticator
from controller.web.access.session_store import SessionStore
from controller.web.serving.certificate_validity import EXPIRY_WARNING_PERIOD, find_expiry_problem
from controller.web.serving.tls import Tls

log = logging.getLogger(__name__)


def open_page_access(
    stack: ExitStack,
    directory: Path,
    page: PageSection,
    bound: socket.socket,
    mode: str,
    *,
    began: Callable[[AuthenticatedPerson], None] = lambda _person: None,
    ended: Callable[[AuthenticatedPerson], None] = lambda _person: None,
    room: bytes | None = None,
) -> "PageAccess":
    """Open the staff's file for a page that is served at `bound`; `began` is told of sign-ins, `ended` of sign-outs.

    Whom another room enrolled than the one with the key `room` is let in no more. Raises `DatabaseError`.
    """
    staff = StaffStore(directory / STAFF_FILE)
    stack.callback(staff.close)
    try:
        staff.trust_room(None if room is None else VerifyKey(room))
        staff.list_people()  # what is wrong with the file is said now
    except AdmissionError as why:
        raise DatabaseError(why.message) from None
    tokens = TokenStore(directory / TOKENS_FILE)
    stack.callback(tokens.close)
    try:
        tokens.list_tokens()  # what is wrong with the file is said now, and not to whoever comes with one
    except AdmissionError as why:
        raise DatabaseError(why.message) from None
    near = ipaddress.ip_address(str(bound.getsockname()[0])).is_loopback
    idle = {**IDLE_TIMEOUT_S_BY_ROLE, Role.FLOOR: page.floor_minutes * 60.0}
    sessions = SessionStore(staff.is_still_enrolled, began=began, ended=ended, idle=idle)
    door = Authenticator(
        sessions, is_demo=mode != LIVE and near, allows_plain_http=page.allows_plain_http, tokens=tokens
    )
    return PageAccess(staff, tokens, door)


def load_tls(page: PageSection) -> Tls | None:
    """Return the files of TLS that the configuration names; raises `TlsError` when they cannot be used."""
    if page.certificate is None or page.private_key is None:
        return None
    tls = Tls(page.certificate, page.private_key)
    tls.check()
    return tls


def make_certificate_watch(
    page: PageSection, clock: Callable[[], datetime] = read_wall_clock
) -> CertificateCheck | None:
    """Return what says that the page's certificate ends soon or has ended; `None` for a page without one."""
    if page.certificate is None:
        return None
    path = page.certificate

    def find_certificate_problem() -> tuple[str, bool] | None:
        now = clock()
        try:
            ended = find_expiry_problem(path, now)
            soon = ended or find_expiry_problem(path, now, within=EXPIRY_WARNING_PERIOD)
        except (OSError, ValueError):  # it was good at the start, and is being exchanged
            return None
        return None if soon is None else (soon, ended is not None)

    return find_certificate_problem


class PageAccess:
    """The staff, the tokens and the door of one page."""

    def __init__(self, staff: StaffStore, tokens: TokenStore, door: Authenticator) -> None:
        self.staff = staff
        self.tokens = tokens
        self.authenticator = door

    def announce(self, url: str) -> None:
        """Say who gets in; where nobody is enrolled yet, make the code with which the first person enrols."""
        if self.authenticator.is_demo:
            log.info("a simulated table on this machine: every page is open, nobody signs in")
        elif (trouble := self.staff.find_trouble()) is not None:
            log.error("%s %s; %s", self.staff.path, trouble, ACCEPT_REMEDY)
        elif not self.staff.list_people():
            code = format_code(self.staff.make_one_time_code())
            log.warning(
                "nobody is enrolled here: with the one-time code %s the first person enrols, best a technician, at "
                "%ssign-in or by `tablectl staff add`",
                code,
                url,
            )
