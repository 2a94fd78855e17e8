"""The broadcast of a running table: its studio, its routes, and the agreement on its delay."""

from collections.abc import Callable, Mapping, Sequence

from starlette.routing import BaseRoute

from controller.app.table.broadcast.broadcast_producer import BroadcastProducer
from controller.app.table.broadcast.delay_control import DelayControl
from controller.app.table.loop_gateway import LoopGateway
from controller.app.table.session_start import read_program_version
from controller.runtime.broadcast.card_release import CardRelease
from controller.runtime.staff.staff_store import Person
from controller.web.access.authenticator import Authenticator
from controller.web.pages.broadcast_page import BroadcastPage
from controller.web.publishing.page_state_hub import PageStateHub


class TableBroadcast:
    """Outlives the sessions of a table, whose loop `gateway` leads to.

    `people`: who is enrolled, `key_givers`: who let them in, as `DelayControl` has them.
    """

    def __init__(
        self,
        hub: PageStateHub,
        gateway: LoopGateway,
        people: Callable[[], Sequence[Person]],
        key_givers: Callable[[], Mapping[str, frozenset[str]]],
    ) -> None:
        self._card_release: CardRelease | None = None
        self._producer = BroadcastProducer(read_program_version(), find_language=lambda: hub.language)
        self._producer.start()
        self._delay_control = DelayControl(
            gateway.change_broadcast_delay,
            self._find_current_delay,
            lambda: hub.shown_entry,
            lambda: gateway.journal_position,
            people,
            key_givers,
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
