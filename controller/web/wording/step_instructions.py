"""How each step of `next` is said to people: the one place of these words, for the pages, the terminal and the log."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from config.language_file import ENGLISH, Language, mark_for_translation
from controller.runtime.journal.entry_result import list_shown_rulings
from controller.web.wording.pile_names import format_pile
from controller.web.wording.ruling_translation import translate_ruling

Step = Mapping[str, Any]
"""A step as the output line says it (`docs/table-script.md`, section 2)."""

TEXT_BY_MOVED_CARD = {
    "exposed": mark_for_translation("exposed card"), "extra": mark_for_translation("extra card"),
    "boxed": mark_for_translation("boxed card"),
    "board": mark_for_translation("board card"), "burn": mark_for_translation("burn"),
    "joker": mark_for_translation("joker"),
    "premature": mark_for_translation("premature card"),
}  # fmt: skip
TEXT_BY_FACE_AND_REASON = {
    (False, None): mark_for_translation("Card to seat {seat}"),
    (False, "replacement"): mark_for_translation("Card to seat {seat} – replacement"),
    (False, "missing"): mark_for_translation("Card to seat {seat} – missing card"),
    (False, "draw"): mark_for_translation("Card to seat {seat} – draw"),
    (True, None): mark_for_translation("Card to seat {seat}, face up"),
    (True, "replacement"): mark_for_translation("Card to seat {seat}, face up – replacement"),
    (True, "missing"): mark_for_translation("Card to seat {seat}, face up – missing card"),
    (True, "draw"): mark_for_translation("Card to seat {seat}, face up – draw"),
}
"""Whether face up, and why -> what is said."""

LIST_CASE_KEY = mark_for_translation("list:lower")
"""Not said: "list:lower" where what a list names begins with a small letter, "list:as-is" where nouns do not."""


def format_instruction(step: Step, language: Language = ENGLISH) -> str:
    """Say one step as the dealer would."""
    said_by = FORMATTER_BY_STEP.get(step["step"])
    return _capitalize(format_label(step["step"], language)) if said_by is None else said_by(step, language)


def add_instructions(steps: Iterable[Step], language: Language = ENGLISH) -> list[dict[str, Any]]:
    """The steps, each with its `text` and, for a list of what comes later, its `format_short_instruction` text."""
    return [
        {**step, "text": format_instruction(step, language), "short": format_short_instruction(step, language)}
        for step in steps
    ]


def translate_line(line: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """An output line, its steps with what is said of them, and its rulings."""
    told = [translate_ruling(each, language) for each in list_shown_rulings(line)]
    ruled = {"rulings": told} if told else {}
    return {**line, **ruled, "next": add_instructions(line.get("next", ()), language)}


def format_short_instruction(step: Step, language: Language = ENGLISH) -> str:
    """A step among those that come later."""
    text = _format_seat(step["seat"], language) if step["step"] == "deal" else format_instruction(step, language)
    return text[:1].lower() + text[1:] if language.translate(LIST_CASE_KEY) == LIST_CASE_KEY else text


def format_label(code: object, language: Language = ENGLISH) -> str:
    """A word of the table script as people write it."""
    return language.translate(str(code).replace("-", " ").replace("_", " "))


def _format_seat(seat: object, language: Language) -> str:
    return language.translate("seat {seat}", seat=seat)


def _format_card_count(n: int, language: Language) -> str:
    return language.translate_plural("1 card", "{n} cards", n)


def _format_deal(step: Step, language: Language) -> str:
    why = step.get("why")
    key = (step["face"] == "up", why if why in ("replacement", "missing", "draw") else None)
    return language.translate(TEXT_BY_FACE_AND_REASON[key], seat=step["seat"])


def _format_board(step: Step, language: Language) -> str:
    return f"{_capitalize(format_label(step['street'], language))}: {_format_card_count(step['n'], language)}"


def _format_betting_round(step: Step, language: Language) -> str:
    seats = step["seats"]
    named = ", ".join(map(str, seats))
    return language.translate_plural("Betting: seat {seats}", "Betting: seats {seats}", len(seats), seats=named)


def _format_post(step: Step, language: Language) -> str:
    seat, kind, amount = step["seat"], format_label(step["kind"], language), step.get("amount")
    if amount is None:
        return language.translate("Seat {seat} posts {kind}", seat=seat, kind=kind)
    return language.translate("Seat {seat} posts {kind} {amount}", seat=seat, kind=kind, amount=amount)


def _format_draw(step: Step, language: Language) -> str:
    if "discard" not in step:
        return language.translate("Seat {seat} draws", seat=step["seat"])
    cards = _format_card_count(step["discard"], language)
    return language.translate("Seat {seat} discards {cards}", seat=step["seat"], cards=cards)


def _format_return(step: Step, language: Language) -> str:
    if step["from"] == "all":
        return language.translate("All cards back into the deck")
    thing = TEXT_BY_MOVED_CARD.get(step["what"])
    one = format_label(step["what"], language) if thing is None else language.translate(thing)
    what = _format_card_count(step["count"], language) if step["count"] > 1 else one
    return language.translate(
        "Return {what}: {origin} → {place}",
        what=what, origin=format_pile(step["from"], language), place=format_pile(step["to"], language),
    )  # fmt: skip


def _format_move(step: Step, language: Language) -> str:
    place = format_pile(step["to"], language)
    if step["what"] == "button":
        return language.translate("Move the button to {place}", place=place)
    what, origin = format_label(step["what"], language), format_pile(step["from"], language)
    return language.translate("Move {what}: {origin} → {place}", what=what, origin=origin, place=place)


def _format_award(step: Step, language: Language) -> str:
    pot = language.translate("Side pot {n}", n=step["pot"]) if step["pot"] else language.translate("Pot")
    amounts = step.get("amounts")
    if amounts is None:
        seats = ", ".join(_format_seat(seat, language) for seat in step["seats"])
        return language.translate("{pot} to {seats}", pot=pot, seats=seats)
    shares = [
        language.translate("{chips} to seat {seat}", chips=chips, seat=seat)
        for seat, chips in zip(step["seats"], amounts, strict=True)
    ]
    return f"{pot}: {', '.join(shares)}"


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _format_collect(step: Step, language: Language) -> str:
    amount, seat = step.get("amount"), step.get("seat")
    if seat is not None:
        if amount is None:
            return language.translate("Seat {seat} pays for its time", seat=seat)
        return language.translate("Seat {seat} pays {amount} for its time", seat=seat, amount=amount)
    if amount is None:
        return language.translate("Drop the collection")
    return language.translate("Drop {amount} for the house", amount=amount)


FORMATTER_BY_STEP: dict[str, Callable[[Step, Language], str]] = {
    "deal": _format_deal,
    "burn": lambda _, language: language.translate("Burn a card"),
    "board": _format_board,
    "act": lambda step, language: language.translate("Seat {seat} acts", seat=step["seat"]),
    "bet": _format_betting_round,
    "draw": _format_draw,
    "post": _format_post,
    "return": _format_return,
    "shuffle": lambda _, language: language.translate("Shuffle"),
    "cut": lambda _, language: language.translate("Cut"),
    "move": _format_move,
    "discard": lambda step, language: language.translate(
        "Take {cards} of the stub out of play, face down", cards=_format_card_count(step["count"], language)
    ),
    "show": lambda step, language: language.translate("Seat {seat} shows", seat=step["seat"]),
    "award": _format_award,
    "collect": _format_collect,
    "floor": lambda step, language: language.translate(
        "Call the floor: {question}", question=format_label(step["question"], language)
    ),
    "hold": lambda _, language: language.translate("Wait for the floor: turn nothing up, deal nothing"),
    "say": lambda _, language: language.translate("What happened?"),
}
"""Word of the step -> what is said."""
