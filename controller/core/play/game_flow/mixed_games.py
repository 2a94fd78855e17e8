"""Mixed games: which game comes next, how long it is played, who chooses it, and where the button waits meanwhile.

A rotation is a list of games with their stakes. Each is played once round the table, for so many hands, or for a level
(WSOP glossary, "round of play"). With a choice button the player who has it names the game, and then it goes to the
next one [WSOP-T-67.b]. While a game without a button is on the button is frozen where the next hand would have had it
[TDA-11-B, WSOP-T-67.b].
"""

from controller.core.model.setup import RotationGame, Setup
from controller.core.model.table_state import TableState
from controller.core.play.game_flow import game_stakes
from controller.core.play.seating import button, player_limits
from controller.core.protocol.events import GameChosen
from controller.core.protocol.table_error import Refused
from controller.core.rules import ruling_sentences as said
from controller.core.rules.rulings import Ruling, Verdict, build_ruling
from controller.core.values.value import replace


def choose_game(state: TableState, event: GameChosen) -> tuple[Ruling, ...]:
    """Somebody says which game the next hands are: its full number of hands begins.

    Raises `Refused` (`value`, `too-many-players`).
    """
    setup = state.setup
    places = tuple(i for i, entry in enumerate(setup.rotation) if _is_entry_of_event(entry, event))
    games = tuple(entry.game for entry in setup.rotation) or setup.games
    game = next((game for game in games if game.name == event.game_name), None)
    if game is None or (event.structure and not places):
        may = ", ".join(dict.fromkeys(each.name for each in games))
        raise Refused("value", f"`game` cannot be {f'{event.structure} {event.game_name}'.strip()!r}; it may be {may}.")
    house, kill = dict(setup.house_options), setup.rulebook.kill.bring_in
    if not game.has_button and house.get("position_poker"):
        raise Refused("value", f"{game.name} has no button, which Position Poker needs.")
    if not game.has_button and house.get("kill") and not kill.value:
        raise Refused("value", f"{game.name} has no blinds, and no pot is killed there ({kill.source}).")
    place = places[0] if places else 0
    stakes = setup.rotation[place].stakes if setup.rotation else setup.stakes
    if not setup.rotation:
        game_stakes.refuse_unfit_stakes(setup.rulebook, stakes, game)
    chooser = state.chooser
    _refuse_too_many_players(state, setup.replace_game(game, stakes))
    state.rotation_state = replace(
        state.rotation_state,
        is_game_named=True,
        rotation_index=place,
        dealt_hand_count=0,
        due_hand_count=0,
        choice_button=chooser,
    )
    return _switch_game(state, setup.replace_game(game, stakes))


def advance_rotation(state: TableState) -> tuple[Ruling, ...]:
    """A hand is about to begin: when its game has been played long enough the next one of the rotation comes.

    Raises `Refused` (`choose-game`, `too-many-players`).
    """
    if not state.is_game_over:
        return ()
    rotation = state.setup.rotation
    if state.rotation_state.choice_button is not None:
        games = ", ".join(dict.fromkeys(entry.game.name for entry in rotation))
        raise Refused("choose-game", f"seat {state.chooser} chooses the game: enter `game` with one of {games}.")
    place = (state.rotation_state.rotation_index + 1) % len(rotation)
    setup = state.setup.replace_game(rotation[place].game, rotation[place].stakes)
    _refuse_too_many_players(state, setup)
    state.rotation_state = replace(state.rotation_state, rotation_index=place, dealt_hand_count=0, due_hand_count=0)
    return _switch_game(state, setup)


def count_dealt_hand(state: TableState, seats: tuple[int, ...]) -> None:
    """A hand of the game begins: count it; the first one says how many there are. The button waits or is freed."""
    rotation, progress = state.setup.rotation, state.rotation_state
    if rotation:
        first = not progress.dealt_hand_count
        due = (rotation[progress.rotation_index].hand_count or len(seats)) if first else progress.due_hand_count
        level = state.tournament.level_index if first else progress.first_level_index
        state.rotation_state = replace(
            progress, due_hand_count=due, dealt_hand_count=progress.dealt_hand_count + 1, first_level_index=level
        )
    if not state.setup.game.has_button and (rotation or progress.is_game_named):
        _freeze_button(state, seats)


def render_rotation(state: TableState) -> dict[str, object]:
    """What a table of mixed games shows: the game, how many hands of it are still to begin, what comes then."""
    progress, rotation = state.rotation_state, state.setup.rotation
    if not rotation:
        return {"game": state.setup.game.name} if progress.is_game_named else {}
    told: dict[str, object] = {"games": list(dict.fromkeys(entry.game.name for entry in rotation))}
    if not _current_rotation_entry(state).is_by_level and progress.dealt_hand_count:
        told["left"] = progress.due_hand_count - progress.dealt_hand_count
    if progress.choice_button is None:
        told["then"] = rotation[(progress.rotation_index + 1) % len(rotation)].game.name
    return {"game": state.setup.game.name, "rotation": told}


def _is_entry_of_event(entry: RotationGame, event: GameChosen) -> bool:
    return entry.game.name == event.game_name and event.structure in ("", entry.stakes.structure.value)


def _current_rotation_entry(state: TableState) -> RotationGame:
    return state.setup.rotation[state.rotation_state.rotation_index]


def _refuse_too_many_players(state: TableState, setup: Setup) -> None:
    """Refuse a game for fewer players than sit here."""
    players = len(state.seating.state_by_seat)
    most, rule = player_limits.max_players(setup)
    served = player_limits.max_players_by_deck(setup)
    if most is not None and players > most:
        raise Refused("too-many-players", f"{setup.game.title} takes at most {most} players ({rule.source}).")
    if players > served:
        raise Refused("too-many-players", f"{setup.deck_size} cards serve {served} players at {setup.game.title}.")


def _switch_game(state: TableState, setup: Setup) -> tuple[Ruling, ...]:
    """From now on this game is played; say what becomes of the button where it stops or goes on."""
    before, state.setup = state.setup, setup
    if before.game.has_button == setup.game.has_button:
        return ()
    template = said.GAME_BUTTON_BEGINS if setup.game.has_button else said.GAME_BUTTON_FROZEN
    rule, verdict = setup.rulebook.table.frozen_button, Verdict.PLAY_ON
    if not rule.value:
        template = said.GAME_BUTTON_MOVES
    return (build_ruling("game-change", verdict, rule, template.format(game=setup.game.title)),)


def _freeze_button(state: TableState, seats: tuple[int, ...]) -> None:
    """The button of a game without one: it lies where the next hand would have had it, or moves on all the same."""
    last, frozen = state.button.positions, state.setup.rulebook.table.frozen_button.value
    if last is None:
        state.button = replace(state.button, frozen_button=state.setup.button)
    elif not frozen or state.button.frozen_button is None:
        found = button.next_positions(state.setup, last, seats, len(state.last_dealt_seats) == 2)
        state.button = replace(state.button, frozen_button=found.button, positions=last if frozen else found)
