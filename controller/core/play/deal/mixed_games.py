"""Mixed games: which game comes next, how long it is played, who chooses it, and where the button waits meanwhile.

A rotation is a list of games with their stakes. Each is played once round the table, for so many hands, or for a level
(WSOP glossary, "round of play"). With a choice button the player who has it names the game, and then it goes to the
next one [WSOP-T-67.b]. While a game without a button is on the button is frozen where the next hand would have had it
[TDA-11-B, WSOP-T-67.b].
"""

from controller.core.model.setup import InRotation, Setup
from controller.core.model.state import State
from controller.core.play.seating import button, table_size
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Game
from controller.core.rules.rulings import Ruling, Verdict, ruled
from controller.core.values.value import replace


def named(state: State, event: Game) -> tuple[Ruling, ...]:
    """Somebody says which game the next hands are: its full number of hands begins.

    Raises `Refused` (`value`, `too-many-players`).
    """
    setup = state.setup
    places = tuple(i for i, entry in enumerate(setup.rotation) if _is_meant(entry, event))
    games = tuple(entry.game for entry in setup.rotation) or setup.games
    game = next((game for game in games if game.name == event.game), None)
    if game is None or (event.structure and not places):
        may = ", ".join(dict.fromkeys(each.name for each in games))
        raise Refused("value", f"`game` cannot be {f'{event.structure} {event.game}'.strip()!r}; it may be {may}.")
    if not game.button and any(key in ("kill", "position_poker") for key, value in setup.house if value):
        raise Refused("value", f"{game.name} has no button, which kill pots and Position Poker need.")
    place = places[0] if places else 0
    stakes = setup.rotation[place].betting if setup.rotation else setup.betting
    chooser = state.chooser
    _fits(state, setup.playing(game, stakes))
    state.mixed = replace(state.mixed, named=True, place=place, dealt=0, due=0, choice=chooser)
    return _into(state, setup.playing(game, stakes))


def comes_next(state: State) -> tuple[Ruling, ...]:
    """A hand is about to begin: when its game has been played long enough the next one of the rotation comes.

    Raises `Refused` (`choose-game`, `too-many-players`).
    """
    if not state.game_is_over:
        return ()
    rotation = state.setup.rotation
    if state.mixed.choice is not None:
        games = ", ".join(dict.fromkeys(entry.game.name for entry in rotation))
        raise Refused("choose-game", f"seat {state.chooser} chooses the game: enter `game` with one of {games}.")
    place = (state.mixed.place + 1) % len(rotation)
    setup = state.setup.playing(rotation[place].game, rotation[place].betting)
    _fits(state, setup)
    state.mixed = replace(state.mixed, place=place, dealt=0, due=0)
    return _into(state, setup)


def dealt(state: State, seats: tuple[int, ...]) -> None:
    """A hand of the game begins: count it; the first one says how many there are. The button waits or is freed."""
    rotation, mixed = state.setup.rotation, state.mixed
    if rotation:
        first = not mixed.dealt
        due = (rotation[mixed.place].hands or len(seats)) if first else mixed.due
        level = state.tournament.level if first else mixed.level
        state.mixed = replace(mixed, due=due, dealt=mixed.dealt + 1, level=level)
    if not state.setup.game.button and (rotation or mixed.named):
        _button_waits(state, seats)


def shown(state: State) -> dict[str, object]:
    """What a table of mixed games shows: the game, how many hands of it are still to begin, what comes then."""
    mixed, rotation = state.mixed, state.setup.rotation
    if not rotation:
        return {"game": state.setup.game.name} if mixed.named else {}
    told: dict[str, object] = {"games": list(dict.fromkeys(entry.game.name for entry in rotation))}
    if not _entry(state).by_level and mixed.dealt:
        told["left"] = mixed.due - mixed.dealt
    if mixed.choice is None:
        told["then"] = rotation[(mixed.place + 1) % len(rotation)].game.name
    return {"game": state.setup.game.name, "rotation": told}


def _is_meant(entry: InRotation, event: Game) -> bool:
    return entry.game.name == event.game and event.structure in ("", entry.betting.structure.value)


def _entry(state: State) -> InRotation:
    return state.setup.rotation[state.mixed.place]


def _fits(state: State, setup: Setup) -> None:
    """Refuse a game for fewer players than sit here."""
    players = len(state.seating.chairs)
    most, rule = table_size.most_players(setup)
    served = table_size.served(setup)
    if most is not None and players > most:
        raise Refused("too-many-players", f"{setup.game.title} takes at most {most} players ({rule.source}).")
    if players > served:
        raise Refused("too-many-players", f"{setup.deck} cards serve {served} players at {setup.game.title}.")


def _into(state: State, setup: Setup) -> tuple[Ruling, ...]:
    """From now on this game is played; say what becomes of the button where it stops or goes on."""
    before, state.setup = state.setup, setup
    if before.game.button == setup.game.button:
        return ()
    what = "begins where it was frozen" if setup.game.button else "is frozen where the next hand would have had it"
    rule, verdict = setup.rulebook.table.frozen_button, Verdict.PLAY_ON
    if not rule.value:
        what = "moves on with every hand"
    return (ruled("game-change", verdict, rule, f"the game is {setup.game.title} now: the button {what}"),)


def _button_waits(state: State, seats: tuple[int, ...]) -> None:
    """The button of a game without one: it lies where the next hand would have had it, or moves on all the same."""
    last, frozen = state.button.positions, state.setup.rulebook.table.frozen_button.value
    if last is None:
        state.button = replace(state.button, waits=state.setup.button)
    elif not frozen or state.button.waits is None:
        found = button.moved(state.setup, last, seats, len(state.dealt) == 2)
        state.button = replace(state.button, waits=found.button, positions=last if frozen else found)
