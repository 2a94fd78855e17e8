"""How a showdown is said to people: who wins what, and with which hand (`docs/showdown.md`).

It words the data of `controller/core/engine/output/showdown_view.py`, for the dealer's large line, for those who watch,
for the record and the overlay of a broadcast.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from config.language_file import ENGLISH, Language, mark_for_translation
from controller.web.wording.step_instructions import LIST_CASE_KEY

Showdown = Mapping[str, Any]
"""What there is to see of a showdown, as data."""

HandName = Mapping[str, Any]
"""A hand's name: `category`, its `ranks`, and the `kickers` that decide."""

RANK_SIGN_BY_CARD = {"T": "10"}


def word_showdown(showdown: Showdown | None, language: Language = ENGLISH) -> dict[str, Any] | None:
    """The showdown with a `text` for each award, and `short`, the same where it stands after others."""
    if showdown is None:
        return None
    texts = [describe_award(award, showdown["side_pots"], language) for award in showdown["awards"]]
    awards = [
        {**award, "text": text, "short": _begin_in_list(text, language)}
        for award, text in zip(showdown["awards"], texts, strict=True)
    ]
    return {**showdown, "awards": awards}


def reword_steps(
    steps: Sequence[Mapping[str, Any]], showdown: Showdown | None, language: Language = ENGLISH
) -> list[dict[str, Any]]:
    """The steps of `next` with their texts, those that award a pot or show a hand by what the showdown says of them.

    `showdown` has its texts.
    """
    due = [] if showdown is None else [award for award in showdown["awards"] if not award["pushed"]]
    asked = () if showdown is None else showdown["asked"]
    found = []
    for step in steps:
        words = {}
        if step["step"] == "award" and due:
            award = due.pop(0)
            words = {"text": award["text"], "short": award["short"]}
        elif step["step"] == "show" and step["seat"] in asked:
            words = {"text": language.translate("Seat {seat} shows: which cards?", seat=step["seat"])}
        found.append({**step, **words})
    return found


def describe_award(award: Mapping[str, Any], side_pot_count: int, language: Language = ENGLISH) -> str:
    """One award in a sentence without a full stop: "Seat 4 wins 620: aces full of nines"."""
    where = _describe_part(award, side_pot_count, language)
    seats = [winner["seat"] for winner in award["winners"]]
    named = ", ".join(map(str, seats))
    if award["unread"]:
        asked = language.translate_plural("seat {seats}", "seats {seats}", len(seats), seats=named)
        if where:
            return language.translate("{part}: who wins? {seats}", part=where, seats=asked)
        return language.translate("Who wins the pot? {seats}", seats=_capitalize(asked))
    hand = describe_hand(award, language)
    if where:
        return _describe_part_award(award, where, named, hand, language)
    chips = award["chips"]
    if len(seats) > 1 and chips is None:
        said = language.translate("Seats {seats} split the pot", seats=named)
    elif len(seats) > 1:
        said = language.translate("Seats {seats} split {chips}", seats=named, chips=chips)
    elif chips is None:
        said = language.translate("Seat {seat} wins the pot", seat=named)
    else:
        said = language.translate("Seat {seat} wins {chips}", seat=named, chips=chips)
    told = [said] if not hand else [language.translate("{what}: {hand}", what=said, hand=hand)]
    if award.get("no_low"):
        told.append(language.translate("no low"))
    return " – ".join([*told, *_describe_shares(award, language)])


def _describe_part_award(award: Mapping[str, Any], part: str, named: str, hand: str, language: Language) -> str:
    """An award of a part of the pots that has a name of its own."""
    who = language.translate_plural("seat {seats}", "seats {seats}", len(award["winners"]), seats=named)
    what, chips = part, award["chips"]
    if chips is not None and part[-1].isdigit():  # two numbers beside each other are read as one
        what = language.translate("{part} ({chips})", part=part, chips=chips)
    elif chips is not None:
        what = language.translate("{part} {chips}", part=part, chips=chips)
    said = language.translate("{what}: {who}", what=what, who=", ".join([who, *([hand] if hand else [])]))
    low = [language.translate("no low")] if award.get("no_low") else []
    return " – ".join([said, *low, *_describe_shares(award, language)])


def _describe_shares(award: Mapping[str, Any], language: Language) -> list[str]:
    """What each of several winners gets, and whose the odd chip is."""
    winners = award["winners"]
    if award["chips"] is None or len(winners) < 2:
        return []
    odd = [winner["seat"] for winner in winners if winner["odd"]]
    if not odd:
        return [language.translate("{chips} each", chips=winners[0]["chips"])]
    shares = ", ".join(
        language.translate("{chips} to seat {seat}", chips=winner["chips"], seat=winner["seat"]) for winner in winners
    )
    seats = ", ".join(map(str, odd))
    return [
        shares,
        language.translate_plural("odd chip: seat {seats}", "odd chips: seats {seats}", len(odd), seats=seats),
    ]


TEXT_BY_HALF = {
    "high": mark_for_translation("High"),
    "low-8": mark_for_translation("Low"),
    "low-a5": mark_for_translation("Low"),
    "low-27": mark_for_translation("2-7 low"),
    "badugi": mark_for_translation("Badugi"),
    "badugi-27": mark_for_translation("Badugi"),
}
"""The ranking that decides half a pot -> what that half is called."""


def _describe_part(award: Mapping[str, Any], side_pot_count: int, language: Language) -> str:
    """Which part of the pots an award is; empty for a pot that is one whole, the main one."""
    parts = []
    if award["pot"] and side_pot_count > 1:
        parts.append(language.translate("Side pot {n}", n=award["pot"]))
    elif award["pot"]:
        parts.append(language.translate("Side pot"))
    if award["board"]:
        parts.append(language.translate("Board {n}", n=award["board"]))
    half = award.get("half")
    if half is not None:
        parts.append(language.translate(TEXT_BY_HALF[half]))
    if parts and side_pot_count and not award["pot"]:
        parts.insert(0, language.translate("Main pot"))
    return ", ".join([*parts[:1], *(_begin_in_list(part, language) for part in parts[1:])])


def describe_hand(award: Mapping[str, Any], language: Language = ENGLISH) -> str:
    """The name of the hand that wins an award: "two pair, aces and nines, kicker queen"; empty where none is named."""
    hand = award.get("hand")
    return "" if hand is None else FORMATTER_BY_CATEGORY[hand["category"]](hand, language)


def _format_one(rank: str, language: Language) -> str:
    return _format_rank(rank, 1, language)


def _format_several(rank: str, language: Language) -> str:
    return _format_rank(rank, 2, language)


def _format_rank(rank: str, count: int, language: Language) -> str:
    return FORMATTER_BY_RANK[rank](count, language)


FORMATTER_BY_RANK: Mapping[str, Callable[[int, Language], str]] = {
    "2": lambda n, language: language.translate_plural("deuce", "deuces", n),
    "3": lambda n, language: language.translate_plural("three", "threes", n),
    "4": lambda n, language: language.translate_plural("four", "fours", n),
    "5": lambda n, language: language.translate_plural("five", "fives", n),
    "6": lambda n, language: language.translate_plural("six", "sixes", n),
    "7": lambda n, language: language.translate_plural("seven", "sevens", n),
    "8": lambda n, language: language.translate_plural("eight", "eights", n),
    "9": lambda n, language: language.translate_plural("nine", "nines", n),
    "T": lambda n, language: language.translate_plural("ten", "tens", n),
    "J": lambda n, language: language.translate_plural("jack", "jacks", n),
    "Q": lambda n, language: language.translate_plural("queen", "queens", n),
    "K": lambda n, language: language.translate_plural("king", "kings", n),
    "A": lambda n, language: language.translate_plural("ace", "aces", n),
}
"""A rank -> what one card of it, or several, are called."""


def _add_kickers(said: str, hand: HandName, language: Language) -> str:
    """The cards beside that decide, the last of them being that which does."""
    if not hand["kickers"]:
        return said
    kickers = ", ".join(_format_one(rank, language) for rank in hand["kickers"])
    count = len(hand["kickers"])
    return language.translate_plural(
        "{hand}, kicker {kickers}", "{hand}, kickers {kickers}", count, hand=said, kickers=kickers
    )


def _format_group(text: str, hand: HandName, language: Language) -> str:
    """A hand that is named by one rank of which there are several."""
    said = language.translate(text, ranks=_format_several(hand["ranks"][0], language))
    return _add_kickers(said, hand, language)


def _format_two_groups(text: str, hand: HandName, language: Language) -> str:
    first, second = (_format_several(rank, language) for rank in hand["ranks"])
    return _add_kickers(language.translate(text, ranks=first, others=second), hand, language)


def _format_top(text: str, hand: HandName, language: Language) -> str:
    """A hand that is named by its highest card; of equal ones those that follow decide."""
    said = language.translate(text, rank=_format_one(hand["ranks"][0], language))
    if not hand["kickers"]:
        return said
    rest = ", ".join(_format_one(rank, language) for rank in hand["kickers"])
    return language.translate("{hand}, then {ranks}", hand=said, ranks=rest)


def _format_straight_flush(hand: HandName, language: Language) -> str:
    if hand["ranks"] == ["A"]:
        return language.translate("royal flush")
    return _format_top(mark_for_translation("straight flush, {rank} high"), hand, language)


def _join_signs(hand: HandName) -> str:
    return "-".join(RANK_SIGN_BY_CARD.get(rank, rank) for rank in (*hand["ranks"], *hand["kickers"]))


def _format_badugi(hand: HandName, language: Language) -> str:
    ranks, count = _join_signs(hand), len(hand["ranks"])
    if count == 4:
        return language.translate("badugi {ranks}", ranks=ranks)
    return language.translate_plural("one card, {ranks}", "{n} cards, {ranks}", count, ranks=ranks)


FORMATTER_BY_CATEGORY: Mapping[str, Callable[[HandName, Language], str]] = {
    "five-of-a-kind": lambda hand, language: _format_group(mark_for_translation("five {ranks}"), hand, language),
    "straight-flush": _format_straight_flush,
    "four-of-a-kind": lambda hand, language: _format_group(mark_for_translation("four {ranks}"), hand, language),
    "full-house": lambda hand, language: _format_two_groups(
        mark_for_translation("{ranks} full of {others}"), hand, language
    ),
    "flush": lambda hand, language: _format_top(mark_for_translation("flush, {rank} high"), hand, language),
    "straight": lambda hand, language: _format_top(mark_for_translation("straight, {rank} high"), hand, language),
    "three-of-a-kind": lambda hand, language: _format_group(mark_for_translation("three {ranks}"), hand, language),
    "two-pair": lambda hand, language: _format_two_groups(
        mark_for_translation("two pair, {ranks} and {others}"), hand, language
    ),
    "pair": lambda hand, language: _format_group(mark_for_translation("pair of {ranks}"), hand, language),
    "high-card": lambda hand, language: _format_top(mark_for_translation("{rank} high"), hand, language),
    "low": lambda hand, language: language.translate("{ranks} low", ranks=_join_signs(hand)),
    "badugi": _format_badugi,
}
"""The category of a hand -> what it is called."""


def _begin_in_list(text: str, language: Language) -> str:
    """A text that stands after others: with a small letter where the language begins a list so."""
    return text[:1].lower() + text[1:] if language.translate(LIST_CASE_KEY) == LIST_CASE_KEY else text


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
