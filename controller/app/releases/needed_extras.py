"""Which extras an installed table needs, by its own file and by those of announcer and uplink beside it."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from config.config_error import ConfigError
from config.table_file import TableFile, load_table_file
from config.table_line import parse_table_line
from config.toml_file import read_toml
from controller.core.play.showdown.hand_ranks import has_rank_table
from controller.core.protocol.table_error import Refused
from controller.extras import find_missing

ANNOUNCER_FILE, UPLINK_FILE = "announcer.toml", "uplink.toml"
"""Beside the table's file, on an installed table."""


def iter_table_needs(file: TableFile) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The extras that a table's file needs, each with the key that wants it; raises `ConfigError`."""
    if file.page.has_metrics:
        yield "metrics", ("page", "metrics")
    try:
        setup = parse_table_line({**file.table_line, "t": 0.0}, file.library).setup
    except Refused:  # which whoever starts or checks the table says with its key
        return
    by_choice = setup.games if "choice" in file.table_line else ()
    games = (setup.game, *(each.game for each in setup.rotation), *by_choice)
    if not all(has_rank_table(ranking, game.deck_size) for game in games for ranking in game.rankings):
        yield "records", ("table", "game")


def find_extra_faults(file: TableFile) -> Iterator[ConfigError]:
    """What the table's file needs and is not installed; raises `ConfigError`."""
    for name, key in iter_table_needs(file):
        missing = find_missing(name)
        if missing is not None:
            yield file.make_error(missing, *key)


def find_needed_extras(table_file: Path) -> set[str]:
    """The extras that the files of an installed table need; a file that cannot be read needs none."""
    needed = find_extras_beside(table_file)
    with suppress(ConfigError):
        needed.update(name for name, _ in iter_table_needs(load_table_file(table_file)))
    return needed


def find_extras_beside(table_file: Path) -> set[str]:
    """The extras that the files of announcer and uplink need, where they lie beside the table's."""
    needed = set[str]()
    for name, file in (("announcer", ANNOUNCER_FILE), ("uplink", UPLINK_FILE)):
        try:
            _, content = read_toml(table_file.with_name(file))
        except ConfigError:
            continue
        room = content.get("room")
        if "mqtt" in content or (isinstance(room, dict) and room.get("level") not in (None, "off")):
            needed.add(name)
    return needed
