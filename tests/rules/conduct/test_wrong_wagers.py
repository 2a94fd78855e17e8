"""Bets that were wrong and are noticed later, levels that came late, shot clocks, hands that a caller may see."""

from tests.rules.deals import dealt


def test_whose_extensions_are_remembered_sits_here() -> None:
    """Else the table remembers for ever whoever was moved to another table."""
    shot = {"seconds": 30, "extensions": 2}
    played = dealt("wsop-2024", {"ev": "clock", "seat": 4, "extend": True, "t": 1.0}, shot_clock=shot)
    spent = dict(played.table.outcome.state.time.extension_count_by_player)
    assert list(spent.values()) == [1]
    played(*(f"act {seat} fold" for seat in (4, 1, 2)), *["done"] * 9)
    played({"ev": "leave", "seat": 4}, "start", "card - - - - - -")
    seat = played.lines[-1]["next"][0]["seat"]
    played({"ev": "clock", "seat": seat, "extend": True, "t": 5.0})
    assert "error" not in played.lines[-1]
    now = played.table.outcome.state.time.extension_count_by_player
    assert (list(now.values()), now.keys() & spent.keys()) == ([1], set())
