"""A rulebook is data: a key a question, each answer with the clause that gives it.

The files are `config/rulebooks/*.toml`, one a book, which says what differs; `config.rulebook_file` reads them and
refuses an unknown or an uncited key and a question that nobody answers. A key is one of three things, and there is no
fourth: a number or a switch, a choice (an `Enum` whose members have a sentence each), or a policy (a function by name,
see `policies/`).
The questions stand in `controller.core.rules.questions`, one module a table of the file.

Code reads keys. It never asks which book it runs under.
"""

from collections.abc import Mapping

from controller.core.rules.questions.cards.boxed_rules import BoxedRules
from controller.core.rules.questions.cards.deck_rules import DeckRules
from controller.core.rules.questions.cards.stub_rules import StubRules
from controller.core.rules.questions.house.clock_rules import ClockRules
from controller.core.rules.questions.house.collection_rules import CollectionRules
from controller.core.rules.questions.house.floor_rules import FloorRules
from controller.core.rules.questions.house.people_rules import PeopleRules
from controller.core.rules.questions.house.player_limit_rules import PlayerLimitRules
from controller.core.rules.questions.house.table_rules import TableRules
from controller.core.rules.questions.house.tournament_rules import TournamentRules
from controller.core.rules.questions.irregularities.board_rules import BoardRules
from controller.core.rules.questions.irregularities.burn_rules import BurnRules
from controller.core.rules.questions.irregularities.count_rules import CountRules
from controller.core.rules.questions.irregularities.exposed_rules import ExposedRules
from controller.core.rules.questions.irregularities.misdeal_rules import MisdealRules
from controller.core.rules.questions.irregularities.premature_rules import PrematureRules
from controller.core.rules.questions.irregularities.sequence_rules import SequenceRules
from controller.core.rules.questions.play.betting_rules import BettingRules
from controller.core.rules.questions.play.draw_rules import DrawRules
from controller.core.rules.questions.play.kill_rules import KillRules
from controller.core.rules.questions.play.lowball_rules import LowballRules
from controller.core.rules.questions.play.procedure_rules import ProcedureRules
from controller.core.rules.questions.play.showdown_rules import ShowdownRules
from controller.core.rules.questions.play.stud_rules import StudRules
from controller.core.rules.questions.play.turn_rules import TurnRules
from controller.core.rules.questions.play.wager_rules import WagerRules
from controller.core.values.value import Value


class Fallback(Value):
    """Another rulebook, which answers where this one is silent.

    `book` is its name; its clauses are cited "by default". `is_binding`: this book itself names the other, and does not
    leave it to the house. `cite` holds the clauses that say so, or that leave it to the house; it is empty where no
    clause speaks of it, and then `clause`, the first of them as printed, is, too.
    """

    book: str
    is_binding: bool
    cite: tuple[str, ...]
    clause: str


class Rulebook(Value):
    """One house's rules. Each field is a table of the file, each field of that a key.

    A field that is a mapping has a table for each form of game (`[exposed.flop]`), named by the game's `form`.
    `fallback`: who answers where the book is silent, the first first; where all of them are, the nearest clause of any
    other book does, by default.
    """

    name: str
    title: str
    code: str
    games: tuple[str, ...]
    fallback: tuple[Fallback, ...]
    table: TableRules
    betting: BettingRules
    showdown: ShowdownRules
    misdeal: MisdealRules
    boxed: BoxedRules
    turns: TurnRules
    wagers: WagerRules
    clock: ClockRules
    floor: FloorRules
    people: PeopleRules
    collection: CollectionRules
    tournament: TournamentRules
    deck: DeckRules
    stub: StubRules
    kill: KillRules
    exposed: Mapping[str, ExposedRules]
    burns: Mapping[str, BurnRules]
    board: Mapping[str, BoardRules]
    premature: Mapping[str, PrematureRules]
    counts: Mapping[str, CountRules]
    sequence: Mapping[str, SequenceRules]
    procedure: Mapping[str, ProcedureRules]
    upcards: Mapping[str, StudRules]
    exchange: Mapping[str, DrawRules]
    lowball: Mapping[str, LowballRules]
    players: Mapping[str, PlayerLimitRules]


RULES_CLASS_BY_SECTION: dict[str, type[Value]] = {
    "table": TableRules,
    "betting": BettingRules,
    "showdown": ShowdownRules,
    "misdeal": MisdealRules,
    "boxed": BoxedRules,
    "turns": TurnRules,
    "wagers": WagerRules,
    "clock": ClockRules,
    "floor": FloorRules,
    "people": PeopleRules,
    "collection": CollectionRules,
    "tournament": TournamentRules,
    "deck": DeckRules,
    "stub": StubRules,
    "kill": KillRules,
}
"""The tables of a rulebook file and what each holds."""

RULES_CLASS_BY_FORM_SECTION: dict[str, type[Value]] = {
    "exposed": ExposedRules,
    "burns": BurnRules,
    "board": BoardRules,
    "premature": PrematureRules,
    "upcards": StudRules,
    "exchange": DrawRules,
    "lowball": LowballRules,
    "players": PlayerLimitRules,
    "counts": CountRules,
    "sequence": SequenceRules,
    "procedure": ProcedureRules,
}
"""Tables that stand once for each form of game that they concern; `players` once for each game."""
