"""What this process says of a failure: where it was, and no value.

The message of an exception may hold a card (`KeyError: 'Qd'`), and so may the local variables that a tool prints beside
a traceback. So every way in which Python reports what nobody has caught says the class and the place alone.
"""

import logging
import sys
import threading
from collections.abc import Iterable
from traceback import format_tb
from types import TracebackType

log = logging.getLogger(__name__)


def install_crash_log(handlers: Iterable[logging.Handler] | None = None) -> None:
    """Report failures without values from now on: in threads, in destructors, in the log, at the end.

    `handlers` are those of the log; by default the root's.
    """
    sys.excepthook = _on_uncaught
    threading.excepthook = _on_uncaught_in_thread
    sys.unraisablehook = _on_unraisable
    logging.raiseExceptions = False  # else a record that cannot be written is printed with its arguments
    for handler in logging.getLogger().handlers if handlers is None else handlers:
        handler.addFilter(_strip_values)


def describe_failure(failure: BaseException) -> str:
    """Say what failed and where, without any value."""
    trace = failure.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" in {trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}"
    return type(failure).__name__ + place


def format_traceback(failure: BaseException) -> str:
    """Write a traceback without messages: of the failure, and of what it came from."""
    parts: list[str] = []
    seen = set[int]()
    following: BaseException | None = failure
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        parts.append("".join(format_tb(following.__traceback__)) + describe_failure(following))
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)
    return "\nwhile this was dealt with:\n".join(reversed(parts))


def _on_uncaught(_kind: type[BaseException], failure: BaseException, _trace: TracebackType | None) -> None:
    log.critical("the program failed: %s", format_traceback(failure))


def _on_uncaught_in_thread(failed: threading.ExceptHookArgs) -> None:
    name = "a thread" if failed.thread is None else f"the thread {failed.thread.name}"
    log.critical("%s failed: %s", name, "" if failed.exc_value is None else format_traceback(failed.exc_value))


def _on_unraisable(failed: "sys.UnraisableHookArgs") -> None:
    log.error(
        "a failure that nobody can catch: %s", "" if failed.exc_value is None else format_traceback(failed.exc_value)
    )


def _strip_values(record: logging.LogRecord) -> bool:
    """Put the places of a record's exception in the place of its traceback."""
    failure = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if failure is not None:
        record.exc_text = format_traceback(failure)
        record.exc_info = None
    record.stack_info = None
    return True
