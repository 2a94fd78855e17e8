"""A finished hand as Open Hand History (OHH), one JSON object a hand.

OHH: the specification of hh-specs.handhistory.org, version 1.4.7. Amounts are whole units of chips, so no number is
rounded. What the format has no field for stands beside its object, under `_table_controller`: the rulings, the
decisions, how the table signed its journal (`docs/records.md`).
"""

import json
from collections.abc import Mapping
from typing import Any

from controller.core.model.setup import Betting, Structure
from controller.core.protocol.vocabulary import Do
from controller.records import phh
from controller.records.course import Course, Deed, Stretch, Untold, course_of
from controller.records.hand import Posting, Record, is_tournament, title

SPEC_VERSION = "1.4.7"

GAME_TYPES = {"holdem": "Holdem", "omaha": "Omaha", "omaha-8": "OmahaHiLo"}
"""The games that OHH can tell: it has types for stud and draw, but no names for their streets."""

BET_TYPES = {Structure.NO_LIMIT: "NL", Structure.POT_LIMIT: "PL", Structure.FIXED_LIMIT: "FL"}

STREETS = {"preflop": "Preflop", "flop": "Flop", "turn": "Turn", "river": "River"}

PLAY_CHIPS = "XPM"
"""How OHH names chips that stand for no currency."""

POSTINGS = {
    Posting.ANTE: "Post Ante",
    Posting.SMALL_BLIND: "Post SB",
    Posting.BIG_BLIND: "Post BB",
    Posting.POST: "Post Extra Blind",
    Posting.DEAD: "Post Dead",
    Posting.STRADDLE: "Straddle",
    Posting.KILL: "Post Extra Blind",
}

DEEDS = {Do.FOLD: "Fold", Do.CHECK: "Check", Do.CALL: "Call", Do.BET: "Bet", Do.RAISE: "Raise"}


def fields(record: Record, place: phh.Provenance | None = None, currency: str | None = None) -> dict[str, Any]:
    """Every field of the hand's object; `currency`: its ISO code where a unit is one of it. Raises `Untold`."""
    place = place or phh.Provenance()
    setup, stakes = record.setup, record.setup.betting
    game, bet_type = GAME_TYPES.get(setup.game.name), BET_TYPES.get(stakes.structure)
    if game is None or bet_type is None:
        raise Untold(f"OHH has no words for {title(setup)}")
    if setup.game.streets[0].board:
        raise Untold("the betting began on the flop")
    if record.button is None:
        raise Untold("nobody had the button")
    course = course_of(record)
    tournament = is_tournament(setup)
    hand = {
        "spec_version": SPEC_VERSION,
        "site_name": "table-controller",
        "network_name": "table-controller",
        "internal_version": place.program or "0",
        "tournament": tournament,
        "tournament_info": _tournament(place, stakes, record) if tournament else None,
        "game_number": place.hand_id(record.number),
        "start_date_utc": None if place.began is None else place.began.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": "Table",
        "game_type": game,
        "bet_limit": {"bet_type": bet_type, "bet_cap": 0},
        "table_size": setup.places,
        "currency": PLAY_CHIPS if currency is None or tournament else currency,
        "dealer_seat": record.button,
        "small_blind_amount": stakes.small_blind,
        "big_blind_amount": stakes.big_blind,
        "ante_amount": stakes.ante,
        "flags": ["Observed"],
        "players": [
            {"id": seat, "seat": seat, "name": record.players[seat], "starting_stack": record.starting[seat]}
            for seat in sorted(record.order)
        ],
        "rounds": _Rounds(record, course).told(),
        "pots": [
            {
                "number": number,
                "amount": sum(wins.values()),
                "rake": 0,
                "jackpot": 0,
                "player_wins": [{"player_id": seat, "win_amount": amount} for seat, amount in sorted(wins.items())],
            }
            for number, (_, wins) in enumerate(sorted(course.pots.items()))
        ],
    }
    own = {key.removeprefix("_"): value for key, value in phh.own(record, place).items() if value is not None}
    told = {key: value for key, value in hand.items() if value is not None}
    return {"ohh": told, "_table_controller": {"hand": record.number, **own}}


def text(content: Mapping[str, Any]) -> str:
    """Write a hand on a line of its own, and the empty line that parts it from the next."""
    return json.dumps(content, ensure_ascii=False) + "\n\n"


def _tournament(place: phh.Provenance, stakes: Betting, record: Record) -> dict[str, Any]:
    """What a table knows of the tournament; of what everybody began with, the mean of the stacks of this hand."""
    level = next((each for each in record.setup.levels if each.big_blind == stakes.big_blind), None)
    began = None if place.began is None else place.began.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "tournament_number": str(place.session or 0),
        "name": "" if record.setup.schedule is None else record.setup.schedule.title,
        "start_date_utc": began,
        "currency": PLAY_CHIPS,
        "buyin_amount": None,
        "fee_amount": None,
        "bounty_fee_amount": None,
        "initial_stack": sum(record.starting.values()) // len(record.starting),
        "type": "MTT",
        "speed": {"type": "Normal", "round_time": 60 * level.minutes if level is not None else 0},
    }


class _Rounds:
    """The rounds of one hand, whose actions are numbered through."""

    def __init__(self, record: Record, course: Course) -> None:
        self._record = record
        self._course = course
        self._count = 0

    def told(self) -> list[dict[str, Any]]:
        rounds = [self._round(number, stretch) for number, stretch in enumerate(self._course.stretches)]
        shown = [self._action(seat, "Shows Cards", cards=cards) for seat, cards in self._record.tabled.items()]
        if self._course.shown_down:
            silent = [seat for seat in self._course.live if seat not in self._record.tabled]
            shown += [self._action(seat, "Mucks Cards") for seat in silent]
        if shown:
            rounds.append({"id": len(rounds), "street": "Showdown", "actions": shown})
        return rounds

    def _round(self, number: int, stretch: Stretch) -> dict[str, Any]:
        actions = [] if number else self._postings()
        actions += [self._deed(deed, first=not number) for deed in stretch.deeds]
        cards = {"cards": list(stretch.board)} if stretch.board else {}
        return {"id": number, "street": STREETS[stretch.street.name], **cards, "actions": actions}

    def _postings(self) -> list[dict[str, Any]]:
        left, told = dict(self._record.starting), []
        for posted in self._record.posts:
            left[posted.seat] -= posted.amount
            told.append(self._action(posted.seat, POSTINGS[posted.what], posted.amount, all_in=not left[posted.seat]))
        return told

    def _deed(self, deed: Deed, *, first: bool) -> dict[str, Any]:
        """An act; before the flop there is no bet, as OHH has it."""
        word = "Raise" if first and deed.do is Do.BET else DEEDS[deed.do]
        return self._action(deed.seat, word, deed.paid, all_in=deed.all_in)

    def _action(
        self, seat: int, word: str, amount: int = 0, *, all_in: bool = False, cards: tuple[str, ...] | None = None
    ) -> dict[str, Any]:
        self._count += 1
        told = {"action_number": self._count, "player_id": seat, "action": word, "amount": amount, "is_allin": all_in}
        return told | ({"cards": list(cards)} if cards else {})
