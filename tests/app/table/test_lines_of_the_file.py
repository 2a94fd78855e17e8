"""What the file says of DTR and RTS reaches the thread that opens the port of a table in play."""

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEMO_FILE as DEMO
from controller.app.table import table_run
from drivers.ports.control_lines import ControlLines


@pytest.mark.parametrize(
    ("keys", "lines"),
    [("", ControlLines()), ("dtr = true\n", ControlLines(dtr=True)), ("rts = false\n", ControlLines(rts=False))],
)
def test_port_of_a_table_is_opened_as_its_file_says(
    tmp_path: Path, mocker: MockerFixture, keys: str, lines: ControlLines
) -> None:
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    path = tmp_path / "table.toml"
    path.write_text(text.replace("[device.shoe]", f"[device.shoe]\n{keys}", 1))
    made = mocker.patch.object(table_run, "PortReader", side_effect=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        table_run.run_table(path, simulate=True, state=tmp_path / "state", port=0)
    assert made.call_args.args[-1] == lines
