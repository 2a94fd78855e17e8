"""A table written down at rest, so that a start need not play a whole session again.

A snapshot is one flat state: the table after an entry between two hands, before which nothing can be amended or taken
back any more. What was entered since stands in the journal and is played again. Two other states hang on it: that
before the hand that is over (a deck may prove defective) and that before the last entry (a ruling may be set aside).
Beside it is the table at rest when it was written: what a start takes where those entries do not lead there any more.
Between two hands a table knows no card that lies face down (`hand_redaction` of the core), so there is none in it.

It is no proof and no record: its SHA-256 stands in the chain. The form is that of msgspec, compressed; rulebook and
set-up are not in it but come from the configuration, as at any start. A program whose classes or fields differ does not
read it and plays the session again, so there is nothing to migrate.
"""

import base64
import dataclasses
import hashlib
import typing
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from controller.core.model.plan import NO_STEPS, Plan
from controller.core.model.setup import SeatedPlayer, Setup, Stakes
from controller.core.model.table_memory import TableMemory
from controller.core.protocol.collection_terms import CollectionTerms
from controller.core.protocol.steps import Step
from controller.core.rules.games import Game
from controller.core.values.packed_value import CLASS_KEY, PackingError, build_value, pack_value, unpack_fields
from controller.core.values.value import Struct, Value, replace

SNAPSHOT_FILE = "snapshot"

SNAPSHOT_VERSION = 3
"""The number of the form: raised when a field means something else, which no change of a class shows."""

MAX_DOCUMENT_BYTES = 16_000_000
"""Bytes of a document: some hundred times what a table between two hands comes to."""


class SnapshotError(Exception):
    """The snapshot cannot be written, or cannot be used."""


@dataclasses.dataclass(frozen=True, slots=True)
class RestingTable:
    """A table between two hands as it stood after entry `entry`; nothing of before can be amended or taken back."""

    entry: int
    memory: TableMemory


@dataclasses.dataclass(frozen=True, slots=True)
class Snapshot:
    """A table after entry `entry`, and what the loop keeps beside it; `RecoveredTable` says what the fields mean.

    `rest`: how it stood at rest when it was written, where that was after a later entry.
    """

    entry: int
    memory: TableMemory
    table_time_s: float
    rulings: tuple[Mapping[str, Any], ...]
    rulings_hand: int
    lost_devices: frozenset[str]
    rest: RestingTable | None = None


class SetupReference(Value):
    """A set-up in a snapshot: what play changes of it. The game goes by its name, but for one made for a bomb pot."""

    stakes: Stakes
    game: Game | str
    deck_size: int
    has_joker: bool
    collection: CollectionTerms | None
    players: tuple[SeatedPlayer, ...]


class SnapshotDocument(Value):
    """What is written: the form, and the snapshot in it."""

    version: int
    form: str
    snapshot: bytes


def render_snapshot(snapshot: Snapshot) -> bytes:
    """Write a snapshot; raises `SnapshotError` where the table holds what has no form."""
    try:
        flat = pack_value(_refer_to_setups(snapshot))
    except Exception as why:  # whatever it is, it must not end the table
        raise SnapshotError(f"the table cannot be written down ({type(why).__name__})") from None
    return zlib.compress(pack_value(SnapshotDocument(SNAPSHOT_VERSION, compute_form_digest(), flat)))


def parse_snapshot(data: bytes, setup: Setup) -> Snapshot:
    """Read a snapshot of a table that was set up as `setup`; raises `SnapshotError`."""
    try:
        found = _restore_setups(unpack_fields(_unpack_document(data)), setup)
        snapshot = build_value(found, Snapshot, _build_plan)
    except (PackingError, ValueError, RecursionError, TypeError, KeyError) as why:
        raise SnapshotError(f"it does not fit this table ({type(why).__name__})") from None
    if any(one.memory.state.is_hand_on for one in (snapshot, snapshot.rest) if one is not None):
        raise SnapshotError("it is of a table in the middle of a hand")
    return snapshot


def _unpack_document(data: bytes) -> bytes:
    try:
        unpacked = zlib.decompressobj().decompress(data, MAX_DOCUMENT_BYTES)
        document = build_value(unpack_fields(unpacked), SnapshotDocument)
    except (zlib.error, PackingError, ValueError, RecursionError):
        raise SnapshotError("it is of another form") from None
    if (document.version, document.form) != (SNAPSHOT_VERSION, compute_form_digest()):
        raise SnapshotError("it is of another form")
    return document.snapshot


def to_text(snapshot: Snapshot) -> str:
    """Write a snapshot as text, for a record of the journal; raises `SnapshotError`."""
    return base64.b64encode(render_snapshot(snapshot)).decode("ascii")


def from_text(text: str, setup: Setup) -> Snapshot:
    """Read what `to_text` wrote; raises `SnapshotError`."""
    return parse_snapshot(_decode_text(text), setup)


def is_of_this_form(text: str) -> bool:
    """Whether `to_text` of a program whose form is the same wrote this."""
    try:
        _unpack_document(_decode_text(text))
    except SnapshotError:
        return False
    return True


def _decode_text(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise SnapshotError("the text is no snapshot") from None


@cache
def compute_form_digest() -> str:
    """What tells this form from any other: the classes, their fields, and of what kind each is."""
    shapes: dict[str, str] = {}
    _collect_shapes(Snapshot, shapes)
    return hashlib.sha256("\n".join(f"{name} {shapes[name]}" for name in sorted(shapes)).encode()).hexdigest()


def _collect_shapes(annotation: Any, shapes: dict[str, str]) -> None:  # noqa: ANN401 - an annotation
    """Add the fields of each class that an annotation leads to, by the name of the class."""
    for part in typing.get_args(annotation):
        _collect_shapes(part, shapes)
    kind = SetupReference if annotation is Setup else annotation
    if not isinstance(kind, type) or (name := f"{kind.__module__}.{kind.__qualname__}") in shapes:
        return
    annotation_by_field = typing.get_type_hints(kind)
    shapes[name] = repr(annotation_by_field)
    for following in annotation_by_field.values():
        _collect_shapes(following, shapes)


def _refer_to_setups(value: Any) -> Any:  # noqa: ANN401 - any value of a table
    """The value with a reference in the place of every set-up in it."""
    if isinstance(value, Setup):
        listed = _map_games_by_name(value).get(value.game.name) == value.game
        game = value.game.name if listed else value.game
        return SetupReference(value.stakes, game, value.deck_size, value.has_joker, value.collection, value.players)
    if isinstance(value, Struct):
        return replace(value, **{name: _refer_to_setups(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, Snapshot | RestingTable):
        names = (each.name for each in dataclasses.fields(value))
        return dataclasses.replace(value, **{name: _refer_to_setups(getattr(value, name)) for name in names})
    return value


def _restore_setups(found: Any, setup: Setup) -> Any:  # noqa: ANN401 - what was unpacked
    """What was unpacked with every set-up back in its place; raises `KeyError` for a game that `setup` has not."""
    if isinstance(found, list):
        return [_restore_setups(each, setup) for each in found]
    if not isinstance(found, dict):
        return found
    if found.get(CLASS_KEY) != SetupReference.__name__:
        return {key: _restore_setups(each, setup) for key, each in found.items()}
    kept = build_value(found, SetupReference)
    game = _map_games_by_name(setup)[kept.game] if isinstance(kept.game, str) else kept.game
    return replace(
        setup,
        stakes=kept.stakes,
        game=game,
        deck_size=kept.deck_size,
        has_joker=kept.has_joker,
        collection=kept.collection,
        players=kept.players,
    )


def _map_games_by_name(setup: Setup) -> Mapping[str, Game]:
    """The games that the book lists."""
    return {game.name: game for game in setup.games}


def _build_plan(kind: type, found: Any) -> Plan:  # noqa: ANN401 - what was unpacked
    if kind is not Plan:
        raise NotImplementedError
    return NO_STEPS.append(*build_value(found, tuple[Step, ...], _build_plan))
