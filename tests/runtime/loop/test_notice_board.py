"""The notices that a page shows, against a list of all that came: the newest, and those of shown cards kept apart."""

from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.loop.notice_board import MAX_NOTICES, NoticeBoard
from controller.runtime.loop.processed_entry import ProcessedEntry
from drivers.contract.driver_interface import DeviceEvent

PLAIN = st.sampled_from((NoticeCode.KEY_STUCK, NoticeCode.GATE_HELD, NoticeCode.NO_EDGE))
DISCLOSED = st.sampled_from(
    (
        *(NoticeCode.SHOWN_IN_TURN, NoticeCode.SHOWN_OUT_OF_TURN),
        *(NoticeCode.CARDS_TURNED_UP, NoticeCode.SHOWING_TAKEN_BACK),
    )
)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(("post", "keep")), PLAIN),
        st.tuples(st.sampled_from(("loud", "quiet")), DISCLOSED),
        st.tuples(st.just("gate"), PLAIN),
    ),
    max_size=40,
)


class Counter:
    """Counts notices alone."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def on_notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    def on_device_event(self, event: DeviceEvent) -> None: ...

    def on_entry(self, processed: ProcessedEntry, seconds: float) -> None: ...

    def on_entry_refused(self, code: str) -> None: ...

    def on_commit(self, seconds: float) -> None: ...


def yield_one(disclosed: list[Notice]) -> None:
    """Take away which of too many notices of shown cards is worth the least: the oldest of the most harmless kind."""
    for code in (NoticeCode.SHOWN_IN_TURN, NoticeCode.SHOWN_OUT_OF_TURN, disclosed[-1].code):
        oldest = [notice for notice in disclosed if notice.code is code][-1:]
        if oldest:
            disclosed.remove(oldest[0])
            return


@given(ACTS)
def test_the_board_shows_the_newest_of_all_and_the_worst_of_shown_cards(acts: list[tuple[str, NoticeCode]]) -> None:
    counter = Counter()
    board = NoticeBoard((), counter)
    plain: list[Notice] = []
    disclosed: list[Notice] = []
    counted: list[Notice] = []
    for number, (act, code) in enumerate(acts):
        notice = Notice(code, "shoe", str(number), seat=number)
        match act:
            case "post":
                board.post(notice)
            case "keep":
                board.keep(notice)
            case "gate":
                board._drop_gate_notices()
            case _:
                board.keep_disclosure(notice, is_loud=act == "loud")
        if act in ("post", "loud"):
            counted.append(notice)
        if act in ("post", "keep"):
            plain = [notice, *plain][:MAX_NOTICES]
        elif act == "gate":
            plain = [each for each in plain if each.code is not NoticeCode.GATE_HELD]
        else:
            disclosed.insert(0, notice)
            if len(disclosed) > MAX_NOTICES:
                yield_one(disclosed)
        assert board.notices == (*plain, *disclosed)
    assert counter.notices == counted


def test_a_notice_without_a_meter_and_without_a_seat() -> None:
    board = NoticeBoard((), None)
    board.post(Notice(NoticeCode.NO_EDGE, "shoe", "?"))
    board.keep_disclosure(Notice(NoticeCode.CARDS_TURNED_UP, "floor", "!", seat=3), is_loud=True)
    assert [notice.to_json() for notice in board.notices] == [
        {"code": "no-edge", "device": "shoe", "text": "?"},
        {"code": "shown-turned-up", "device": "floor", "text": "!", "seat": 3},
    ]
