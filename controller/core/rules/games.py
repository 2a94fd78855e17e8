"""A game is data: its streets, its hands, its deck.

Nothing here knows the name of a game. The files are `config/games/*.toml`; `config.game_file` reads them.
"""

from enum import Enum, unique
from functools import cached_property
from typing import Literal

from controller.core.protocol.steps import Face
from controller.core.values.value import Value


@unique
class StreetOpener(Enum):
    """Who acts first on a street."""

    LEFT_OF_BLINDS = "left-of-blinds"
    LEFT_OF_BUTTON = "left-of-button"
    LOW_CARD = "low-card"
    HIGH_CARD = "high-card"
    HIGH_HAND = "high-hand"
    LOW_HAND = "low-hand"
    DRAW_OPENER = "draw-opener"


@unique
class Ranking(Enum):
    """How hands are compared: the badugi ones by up to four cards of different ranks and suits; 27: the ace is high."""

    HIGH = "high"
    LOW_8 = "low-8"
    LOW_A5 = "low-a5"
    LOW_27 = "low-27"
    BADUGI = "badugi"
    BADUGI_27 = "badugi-27"

    @property
    def is_ace_low(self) -> bool:
        """Whether the ace is the lowest card."""
        return self in (Ranking.LOW_8, Ranking.LOW_A5, Ranking.BADUGI)


class Street(Value):
    """One stretch of a hand, from its cards to the end of its betting.

    `deal_faces`: the faces of the cards each seat gets, one round of the table for each; `board_count`: community
    cards; `has_burn`: whether a card is burned first; `has_draw`: whether seats exchange cards; `discard_count`: how
    many cards each hand throws away before all that, without new ones; `bet_limit`: which limit applies.
    """

    name: str
    opener: StreetOpener
    bet_limit: Literal["small", "big"]
    deal_faces: tuple[Face, ...] = ()
    board_count: int = 0
    has_burn: bool = False
    has_draw: bool = False
    discard_count: int = 0


class Game(Value, gc=True, dict=True):
    """A poker game.

    `rules_form` names the family of irregularity rules that a rulebook applies to it. `hole_cards_to_play` is how many
    cards of the player's own must play (`None`: any). `rankings` has two members in high-low games, the high half
    first. `open_pair_street`: the street on which an open pair gives a choice of limits. `min_openers`: the least pair
    that opens the pot, as two ranks.
    """

    name: str
    title: str
    rules_form: str
    has_button: bool
    streets: tuple[Street, ...]
    rankings: tuple[Ranking, ...]
    hole_cards_to_play: int | None = None
    deck_size: int = 52
    joker_use: Literal["never", "default", "optional"] = "never"
    open_pair_street: str | None = None
    min_openers: str | None = None

    @cached_property
    def deals_later_cards(self) -> bool:
        """Whether seats get cards of their own after the first round of betting, as in stud."""
        return any(street.deal_faces for street in self.streets[1:])

    @cached_property
    def hand_size(self) -> int:
        """How many cards of its own a hand has been dealt in the end."""
        return sum(len(street.deal_faces) for street in self.streets)

    @cached_property
    def draw_count(self) -> int:
        """How often seats exchange cards."""
        return sum(street.has_draw for street in self.streets)

    def kept_card_count(self, index: int) -> int:
        """How many of its own cards a hand keeps once it has thrown away those of street `index`."""
        dealt = sum(len(street.deal_faces) for street in self.streets[:index])
        return dealt - sum(street.discard_count for street in self.streets[: index + 1])
