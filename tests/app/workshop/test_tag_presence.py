"""A tag has a line when it comes and one when it goes, however often its reader says it."""

from controller.app.workshop.tag_presence import MAX_PRESENT_TAGS, TagPresence
from drivers.contract.driver_interface import TagRead

POLL_S = 0.03


def make_presence() -> TagPresence:
    return TagPresence({"shoe": 0.5, "home": 0.5, "once": 0.0})


def test_a_tag_comes_once_and_goes_once_and_comes_again() -> None:
    presence = make_presence()
    came = [presence.take_read(TagRead("shoe", "04AA"), n * POLL_S) for n in range(34)]
    assert came == [True] + [False] * 33
    assert presence.take_gone(33 * POLL_S + 0.5) == []
    (stay,) = presence.take_gone(33 * POLL_S + 0.51)
    assert (stay.device, stay.tag, stay.describe_reads()) == ("shoe", "04AA", "read 34 times in 0.99 s")
    assert "04AA" not in repr(stay)
    assert presence.take_gone(9.0) == []
    assert presence.take_read(TagRead("shoe", "04AA"), 9.0)
    assert [stay.describe_reads() for stay in presence.list_present()] == ["read once"]


def test_each_antenna_and_each_reader_has_its_own() -> None:
    presence = make_presence()
    reads = [TagRead("shoe", "04AA"), TagRead("home", "04AA", "1"), TagRead("home", "04AA", "2")]
    assert [presence.take_read(read, 0.0) for read in reads * 2] == [True] * 3 + [False] * 3
    presence.take_read(reads[1], 0.4)
    assert [(stay.device, stay.antenna) for stay in presence.take_gone(0.6)] == [("shoe", None), ("home", "2")]


def test_a_reader_that_speaks_once_is_believed_each_time_and_its_tags_never_go() -> None:
    presence = make_presence()
    assert [presence.take_read(TagRead("once", "04AA"), 0.0) for _ in range(3)] == [True] * 3
    assert presence.take_gone(99.0) == presence.list_present() == []


def test_what_is_remembered_is_bounded() -> None:
    presence = make_presence()
    for number in range(3 * MAX_PRESENT_TAGS):
        presence.take_read(TagRead("shoe", f"{number:08X}"), 0.0)
        presence.take_gone(0.0)
    assert len(presence.list_present()) == MAX_PRESENT_TAGS
    assert presence.list_present()[-1].tag == f"{3 * MAX_PRESENT_TAGS - 1:08X}"
