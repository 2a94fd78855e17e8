"""What is worth telling between two looks at the table. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controller.announcer.observed import Observed


@dataclass(frozen=True, slots=True)
class Announcement:
    """One event, of a kind of `config.announcer_file.EVENTS`, with what is told of it."""

    kind: str
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Mark:
    """How far things are told: what the next look is held against. Kept over a restart, in the form of `as_json`."""

    in_play: int | None = None
    told: tuple[object, ...] = ()
    """The rulings that were told last."""
    carried_out: bool = True
    faults: tuple[str, ...] = ()
    floor_called: bool = False
    is_lost: bool = False
    is_first: bool = True
    """Nothing has been seen yet: what was before is nobody's news."""

    def as_json(self) -> dict[str, Any]:
        """The mark as JSON holds it."""
        return {
            "in_play": self.in_play,
            "told": self.told,
            "carried_out": self.carried_out,
            "faults": self.faults,
            "floor_called": self.floor_called,
            "is_lost": self.is_lost,
            "is_first": self.is_first,
        }

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> "Mark":
        """The mark of what `as_json` gave; raises `KeyError` and `TypeError`."""
        return cls(
            in_play=value["in_play"],
            told=_frozen(value["told"]),
            carried_out=value["carried_out"],
            faults=tuple(value["faults"]),
            floor_called=value["floor_called"],
            is_lost=value["is_lost"],
            is_first=value["is_first"],
        )


@dataclass(slots=True)
class _Found:
    look: Observed
    announcements: list[Announcement] = field(default_factory=list)

    def add(self, kind: str, **data: object) -> None:
        there = {"hand": self.look.hand, "game": self.look.game, "rulebook": self.look.rulebook, "mode": self.look.mode}
        self.announcements.append(Announcement(kind, {**there, **data}))


def announcements(mark: Mark, look: Observed) -> tuple[Mark, list[Announcement]]:
    """Say what is new since `mark`, in the order in which it is told, and the mark from now on."""
    found = _Found(look)
    if mark.is_lost:
        found.add("table.back")
    if mark.in_play is not None and mark.in_play != look.in_play:
        found.add("hand.over", hand=mark.in_play)
    if look.in_play is not None and look.in_play != mark.in_play and not mark.is_first:
        found.add("hand.started")
    told = (look.ruled_in, *(_frozen(list(ruling.to_json().values())) for ruling in look.rulings))
    again = mark.carried_out and not look.carried_out  # the same ruling twice in a hand: its steps are to be done anew
    if look.rulings and not mark.is_first and (told != mark.told or again):
        for ruling in look.rulings:
            found.add("ruling.made", **{**ruling.to_json(), "hand": look.ruled_in})
    for code in look.faults:
        if code not in mark.faults:
            found.add("fault.raised", code=code)
    for code in mark.faults:
        if code not in look.faults:
            found.add("fault.cleared", code=code)
    if look.floor_called != mark.floor_called:
        found.add("floor.called" if look.floor_called else "floor.came")
    now = Mark(look.in_play, told, look.carried_out, look.faults, look.floor_called, is_first=False)
    return now, found.announcements


def loss(mark: Mark) -> tuple[Mark, list[Announcement]]:
    """Say that the table does not answer, once."""
    if mark.is_lost:
        return mark, []
    return replace(mark, is_lost=True), [Announcement("table.lost", {})]


def _frozen(value: object) -> Any:  # noqa: ANN401 (whatever JSON held)
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
