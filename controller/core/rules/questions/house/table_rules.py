"""The kind of game, the button and the blinds."""

from enum import Enum, unique

from controller.core.rules.questions.rule import Rule, choice, switch
from controller.core.values.value import Value


@unique
class GameMode(Enum):
    """What kind of game the table plays."""

    CASH = "cash"
    TOURNAMENT = "tournament"


@unique
class ButtonRule(Enum):
    """How the button moves.

    MOVING: to the next player, blinds adjust, so that two players may post a big blind. DEAD: the big blind goes to
    the player due for it, small blind and button follow, even to an empty chair.
    """

    MOVING = "moving"
    DEAD = "dead"


@unique
class HeadsUpSmallBlind(Enum):
    """Who posts the small blind with two players.

    ON_BUTTON: the button. LEFT_OF_BUTTON: the player left of the button, as at a full table.
    """

    ON_BUTTON = "on-button"
    LEFT_OF_BUTTON = "left-of-button"


@unique
class HeadsUpButton(Enum):
    """Who gets the button when three players become two.

    BUTTON_RULE: the button moves as always. LAST_BIG_BLIND: whoever had the big blind last.
    """

    BUTTON_RULE = "button-rule"
    LAST_BIG_BLIND = "last-big-blind"


class TableRules(Value):
    """The kind of game, the button and the blinds."""

    mode: Rule[GameMode] = choice(GameMode, "What kind of game does the book speak of where the table does not say?")
    button_cash: Rule[ButtonRule] = choice(ButtonRule, "How does the button move in a cash game?")
    button_tournament: Rule[ButtonRule] = choice(ButtonRule, "How does the button move in a tournament?")
    heads_up: Rule[HeadsUpSmallBlind] = choice(HeadsUpSmallBlind, "Who has the small blind heads-up?")
    becoming_heads_up: Rule[HeadsUpButton] = choice(HeadsUpButton, "Who has the button when two are left?")
    frozen_button: Rule[bool] = switch("In mixed games, is the button frozen while a game without one is on?")
