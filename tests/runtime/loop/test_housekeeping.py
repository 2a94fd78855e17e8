"""What the loop looks at now and then, and how often."""

from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.faults.self_check import LOW_FREE_BYTES
from controller.runtime.journal.journal import Journal
from controller.runtime.loop.certificate_watch import CHECK_INTERVAL_S
from controller.runtime.loop.housekeeping import MACHINE_CHECK_INTERVAL_S
from controller.runtime.loop.loop_parts import LoopParts
from tests.runtime.loop.test_loop import Table3

AWAY = Notice(NoticeCode.ROOM_UNREACHABLE, "uplink", "The room has not been reached.")


def list_notices(three: Table3) -> list[NoticeCode]:
    return [notice.code for notice in three.standings[-1].notices]


def test_disk_and_room_are_looked_at_every_ten_seconds_and_what_is_new_is_shown_at_once(journal: Journal) -> None:
    asked: list[float] = []

    def count_free() -> int:
        asked.append(three.now)
        return LOW_FREE_BYTES

    news: list[Notice | None] = [AWAY, None]
    parts = LoopParts(find_free_bytes=count_free, poll_room_link=lambda: news.pop() if news else None)
    three = Table3(journal, parts=parts)
    begun, shown = three.now, len(three.standings)
    for _ in range(4):
        three.loop.on_tick(three.now)
        three.loop.on_tick(three.now + MACHINE_CHECK_INTERVAL_S - 0.1)
        three.now += MACHINE_CHECK_INTERVAL_S
    assert asked == [begun + step * MACHINE_CHECK_INTERVAL_S for step in range(4)]
    assert (list_notices(three), len(three.standings)) == ([NoticeCode.ROOM_UNREACHABLE], shown + 1)


def test_a_certificate_that_ends_is_shown_when_it_is_looked_at_and_once(journal: Journal) -> None:
    left: list[tuple[str, bool] | None] = [("ends in 3 days", False), ("ended", True)]
    three = Table3(journal, parts=LoopParts(check_certificate=lambda: left[0]))
    for _ in range(2):
        three.loop.on_tick(three.now)
    assert list_notices(three) == [NoticeCode.CERTIFICATE_EXPIRES]
    del left[0]
    three.now += CHECK_INTERVAL_S
    three.loop.on_tick(three.now)
    assert list_notices(three) == [NoticeCode.CERTIFICATE_EXPIRES] * 2
    assert [fault.code for fault in three.standings[-1].faults] == ["certificate-ended"]
