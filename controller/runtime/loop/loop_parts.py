"""What a loop may have besides its table, journal and devices: each of it may be missing, and in most tests is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.runtime.devices.workshop import Workshop
from controller.runtime.faults.notices import Notice
from controller.runtime.faults.self_check import SelfCheckRunner
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.loop.certificate_watch import CertificateCheck
from controller.runtime.loop.inbox import Inbox
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.processed_entry import EntryListener
from controller.runtime.loop.staff_watch import StaffWatch
from controller.runtime.loop.tournament_timer import TournamentTimer

if TYPE_CHECKING:  # a table without a broadcast does not load it
    from controller.runtime.broadcast.card_release import CardRelease


@dataclass(frozen=True, slots=True)
class LoopParts:
    """The parts that a loop works with. One that is missing is not asked or told anything."""

    inbox: Inbox = field(default_factory=Inbox)
    """The queue; given where its senders are made before the loop."""
    reopen_port: Callable[[str], None] = lambda _device: None
    """Opens the port of a device again that takes nothing any more."""
    timer: TournamentTimer = field(default_factory=TournamentTimer)
    self_check: SelfCheckRunner | None = None
    workshop: Workshop | None = None
    hand_index: HandIndex | None = None
    meter: Meter | None = None
    card_release: "CardRelease | None" = None
    """What lets hole cards go to a broadcast."""
    listeners: Sequence[EntryListener] = ()
    """Who else hears of every entry, after it was published (`entry_listeners`)."""
    find_free_bytes: Callable[[], int] | None = None
    """How many bytes are free for the journal; may raise `OSError`."""
    staff_watch: StaffWatch | None = None
    check_certificate: CertificateCheck | None = None
    poll_room_link: Callable[[], Notice | None] | None = None
    """What is new of the room."""
