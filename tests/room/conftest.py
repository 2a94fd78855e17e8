from collections.abc import Iterator

import pytest

from tests.announcer.room import Receiver, receiving
from tests.room.real_parts import RealRoom, describe_missing_parts


@pytest.fixture(scope="module")
def conninfo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database server for a file of tests."""
    if why := describe_missing_parts():
        pytest.skip(why)
    with RealRoom(tmp_path_factory.mktemp("r", numbered=True)) as room:
        room.start_database()
        yield room.database


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Whoever takes what a webhook sends."""
    with receiving() as far:
        yield far
