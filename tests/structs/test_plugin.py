"""mypy refuses each wrong call of `wrong_calls.py`, and none beside."""

import re
from pathlib import Path

from mypy import api

CALLS = Path(__file__).with_name("wrong_calls.py")

SETTINGS = f"[mypy]\nstrict = true\nplugins = {Path(__file__).with_name('plugin.py')}\n"


def test_each_wrong_call_is_refused_and_no_other(tmp_path: Path) -> None:
    settings = tmp_path / "mypy.ini"
    settings.write_text(SETTINGS, encoding="utf-8")
    told, failed, _ = api.run(["--config-file", str(settings), "--cache-dir", str(tmp_path), str(CALLS)])
    assert not failed
    refused = {int(number): words for number, words in re.findall(r"^[^:]+:(\d+): error: (.*)$", told, re.MULTILINE)}
    lines = enumerate(CALLS.read_text(encoding="utf-8").splitlines(), start=1)
    wanted = {number: line.partition("# refused: ")[2] for number, line in lines if "# refused: " in line}
    assert refused.keys() == wanted.keys(), told
    assert all(wanted[number] in refused[number] for number in wanted), told
