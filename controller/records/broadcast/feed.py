"""Hands that have been shown, as JSON in the form of PokerGFX's export, which graphics and statistics software reads.

Cards are written as there: `as`, `10d`; a hand that nobody read is `[""]`. `BetAmt` is the seat's total on the round,
`Pot` what lies in the middle after the event. What this table does not know (statistics, payouts) is 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from controller.core.model.setup import AnteBy, Setup, Structure
from controller.core.protocol.vocabulary import Do
from controller.records.broadcast.frames import Frame, Player

MOST_HANDS = 50
"""The newest hands are told."""

EVENTS = {
    Do.FOLD: "FOLD", Do.CHECK: "CHECK", Do.CALL: "CALL", Do.BET: "BET", Do.RAISE: "RAISE", Do.ALL_IN: "ALL IN",
    Do.COMPLETE: "RAISE", Do.BRING_IN: "BET", Do.STRADDLE: "BET", Do.KILL: "BET", Do.OPEN: "BET",
}  # fmt: skip

STRUCTURES = {
    Structure.NO_LIMIT: "NOLIMIT",
    Structure.POT_LIMIT: "POTLIMIT",
    Structure.FIXED_LIMIT: "LIMIT",
}


@dataclass(frozen=True, slots=True)
class Blinds:
    """Who has button and blinds (0: nobody)."""

    button: int
    small: int
    big: int


@dataclass(frozen=True, slots=True)
class HandShown:
    """A hand that is over: its pictures, the game as it was set up, and when it began (UTC)."""

    frames: tuple[Frame, ...]
    setup: Setup
    blinds: Blinds
    began: datetime


def feed(hands: Sequence[HandShown], *, since: datetime, program: str) -> dict[str, Any]:
    """Write the session `since` then, with the newest `MOST_HANDS` of its hands, the oldest first."""
    return {
        "CreatedDateTimeUTC": _instant(since),
        "EventTitle": "",
        "ID": int(since.timestamp() * 1000),
        "Payouts": [0] * 10,
        "SoftwareVersion": f"table-controller {program}",
        "Type": "FEATURE_TABLE",
        "Hands": [_hand(hand) for hand in hands[-MOST_HANDS:]],
    }


def _hand(hand: HandShown) -> dict[str, Any]:
    first, last, setup = hand.frames[0], hand.frames[-1], hand.setup
    stakes = setup.betting
    written = {
        "HandNum": last.number,
        "GameVariant": setup.game.name.upper().replace("-", "_"),
        "GameClass": _class(setup),
        "BetStructure": STRUCTURES.get(stakes.structure, stakes.structure.value.upper()),
        "StartDateTimeUTC": _instant(hand.began),
        "Duration": f"PT{max(last.at - first.at, 0.0):.3f}S",
        "NumBoards": 1,
        "RunItNumTimes": len(last.boards),
        "AnteAmt": stakes.ante,
        "BombPotAmt": 0,
        "Description": "",
        "Players": [_player(player, first) for player in last.players],
        "Events": list(_events(hand.frames)),
        "FlopDrawBlinds": {
            "ButtonPlayerNum": hand.blinds.button,
            "SmallBlindPlayerNum": hand.blinds.small,
            "SmallBlindAmt": stakes.small_blind,
            "BigBlindPlayerNum": hand.blinds.big,
            "BigBlindAmt": stakes.big_blind,
            "AnteType": _ante_type(setup),
            "BlindLevel": 0,
        },
    }
    if not setup.game.button:
        limits = {"BringInAmt": stakes.bring_in, "LowLimitAmt": stakes.small_bet, "HighLimitAmt": stakes.big_bet}
        written["StudLimits"] = {**limits, "BringInPlayerNum": 0}
    return written


def _player(player: Player, first: Frame) -> dict[str, Any]:
    began = next((each for each in first.players if each.seat == player.seat), player)
    start = (began.stack or 0) + began.put_in
    end = player.stack or 0
    return {
        "PlayerNum": player.seat,
        "Name": player.name,
        "LongName": player.name,
        "HoleCards": [_card(card) for card in player.cards if card] or [""],
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


def _events(frames: Iterable[Frame]) -> Iterable[dict[str, Any]]:
    laid: list[set[str]] = []
    for frame in frames:
        for did in frame.did:
            yield _event(EVENTS[did.do], frame, player=did.seat, bet=did.to or 0)
        for number, board in enumerate(frame.boards):
            if number == len(laid):
                laid.append(set(laid[0]) if laid else set())
            for card in board:
                if card and card not in laid[number]:
                    laid[number].add(card)
                    yield _event("BOARD CARD", frame, board=[_card(card)], number=number)
        if frame.over and sum(player.is_in for player in frame.players) > 1:
            yield _event("SHOWDOWN", frame)


def _event(
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


def _card(card: str) -> str:
    return ("10" if card[0] == "T" else card[0].lower()) + card[1:].lower() if len(card) == 2 else card


def _class(setup: Setup) -> str:
    if not setup.game.button:
        return "STUD"
    return "DRAW" if setup.game.draws else "FLOP"


def _ante_type(setup: Setup) -> str:
    if not setup.betting.ante:
        return "NO_ANTE"
    return {AnteBy.BUTTON: "BUTTON_ANTE", AnteBy.BIG_BLIND: "BB_ANTE_BB1ST"}.get(setup.betting.ante_by, "STANDARD")


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
