"""The floor decides: questions that a book leaves open, and rulings that a person sets aside."""

from controller.core.protocol.script_lines import format_line, parse_line
from tests.playing import play

DOWN = "card" + " -" * 8


def decide(word: str, **more: object) -> dict[str, object]:
    return {"ev": "floor", "decide": word, **more}


def test_the_floor_takes_back_a_ruling() -> None:
    """`play-on` right after a ruling undoes what it put on the plan."""
    table = play("roberts-7", "start", "card - - - - -", "report exposed seat=3 nth=1")
    assert table.lines[-1]["rulings"][0]["verdict"] == "misdeal"
    line = table(decide("play-on"))
    assert (line["rulings"][0]["verdict"], line["next"][0]["step"], line["piles"]["stub"]) == ("play-on", "deal", 47)


def test_who_decided_and_why_are_on_record() -> None:
    """A decision is read and written back with both, so that the journal has them; no display repeats the reason."""
    line = decide("dead-hand", seat=4, who="Mae", why="seat 4 showed the king of clubs")
    assert format_line(parse_line(line)) == line
    answer = play("roberts-7", "start", DOWN)(line)
    assert "king of clubs" not in str(answer)
