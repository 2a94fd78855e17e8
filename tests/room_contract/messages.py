"""What tables and room say to each other, damaged key by key: what whoever reads it makes of each.

python -m tests.room_contract.messages --record [CASE ...]    put it on record, in messages.txt
"""

import hashlib
import json
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.room_contract import subjects
from controller.room_contract.artifact import CHUNK_BYTES, Artifact, Chunk, count_chunks
from controller.room_contract.batch import Batch, BatchError, Head, split_into_batches
from controller.room_contract.certificate_request import ProvisioningError, make_user_name
from controller.room_contract.refusal_codes import FINAL_CODES, RETRY_CONDITION_BY_CODE, is_temporary
from controller.room_contract.registration import add_proof, check_proof, make_request, parse_answer
from controller.room_contract.table_health import TableHealth
from controller.room_contract.table_request import MessageFormatError, TableReply, parse_json_object
from controller.runtime.journal.proof.chain import ORIGIN, JournalRecord, make_record
from controller.uplink.batch_transfer import BatchTransfer
from tests.config.damaged_files import damage_value
from tests.recorded_answers import RecordedAnswers

ANSWERS = RecordedAnswers(Path(__file__).with_suffix(".txt"), "python -m tests.room_contract.messages --record", run=6)

REFUSALS = (BatchError, MessageFormatError, ProvisioningError, subjects.TableNameError)

SMALL = Artifact.from_chunks("table-1.0.tar", [b"piece"])
WORDS: Mapping[str, dict[str, Any]] = {
    "head": json.loads(Head("j", 7, "ab" * 32, "late\n").to_json()),
    "reply": {"taken": True, "entry": 5, "code": "c" * 50, "message": "m" * 600, "told": {"level": 2}},
    "health": {
        "at": 5.5, "level": "live", "up": True, "versions": {"program": "1"}, "halted": True, "faults": ["jam"],
        "disk_free": 10, "last": 9, "archived": 8, "wrong": "no", "hashes": {"program": "00"}, "since": {"jam": 4.0},
        "disks": {"system": 7}, "update": {"version": "1"}, "newer": 1,
    },
    "artifact": SMALL.to_json(),
    "chunk": Chunk(SMALL.sha256, 0, b"piece").to_json(),
    "registration": {"table": "table-07", "certificate": "c", "authority": "a", "servers": ["tls://room"]},
}  # fmt: skip

READERS: Mapping[str, Callable[[Any], object]] = {
    "head": lambda body: Head.from_json(json.dumps(body).encode()),
    "reply": lambda body: (reply := TableReply.from_json(json.dumps(body).encode()), reply.to_json()),
    "health": lambda body: (health := TableHealth.from_json(json.dumps(body).encode()), health.to_json()),
    "artifact": Artifact.from_json,
    "chunk": Chunk.from_json,
    "registration": lambda body: parse_answer("table-07", add_proof(body, "ab-12"), "AB12"),
}

NAMES = (
    *("", "a", "table-07", "-a", "a-", "a--b", "A", "a.b", "*", ">", "a b", "x" * 40, "x" * 41, "archive", "server"),
    *("mqtt", "do", "9", "t_1", "table-07\n"),
)
SUBJECTS = (
    *("", "room", "room.a", "room.a.journal", "room.do.a.enter", "room.archive.a.head", "room.x.a.head", "room.do.a"),
    *("other.a.journal", "room.do.a.b.c", "room.archive.a", "room.server.state", "room.do.do.x"),
)


def ask(read: Callable[[], object]) -> str:
    """What is read, or why not."""
    try:
        return repr(read())
    except REFUSALS as why:
        return f"refused {type(why).__name__} {why}"


def read_word(name: str) -> list[object]:
    whole, read = WORDS[name], READERS[name]
    tried = [whole, *damage_value(whole)]
    if name == "artifact":  # the hash is signed: what else is wrong is told apart by it
        for size in (0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES):
            hashes = bytes(32 * count_chunks(size))
            signed = hashlib.sha256(hashes).hexdigest()
            tried += [{**whole, "size": size, "hashes": hashes.hex(), "sha256": signed}]
        tried += [{**whole, "name": each} for each in ("a.tar", ".tar", "-.tar", "x" * 96 + ".tar", "a.tgz", "a/b.tar")]
    return [ask(lambda body=body: read(body)) for body in tried]  # type: ignore[misc]


def read_names() -> list[object]:
    told: list[object] = [ask(lambda name=name: subjects.require_table_name(name)) for name in NAMES]  # type: ignore[misc]
    told += [ask(lambda subject=subject: subjects.parse_table_name(subject)) for subject in SUBJECTS]  # type: ignore[misc]
    for topic in subjects.TableTopic:
        told += [subjects.make_topic_subject("a", topic), subjects.make_wildcard_subject(topic)]
    told += [subjects.make_head_subject("a"), subjects.make_request_subject("a", "enter"), make_user_name("a")]
    told += [[code, is_temporary(code)] for code in (*RETRY_CONDITION_BY_CODE, *sorted(FINAL_CODES), "other")]
    for text in (b"", b"[]", b"1", b'{"a": NaN}', b'{"a": 1, "a": 2}', b'{"a": "\\ud800"}', b"[" * 3000, b'{"a": 1}'):
        told.append(ask(lambda text=text: parse_json_object(text)))  # type: ignore[misc]
    request = make_request("table-07", "csr", "ab-12")
    for code in ("AB12", "a b 1 2", "ab13", ""):
        told.append(ask(lambda code=code: check_proof(request, code)))  # type: ignore[misc]
    for file in ("", "{}", "[]", request[:-9], request.replace("csr", "csx"), add_proof({}, "x") + " " * (1 << 17)):
        told.append(ask(lambda file=file: check_proof(file, "ab12")))  # type: ignore[misc]
    return told


def make_records(sizes: list[int]) -> list[JournalRecord]:
    found = [make_record(1, "file", '{"previous":null,"table":"j"}', ORIGIN)]
    for number, size in enumerate(sizes, 2):
        found.append(make_record(number, "entry", f'{{"line":"{"x" * size}"}}', found[-1].chain))
    return found


def read_batches() -> list[object]:
    """How journals are cut, and what is said of a batch that is damaged line by line."""
    told: list[object] = []
    for sizes in ([], [1] * 98, [1] * 99, [1] * 100, [100_000] * 5, [300_000, 1, 262_000], [131_000, 131_000, 1]):
        told.append([batch.identity for batch in split_into_batches("j", make_records(sizes))])
    records = make_records([1, 2, 3])
    lines = Batch("j", tuple(records)).to_bytes().splitlines(keepends=True)
    tries = [b"".join(lines), b"", *lines, b"".join(lines[::2]), b"".join(lines[::-1]), b"".join(lines[1:])]
    tries += [b"".join(lines).replace(old, new) for old, new in ((b"x", b"y"), (b"entry", b"e\0try"), (b"2", b"9"))]
    for text in tries:
        told.append(ask(lambda text=text: Batch.from_bytes("j", text)))  # type: ignore[misc]
        told.append(ask(lambda text=text: Batch.from_bytes("j", text).find_starting_head()))  # type: ignore[misc]
    for head in (Head("j"), Head("k"), Head("j", 1, records[0].chain), Head("j", 1), Head("j", 2, records[1].chain)):
        told += [Batch("j", tuple(records[start:])).find_mismatch(head) for start in range(4) if records[start:]]
    for previous in (None, {}, {"number": 0}, {"number": 0, "chain": "x"}, {"number": 5, "chain": ORIGIN}, "x", [1]):
        body = json.dumps({"table": "j", "previous": previous})
        for kind, number in (("file", 1), ("entry", 1), ("file", 6)):
            batch = Batch("j", (make_record(number, kind, body, ORIGIN),))
            told.append(ask(batch.find_starting_head))
    return told


def read_transfer(seed: str) -> list[object]:
    """What is known of what is on its way, whatever the archive says and when."""
    chance, now, told = random.Random(seed), 100.0, list[object]()
    records = make_records([1] * 9)
    batches = [Batch("j", tuple(records[start : start + 3])) for start in (0, 3, 6)]
    heads = (None, Head("j"), Head("k", 4), *(Head("j", record.number, record.chain) for record in records[::3]))
    transfer = BatchTransfer("j")
    for _ in range(120):
        now += chance.choice((0.0, 0.1, 0.5, 1.0, 4.9, 5.0, 15.0, 16.0))
        match chance.randrange(6):
            case 0:
                told.append(transfer.receive_head(chance.choice((*heads, Head("j", 4, "ab", "no more")))))
            case 1:
                transfer.reset()
            case 2:
                transfer.record_no_answer(now)
            case _:
                transfer.record_sent(chance.choice(batches[:2]), now)
        sent = transfer.batch_in_flight
        told.append(
            [
                *(now, sent and sent.identity, transfer.seconds_to_retry(now), transfer.seconds_to_retry(now + 2)),
                *(transfer.is_late(now), transfer.is_late(now + 10), transfer.is_head_known, transfer.archive_refusal),
            ]
        )
    return told


CASES: Mapping[str, Callable[[], list[object]]] = {
    **{name: (lambda name=name: read_word(name)) for name in WORDS},  # type: ignore[misc]
    "names": read_names,
    "batches": read_batches,
    **{f"transfer-{seed}": (lambda seed=seed: read_transfer(seed)) for seed in "123"},  # type: ignore[misc]
}


def main(arguments: list[str]) -> None:
    """Put every case on record, or print some."""
    if arguments[:1] == ["--record"]:
        ANSWERS.write({name: CASES[name]() for name in arguments[1:] or CASES})
        return
    for name in arguments or CASES:
        print(*(f"{name}: {answer}" for answer in CASES[name]()), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
