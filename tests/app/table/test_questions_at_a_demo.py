"""Whoever tries the demo reports and takes back a lot; where people sign in, the house's limit holds."""

from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from config.table_file import DEFAULT_QUESTION_LIMIT
from config.table_file import DEMO_FILE as DEMO
from controller.app.table import table_run


@pytest.mark.parametrize(
    ("host", "limit"), [("127.0.0.1", table_run.DEMO_QUESTION_LIMIT), ("0.0.0.0", DEFAULT_QUESTION_LIMIT)]
)
def test_the_alarm_on_questions_is_later_where_nobody_signs_in(
    tmp_path: Path, mocker: MockerFixture, host: str, limit: int
) -> None:
    text = DEMO.read_text().replace('"demo-deck.csv"', f'"{DEMO.parent / "demo-deck.csv"}"')
    path = tmp_path / "table.toml"
    path.write_text(text.replace('host = "127.0.0.1"', f'host = "{host}"'))
    made = mocker.patch.object(table_run, "TableLoop", side_effect=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        table_run.run_table(path, simulate=True, state=tmp_path / "state", port=0)
    assert made.call_args.kwargs["parts"].question_limit == limit
