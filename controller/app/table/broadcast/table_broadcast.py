"""The broadcast of a running table: its studio, its routes, and the agreement on its delay."""

from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute

from controller.app.table.broadcast.broadcast_producer import BroadcastProducer
from controller.app.table.broadcast.delay_control import DelayControl
from controller.app.table.session_start import read_program_version
from controller.runtime.broadcast.card_release import CardRelease
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.staff_store import Person
from controller.web.access.authenticator import Authenticator
from controller.web.pages.broadcast_page import BroadcastPage
from controller.web.publishing.page_state_hub import PageStateHub


class TableBroadcast:
    """Outlives the sessions of a table; `loop` is the one that runs now, `place` where its journal is.

    `people`: who is enrolled.
    """

    def __init__(
        self,
        hub: PageStateHub,
        loop: Callable[[], TableLoop | None],
        place: Callable[[], JournalPosition],
        people: Callable[[], Sequence[Person]],
    ) -> None:
        self._loop = loop
        self._card_release: CardRelease | None = None
        self._producer = BroadcastProducer(read_program_version())
        self._producer.start()
        self._delay_control = DelayControl(
            self._apply_delay, self._find_current_delay, lambda: hub.shown_entry, place, people
        )

    def make_card_release(self) -> CardRelease:
        """Make what lets the cards of a session go."""
        self._card_release = CardRelease(self._producer.send)
        return self._card_release

    def routes(self, door: Authenticator) -> Sequence[BaseRoute]:
        """Return the routes of the page."""
        return BroadcastPage(self._producer.stream, self._delay_control, door).make_routes()

    def end(self) -> None:
        """End the show."""
        self._producer.end()

    def _find_current_delay(self) -> int | None:
        return None if self._card_release is None else self._card_release.delay_s

    def _apply_delay(self, delay: int | None, by: tuple[Signer, ...]) -> bool:
        loop = self._loop()
        return loop is not None and loop.change_broadcast_delay(delay, by)
