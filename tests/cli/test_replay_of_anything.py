"""A spoilt script is refused in words: no traceback reaches whoever replays it, whatever was done to the file."""

import io
import json
import random
from pathlib import Path

import pytest

from controller.cli import main
from tests.core.arbitrary import story
from tests.core.test_any_order import iter_random_numbers

SCRAPS = (
    b"", b"\x00", b"\xff\xfe", b"null", b"[]", b"1e999", b'{"ev"', b"{}" * 3, b'{"ev":"card","card":{}}', b"9" * 5000,
    b"[" * 3000, b'{"ev":"table"}', b'"\\ud800"', b'{"ev":"act","seat":1e300,"do":"raise","to":-1}',
)  # fmt: skip


def spoilt(script: bytes, chance: random.Random) -> bytes:
    """Do one to four things to a script that must not be done."""
    data = bytearray(script)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[at : at + chance.randrange(1, 40)] = b""
            case 1:
                data[at:at] = chance.choice(SCRAPS)
            case 2:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case _:
                lines = bytes(data).split(b"\n")
                chance.shuffle(lines)
                data = bytearray(b"\n".join(lines))
    return bytes(data)


BAD = {
    "a time beyond all numbers": b'{"ev":"start","t":1' + b"0" * 400 + b"}",
    "a chair of 5,000 digits": b'{"ev":"act","seat":' + b"9" * 5000 + b',"do":"fold"}',
    "a stack that no sum can hold": b'{"ev":"sit","seat":5,"player":"x","stack":1' + b"0" * 4290 + b"}",
    "half a sign": b'{"\\ud800":1,"ev":"start"}',
    "no UTF-8": b'{"ev":"\xff"}',
    "brackets without end": b"[" * 100_000,
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_costs_no_other_its_answer(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = json.dumps(
        {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "button": 1, "seats": [{"seat": 1}, {"seat": 4}],
         "amounts": "untracked", "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2}}
    ).encode()  # fmt: skip
    script = tmp_path / "script.jsonl"
    script.write_bytes(b"\n".join((table, BAD[name], b'{"ev":"start"}', b'{"ev":"card","card":"As"}', b"")))
    assert main(["replay", str(script)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.encode().decode().splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, False, False]
    assert answers[3]["piles"]["stub"] == 51


@pytest.mark.parametrize("block", range(4))
def test_no_spoilt_script_makes_the_program_fail(
    block: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(block)
    path = tmp_path / "spoilt.jsonl"
    scripts = [story(iter_random_numbers(seed), 12).script for seed in range(block * 5, block * 5 + 5)]
    written = ["".join(json.dumps(line) + "\n" for line in script).encode() for script in scripts]
    for _ in range(60):
        path.write_bytes(spoilt(chance.choice(written), chance))
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        try:
            status = main(["replay", str(path)])
        except SystemExit as end:
            status = int(end.code or 0)
        assert status in (0, 1, 2)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        for line in said.out.splitlines():
            json.loads(line)
