"""What is heard: a ruling, the floor, what was taken back, the dealer's turn; nothing in the course of play."""

from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_display import Sound
from controller.runtime.devices.device_bus import DeviceBus, DeviceMap, build_signals
from controller.runtime.devices.sounds import choose_sound
from tests.records.simulated import Room

NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}


class Ear:
    """A table of three, and what is heard of it."""

    def __init__(self) -> None:
        seats = [{"seat": seat, "stack": 100} for seat in (1, 2, 4)]
        self.room = Room(3, rulebook="roberts-7", game="holdem", betting=NO_LIMIT, button=1, seats=seats)

    @property
    def table(self) -> Table:
        return self.room.table

    def enter_line(self, **line: object) -> Sound | None:
        return choose_sound(self.room.take(parse_line(line)))

    def card(self) -> Sound | None:
        return self.enter_line(ev="card", card=self.room.stub.pop())

    def deal_hole_cards(self) -> None:
        self.room.start()
        for _ in range(6):
            assert self.card() is None


def test_the_course_of_play_is_silent_but_for_the_dealers_turn() -> None:
    ear = Ear()
    ear.deal_hole_cards()
    assert [ear.enter_line(ev="act", seat=seat, do=do) for seat, do in ((1, "call"), (2, "call"))] == [None, None]
    assert ear.enter_line(ev="act", seat=4, do="check") is Sound.DUE
    assert [ear.card() for _ in range(4)] == [None] * 4


def test_a_ruling_stops_and_what_is_taken_back_is_heard() -> None:
    ear = Ear()
    ear.room.start()
    ear.card()
    assert ear.enter_line(ev="report", what="exposed") is Sound.STOP
    assert ear.enter_line(ev="undo") is Sound.TAKEN_BACK
    assert ear.enter_line(ev="device", id="shoe", status="lost", needed=True) is Sound.STOP


def test_the_floor_is_called() -> None:
    ear = Ear()
    ear.deal_hole_cards()
    ear.enter_line(ev="act", seat=1, do="call")
    assert ear.enter_line(ev="act", seat=4, do="call") is Sound.FLOOR


def test_lamps_flash_at_every_chair_after_a_misdeal_until_the_cards_are_back() -> None:
    ear = Ear()
    ear.room.start()
    ear.card()
    ear.enter_line(ev="report", what="exposed")
    assert build_signals(ear.table.outcome).lamps.attention == (1, 2, 4)
    while ear.table.outcome.plan and not build_signals(ear.table.outcome).lamps.deal:
        ear.enter_line(ev="done")
    assert build_signals(ear.table.outcome).lamps.attention == ()


def test_each_sound_has_a_number_of_its_own_and_silence_keeps_the_last() -> None:
    bus = DeviceBus(DeviceMap(), lost=lambda _: None, gone=lambda *_: None)
    assert bus.describe_sound() is None
    for what in (Sound.STOP, None, Sound.STOP):
        bus.set_sound(what)
    assert bus.describe_sound() == {"what": "stop", "number": 2}
