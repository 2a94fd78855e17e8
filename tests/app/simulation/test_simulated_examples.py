"""`tablectl run --simulate` with an example that has few keys: the dealer enters the rest on the page."""

import re
import signal
import urllib.request
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE
from tests.warm_start import WarmProcess


@pytest.mark.parametrize(
    "name", ["starter", *(pytest.param(each, marks=pytest.mark.slow) for each in ("seat-leds", "seat-antennas"))]
)
def test_hands_are_played_though_the_panel_has_few_keys(name: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    text = (DEMO_FILE.parent / f"{name}.toml").read_text(encoding="utf-8")
    for deck_list in DEMO_FILE.parent.glob("*-deck.csv"):
        (tmp_path / deck_list.name).write_bytes(deck_list.read_bytes())
    file.write_text(re.sub(r"(?m)^speed = .*", "speed = 100\nmistakes = 0.3", text), encoding="utf-8")
    process = WarmProcess(["run", "--simulate", "--config", str(file), "--state", str(tmp_path / "s"), "--port", "0"])
    try:
        url = next(found[1] for line in process.stderr if (found := re.search(r"page at (\S+)", line)))
        with urllib.request.urlopen(f"{url}events") as standings:
            assert any(re.search(rb'"hand": ?[2-9]', line) for line in standings), (
                "the table ends before its second hand"
            )
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stderr.close()
