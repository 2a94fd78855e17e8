"""What is worth telling between two looks at the table. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.announcer.observed_table import ObservedTable


@dataclass(frozen=True, slots=True)
class Announcement:
    """One event, of a kind of `config.announcer_file.WEBHOOK_EVENTS`, with what is told of it."""

    kind: str
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AnnouncerMark:
    """How far things are told: what the next look is held against. Kept over a restart, in the form of `to_json`."""

    hand_in_progress: int | None = None
    announced_rulings: tuple[object, ...] = ()
    """The rulings that were told last."""
    remedy_done: bool = True
    faults: tuple[str, ...] = ()
    floor_called: bool = False
    is_table_lost: bool = False
    is_first: bool = True
    """Nothing has been seen yet: what was before is nobody's news."""

    def to_json(self) -> dict[str, Any]:
        """The mark as JSON holds it."""
        return {
            "in_play": self.hand_in_progress,
            "told": self.announced_rulings,
            "carried_out": self.remedy_done,
            "faults": self.faults,
            "floor_called": self.floor_called,
            "is_lost": self.is_table_lost,
            "is_first": self.is_first,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "AnnouncerMark":
        """The mark of what `to_json` gave; raises `KeyError` and `TypeError`."""
        return cls(
            hand_in_progress=value["in_play"],
            announced_rulings=_freeze_lists(value["told"]),
            remedy_done=value["carried_out"],
            faults=tuple(value["faults"]),
            floor_called=value["floor_called"],
            is_table_lost=value["is_lost"],
            is_first=value["is_first"],
        )


@dataclass(slots=True)
class _AnnouncementList:
    observed_table: ObservedTable
    announcements: list[Announcement] = field(default_factory=list)

    def add(self, kind: str, **data: object) -> None:
        there = {
            "hand": self.observed_table.hand_number,
            "game": self.observed_table.game,
            "rulebook": self.observed_table.rulebook,
            "mode": self.observed_table.mode,
        }
        self.announcements.append(Announcement(kind, {**there, **data}))


def find_announcements(mark: AnnouncerMark, look: ObservedTable) -> tuple[AnnouncerMark, list[Announcement]]:
    """Say what is new since `mark`, in the order in which it is told, and the mark from now on."""
    found = _AnnouncementList(look)
    if mark.is_table_lost:
        found.add("table.back")
    if mark.hand_in_progress is not None and mark.hand_in_progress != look.hand_in_progress:
        found.add("hand.over", hand=mark.hand_in_progress)
    if look.hand_in_progress is not None and look.hand_in_progress != mark.hand_in_progress and not mark.is_first:
        found.add("hand.started")
    told = (look.rulings_hand, *(_freeze_lists(list(ruling.to_json().values())) for ruling in look.rulings))
    again = mark.remedy_done and not look.remedy_done  # the same ruling twice in a hand: its steps are to be done anew
    if look.rulings and not mark.is_first and (told != mark.announced_rulings or again):
        for ruling in look.rulings:
            found.add("ruling.made", **{**ruling.to_json(), "hand": look.rulings_hand})
    for code in look.fault_codes:
        if code not in mark.faults:
            found.add("fault.raised", code=code)
    for code in mark.faults:
        if code not in look.fault_codes:
            found.add("fault.cleared", code=code)
    if look.floor_called != mark.floor_called:
        found.add("floor.called" if look.floor_called else "floor.came")
    now = AnnouncerMark(
        look.hand_in_progress, told, look.remedy_done, look.fault_codes, look.floor_called, is_first=False
    )
    return now, found.announcements


def announce_loss(mark: AnnouncerMark) -> tuple[AnnouncerMark, list[Announcement]]:
    """Say that the table does not answer, once."""
    if mark.is_table_lost:
        return mark, []
    return replace(mark, is_table_lost=True), [Announcement("table.lost", {})]


def _freeze_lists(value: object) -> Any:  # noqa: ANN401 (whatever JSON held)
    return tuple(map(_freeze_lists, value)) if isinstance(value, list | tuple) else value
