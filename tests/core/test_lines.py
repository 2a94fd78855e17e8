"""Lines of the table script that no dealer would write and a page, a key map or a damaged file can bring."""

import pytest

from config.table_line import parse_table_line
from controller.core.protocol import script_lines, vocabulary
from controller.core.protocol.table_error import Refused
from controller.core.values.value import Value, fields
from controller.shape import ShapeError


class AddedEvent(Value):
    """An event that somebody adds: no name of a field says how it is read, the annotation does."""

    reason: str
    seat_of: vocabulary.PositiveInt
    shown: vocabulary.CardName | None
    part: complex = 0j


def test_a_new_event_s_keys_are_read_by_their_annotations() -> None:
    reason, seat, shown = (script_lines.find_shape(field).read for field in fields(AddedEvent)[:3])
    assert (reason("tired"), seat(3), shown(None)) == ("tired", 3, None)
    with pytest.raises(ShapeError, match="from 1"):
        seat(0)
    with pytest.raises(ShapeError, match="a card is"):
        shown("tired")
    with pytest.raises(TypeError, match="`part`"):
        script_lines.find_shape(fields(AddedEvent)[3])


@pytest.mark.parametrize("word", [[], {}, None, 7, ["card"]])
def test_a_word_that_is_no_text_is_refused(word: object) -> None:
    with pytest.raises(Refused, match="`ev` cannot be"):
        script_lines.parse_line({"ev": word})


def test_half_a_sign_is_refused_because_no_journal_can_keep_it() -> None:
    with pytest.raises(Refused, match="whole, printable signs"):
        script_lines.parse_line({"ev": "sit", "seat": 3, "player": "Ana\ud800", "stack": 200})
    assert script_lines.parse_line({"ev": "sit", "seat": 3, "player": "Ana \U0001f0a1", "stack": 200})


@pytest.mark.parametrize("text", ["\x1b[2J", "a\nINFO all is well", "a\x00", "\u202eb", "\x9b31m"])
@pytest.mark.parametrize(
    "line",
    [
        {"ev": "sit", "seat": 3, "player": "Ana", "stack": 200},
        {"ev": "floor", "decide": "misdeal", "who": "Bo"},
        {"ev": "floor", "decide": "misdeal", "why": "seen"},
        {"ev": "device", "id": "shoe", "status": "lost"},
    ],
    ids=["player", "who", "why", "id"],
)
def test_no_text_moves_the_cursor_of_a_terminal_or_begins_a_line_of_a_log(line: dict[str, object], text: str) -> None:
    script_lines.parse_line(line)
    key = list(line)[-1] if line["ev"] == "floor" else {"sit": "player", "device": "id"}[str(line["ev"])]
    with pytest.raises(Refused, match="printable") as caught:
        script_lines.parse_line({**line, key: text})
    assert text not in str(caught.value)


def test_no_player_of_a_table_line_does_so_either() -> None:
    table = {
        "ev": "table", "rulebook": "roberts-7", "game": "holdem", "places": 8, "button": 1, "sensors": [],
        "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
        "seats": [{"seat": 1, "player": "Ana", "stack": 9}, {"seat": 2, "player": "Ben", "stack": 9}],
    }  # fmt: skip
    parse_table_line(table)
    with pytest.raises(Refused, match="printable"):
        parse_table_line({**table, "seats": [{"seat": 1, "player": "Ana\x1bc", "stack": 9}, {"seat": 2, "stack": 9}]})
