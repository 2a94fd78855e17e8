"""Turns a `table` line into a table: looks its rulebook and game up, and refuses what does not fit together."""

from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from config import game_file, rulebook_file, schedule_file
from config.file_library import Library, add_plug_in_packages, resolve_library
from controller.core.model.setup import (
    AntePayer,
    BettingStructure,
    DiscardSelection,
    PlayTracking,
    RotationGame,
    SeatedPlayer,
    Sensor,
    Setup,
    ShotClock,
    Stakes,
    TableOpened,
)
from controller.core.play.game_flow import game_stakes
from controller.core.play.game_flow.house_collection import check_event_terms
from controller.core.play.seating import player_limits
from controller.core.protocol.collection_terms import CollectionTerms
from controller.core.protocol.events import CollectionChanged
from controller.core.protocol.script_lines import MAX_NUMBER, parse_line
from controller.core.protocol.table_error import Refused
from controller.core.rules.games import Game
from controller.core.rules.questions.house.table_rules import ButtonRule, GameMode
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, Rulebook
from controller.core.tournament.schedule import Schedule
from controller.core.values.cards import LOWEST_RANK_BY_DECK_SIZE
from controller.core.values.seat_order import seats_from

TABLE_LINE_KEYS = (
    "ev", "t", "note", "rulebook", "game", "betting", "amounts", "follow", "seats", "places", "button", "button_rule",
    "blind_seats", "new_game", "mode", "joker", "sensors", "house", "rotation", "choice",
    "dealer", "shot_clock", "discards", "collection", "live",
)  # fmt: skip
REQUIRED_KEYS = ("rulebook", "game", "betting", "seats")
BETTING_AMOUNT_KEYS = (
    "small_blind",
    "big_blind",
    "ante",
    "bring_in",
    "small_bet",
    "big_bet",
    "min_bet",
    "max_bet",
    "chip",
)
HOUSE_OPTION_KEYS = ("deck", "kill", "position_poker", "schedule", "voluntary_kill")
"""`house` keys that are no answers of a rulebook."""
MAX_ROTATION_GAMES, MAX_ROTATION_HANDS = 30, 1000
MAX_PLACES = 23
"""More players than any deck could serve."""

E = TypeVar("E", bound=Enum)


def parse_table_line(line: Mapping[str, Any], library: Library | None = None) -> TableOpened:
    """The event for a `table` line, whose rulebook, game and schedule are in the library; raises `Refused`."""
    _check_keys(line, TABLE_LINE_KEYS, "the table line")
    library = add_plug_in_packages(resolve_library(library), line)
    for key in REQUIRED_KEYS:
        if key not in line:
            raise Refused("key-missing", f"the table line needs `{key}`; it must have {', '.join(REQUIRED_KEYS)}.")
    book = rulebook_file.load_rulebook(parse_choice(line, "rulebook", rulebook_file.list_rulebooks(library)), library)
    game = game_file.load_game(parse_choice(line, "game", game_file.list_games(library)), library)
    if game.name not in book.games:
        raise Refused("game-not-in-book", f"{book.title} has no rules for {game.name}; it has {', '.join(book.games)}.")
    _check_book_covers_game(book, game)
    house = line.get("house", {})
    if not isinstance(house, dict):
        raise Refused("value", "`house` is an object of single rulebook answers.")
    try:
        book = rulebook_file.apply_house_answers(book, {k: v for k, v in house.items() if k not in HOUSE_OPTION_KEYS})
    except LookupError as error:
        raise Refused("house", f"{error}; or one of {', '.join(HOUSE_OPTION_KEYS)}.") from error
    except ValueError as error:
        raise Refused("house", str(error)) from error
    tracked = parse_choice(line, "amounts", ("tracked", "untracked"), "tracked") == "tracked"
    mode = _parse_member(line, "mode", GameMode, book.table.mode.value)
    betting = _parse_betting(line["betting"], game)
    games = _list_playable_games(book.name, library)
    rotation = _parse_rotation(line, book, game, betting, games)
    betting = rotation[0].stakes if rotation else betting
    game_stakes.refuse_small_last_blind(book, betting, game)
    places = parse_int(line, "places", 10, 2, MAX_PLACES)
    seats = _parse_seats(line["seats"], places, tracked, none=mode is GameMode.TOURNAMENT)
    rule = book.table.button_tournament if mode is GameMode.TOURNAMENT else book.table.button_cash
    default = ButtonRule.MOVING if betting.button_ante else rule.value
    button_rule = _parse_member(line, "button_rule", ButtonRule, default)
    setup = Setup(
        rulebook=book,
        game=game,
        stakes=betting,
        tracks_amounts=tracked,
        seat_count=places,
        players=seats,
        button=_parse_button(line, game, places, seats, rotation),
        button_rule=button_rule,
        blind_seats=_parse_blind_seats(line, places, len(betting.middle_blinds)),
        mode=mode,
        deck_size=_parse_deck_size(house, game, book),
        has_joker=_parse_joker(line, game, book),
        sensors=_parse_sensors(line),
        house_options=_parse_house_options(house, game, book),
        schedule=_load_schedule(house, library),
        is_new_game=_parse_new_game(line),
        play_tracking=_parse_follow(line, tracked),
        discard_selection=_parse_member(line, "discards", DiscardSelection, DiscardSelection.UNKNOWN),
        games=games,
        rotation=rotation,
        choice_button=_parse_choice_seat(line, seats),
        shot_clock=_parse_shot_clock(line),
        collection=_parse_collection(line, book, mode),
        is_live=_parse_live(line),
    )
    _check_player_count(setup)
    return TableOpened(setup, time_s=_parse_time(line))


@cache  # asked anew, a third of what it takes to replay a hand
def _list_playable_games(name: str, library: Library) -> tuple[Game, ...]:
    """The games that a book lists and has all answers for."""
    book, known = rulebook_file.load_rulebook(name, library), game_file.list_games(library)
    games = (game_file.load_game(each, library) for each in book.games if each in known)
    return tuple(game for game in games if not _find_missing_tables(book, game))


def _parse_rotation(
    line: Mapping[str, Any], book: Rulebook, game: Game, betting: Stakes, games: tuple[Game, ...]
) -> tuple[RotationGame, ...]:
    """The games that take turns, that of the table first."""
    if "rotation" not in line:
        return ()
    rows = line["rotation"]
    if not isinstance(rows, list) or not 2 <= len(rows) <= MAX_ROTATION_GAMES:
        raise Refused("value", f"`rotation` is a list of 2 to {MAX_ROTATION_GAMES} games, each with `game`.")
    house = line.get("house", {})
    if any(isinstance(house, dict) and house.get(key) for key in ("position_poker", "voluntary_kill", "deck")):
        raise Refused(
            "value", "a `rotation` is played without kills by choice, Position Poker and a `deck` of its own."
        )
    by_name = {each.name: each for each in games}
    found: list[RotationGame] = []
    for row in rows:
        if not isinstance(row, dict):
            raise Refused("value", "each of `rotation` is an object with `game`, `betting` and `hands`.")
        _check_keys(row, ("game", "betting", "hands"), "an entry of `rotation`")
        if "game" not in row:
            raise Refused("key-missing", "each of `rotation` needs `game`.")
        one = by_name[parse_choice(row, "game", tuple(by_name))]
        if isinstance(house, dict) and house.get("kill"):
            _check_kill(book, one)
        stakes = _parse_betting(row["betting"], one) if "betting" in row else betting
        game_stakes.refuse_small_last_blind(book, stakes, one)
        hands = row.get("hands", "round")
        if hands not in ("round", "level"):
            hands = parse_int(row, "hands", 1, 1, MAX_ROTATION_HANDS)
        found.append(RotationGame(one, stakes, hands if type(hands) is int else None, hands == "level"))
    first = next((place for place, entry in enumerate(found) if entry.game is game), None)
    if first is None:
        raise Refused("value", f"`game` {game.name} is not in the `rotation`; it begins with one of its games.")
    return (*found[first:], *found[:first])


def _parse_choice_seat(line: Mapping[str, Any], seats: tuple[SeatedPlayer, ...]) -> int | None:
    if "choice" not in line:
        return None
    if "rotation" not in line:
        raise Refused("value", "`choice` is the seat that chooses among the games of a `rotation`: name those.")
    taken = [place.seat for place in seats]
    seat = parse_int(line, "choice", 0, 1)
    if seat not in taken:
        raise Refused("value", f"nobody sits at `choice` {seat}; it is one of {', '.join(map(str, taken))}.")
    return seat


def _check_book_covers_game(book: Rulebook, game: Game) -> None:
    """Refuse a game whose book lacks a table for its form, before a hand needs the answer."""
    missing = _find_missing_tables(book, game)
    if missing:
        raise Refused(
            "game-not-in-book",
            f"{book.title} lists {game.name}, but has no {', '.join(missing)} for its form, {game.rules_form}; "
            f"it has rules for the forms {', '.join(book.exposed)}.",
        )


def _find_missing_tables(book: Rulebook, game: Game) -> tuple[str, ...]:
    """The tables that the book lacks for the game's form."""
    later = game.streets[1:]
    needed = {
        "exposed": True,
        "counts": True,
        "sequence": True,
        "procedure": True,
        "burns": any(street.board_count or street.deal_faces for street in later),
        "premature": any(street.board_count or street.deal_faces for street in later),
        "board": any(street.board_count for street in game.streets),
        "upcards": game.deals_later_cards,
        "exchange": any(street.has_draw for street in game.streets),
    }
    return tuple(
        f"[{name}.{game.rules_form}]"
        for name in RULES_CLASS_BY_FORM_SECTION
        if needed.get(name) and game.rules_form not in getattr(book, name)
    )


def _check_keys(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in keys:
            raise Refused("unknown-key", f"{where} has no key `{key}`; it may have {', '.join(keys)}.")


@cache
def _get_members(kind: type[E]) -> dict[str, E]:
    """The members of an enum by their words."""
    return {member.value: member for member in kind}


def _parse_member(table: Mapping[str, Any], key: str, kind: type[E], default: E | None = None) -> E:
    """The member of an enum that a word names."""
    if default is not None and key not in table:
        return default
    member: E = _get_members(kind)[parse_choice(table, key, _get_members(kind))]
    return member


def parse_choice(table: Mapping[str, Any], key: str, accepted: Any, default: str | None = None) -> str:  # noqa: ANN401 (any list)
    """A word among those accepted."""
    value = table.get(key, default)
    if not isinstance(value, str) or value not in accepted:
        raise Refused("value", f"`{key}` cannot be {value!r}; it may be {', '.join(accepted)}.")
    return value


def parse_int(table: Mapping[str, Any], key: str, default: int, low: int, high: int = MAX_NUMBER) -> int:
    """A whole number between bounds."""
    value = table.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise Refused("value", f"`{key}` cannot be {value!r}; it is a whole number from {low} to {high}.")
    return value


def _parse_time(line: Mapping[str, Any]) -> float | None:
    value = line.get("t")
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= MAX_NUMBER:
        raise Refused("value", f"`t` cannot be {value!r}; it is a number of seconds from 0.")
    return float(value)


def _parse_betting(table: object, game: Game) -> Stakes:
    if not isinstance(table, dict):
        raise Refused("value", "`betting` is an object with `structure` and the stakes.")
    _check_keys(table, ("structure", *BETTING_AMOUNT_KEYS, "ante_by", "blinds"), "`betting`")
    listed, begins_on_button = _parse_blinds(table) if "blinds" in table else ((), False)
    structure = _parse_member(table, "structure", BettingStructure)
    amounts = {
        key: parse_int(table, key, 1 if key == "chip" else 0, 1 if key == "chip" else 0) for key in BETTING_AMOUNT_KEYS
    }
    ante_by = _parse_member(table, "ante_by", AntePayer, AntePayer.EACH)
    if listed:
        amounts |= {"small_blind": listed[0] if len(listed) > 1 else 0, "big_blind": listed[-1]}
    betting = Stakes(
        structure=structure,
        small_blind=amounts["small_blind"],
        middle_blinds=listed[1:-1],
        is_first_blind_on_button=begins_on_button,
        big_blind=amounts["big_blind"],
        ante=amounts["ante"],
        bring_in=amounts["bring_in"],
        small_bet=amounts["small_bet"],
        big_bet=amounts["big_bet"],
        min_bet=amounts["min_bet"],
        max_bet=amounts["max_bet"],
        smallest_chip=amounts["chip"],
        ante_payer=ante_by,
    )
    wanted = {
        BettingStructure.FIXED_LIMIT: ("small_bet", "big_bet"),
        BettingStructure.SPREAD_LIMIT: ("min_bet", "max_bet"),
    }.get(structure, ())
    for key in wanted:
        if not amounts[key]:
            raise Refused("key-missing", f"`betting` needs `{key}` in {structure.value}.")
    if betting.big_bet < betting.small_bet or (
        betting.max_bet < betting.min_bet and structure is BettingStructure.SPREAD_LIMIT
    ):
        raise Refused("value", "`betting`: the larger limit cannot be below the smaller one.")
    if betting.small_blind and not betting.big_blind:
        raise Refused("key-missing", "`betting` needs `big_blind` beside `small_blind`.")
    if betting.small_blind > betting.big_blind:
        raise Refused("value", "`betting`: `small_blind` cannot exceed `big_blind`.")
    if ante_by is AntePayer.BUTTON and not (betting.ante and game.has_button and not betting.big_blind):
        raise Refused("value", "`ante_by` `button` is for games with a button, an `ante` and no blinds.")
    game_stakes.refuse_missing_blind(betting, game)
    return betting


def _parse_blinds(table: Mapping[str, Any]) -> tuple[tuple[int, ...], bool]:
    """The compulsory blinds of `blinds`, from the button on, and whether the first is on the button itself."""
    for key in ("small_blind", "big_blind"):
        if key in table:
            raise Refused("value", f"`betting` has `blinds`, which are all of them, or `{key}`; not both.")
    rows = table["blinds"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_PLACES:
        raise Refused("value", f"`blinds` is a list of 1 to {MAX_PLACES} amounts, the first left of the button.")
    amounts: list[int] = []
    places: list[int] = []
    for row in rows:
        try:
            amounts.append(parse_int(own := _read_blind(row), "amount", 0, 1))
            places.append(parse_int(own, "position", places[-1] + 1 if places else 1, 0, MAX_PLACES))
        except Refused as why:
            raise why.prepend_place("`blinds`") from None
    begin = places[0]
    if begin not in (0, 1) or places != list(range(begin, begin + len(places))):
        raise Refused(
            "value",
            f"`blinds` cannot have the positions {', '.join(map(str, places))}: they begin at 1, left of the button, "
            "or at 0, the button itself, and each is one more than the one before.",
        )
    if amounts[-1] < max(amounts):
        raise Refused("value", "`blinds`: the last one is what is called, and no other is larger.")
    return tuple(amounts), begin == 0


def _read_blind(row: object) -> Mapping[str, Any]:
    """One of `blinds`: an object with position and amount, or the amount alone."""
    if not isinstance(row, dict):
        return {"amount": row}
    _check_keys(row, ("position", "amount"), "an entry of `blinds`")
    for key in ("position", "amount"):
        if key not in row:
            raise Refused("key-missing", f"an entry of `blinds` needs `{key}`, or is the amount alone.")
    return row


def _parse_seats(value: object, places: int, tracked: bool, *, none: bool) -> tuple[SeatedPlayer, ...]:
    """Who sits there; `none`: the chairs of a tournament may all be empty, and be drawn later."""
    if not isinstance(value, list) or (len(value) < 2 and not (none and not value)):
        raise Refused("value", "`seats` is a list of two or more players, each with `seat` (and `stack`).")
    seats: list[SeatedPlayer] = []
    for entry in value:
        if not isinstance(entry, dict):
            raise Refused("value", "each of `seats` is an object with `seat`, `player` and `stack`.")
        _check_keys(entry, ("seat", "player", "stack"), "an entry of `seats`")
        seat = parse_int(entry, "seat", 0, 1, places)
        if any(seat == other.seat for other in seats):
            raise Refused("value", f"seat {seat} stands twice in `seats`.")
        if tracked and "stack" not in entry:
            raise Refused("key-missing", f"seat {seat} needs a `stack`, as amounts are tracked.")
        player = entry.get("player", f"seat {seat}")
        if not isinstance(player, str) or not player.isprintable():
            raise Refused("value", f"`player` of seat {seat} is a text of printable signs.")
        seats.append(SeatedPlayer(seat, player, parse_int(entry, "stack", 0, 0) if tracked else None))
    return tuple(sorted(seats, key=lambda place: place.seat))


def _parse_button(
    line: Mapping[str, Any],
    game: Game,
    places: int,
    seats: tuple[SeatedPlayer, ...],
    rotation: tuple[RotationGame, ...],
) -> int | None:
    if not (game.has_button or any(entry.game.has_button for entry in rotation)):
        if "button" in line:
            raise Refused("value", f"{game.name} has no button; leave `button` out.")
        return None
    if "dealer" in line:
        return _find_button_right_of_dealer(line, places, seats)
    if "button" not in line:
        raise Refused("key-missing", f"{game.name} has a button: the table line needs `button`, a seat number.")
    button = parse_int(line, "button", 0, 1, places)
    taken = [place.seat for place in seats]
    if taken and button not in taken and "blind_seats" not in line:
        raise Refused("value", f"nobody sits at `button` {button}; it is one of {', '.join(map(str, taken))}.")
    return button


def _find_button_right_of_dealer(line: Mapping[str, Any], places: int, seats: tuple[SeatedPlayer, ...]) -> int:
    """The first button: the first stack to the right of the dealer, who sits before the chair `dealer` [WSOP-T-85]."""
    if "button" in line:
        raise Refused("value", "the table line has `button`, or `dealer`, to the right of whom it begins; not both.")
    dealer = parse_int(line, "dealer", 1, 1, places)
    return seats_from([place.seat for place in seats], dealer)[-1]


def _parse_shot_clock(line: Mapping[str, Any]) -> ShotClock | None:
    value = line.get("shot_clock")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise Refused("value", "`shot_clock` is an object with `seconds` and `extensions`.")
    _check_keys(value, ("seconds", "extensions"), "`shot_clock`")
    return ShotClock(parse_int(value, "seconds", 0, 1), parse_int(value, "extensions", 0, 0))


def _parse_collection(line: Mapping[str, Any], book: Rulebook, mode: GameMode) -> CollectionTerms | None:
    """What the house takes, said as the line `collection` says it."""
    value = line.get("collection")
    if value is None:
        return None
    if not isinstance(value, dict) or "ev" in value:
        raise Refused("value", "`collection` is an object with `kind` and the keys of that kind.")
    try:
        event = parse_line({"ev": "collection", **value})
        assert isinstance(event, CollectionChanged)
        return check_event_terms(event, book, mode)
    except Refused as why:
        raise why.prepend_place("`collection`") from None


def _parse_blind_seats(line: Mapping[str, Any], places: int, middle_count: int) -> tuple[int, ...] | None:
    """Where small and big blind are, and of more blinds those between: `middle`, a list of as many seats."""
    value = line.get("blind_seats")
    if value is None:
        return None
    if not middle_count and (not isinstance(value, dict) or set(value) != {"small", "big"}):
        raise Refused("value", "`blind_seats` is an object with `small` and `big`.")
    if middle_count and (not isinstance(value, dict) or set(value) != {"small", "middle", "big"}):
        raise Refused("value", "`blind_seats` is an object with `small`, `middle` and `big`: there are more blinds.")
    small, big = parse_int(value, "small", 0, 1, places), parse_int(value, "big", 0, 1, places)
    if small == big:
        raise Refused("value", f"`blind_seats` has seat {big} for both; `small` and `big` are two seats.")
    middle = value.get("middle", [])
    if not isinstance(middle, list) or len(middle) != middle_count:
        raise Refused("value", f"`middle` of `blind_seats` is a list of {middle_count} seats, in the blinds' order.")
    between = tuple(parse_int({"middle": seat}, "middle", 0, 1, places) for seat in middle)
    if len({small, *between, big}) != middle_count + 2:
        raise Refused("value", "`blind_seats` has a seat twice; each blind has its own.")
    return small, *between, big


def _parse_house_options(house: Mapping[str, Any], game: Game, book: Rulebook) -> tuple[tuple[str, object], ...]:
    """What the house plays besides the rulebook's answers."""
    if not isinstance(house.get("position_poker", False), bool):
        raise Refused("value", "`position_poker` is true or false.")
    if house.get("position_poker") and not game.has_button:
        raise Refused("value", f"{game.name} has no button; `position_poker` is for games that have one.")
    if not isinstance(house.get("voluntary_kill", False), bool):
        raise Refused("value", "`voluntary_kill` is true or false.")
    if house.get("voluntary_kill") and game.rules_form not in book.lowball:
        raise Refused("value", f"{game.name} is no lowball; only there a pot is killed by choice [R7-13.kill.10].")
    if "kill" in house:
        parse_choice(house, "kill", ("full", "half"))
        _check_kill(book, game)
    return tuple(sorted((key, house[key]) for key in HOUSE_OPTION_KEYS if key in house))


def _check_kill(book: Rulebook, game: Game) -> None:
    """Refuse kill pots for a game without a button where the book has no kill there [WSOP-L-190]."""
    rule = book.kill.bring_in
    if not game.has_button and not rule.value:
        raise Refused("value", f"{game.name} has no blinds, and no pot is killed there ({rule.source}): no `kill`.")


def _parse_deck_size(house: Mapping[str, Any], game: Game, book: Rulebook) -> int:
    table = book.players.get(game.name)
    sizes = [size for size in LOWEST_RANK_BY_DECK_SIZE if table.find_limit(size).value] if table else [game.deck_size]
    deck = parse_int(house, "deck", game.deck_size, 1)
    if deck not in sizes:
        raise Refused(
            "value", f"{game.name} is not played with {deck} cards; `deck` is {' or '.join(map(str, sizes))}."
        )
    return deck


def _check_player_count(setup: Setup) -> None:
    """Refuse more players than the book or the deck has room for."""
    players = len(setup.players)
    most, rule = player_limits.max_players(setup)
    if most is not None and players > most:
        raise Refused("too-many-players", f"{players} players are too many: at most {most} ({rule.source}).")
    if players > player_limits.max_players_by_deck(setup):
        raise Refused(
            "too-many-players",
            f"{setup.deck_size} cards serve {player_limits.max_players_by_deck(setup)} players, not {players}.",
        )


def _parse_new_game(line: Mapping[str, Any]) -> bool:
    value = line.get("new_game", False)
    if not isinstance(value, bool):
        raise Refused("value", "`new_game` is true or false.")
    return value


def _parse_follow(line: Mapping[str, Any], tracked: bool) -> PlayTracking:
    follow = _parse_member(line, "follow", PlayTracking, PlayTracking.ACTIONS)
    if follow is PlayTracking.ROUNDS and tracked:
        raise Refused("value", "`follow` `rounds` needs `amounts` `untracked`: chips are counted act by act only.")
    return follow


def _load_schedule(house: Mapping[str, Any], library: Library | None) -> Schedule | None:
    if "schedule" not in house:
        return None
    return schedule_file.load_schedule(parse_choice(house, "schedule", schedule_file.list_schedules(library)), library)


def _parse_live(line: Mapping[str, Any]) -> bool:
    value = line.get("live", False)
    if not isinstance(value, bool):
        raise Refused("value", "`live` is true or false.")
    return value


def _parse_joker(line: Mapping[str, Any], game: Game, book: Rulebook) -> bool:
    table = book.exchange.get(game.rules_form)
    allowed = table is not None and table.joker.value
    in_use = game.joker_use == "default" and table is not None and table.joker_in_use.value
    value = line.get("joker", in_use and allowed and "rotation" not in line)
    if not isinstance(value, bool):
        raise Refused("value", "`joker` is true or false.")
    if value and game.joker_use == "never":
        raise Refused("value", f"{game.name} is played without a joker; leave `joker` out.")
    if value and table is not None and not allowed:
        raise Refused("value", f"this book plays {game.name} without a joker ({table.joker.source}); leave it out.")
    return value


def _parse_sensors(line: Mapping[str, Any]) -> frozenset[Sensor]:
    value = line.get("sensors", ["identity", "face"])
    known = _get_members(Sensor)
    if not isinstance(value, list) or not all(isinstance(entry, str) and entry in known for entry in value):
        raise Refused("value", f"`sensors` is a list of {', '.join(known)}.")
    return frozenset([known[entry] for entry in value])
