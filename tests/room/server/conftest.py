from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.room.server.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()
