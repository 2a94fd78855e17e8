"""The broadcast of a running table: its studio, its routes, and the agreement on its delay."""

from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute

from controller.app.table.broadcast.delays import Delays
from controller.app.table.broadcast.studio import Studio
from controller.app.table.session import program_version
from controller.runtime.broadcast.release import Release
from controller.runtime.loop.loop import Loop
from controller.runtime.staff.signature import By, JournalPosition
from controller.runtime.staff.staff import Person
from controller.web.access.door import Door
from controller.web.pages.broadcast_page import BroadcastPage
from controller.web.serving.hub import Hub


class Broadcast:
    """Outlives the sessions of a table; `loop` is the one that runs now, `place` where its journal is.

    `people`: who is enrolled.
    """

    def __init__(
        self,
        hub: Hub,
        loop: Callable[[], Loop | None],
        place: Callable[[], JournalPosition],
        people: Callable[[], Sequence[Person]],
    ) -> None:
        self._loop = loop
        self._release: Release | None = None
        self._studio = Studio(program_version())
        self._studio.start()
        self._delays = Delays(self._agreed, self._holds, lambda: hub.entry, place, people)

    def release(self) -> Release:
        """Make what lets the cards of a session go."""
        self._release = Release(self._studio.send)
        return self._release

    def routes(self, door: Door) -> Sequence[BaseRoute]:
        """Return the routes of the page."""
        return BroadcastPage(self._studio.air, self._delays, door).routes()

    def end(self) -> None:
        """End the show."""
        self._studio.end()

    def _holds(self) -> int | None:
        return None if self._release is None else self._release.delay

    def _agreed(self, delay: int | None, by: tuple[By, ...]) -> bool:
        loop = self._loop()
        return loop is not None and loop.delay_broadcast(delay, by)
