"""A hand of hold'em that is played through, and what the table released of it."""

from collections.abc import Callable, Sequence
from typing import Any

from controller.core.model.table_state import TableState
from controller.records.broadcast.hand_frames import FilmedEntry
from controller.runtime.broadcast.card_release import CardRelease, EntryReleased, HandReleased, ReleaseItem
from tests.playing import ScriptedTable, play

DEAL = ("start", "card As Qh 7c Ks Qd 2d")
PLAYED = (
    "act 1 raise 6", "act 2 call", "act 3 fold", "card 9h Qs Js 2c", "act 2 check", "act 1 bet 10", "act 2 call",
    "card 9d Td", "act 2 check", "act 1 check", "card 9c 3d", "act 2 check", "act 1 check", "show 2", "show 1",
)  # fmt: skip


class BroadcastTable:
    """A table of three whose entries come a second apart, with its release."""

    def __init__(
        self,
        release: Callable[[Callable[[ReleaseItem], None]], CardRelease] = CardRelease,
        **line: Any,  # noqa: ANN401 - keys of the table line
    ) -> None:
        self.played: ScriptedTable = play("roberts-7", seats=3, **line)
        self.released: list[ReleaseItem] = []
        self.release = release(self.released.append)
        self.now = 0.0

    @property
    def state(self) -> TableState:
        return self.played.table.outcome.state

    def __call__(self, *lines: str | dict[str, object]) -> None:
        for line in lines:
            verb, *cards = line.split() if isinstance(line, str) else ("",)
            for one in [f"card {card}" for card in cards] if verb == "card" else [line]:
                self.now += 1
                timed = {**one, "t": self.now} if isinstance(one, dict) else one
                answer = self.played(timed)
                assert "error" not in answer, (one, answer["error"])
                self.release.on_entry(self.now, self.now, self.played.table.outcome, self.played.table.history)
                self.release.on_tick(self.now)

    def to_the_end(self) -> None:
        """Push the pots."""
        while self.state.plan:
            self("done")

    def hands(self) -> Sequence[HandReleased]:
        return [each for each in self.released if isinstance(each, HandReleased)]

    def released_entries(self) -> Sequence[EntryReleased]:
        return [each for each in self.released if isinstance(each, EntryReleased)]


def a_whole_hand(*before_cards: str, **line: Any) -> list[FilmedEntry]:  # noqa: ANN401 - keys of the table line
    """What is released of the hand when the next one has begun, a second between two entries."""
    shown = BroadcastTable(**line)
    shown(DEAL[0], *before_cards, *DEAL[1:], *PLAYED)
    shown.to_the_end()
    shown("start", "card 2h")
    (hand,) = shown.hands()
    return [entry._replace(table_time_s=float(place)) for place, entry in enumerate(hand.entries)]
