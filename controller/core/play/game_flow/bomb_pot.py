"""A bomb pot: everybody antes the same, and the betting begins on the flop [WSOP-L-27].

Who opts out is `away` for the hand. The button does not advance, so that nobody loses a position by it. The flop comes
without a burn, as there was no action before it [WSOP-L-doubleboard].
"""

from controller.core.model.setup import AntePayer, Setup
from controller.core.model.table_state import TableState
from controller.core.play.seating import button
from controller.core.play.seating.lineup import Lineup, too_few_players_refusal
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.games import StreetOpener
from controller.core.rules.questions.house.table_rules import GameMode
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace


def announce_bomb_pot(state: TableState, ante: int) -> Ruling:
    """The next hand is a bomb pot for so much each; raises `Refused` (`bomb-pot`)."""
    setup, rule = state.setup, state.setup.rulebook.people.bomb_pots
    streets = setup.game.streets
    if not rule.value or setup.mode is GameMode.TOURNAMENT:
        raise Refused("bomb-pot", f"no bomb pots here ({rule.source}); begin the hand without one.")
    if not setup.game.has_button or len(streets) < 2 or not streets[1].board_count or streets[1].discard_count:
        raise Refused("bomb-pot", f"{setup.game.title} has no flop to begin with; begin the hand without a bomb pot.")
    if state.kill.required_killer is not None or dict(setup.house_options).get("position_poker"):
        raise Refused("bomb-pot", "this pot is killed, or the winner's button is played for: no bomb pot now.")
    state.button = replace(state.button, bomb_pot_ante=ante)
    sentence = said.BOMB_POT_FOR.format(amount=ante) if setup.tracks_amounts else said.BOMB_POT
    return build_ruling("bomb-pot", Verdict.PLAY_ON, rule, sentence)


def build_bomb_pot_lineup(state: TableState) -> Lineup:
    """Who plays it: everybody who is there and waits for nothing; raises `Refused` (`too-few-players`)."""
    able = tuple(
        seat
        for seat, chair in sorted(state.seating.state_by_seat.items())
        if not (chair.is_away or chair.waits_for_big_blind) and (chair.stack or not state.setup.tracks_amounts)
    )
    if len(able) < 2:
        raise too_few_players_refusal(len(able))
    return Lineup(state.button.positions or button.first_positions(state.setup, able), able)


def build_bomb_pot_setup(setup: Setup, ante: int) -> Setup:
    """The hand's game and stakes: its cards and the flop in one stretch, antes for blinds, the usual smallest bet."""
    first, flop, *rest = setup.game.streets
    street = replace(
        flop,
        deal_faces=first.deal_faces,
        board_count=first.board_count + flop.board_count,
        has_burn=False,
        opener=StreetOpener.LEFT_OF_BUTTON,
    )
    stakes = setup.stakes
    betting = replace(
        stakes,
        small_blind=0,
        middle_blinds=(),
        big_blind=0,
        ante=ante,
        ante_payer=AntePayer.EACH,
        min_bet=stakes.min_bet or stakes.effective_min_bet,
    )
    return replace(setup, game=replace(setup.game, streets=(street, *rest)), stakes=betting)
