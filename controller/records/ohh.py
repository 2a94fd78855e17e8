"""A finished hand as Open Hand History (OHH), one JSON object a hand.

OHH: the specification of hh-specs.handhistory.org, version 1.4.7. Amounts are whole units of chips, so no number is
rounded. What the format has no field for stands beside its object, under `_table_controller`: the rulings, the
decisions, how the table signed its journal (`docs/records.md`).
"""

import json
from collections.abc import Mapping
from typing import Any

from controller.core.model.setup import BettingStructure, Stakes
from controller.core.protocol.vocabulary import ActionType
from controller.records import phh
from controller.records.action_history import (
    ActionHistory,
    NotRepresentableError,
    PlayedAction,
    PlayedStreet,
    build_action_history,
)
from controller.records.hand_record import HandRecord, PostingKind, format_game_title, is_tournament

OHH_VERSION = "1.4.7"

GAME_TYPE_BY_NAME = {"holdem": "Holdem", "omaha": "Omaha", "omaha-8": "OmahaHiLo"}
"""The games that OHH can tell: it has types for stud and draw, but no names for their streets."""

BET_TYPE_BY_STRUCTURE = {
    BettingStructure.NO_LIMIT: "NL",
    BettingStructure.POT_LIMIT: "PL",
    BettingStructure.FIXED_LIMIT: "FL",
}

STREET_NAME_BY_NAME = {"preflop": "Preflop", "flop": "Flop", "turn": "Turn", "river": "River"}

PLAY_CHIPS_CURRENCY = "XPM"
"""How OHH names chips that stand for no currency."""

ACTION_BY_POSTING = {
    PostingKind.ANTE: "Post Ante",
    PostingKind.SMALL_BLIND: "Post SB",
    PostingKind.MIDDLE_BLIND: "Post Extra Blind",
    PostingKind.BIG_BLIND: "Post BB",
    PostingKind.POST: "Post Extra Blind",
    PostingKind.DEAD_POST: "Post Dead",
    PostingKind.STRADDLE: "Straddle",
    PostingKind.KILL: "Post Extra Blind",
}

ACTION_BY_ACTION_TYPE = {
    ActionType.FOLD: "Fold",
    ActionType.CHECK: "Check",
    ActionType.CALL: "Call",
    ActionType.BET: "Bet",
    ActionType.RAISE: "Raise",
}


def build_fields(
    record: HandRecord, place: phh.Provenance | None = None, currency: str | None = None
) -> dict[str, Any]:
    """The hand's object; `currency`: its ISO code where a unit is one of it. Raises `NotRepresentableError`."""
    place = place or phh.Provenance()
    setup, stakes = record.setup, record.setup.stakes
    game, bet_type = GAME_TYPE_BY_NAME.get(setup.game.name), BET_TYPE_BY_STRUCTURE.get(stakes.structure)
    if game is None or bet_type is None:
        raise NotRepresentableError(f"OHH has no words for {format_game_title(setup)}")
    if setup.game.streets[0].board_count:
        raise NotRepresentableError("the betting began on the flop")
    if record.button_seat is None:
        raise NotRepresentableError("nobody had the button")
    course = build_action_history(record)
    tournament = is_tournament(setup)
    hand = {
        "spec_version": OHH_VERSION,
        "site_name": "table-controller",
        "network_name": "table-controller",
        "internal_version": place.program or "0",
        "tournament": tournament,
        "tournament_info": _build_tournament_info(place, stakes, record) if tournament else None,
        "game_number": place.make_hand_id(record.number),
        "start_date_utc": None if place.began_at is None else place.began_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": "Table",
        "game_type": game,
        "bet_limit": {"bet_type": bet_type, "bet_cap": 0},
        "table_size": setup.seat_count,
        "currency": PLAY_CHIPS_CURRENCY if currency is None or tournament else currency,
        "dealer_seat": record.button_seat,
        "small_blind_amount": stakes.small_blind,
        "big_blind_amount": stakes.big_blind,
        "ante_amount": stakes.ante,
        "flags": ["Observed"],
        "players": [
            {
                "id": seat,
                "seat": seat,
                "name": record.player_by_seat[seat],
                "starting_stack": record.starting_stack_by_seat[seat],
            }
            for seat in sorted(record.dealing_order)
        ],
        "rounds": _RoundsBuilder(record, course).build_rounds(),
        "pots": _build_pots(course),
    }
    own = {
        key.removeprefix("_"): value for key, value in phh.build_own_fields(record, place).items() if value is not None
    }
    told = {key: value for key, value in hand.items() if value is not None}
    return {"ohh": told, "_table_controller": {"hand": record.number, **own}}


def render_text(content: Mapping[str, Any]) -> str:
    """Write a hand on a line of its own, and the empty line that parts it from the next."""
    return json.dumps(content, ensure_ascii=False) + "\n\n"


def _build_pots(course: ActionHistory) -> list[dict[str, Any]]:
    """The pots, counted anew from 0; an `amount` has the `rake` in it."""
    told: list[dict[str, Any]] = []
    for pot in sorted({*course.wins_by_pot, *course.taken_by_pot}):
        wins, taken = course.wins_by_pot.get(pot, {}), course.taken_by_pot.get(pot, 0)
        told.append(
            {
                "number": len(told),
                "amount": sum(wins.values()) + taken,
                "rake": taken,
                "jackpot": 0,
                "player_wins": [{"player_id": seat, "win_amount": amount} for seat, amount in sorted(wins.items())],
            }
        )
    return told


def _build_tournament_info(place: phh.Provenance, stakes: Stakes, record: HandRecord) -> dict[str, Any]:
    """What a table knows of the tournament; of what everybody began with, the mean of the stacks of this hand."""
    level = next((each for each in record.setup.levels if each.big_blind == stakes.big_blind), None)
    began = None if place.began_at is None else place.began_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "tournament_number": str(place.session or 0),
        "name": "" if record.setup.schedule is None else record.setup.schedule.title,
        "start_date_utc": began,
        "currency": PLAY_CHIPS_CURRENCY,
        "buyin_amount": None,
        "fee_amount": None,
        "bounty_fee_amount": None,
        "initial_stack": sum(record.starting_stack_by_seat.values()) // len(record.starting_stack_by_seat),
        "type": "MTT",
        "speed": {"type": "Normal", "round_time": 60 * level.minutes if level is not None else 0},
    }


class _RoundsBuilder:
    """The rounds of one hand, whose actions are numbered through."""

    def __init__(self, record: HandRecord, course: ActionHistory) -> None:
        self._record = record
        self._history = course
        self._action_count = 0

    def build_rounds(self) -> list[dict[str, Any]]:
        rounds = [self._build_round(number, stretch) for number, stretch in enumerate(self._history.streets)]
        shown = [
            self._build_action(seat, "Shows Cards", cards=cards)
            for seat, cards in self._record.tabled_cards_by_seat.items()
        ]
        if self._history.has_showdown:
            silent = [seat for seat in self._history.live_seats if seat not in self._record.tabled_cards_by_seat]
            shown += [self._build_action(seat, "Mucks Cards") for seat in silent]
        if shown:
            rounds.append({"id": len(rounds), "street": "Showdown", "actions": shown})
        return rounds

    def _build_round(self, number: int, stretch: PlayedStreet) -> dict[str, Any]:
        actions = [] if number else self._build_postings()
        actions += [self._build_played_action(deed, first=not number) for deed in stretch.actions]
        cards = {"cards": list(stretch.board_cards)} if stretch.board_cards else {}
        return {"id": number, "street": STREET_NAME_BY_NAME[stretch.street.name], **cards, "actions": actions}

    def _build_postings(self) -> list[dict[str, Any]]:
        left, told = dict(self._record.starting_stack_by_seat), []
        for posted in self._record.postings:
            left[posted.seat] -= posted.amount
            told.append(
                self._build_action(
                    posted.seat, ACTION_BY_POSTING[posted.kind], posted.amount, all_in=not left[posted.seat]
                )
            )
        return told

    def _build_played_action(self, deed: PlayedAction, *, first: bool) -> dict[str, Any]:
        """An act; before the flop there is no bet, as OHH has it."""
        word = "Raise" if first and deed.action_type is ActionType.BET else ACTION_BY_ACTION_TYPE[deed.action_type]
        return self._build_action(deed.seat, word, deed.chips_paid, all_in=deed.is_all_in)

    def _build_action(
        self, seat: int, word: str, amount: int = 0, *, all_in: bool = False, cards: tuple[str, ...] | None = None
    ) -> dict[str, Any]:
        self._action_count += 1
        told = {
            "action_number": self._action_count,
            "player_id": seat,
            "action": word,
            "amount": amount,
            "is_allin": all_in,
        }
        return told | ({"cards": list(cards)} if cards else {})
