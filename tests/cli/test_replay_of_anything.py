"""A spoilt script is refused in words: no traceback reaches whoever replays it, whatever was done to the file."""

import io
import json
import random
from pathlib import Path

import pytest

from controller.cli import main
from tests.core.arbitrary import story
from tests.core.test_any_order import seeded

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


@pytest.mark.parametrize("block", range(4))
def test_no_spoilt_script_makes_the_program_fail(
    block: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(block)
    path = tmp_path / "spoilt.jsonl"
    scripts = [story(seeded(seed), 12).script for seed in range(block * 5, block * 5 + 5)]
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
