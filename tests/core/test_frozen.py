"""What is frozen is not written to: outside Python's development mode only mypy says so (`values/data.py`)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "conformance" / "scenarios"

WRITING = """
from controller.core.protocol.events import Card
card = Card("As")
card.card = "Ks"
"""


def _in_development(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "ignore", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_python_in_development_mode_refuses_to_write_to_what_is_frozen() -> None:
    assert "FrozenInstanceError" in _in_development("-c", WRITING).stderr


@pytest.mark.parametrize("family", ["betting", "exposed", "showdown", "out-of-turn"])
def test_no_scenario_writes_to_what_is_frozen(family: str) -> None:
    answered = _in_development("-m", "tests.conformance.answers", str(SCENARIOS / family))
    assert answered.returncode == 0, answered.stderr
    assert "FrozenInstanceError" not in answered.stderr
