"""What the core raises.

TableError
└── Refused      the event does not fit the table as it stands; nothing has changed

A misbehaving player is never an exception: that is an event with a ruling. Bad bytes are values of the drivers.
"""


class TableError(Exception):
    """Anything that the core raises on purpose."""


class Refused(TableError):
    """An event that the table cannot take; its state is exactly what it was.

    `code` is stable and listed in `docs/errors.md`; `message` says what was wrong and what would have been accepted.
    """

    def __init__(self, code: str, message: str) -> None:
        """Keep both parts; the exception's text is the message."""
        super().__init__(message)
        self.code = code
        self.message = message

    def prepend_place(self, place: str) -> "Refused":
        """The same refusal, which says first what it is about."""
        return type(self)(self.code, f"{place}: {self.message}")
