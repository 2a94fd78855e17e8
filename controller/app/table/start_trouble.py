"""A start that a full disk, a disk that is only read, or a stranger's lock keeps from going on: said, and waited out.

The program stays: where the table's page will be, a page says what is wrong and what to do, and as soon as the trouble
is gone the table is started. No pin is touched meanwhile, so the gate is where its resistors hold it; whoever watches
the program is fed while the page turns.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from config.language_file import load_language
from config.table_file import PageSection
from controller.app.table.page_access import load_tls
from controller.runtime.service.systemd_notifier import STOPPING, SystemdNotifier
from controller.runtime.service.watchdog import Watchdog
from controller.runtime.staff.admission import RefusalCode
from controller.runtime.storage.file_holders import has_writer
from controller.runtime.storage.storage_trouble import StorageTrouble, describe_trouble, find_trouble, has_room
from controller.web.pages.start_trouble_page import make_start_trouble_app
from controller.web.serving.listener import list_host_names, listen
from controller.web.serving.page_server import PageServer

CHECK_INTERVAL_S = 1.0
"""How often it is looked whether the trouble is gone."""

MIN_WAIT_S, MAX_WAIT_S = 2.0, 60.0
"""How long one start is from the next: each that fails again waits twice as long, so that none wears the disk."""

log = logging.getLogger(__name__)


class StartTroubleError(Exception):
    """A start could not use `directory`, and that may pass; the message is one sentence about a file."""

    def __init__(self, trouble: StorageTrouble, directory: Path, message: str) -> None:
        """Keep the parts."""
        super().__init__(message)
        self.trouble = trouble
        self.directory = directory


@contextmanager
def report_start_trouble(directory: Path) -> Iterator[None]:
    """Turn what the disk of `directory`, or whoever holds a file in it, keeps from being done into the error for it."""
    try:
        yield
    except Exception as why:
        trouble = find_trouble(why, directory)
        if trouble is None:
            raise
        raise StartTroubleError(trouble, directory, _describe(why, trouble, directory)) from why


class _NoStreams:
    """The page has no stream that would have to be closed."""

    def close(self) -> None:
        """End nothing."""


@dataclass(slots=True)
class StartTroubleWait:
    """Waits until a start can be tried again; `stop` ends it, from any thread or signal handler.

    `port` is that of the page, instead of the one in `page`.
    """

    page: PageSection
    port: int | None
    notifier: SystemdNotifier
    clock: Callable[[], float] = monotonic
    stop_reason: str | None = None
    trouble: StartTroubleError | None = None
    """What keeps the table from starting; it is to be waited out once all that the start has opened is closed."""
    _stopped: threading.Event = field(default_factory=threading.Event)
    _next_wait_s: float = MIN_WAIT_S

    def stop(self, why: str) -> None:
        """Wait no longer, and start nothing more."""
        self.stop_reason = why
        self._stopped.set()

    def notify_end(self) -> None:
        """Tell the service manager that the program ends, where it does not wait."""
        if self.trouble is None:
            self.notifier.send(STOPPING)

    def wait_out(self) -> None:
        """Show what is wrong until it is gone, or until `stop`.

        Raises `PageError`, `TlsError` and `ConfigError` where there can be no page either.
        """
        error, self.trouble = self.trouble, None
        assert error is not None
        log.error("the table cannot start: %s", error)
        with closing(self._serve(error)) as server:
            log.error("%s says so, and the table starts by itself when it can", server.url)
            watchdog = Watchdog(self.notifier, [server])
            watchdog.set_status(f"cannot start: {error}")
            earliest = self.clock() + self._next_wait_s
            self._next_wait_s = min(2 * self._next_wait_s, MAX_WAIT_S)
            while not self._stopped.wait(CHECK_INTERVAL_S):
                now = self.clock()
                watchdog.on_loop_round(now)
                if now >= earliest and is_trouble_gone(error):
                    log.warning("the table is started again")
                    return
            self.notify_end()

    def _serve(self, error: StartTroubleError) -> "_ClosingPageServer":
        bound = listen(self.page.host, self.page.port if self.port is None else self.port)
        app = make_start_trouble_app(
            RefusalCode(error.trouble.value),
            str(error),
            list_host_names(bound, self.page.names),
            load_language(self.page.language),
        )
        server = _ClosingPageServer(app, bound, _NoStreams(), load_tls(self.page))
        server.start()
        return server


class _ClosingPageServer(PageServer):
    def close(self) -> None:
        """Stop serving."""
        self.end()


def is_trouble_gone(error: StartTroubleError) -> bool:
    """Whether it is worth while to start again."""
    if error.trouble is not StorageTrouble.HELD:
        return has_room(error.directory)
    return not any(map(has_writer, error.directory.glob("*.sqlite")))


def _describe(error: Exception, trouble: StorageTrouble, directory: Path) -> str:
    """Name the file, what is wrong with it and what to do, where the error's own words do not."""
    text = str(error)
    remedy = describe_trouble(trouble, directory)
    if remedy.partition(":")[0].partition(" (")[0] in text:
        return text
    place = getattr(error, "filename", None) or directory
    return f"{place}: {remedy}"
