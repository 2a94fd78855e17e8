"""The notices that a page shows: the newest few, each logged and counted when it comes."""

import logging
from collections import deque
from collections.abc import Collection

from controller.core.protocol.events import CardDealt
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.processed_entry import ProcessedEntry

MAX_NOTICES = 8
"""Of those about cards that were shown as of all others."""

YIELDING_CODES = (NoticeCode.SHOWN_IN_TURN, NoticeCode.SHOWN_OUT_OF_TURN)
"""Notices of shown cards that make room for others, these before those."""

log = logging.getLogger(__name__)


class NoticeBoard:
    """The notices of one run; `shoe_devices` are the devices that are a sensor of a shoe."""

    def __init__(self, shoe_devices: Collection[str], meter: Meter | None) -> None:
        self._shoe_devices = shoe_devices
        self._meter = meter
        self._notices: deque[Notice] = deque(maxlen=MAX_NOTICES)
        self._disclosures: list[Notice] = []

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The newest first; after all others those about cards that were shown, which no other pushes out."""
        return (*self._notices, *self._disclosures)

    def post(self, notice: Notice) -> None:
        """Log, count and keep a notice."""
        log.warning("%s: %s", notice.device, notice.text)
        if self._meter is not None:
            self._meter.on_notice(notice)
        self.keep(notice)

    def keep(self, notice: Notice) -> None:
        """Keep a notice that was logged already and is not counted."""
        self._notices.appendleft(notice)

    def keep_disclosure(self, notice: Notice, *, is_loud: bool = False) -> None:
        """Keep a notice about cards that were shown, for the floor; log and count it where it `is_loud`."""
        if is_loud:
            log.warning("%s: %s", notice.device, notice.text)
            if self._meter is not None:
                self._meter.on_notice(notice)
        self._disclosures.insert(0, notice)
        if len(self._disclosures) > MAX_NOTICES:
            codes = [each.code for each in self._disclosures]
            yielding = next((code for code in YIELDING_CODES if code in codes), codes[-1])
            del self._disclosures[max(at for at, code in enumerate(codes) if code is yielding)]

    def on_entry(self, processed: ProcessedEntry) -> None:
        """Say that a card left the shoe unread, and forget that the gate was held shut when it is shut by right."""
        if processed.error is None and not processed.outcome.gate_open:
            self._drop_gate_notices()
        event, source = processed.event, processed.source
        if (
            isinstance(event, CardDealt)
            and event.card is None
            and not event.is_foreign
            and source in self._shoe_devices
        ):
            self.post(Notice(NoticeCode.CARD_UNREAD, source, "A card left the shoe unread."))

    def _drop_gate_notices(self) -> None:
        if any(notice.code is NoticeCode.GATE_HELD for notice in self._notices):
            kept = [notice for notice in self._notices if notice.code is not NoticeCode.GATE_HELD]
            self._notices.clear()
            self._notices.extend(kept)
