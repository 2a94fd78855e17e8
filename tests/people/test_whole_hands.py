"""People come and go in the middle of hands: nothing but refusals, no chip lost, never a dead end."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.people.hands import chairs
from tests.playing import ScriptedTable

BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
SEATS = st.integers(1, 6)
PEOPLE = st.one_of(
    st.builds(lambda seat: {"ev": "away", "seat": seat}, SEATS),
    st.builds(lambda seat, post: {"ev": "back", "seat": seat, "post": post}, SEATS, st.booleans()),
    st.builds(lambda seat: {"ev": "leave", "seat": seat}, SEATS),
    st.builds(
        lambda seat, post, moved: {
            "ev": "sit", "seat": seat, "player": f"A{seat}", "stack": 100, "post": post, "moved": moved,
        },
        SEATS,
        st.booleans(),
        st.booleans(),
    ),
    st.builds(lambda seat, old: {"ev": "sit", "seat": seat, "from": old}, SEATS, SEATS),
    st.builds(lambda seat: {"ev": "sit", "seat": seat, "player": "O", "stack": 90, "over": True}, SEATS),
    st.builds(lambda seat: {"ev": "report", "what": "owes-blind", "seat": seat}, SEATS),
    st.just({"ev": "level"}),
    st.just({"ev": "chop"}),
    st.just({"ev": "undo"}),
    st.builds(lambda seat: {"ev": "report", "what": "button-wrong", "seat": seat}, SEATS),
    st.just({"ev": "report", "what": "exposed"}),
)  # fmt: skip
WISHES = st.lists(st.tuples(st.sampled_from(("go",) * 8 + ("people",)), PEOPLE, st.integers(0, 5)), max_size=120)


def go(answer: dict[str, Any], wish: int) -> dict[str, Any]:
    """What the table waits for."""
    if answer["phase"] == "idle":
        return {"ev": "start"}
    step = answer["next"][0]
    match step["step"]:
        case "deal" | "burn" | "board":
            return {"ev": "card", "card": None}
        case "act":
            word = step["options"][wish % len(step["options"])]
            to = {"to": step["min_to"]} if word in ("bet", "raise") and "min_to" in step else {}
            return {"ev": "act", "seat": step["seat"], "do": word, **to}
        case "show":
            return {"ev": "show", "seat": step["seat"]}
        case "award" if "amounts" not in step:
            return {"ev": "won", "seat": step["seats"][0], "pot": step["pot"]}
        case "floor":
            return {"ev": "floor", "decide": step["options"][wish % len(step["options"])]}
        case "say":
            return {"ev": "report", "what": step["options"][wish % len(step["options"])]}
        case _:
            return {"ev": "done"}


def chips(answer: dict[str, Any]) -> int:
    pots = sum(int(pot["amount"]) for pot in answer["pots"])
    return pots + sum(map(int, answer["stacks"].values())) + sum(map(int, answer["bets"].values()))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BOOKS), st.sampled_from(("cash", "tournament")), st.sampled_from(("moving", "dead")), WISHES)
def test_people_in_the_middle_of_hands(
    book: str, mode: str, rule: str, wishes: list[tuple[str, dict[str, Any], int]]
) -> None:
    played = ScriptedTable()
    stakes = {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "ante": 1}
    opening: dict[str, Any] = {
        "ev": "table",
        "rulebook": book,
        "game": "holdem",
        "betting": stakes,
        "seats": chairs(1, 2, 3, 5, stack=60),
    }
    played(opening | {"button": 1, "mode": mode, "button_rule": rule, "places": 6, "house": {"schedule": "T2000"}})
    assert "error" not in played.lines[-1]
    for what, people, wish in wishes:
        before = played.lines[-1]
        line = go(before, wish) if what == "go" else people
        answer = played(line)
        if "error" in answer:
            same = {key: value for key, value in answer.items() if key not in ("line", "error", "rulings")}
            assert same == {key: before[key] for key in same}
            assert what == "people" or answer["error"]["code"] in ("too-few-players",), answer
            continue
        assert answer["next"] or answer["phase"] == "idle"
        if line["ev"] == "sit" and "over" in line:
            assert len(answer["stacks"]) == len(before["stacks"])
        elif line["ev"] == "sit" and "from" not in line:
            assert chips(answer) == chips(before) + line["stack"]
        elif line["ev"] == "leave":
            assert chips(answer) <= chips(before)
        elif line["ev"] != "undo":
            assert chips(answer) == chips(before), (line, before, answer)
