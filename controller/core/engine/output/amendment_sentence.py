"""The sentence of an amendment: what was entered instead, what follows, what line had said (docs/amend.md).

It is made of what the answer says (`amended`, and the steps that are due), so that a page makes the same one of a
published answer in its own language: `say` translates a text and fills its places.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Line = Mapping[str, Any]
Say = Callable[..., str]
"""Takes an English text and its places by name."""


def say_in_english(text: str, **values: object) -> str:
    """Fill the places of a text."""
    return text.format_map(values)


def describe_amendment(amended: Line, due: Sequence[Line], say: Say = say_in_english) -> str:
    """Say what an amendment put right and what is to be done now; no full stop at the end.

    `amended` and `due` (the steps that come first) as the output line says them.
    """
    was, now, number = amended["was"], amended["now"], amended["line"]
    act = amended.get("act")
    is_worded_alike = was is not None and now is not None and describe_line(was, say) == describe_line(now, say)
    if is_worded_alike:
        told = [say("Put right: line {n} ({entry})", n=number, entry=describe_line(now, say))]
    elif now is None:
        told = [say("Put right: line {n} is taken out ({entry})", n=number, entry=describe_line(was, say))]
    elif act is not None:
        entry = describe_line({key: now[key] for key in now if key != "chips" or "said" not in now}, say)
        told = [say("Put right: {entry}: {act}", entry=entry, act=_describe_result(act, say))]
    else:
        told = [say("Put right: {entry}", entry=describe_line(now, say))]
    told += [describe_due_step(step, say) for step in due] or [say("No hand is on")]
    if now is not None and was is not None and not is_worded_alike:
        told.append(say("Line {n} was: {entry}", n=number, entry=describe_line(was, say)))
    elif was is None:
        before = amended.get("before")
        told.append(say("It was forgotten before line {n}", n=before) if before else say("It was forgotten"))
    told += [_describe_other_change(change, say) for change in amended.get("also", ())]
    lapsed = sorted({*amended["dropped"]} - {change["line"] for change in amended.get("also", ())})
    if len(lapsed) == 1:
        told.append(say("Line {n} goes with it", n=lapsed[0]))
    elif lapsed:
        told.append(say("Lines {lines} go with it", lines=", ".join(map(str, lapsed))))
    return ". ".join(_capitalize(each) for each in told)


def select_due_steps(plan: Sequence[Line]) -> Sequence[Line]:
    """Of a plan, as the output line says it, what the sentence tells: cards to be moved, and the step after them."""
    place = next((i for i, step in enumerate(plan) if step["step"] != "move"), len(plan))
    return plan[: place + 1]


def _describe_other_change(change: Line, say: Say) -> str:
    was, now, number = change["was"], change["now"], change["line"]
    if now is None:
        return say("Line {n} is taken out, too ({entry})", n=number, entry=describe_line(was, say))
    if was is None:
        return say("Put in, too: {entry}", entry=describe_line(now, say))
    told, before = describe_line(now, say), describe_line(was, say)
    return say("Line {n}, too: {entry}; it was: {before}", n=number, entry=told, before=before)


def _describe_result(act: Line, say: Say) -> str:
    word = _say_word(act["do"], say)
    return say("{act} to {total}", act=word, total=act["to"]) if "to" in act else word


def describe_line(line: Line, say: Say = say_in_english) -> str:
    """Say an entry in a few words; it names no card but one dealt, where the line names it."""
    who = say("seat {seat}", seat=line["seat"]) if "seat" in line else ""
    describe = DESCRIBER_BY_EVENT.get(line["ev"])
    if describe is not None:
        return describe(line, who, say)
    word = _say_word(line["ev"], say)
    return say("{who}: {what}", who=who, what=word) if who else word


def _describe_act(line: Line, who: str, say: Say) -> str:
    if "do" in line:
        text = TEXT_BY_ACTION[line["do"]](say, who)
        return say("{act} to {total}", act=text, total=line["to"]) if "to" in line else text
    told = [say("{who} took chips of the bet back", who=who)] if line.get("prior") in ("pulled", "part") else []
    if "said" in line:
        words = line["said"] if isinstance(line["said"], list) else [line["said"]]
        told.append(say("{who} said {words}", who=who, words=" ".join(_say_word(each, say) for each in words)))
    if line.get("chips"):
        told.append(say("{who} put out {chips}", who=who, chips=" + ".join(map(str, line["chips"]))))
    elif "said" not in line:
        told.append(say("{who} puts out no chips", who=who))
    return ", ".join(told)


TEXT_BY_ACTION: Mapping[str, Callable[[Say, str], str]] = {
    "fold": lambda say, who: say("{who} folds", who=who),
    "check": lambda say, who: say("{who} checks", who=who),
    "call": lambda say, who: say("{who} calls", who=who),
    "bet": lambda say, who: say("{who} bets", who=who),
    "raise": lambda say, who: say("{who} raises", who=who),
    "all-in": lambda say, who: say("{who} is all-in", who=who),
    "complete": lambda say, who: say("{who} completes", who=who),
    "bring-in": lambda say, who: say("{who} brings it in", who=who),
    "straddle": lambda say, who: say("{who} straddles", who=who),
    "kill": lambda say, who: say("{who} kills", who=who),
}
"""What a player does -> how it is said."""


def _describe_card(line: Line, _who: str, say: Say) -> str:
    if "card" not in line:
        told = say("a card that lies face down")
    elif line["card"] is None:
        told = say("a card that was not read")
    else:
        told = say("the card {card}", card=line["card"])
    odd = [say("foreign")] if line.get("foreign") else []
    odd += [say("duplicate")] if line.get("duplicate") else []
    odd += [say("face up in the deck")] if line.get("face") == "up" else []
    return f"{told} ({', '.join(odd)})" if odd else told


def _describe_report(line: Line, who: str, say: Say) -> str:
    what = _say_word(line["what"], say)
    more = [who] if who else []
    more += [say("card {n}", n=line["nth"])] if "nth" in line else []
    more += [say("{n} acted", n=line["acted"])] if "acted" in line else []
    more += [say("count {n}", n=line["count"])] if "count" in line else []
    more += [_say_word(line[key], say) for key in ("street", "where") if key in line]
    more += [say("from seat {seat}", seat=line["from"])] if "from" in line else []
    return say("reported: {what}", what=f"{what} ({', '.join(more)})" if more else what)


def _describe_floor(line: Line, who: str, say: Say) -> str:
    decision = _say_word(line["decide"], say)
    more = [who] if who else []
    more += [_say_word(line["where"], say)] if "where" in line else []
    more += [say("card {n}", n=line["nth"])] if "nth" in line else []
    return say("floor: {decision}", decision=f"{decision} ({', '.join(more)})" if more else decision)


def _describe_draw(line: Line, who: str, say: Say) -> str:
    n = line.get("discard", 0)
    return say("{who} draws {n}", who=who, n=n) if n else say("{who} stands pat", who=who)


def _describe_won(line: Line, who: str, say: Say) -> str:
    return say("{who} wins side pot {n}", who=who, n=line["pot"]) if line.get("pot") else say("{who} wins", who=who)


DESCRIBER_BY_EVENT: Mapping[str, Callable[[Line, str, Say], str]] = {
    "act": _describe_act,
    "card": _describe_card,
    "report": _describe_report,
    "floor": _describe_floor,
    "draw": _describe_draw,
    "won": _describe_won,
    "show": lambda _line, who, say: say("{who} shows", who=who),
    "muck": lambda _line, who, say: say("{who} gives up the hand", who=who),
    "seen": lambda line, _who, say: say("antenna: card at {place}", place=_say_word(line["at"], say)),
    "start": lambda _line, _who, say: say("the hand starts"),
    "closed": lambda _line, _who, say: say("the betting is over"),
    "done": lambda _line, _who, say: say("done"),
    "stack": lambda line, who, say: say("{who} has {chips}", who=who, chips=line["stack"]),
    "buy": lambda line, who, say: say("{who} buys {chips}", who=who, chips=line["chips"]),
    "sit": lambda _line, who, say: say("{who} sits down", who=who),
    "leave": lambda _line, who, say: say("{who} leaves", who=who),
    "away": lambda _line, who, say: say("{who} is away", who=who),
    "back": lambda _line, who, say: say("{who} is back", who=who),
    "clock": lambda line, _who, say: say("time is called on seat {seat}", seat=line["seat"]),
}
"""Word of the line -> how it is said."""


def describe_due_step(step: Line, say: Say = say_in_english) -> str:
    """Say a step that is due as a dealer does."""
    describe = DESCRIBER_BY_STEP.get(step["step"])
    return _say_word(step["step"], say) if describe is None else describe(step, say)


def _describe_turn(step: Line, say: Say) -> str:
    if step.get("to_call"):
        return say("seat {seat} to act, {chips} to call", seat=step["seat"], chips=step["to_call"])
    return say("seat {seat} to act", seat=step["seat"])


def _describe_award(step: Line, say: Say) -> str:
    pot = say("Side pot {n}", n=step["pot"]) if step["pot"] else say("Pot")
    seats = ", ".join(say("seat {seat}", seat=seat) for seat in step["seats"])
    return say("{pot} to {seats}", pot=pot, seats=seats) if seats else say("say who wins")


def _describe_moved(step: Line, say: Say) -> str:
    if step["from"] == "all":
        return say("All cards back into the deck")
    places = {"what": _say_word(step["what"], say), "origin": _say_place(step["from"], say),
              "place": _say_place(step["to"], say)}  # fmt: skip
    if step["step"] == "return":
        return say("Return {what}: {origin} → {place}", **places)
    return say("Move {what}: {origin} → {place}", **places)


DESCRIBER_BY_STEP: Mapping[str, Callable[[Line, Say], str]] = {
    "act": _describe_turn,
    "award": _describe_award,
    "return": _describe_moved,
    "move": _describe_moved,
    "deal": lambda step, say: (
        say("Card to seat {seat}, face up", seat=step["seat"])
        if step["face"] == "up"
        else say("Card to seat {seat}", seat=step["seat"])
    ),
    "burn": lambda _step, say: say("Burn a card"),
    "board": lambda step, say: say("turn the {street}", street=_say_word(step["street"], say)),
    "bet": lambda step, say: say("betting, seat {seat} first", seat=step["seats"][0]),
    "draw": lambda step, say: say("Seat {seat} draws", seat=step["seat"]),
    "post": lambda step, say: say("seat {seat} posts", seat=step["seat"]),
    "shuffle": lambda _step, say: say("Shuffle"),
    "cut": lambda _step, say: say("Cut"),
    "show": lambda step, say: say("Seat {seat} shows", seat=step["seat"]),
    "floor": lambda step, say: say("Call the floor: {question}", question=_say_word(step["question"], say)),
    "collect": lambda _step, say: say("Drop the collection"),
    "hold": lambda _step, say: say("Wait for the floor: turn nothing up, deal nothing"),
    "say": lambda _step, say: say("What happened?"),
    "discard": lambda _step, say: say("take cards of the stub out of play"),
}
"""Word of the step -> how it is said."""


def _say_place(name: str, say: Say) -> str:
    kind, _, seat = name.partition(" ")
    return say("seat {seat}", seat=seat) if kind == "seat" and seat else _say_word(name, say)


def _say_word(code: object, say: Say) -> str:
    return say(str(code).replace("-", " ").replace("_", " "))


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
