"""A bomb pot: everybody antes the same, and the betting begins on the flop [WSOP-L-27].

Who opts out is `away` for the hand. The button does not advance, so that nobody loses a position by it. The flop comes
without a burn, as there was no action before it [WSOP-L-doubleboard].
"""

from controller.core.model.setup import AnteBy, Setup
from controller.core.model.state import State
from controller.core.play.seating import button
from controller.core.play.seating.lineup import Lineup, too_few
from controller.core.protocol.errors import Refused
from controller.core.rules.games import Opener
from controller.core.rules.questions.house.table import Mode
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace


def agreed(state: State, ante: int) -> Ruling:
    """The next hand is a bomb pot for so much each; raises `Refused` (`bomb-pot`)."""
    setup, rule = state.setup, state.setup.rulebook.people.bomb_pots
    streets = setup.game.streets
    if not rule.value or setup.mode is Mode.TOURNAMENT:
        raise Refused("bomb-pot", f"no bomb pots here ({rule.source}); begin the hand without one.")
    if not setup.game.button or len(streets) < 2 or not streets[1].board or streets[1].discard:
        raise Refused("bomb-pot", f"{setup.game.title} has no flop to begin with; begin the hand without a bomb pot.")
    if state.kill.due is not None or dict(setup.house).get("position_poker"):
        raise Refused("bomb-pot", "this pot is killed, or the winner's button is played for: no bomb pot now.")
    state.button = replace(state.button, bomb=ante)
    amount = f"{ante} each" if setup.tracked else "an ante each"
    sentence = f"a bomb pot for {amount}: the betting begins on the flop, and the button stays where it is"
    return ruled("bomb-pot", Verdict.PLAY_ON, rule, sentence)


def lineup(state: State) -> Lineup:
    """Who plays it: everybody who is there and waits for nothing; raises `Refused` (`too-few-players`)."""
    able = tuple(
        seat
        for seat, chair in sorted(state.seating.chairs.items())
        if not (chair.away or chair.waits) and (chair.stack or not state.setup.tracked)
    )
    if len(able) < 2:
        raise too_few(len(able))
    return Lineup(state.button.positions or button.first(state.setup, able), able)


def begun_on_the_flop(setup: Setup, ante: int) -> Setup:
    """The hand's game and stakes: its cards and the flop in one stretch, antes for blinds, the usual smallest bet."""
    first, flop, *rest = setup.game.streets
    street = replace(flop, deal=first.deal, board=first.board + flop.board, burn=False, opener=Opener.LEFT_OF_BUTTON)
    stakes = setup.betting
    betting = replace(
        stakes, small_blind=0, big_blind=0, ante=ante, ante_by=AnteBy.EACH, min_bet=stakes.min_bet or stakes.minimum
    )
    return replace(setup, game=replace(setup.game, streets=(street, *rest)), betting=betting)
