"""Builds, once a session, and the far ends that run them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.ends import AvrEnd, NativeEnd, make
from tests.wire.bench import FarEnd, SimulatorEnd


@pytest.fixture(scope="session")
def build_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("firmware")


@pytest.fixture(scope="session")
def native_build(build_dir: Path) -> Path:
    return make("native", build_dir)


@pytest.fixture(scope="session")
def avr_build(build_dir: Path) -> Path:
    make("all", build_dir)
    return make("sim", build_dir)


ENDS: dict[str, Callable[[pytest.FixtureRequest], FarEnd]] = {
    "simulator": lambda _: SimulatorEnd(),
    "native": lambda request: NativeEnd(request.getfixturevalue("native_build")),
    "avr": lambda request: AvrEnd(request.getfixturevalue("avr_build")),
}


LONG_IN_SIMAVR = (
    "test_every_key_arrives_once_over_a_bad_line",
    "test_jam",
    "test_longest_on_time",
    "test_the_controller_hangs_in_mid_hand",
)
"""What lasts for seconds of the board, which simavr works for: slow there, quick at the other two ends."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what is long in simavr."""
    for item in items:
        if isinstance(item, pytest.Function) and item.originalname in LONG_IN_SIMAVR and "avr" in item.callspec.id:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(params=ENDS)
def far(request: pytest.FixtureRequest) -> Iterator[FarEnd]:
    """Each far end in turn: the Python simulator, the C core, the AVR build in simavr."""
    end = ENDS[request.param](request)
    yield end
    end.close()


@pytest.fixture
def avr(avr_build: Path) -> Iterator[AvrEnd]:
    end = AvrEnd(avr_build)
    yield end
    end.close()
