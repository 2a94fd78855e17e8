"""Hands that have been shown, as JSON in the form of PokerGFX's export, which graphics and statistics software reads.

Cards are written as there: `as`, `10d`; a hand that nobody read is `[""]`. `BetAmt` is the seat's total on the round,
`Pot` what lies in the middle after the event. What this table does not know (statistics, payouts) is 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from controller.core.model.setup import AntePayer, BettingStructure, Setup
from controller.core.protocol.vocabulary import ActionType
from controller.records.broadcast.hand_frames import Frame, FramePlayer

MAX_HANDS = 50
"""The newest hands are told."""

EVENT_BY_ACTION = {
    ActionType.FOLD: "FOLD", ActionType.CHECK: "CHECK", ActionType.CALL: "CALL", ActionType.BET: "BET",
    ActionType.RAISE: "RAISE", ActionType.ALL_IN: "ALL IN",
    ActionType.COMPLETE: "RAISE", ActionType.BRING_IN: "BET", ActionType.STRADDLE: "BET", ActionType.KILL: "BET",
    ActionType.OPEN: "BET",
}  # fmt: skip

NAME_BY_STRUCTURE = {
    BettingStructure.NO_LIMIT: "NOLIMIT",
    BettingStructure.POT_LIMIT: "POTLIMIT",
    BettingStructure.FIXED_LIMIT: "LIMIT",
}


@dataclass(frozen=True, slots=True)
class BlindSeats:
    """Who has button and blinds (0: nobody). Of more than two blinds the second is the feed's big one."""

    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    third_blind_seat: int = 0


@dataclass(frozen=True, slots=True)
class BroadcastHand:
    """A hand that is over: its pictures, the game as it was set up, and when it began (UTC)."""

    frames: tuple[Frame, ...]
    setup: Setup
    blind_seats: BlindSeats
    began_at: datetime


def build_feed(hands: Sequence[BroadcastHand], *, since: datetime, program: str) -> dict[str, Any]:
    """Write the session `since` then, with the newest `MAX_HANDS` of its hands, the oldest first."""
    return {
        "CreatedDateTimeUTC": _format_instant(since),
        "EventTitle": "",
        "ID": int(since.timestamp() * 1000),
        "Payouts": [0] * 10,
        "SoftwareVersion": f"table-controller {program}",
        "Type": "FEATURE_TABLE",
        "Hands": [_build_hand(hand) for hand in hands[-MAX_HANDS:]],
    }


def _build_hand(hand: BroadcastHand) -> dict[str, Any]:
    first, last, setup = hand.frames[0], hand.frames[-1], hand.setup
    stakes = setup.stakes
    written: dict[str, Any] = {
        "HandNum": last.hand_number,
        "GameVariant": setup.game.name.upper().replace("-", "_"),
        "GameClass": _find_game_class(setup),
        "BetStructure": NAME_BY_STRUCTURE.get(stakes.structure, stakes.structure.value.upper()),
        "StartDateTimeUTC": _format_instant(hand.began_at),
        "Duration": f"PT{max(last.table_time_s - first.table_time_s, 0.0):.3f}S",
        "NumBoards": 1,
        "RunItNumTimes": len(last.boards),
        "AnteAmt": stakes.ante,
        "BombPotAmt": 0,
        "Description": "",
        "Players": [_build_player(player, first) for player in last.players],
        "Events": list(_iter_events(hand.frames)),
        "FlopDrawBlinds": {
            "ButtonPlayerNum": hand.blind_seats.button_seat,
            "SmallBlindPlayerNum": hand.blind_seats.small_blind_seat,
            "SmallBlindAmt": stakes.small_blind,
            "BigBlindPlayerNum": hand.blind_seats.big_blind_seat,
            "BigBlindAmt": stakes.big_blind,
            "AnteType": _find_ante_type(setup),
            "BlindLevel": 0,
        },
    }
    if stakes.middle_blinds:
        _, second, third, *_ = stakes.blinds
        written["FlopDrawBlinds"] |= {
            "BigBlindAmt": second,
            "ThirdBlindPlayerNum": hand.blind_seats.third_blind_seat,
            "ThirdBlindAmt": third,
        }
    if not setup.game.has_button:
        limits = {"BringInAmt": stakes.bring_in, "LowLimitAmt": stakes.small_bet, "HighLimitAmt": stakes.big_bet}
        written["StudLimits"] = {**limits, "BringInPlayerNum": 0}
    return written


def _build_player(player: FramePlayer, first: Frame) -> dict[str, Any]:
    began = next((each for each in first.players if each.seat == player.seat), player)
    start = (began.stack or 0) + began.chips_put_in
    end = player.stack or 0
    return {
        "PlayerNum": player.seat,
        "Name": player.name,
        "LongName": player.name,
        "HoleCards": [_format_card(card) for card in player.cards if card] or [""],
        "StartStackAmt": start,
        "EndStackAmt": end,
        "CumulativeWinningsAmt": end - start,
        "BlindBetStraddleAmt": 0,
        "SittingOut": False,
        "EliminationRank": -1,
        "VPIPPercent": 0,
        "PreFlopRaisePercent": 0,
        "AggressionFrequencyPercent": 0,
        "WentToShowDownPercent": 0,
    }


def _iter_events(frames: Iterable[Frame]) -> Iterable[dict[str, Any]]:
    laid: list[set[str]] = []
    for frame in frames:
        for did in frame.new_actions:
            yield _build_event(EVENT_BY_ACTION[did.action_type], frame, player=did.seat, bet=did.total or 0)
        for number, board in enumerate(frame.boards):
            if number == len(laid):
                laid.append(set(laid[0]) if laid else set())
            for card in board:
                if card and card not in laid[number]:
                    laid[number].add(card)
                    yield _build_event("BOARD CARD", frame, board=[_format_card(card)], number=number)
        if frame.is_over and sum(player.is_in for player in frame.players) > 1:
            yield _build_event("SHOWDOWN", frame)


def _build_event(
    kind: str, frame: Frame, *, player: int = 0, bet: int = 0, board: list[str] | None = None, number: int = 0
) -> dict[str, Any]:
    return {
        "EventType": kind,
        "PlayerNum": player,
        "BetAmt": bet,
        "Pot": frame.pot,
        "BoardCards": board,
        "BoardNum": number,
        "NumCardsDrawn": 0,
        "DateTimeUTC": None,
    }


def _format_card(card: str) -> str:
    return ("10" if card[0] == "T" else card[0].lower()) + card[1:].lower() if len(card) == 2 else card


def _find_game_class(setup: Setup) -> str:
    if not setup.game.has_button:
        return "STUD"
    return "DRAW" if setup.game.draw_count else "FLOP"


def _find_ante_type(setup: Setup) -> str:
    if not setup.stakes.ante:
        return "NO_ANTE"
    return {AntePayer.BUTTON: "BUTTON_ANTE", AntePayer.BIG_BLIND: "BB_ANTE_BB1ST"}.get(
        setup.stakes.ante_payer, "STANDARD"
    )


def _format_instant(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
