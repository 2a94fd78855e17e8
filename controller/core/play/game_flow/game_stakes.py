"""Whether the stakes of a table serve a game: the forced bets with which its first round begins."""

from controller.core.model.setup import BettingStructure, Stakes
from controller.core.protocol.table_error import Refused
from controller.core.rules.games import Game, StreetOpener
from controller.core.rules.rulebook import Rulebook

BIG_BET_STRUCTURES = (BettingStructure.NO_LIMIT, BettingStructure.POT_LIMIT)
"""Structures in which the blind or the bring-in says how much the first bet is."""


def refuse_missing_blind(stakes: Stakes, game: Game) -> None:
    """Refuse a game with blinds that has none, nor a smallest bet; raises `Refused` (`key-missing`)."""
    if game.streets[0].opener is not StreetOpener.LEFT_OF_BLINDS or stakes.structure not in BIG_BET_STRUCTURES:
        return
    if not (stakes.button_ante or stakes.big_blind or stakes.min_bet):
        raise Refused("key-missing", f"`betting` needs `big_blind` (or `min_bet`) in {stakes.structure.value}.")


def refuse_small_last_blind(book: Rulebook, stakes: Stakes, game: Game) -> None:
    """Refuse a last blind below the minimum of the first round where the book does [AU-16.6(b), AU-17.6(b)].

    Raises `Refused` (`value`).
    """
    rule, least = book.betting.last_blind_minimum, stakes.small_bet or stakes.min_bet
    last = stakes.big_blind or stakes.small_blind
    if rule.value and game.streets[0].opener is StreetOpener.LEFT_OF_BLINDS and last < least:
        raise Refused("value", f"`betting`: the last blind, {last}, must be at least {least} ({rule.source}).")


def refuse_unfit_stakes(book: Rulebook, stakes: Stakes, game: Game) -> None:
    """Refuse a game that is named at the stakes of another one and lacks its forced bets there.

    Without a bring-in stud would begin with a bet of the blind's size that nobody posts, at pot limit into an empty
    pot. Raises `Refused` (`value`).
    """
    try:
        refuse_missing_blind(stakes, game)
        refuse_small_last_blind(book, stakes, game)
        _refuse_missing_bring_in(stakes, game)
    except Refused as why:
        remedy = "set the table up anew, or with a `rotation` that says each game's `betting`"
        raise Refused("value", f"{game.title} is not played at these stakes: {why.message} So {remedy}.") from None


def _refuse_missing_bring_in(stakes: Stakes, game: Game) -> None:
    brought_in = game.streets[0].opener in (StreetOpener.LOW_CARD, StreetOpener.HIGH_CARD)
    if brought_in and stakes.structure in BIG_BET_STRUCTURES and not stakes.bring_in:
        raise Refused("key-missing", f"`betting` needs `bring_in` in {stakes.structure.value}.")
