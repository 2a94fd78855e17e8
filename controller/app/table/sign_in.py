"""Lets people in at the page: the staff's file, their sessions, and the one-time code of a first start."""

import ipaddress
import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from nacl.signing import VerifyKey

from config.table_file import PageSection
from controller.runtime.journal.database import DatabaseError
from controller.runtime.loop.certificate_watch import Certificate
from controller.runtime.loop.standing import LIVE
from controller.runtime.staff.admission import NotAdmitted
from controller.runtime.staff.staff import SignedIn, Staff, readable
from controller.runtime.staff.tokens import Tokens
from controller.runtime.state_directory import STAFF_FILE, TOKENS_FILE
from controller.web.access.door import Door
from controller.web.access.sessions import Sessions
from controller.web.serving.certificate import SOON, trouble
from controller.web.serving.tls import Tls

log = logging.getLogger(__name__)


def open_entrance(
    stack: ExitStack,
    directory: Path,
    page: PageSection,
    bound: socket.socket,
    mode: str,
    *,
    began: Callable[[SignedIn], None] = lambda _person: None,
    ended: Callable[[SignedIn], None] = lambda _person: None,
    room: bytes | None = None,
) -> "Entrance":
    """Open the staff's file for a page that is served at `bound`; `began` is told of sign-ins, `ended` of sign-outs.

    Whom another room enrolled than the one with the key `room` is let in no more. Raises `DatabaseError`.
    """
    staff = Staff(directory / STAFF_FILE)
    stack.callback(staff.close)
    try:
        staff.trust_room(None if room is None else VerifyKey(room))
    except NotAdmitted as why:
        raise DatabaseError(why.message) from None
    tokens = Tokens(directory / TOKENS_FILE)
    stack.callback(tokens.close)
    near = ipaddress.ip_address(str(bound.getsockname()[0])).is_loopback
    sessions = Sessions(staff.stands, began=began, ended=ended)
    door = Door(sessions, showroom=mode != LIVE and near, plain=page.plain, tokens=tokens)
    return Entrance(staff, door)


def tls_of(page: PageSection) -> Tls | None:
    """Return the files of TLS that the configuration names; raises `TlsError` when they cannot be used."""
    if page.certificate is None or page.key is None:
        return None
    tls = Tls(page.certificate, page.key)
    tls.check()
    return tls


def certificate_of(page: PageSection, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Certificate | None:
    """Return what says that the page's certificate ends soon or has ended; `None` for a page without one."""
    if page.certificate is None:
        return None
    path = page.certificate

    def said() -> tuple[str, bool] | None:
        now = clock()
        try:
            ended = trouble(path, now)
            soon = ended or trouble(path, now, within=SOON)
        except (OSError, ValueError):  # it was good at the start, and is being exchanged
            return None
        return None if soon is None else (soon, ended is not None)

    return said


class Entrance:
    """The staff and the door of one page."""

    def __init__(self, staff: Staff, door: Door) -> None:
        self.staff = staff
        self.door = door

    def announce(self, url: str) -> None:
        """Say who gets in; where nobody is enrolled yet, make the code with which the first person enrols."""
        if self.door.showroom:
            log.info("a simulated table on this machine: every page is open, nobody signs in")
        elif not self.staff.people():
            code = readable(self.staff.one_time_code())
            log.warning(
                "nobody is enrolled here: with the one-time code %s the first person enrols, best a technician, at "
                "%ssign-in or by `tablectl staff add`",
                code,
                url,
            )
