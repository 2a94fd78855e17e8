"""Records and the chain that runs through them (`docs/journal.md`); they are checked without the table.

A record is a line of text, and the chain is over the bytes of that line: nothing is read and written anew before it is
hashed, so that no two texts count as the same record.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from controller.runtime.staff import signature

ORIGIN = "0" * 64
"""The chain before the first record."""

FORMAT = 2

_LINE = re.compile(
    r'(?P<content>\{"number":(?P<number>[1-9][0-9]*),"kind":"(?P<kind>[a-z-]+)","body":(?P<body>\{.*\}))'
    r',"chain":"(?P<chain>[0-9a-f]{64})"\}'
)
_END = re.compile(
    r'\{"end":(?P<number>0|[1-9][0-9]*),"chain":"(?P<chain>[0-9a-f]{64})",'
    r'"signature":(?:null|"(?P<signature>[0-9a-f]{128})")\}'
)


class BadRecord(Exception):
    """A record is not as it was written; says so of a record by its number, and quotes nothing of it."""

    def __init__(self, place: int, why: str) -> None:
        """`place` is the number that the record has, or should have."""
        super().__init__(f"record {place} {why}")
        self.place = place


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One record; `body` is the text of a JSON object."""

    number: int
    kind: str
    body: str
    chain: str

    def __repr__(self) -> str:
        """Name the record without what it says."""
        return f"<Record {self.number} {self.kind}>"

    @property
    def content(self) -> str:
        """What the chain is over."""
        return content_of(self.number, self.kind, self.body)

    @property
    def line(self) -> str:
        """The record as it is exported."""
        return f'{self.content},"chain":"{self.chain}"}}'

    def read(self) -> dict[str, Any]:
        """Parse the body; raises `BadRecord`."""
        try:
            body = json.loads(self.body)
        except (ValueError, RecursionError):
            raise BadRecord(self.number, "is no JSON") from None
        if not isinstance(body, dict):
            raise BadRecord(self.number, "is no JSON object")
        return body


def content_of(number: int, kind: str, body: str) -> str:
    """What the chain of a record is over."""
    return f'{{"number":{number},"kind":"{kind}","body":{body}'


def written(body: Mapping[str, object]) -> str:
    """Write a body as it is stored; nothing outside ASCII, so that no two programs disagree about its bytes."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def linked(number: int, kind: str, body: str, before: str) -> Record:
    """Make record `number`, whose chain goes on from `before`."""
    content = content_of(number, kind, body)
    return Record(number, kind, body, hashlib.sha256((before + content).encode()).hexdigest())


def chain_of(record: Record, before: str) -> str:
    """Compute the chain of a record from that of the one before it."""
    return hashlib.sha256((before + record.content).encode()).hexdigest()


def read_line(line: str, place: int) -> Record:
    """Read one exported line; raises `BadRecord`."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise BadRecord(place, "is no line of an exported journal")
    return Record(int(found["number"]), found["kind"], found["body"], found["chain"])


@dataclass(frozen=True, slots=True)
class End:
    """The last line of an export: how far it goes, and the signature of the table where its key could be read."""

    number: int
    chain: str
    signature: str | None

    @property
    def line(self) -> str:
        """The line as it is exported."""
        signature = "null" if self.signature is None else f'"{self.signature}"'
        return f'{{"end":{self.number},"chain":"{self.chain}","signature":{signature}}}'


def read_export(raw_lines: Iterable[bytes]) -> Iterator[Record | End]:
    """Read an exported journal line by line; raises `BadRecord`."""
    place, ended = 1, False
    for raw in raw_lines:
        if ended:
            raise BadRecord(place, "stands behind the end of the export")
        try:
            line = raw.decode("ascii")
        except UnicodeDecodeError:
            raise BadRecord(place, "is no line of an exported journal") from None
        if not line.endswith("\n"):
            raise BadRecord(place, "is cut off: its line has no end")
        end = _END.fullmatch(line[:-1])
        if end is not None:
            ended = True
            yield End(int(end["number"]), end["chain"], end["signature"])
            continue
        record = read_line(line[:-1], place)
        yield record
        place = record.number + 1
    if not ended:
        raise BadRecord(place, "and the end of the export are missing: the copy is cut off")


def signed_text(table: str, number: int, chain: str) -> bytes:
    """What a table signs when it signs its journal up to record `number`."""
    return f"table-controller journal {table} {number} {chain}".encode("ascii")


def is_signed(key: str, table: str, number: int, chain: str, signature: str) -> bool:
    """Whether `signature` (hexadecimal) is of the holder of `key` (hexadecimal) over that head."""
    try:
        VerifyKey(bytes.fromhex(key)).verify(signed_text(table, number, chain), bytes.fromhex(signature))
    except (CryptoError, ValueError, TypeError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Head:
    """A chain that a journal must have at record `number`, and from where that is known, such as a receipt."""

    number: int
    chain: str
    known_from: str


@dataclass(slots=True)
class Proof:
    """What a journal, read from its first record, has proved so far."""

    table: str = ""
    """Its random name."""
    device: str = ""
    """The public key of the table."""
    records: int = 0
    first: int = 0
    last: int = 0
    chain: str = ORIGIN
    entries: int = 0
    signed: int = 0
    """The last record that a signature covers."""
    end_signed: bool = False
    """Whether the table has signed that the export ends here, so that nothing was cut off."""
    power_lost: int = 0
    clock_back: int = 0
    """How often the wall clock of a record is earlier than that of the record before."""
    gaps: int = 0
    """How often records that had been acknowledged were lost."""
    last_wall: str = ""
    entry: int = 0
    """The number of the last entry."""
    auditors: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The public keys to which hands are sealed, each with the first and the last record that names it."""


class Verifier:
    """Takes records one by one and raises `BadRecord` at the first that is not as the table wrote it.

    `device`: the public key that must have signed, where the caller knows it from elsewhere; otherwise the one that
    the journal itself names is believed, and a journal made anew as a whole would not be noticed. `heads`: what is
    known of it from elsewhere; one that the journal does not reach is missing, see `finish`.
    """

    def __init__(self, device: str | None = None, heads: Iterable[Head] = ()) -> None:
        self.proof = Proof(device=device or "")
        self._heads = sorted(heads, key=lambda head: head.number, reverse=True)
        self._known_device = device
        self._mono: int | None = None
        self._result_of = 0
        self._session: int | None = None
        self._simulated = False
        self._begun = True
        """Whether no record `broadcast` stands yet in the run."""
        self._keys: dict[str, object] = {}
        """Name -> the key that whoever signed in last under it signs with."""

    def take(self, record: Record | End) -> None:
        """Check one record after those before it."""
        proof = self.proof
        if isinstance(record, End):
            self._end(record)
            return
        if not proof.records:
            self._begin(record)
        if record.number != proof.last + 1:
            raise BadRecord(proof.last + 1, f"is missing, or out of its place: record {record.number} stands there")
        if record.chain != chain_of(record, proof.chain):
            raise BadRecord(record.number, "was changed, or the record before it is another")
        self._check(record, record.read())
        proof.records += 1
        proof.last, proof.chain = record.number, record.chain
        self._compare(record.number, record.chain)

    def finish(self) -> Proof:
        """Return what was proved; raises `BadRecord` where the journal does not reach as far as it is known to."""
        proof = self.proof
        if not proof.records:
            raise BadRecord(1, "is missing: there is no record at all")
        if self._heads:
            head = self._heads[-1]
            raise BadRecord(proof.last + 1, f"is missing: {head.known_from} goes up to record {head.number}")
        return proof

    def _compare(self, number: int, chain: str) -> None:
        """Compare everything that is known of a record from elsewhere; more than one source may know of it."""
        while self._heads and self._heads[-1].number <= number:
            head = self._heads.pop()
            if head.number < number:
                raise BadRecord(head.number, f"is missing: {head.known_from} is of it, and of the files before these")
            if head.chain != chain:
                raise BadRecord(number, f"is not the one of {head.known_from}")

    def _end(self, end: End) -> None:
        proof = self.proof
        if (end.number, end.chain) != (proof.last, proof.chain):
            number = min(end.number, proof.last) + 1
            raise BadRecord(number, f"is missing or too much: the export says that it ends with record {end.number}")
        if end.signature is None:
            return
        if not is_signed(proof.device, proof.table, end.number, end.chain, end.signature):
            raise BadRecord(end.number, "is the last, and the end of the export is not signed by this table's key")
        proof.signed = end.number
        proof.end_signed = True

    def _begin(self, record: Record) -> None:
        """Take the first record, which says which journal this is and, in a later file, what its chain goes on from."""
        proof = self.proof
        if record.kind != "file":
            raise BadRecord(1, "is missing: a journal begins with a record of kind `file`")
        body = record.read()
        before = body.get("previous")
        if before is not None:
            proof.last, proof.chain = _head(record, before)
            self._compare(proof.last, proof.chain)
        proof.first = record.number

    def _check(self, record: Record, body: Mapping[str, Any]) -> None:
        proof = self.proof
        wall = body.get("wall")
        if isinstance(wall, str):
            proof.clock_back += wall < proof.last_wall
            proof.last_wall = wall
        result = body.get("result")
        if result is not None:
            self._result(record, result)
        match record.kind:
            case "file":
                self._file(record, body)
            case "run":
                proof.power_lost += body.get("after") == "power lost"
                self._mono = None
                self._begun = True
            case "session":
                number, header = body.get("session"), body.get("header")
                self._session = number if type(number) is int else None
                self._simulated = isinstance(header, dict) and header.get("mode") == "simulation"
            case "broadcast":
                self._broadcast(record, body)
            case "entry":
                self._entry(record, body)
            case "asked":
                self._asked(record, body)
            case "signed":
                self._signed(record, body)
            case "sign-in":
                self._keys[str(body.get("name"))] = body.get("key")
            case "hand-key" if body.get("auditor") is not None:
                auditor = str(body["auditor"])
                proof.auditors[auditor] = (proof.auditors.get(auditor, (record.number, 0))[0], record.number)
            case "gap":
                proof.gaps += 1
            case _:
                pass
        mono = body.get("mono")
        if isinstance(mono, int):
            if self._mono is not None and mono < self._mono:
                raise BadRecord(record.number, "was written before the record that stands before it")
            self._mono = mono

    def _file(self, record: Record, body: Mapping[str, Any]) -> None:
        proof = self.proof
        if body.get("format") != FORMAT:
            raise BadRecord(record.number, f"is of format {body.get('format')!r}; this program knows {FORMAT}")
        table, device, before = str(body.get("table")), str(body.get("device")), body.get("previous")
        if self._known_device is not None and device != self._known_device:
            raise BadRecord(record.number, "names another table's key than the one given")
        if proof.table and table != proof.table:
            raise BadRecord(record.number, "belongs to another journal")
        if before is None and record.number != 1:
            raise BadRecord(record.number, "names no file before it, though it is not the first record")
        if before is not None and _head(record, before) != (proof.last, proof.chain):
            raise BadRecord(record.number, "does not go on from the end of the file before it")
        if proof.device and device != proof.device:
            raise BadRecord(record.number, "names another key of the table than the file before it")
        proof.table, proof.device = table, device

    def _entry(self, record: Record, body: Mapping[str, Any]) -> None:
        number = body.get("entry")
        if type(number) is not int or (self.proof.entry and number != self.proof.entry + 1):
            raise BadRecord(record.number, "has not the number of the next entry")
        if "by" in body and not _is_signed_entry(body, self.proof.table):
            raise BadRecord(record.number, "is not signed by whom it names")
        if "by" in body and not self._signed_in(body["by"]):
            raise BadRecord(record.number, "is signed with a key that the one it names did not sign in with")
        self.proof.entry = number
        self.proof.entries += 1

    def _broadcast(self, record: Record, body: Mapping[str, Any]) -> None:
        """Take a word about the delay of a broadcast: that of both, of whoever takes it back, or of a start."""
        delay, words = body.get("delay"), body.get("by")
        begun, self._begun = self._begun, False
        if delay is None and words == [] and begun:
            return
        if not isinstance(words, list) or not all(isinstance(word, dict) for word in words):
            raise BadRecord(record.number, "does not say whose word it is")
        roles = sorted(str(word.get("role")) for word in words)
        if roles not in ([["floor"], ["technician"]] if delay is None else [["floor", "technician"]]):
            wanted = "floor or technician" if delay is None else "floor and technician"
            raise BadRecord(record.number, f"is not the word of {wanted}")
        for word in words:
            if self._simulated and "signature" not in word and "key" not in word:
                continue
            place = signature.JournalPosition(self.proof.table, self._session or 0)
            if not signature.is_signed(word, {"ev": "broadcast", "delay": delay}, place):
                raise BadRecord(record.number, "is not signed by whom it names")
            if not self._signed_in(word):
                raise BadRecord(record.number, "is signed with a key that the one it names did not sign in with")

    def _asked(self, record: Record, body: Mapping[str, Any]) -> None:
        """Take what somebody of the room asked that is no entry."""
        line, by = body.get("line"), body.get("by")
        place = signature.JournalPosition(self.proof.table, self._session or 0)
        if not isinstance(line, dict) or not isinstance(by, dict) or not signature.is_signed(by, line, place):
            raise BadRecord(record.number, "is not signed by whom it names")
        if not self._signed_in(by):
            raise BadRecord(record.number, "is signed with a key that the one it names did not sign in with")

    def _signed_in(self, by: Mapping[str, Any]) -> bool:
        """Whether the key is that of the last sign-in, which may stand in an earlier file of the journal."""
        known = self._keys.get(str(by.get("name")))
        return by.get("key") == known if known is not None else self.proof.first != 1

    def _result(self, record: Record, result: object) -> None:
        number = result.get("entry") if isinstance(result, dict) else None
        last = self.proof.entry
        if type(number) is not int or number <= self._result_of or (last and number > last):
            raise BadRecord(record.number, "has the result of an entry that stands elsewhere")
        self._result_of = number

    def _signed(self, record: Record, body: Mapping[str, Any]) -> None:
        proof = self.proof
        if (body.get("upto"), body.get("chain")) != (proof.last, proof.chain):
            raise BadRecord(record.number, "signs another journal than the one before it")
        if not is_signed(proof.device, proof.table, proof.last, proof.chain, str(body.get("signature"))):
            raise BadRecord(record.number, "is not signed by this table's key")
        proof.signed = proof.last


def verify(records: Iterable[Record | End], device: str | None = None, heads: Iterable[Head] = ()) -> Proof:
    """Check a whole journal; raises `BadRecord` at its first bad record."""
    verifier = Verifier(device, heads)
    for record in records:
        verifier.take(record)
    return verifier.finish()


TAKEN_FOR = (("done", "device"), ("report", "amend"))
"""What somebody says and signs -> the entry that the table takes it for."""


def _is_signed_entry(body: Mapping[str, Any], table: str) -> bool:
    by, line, session = body["by"], body.get("line"), body.get("session")
    if not isinstance(by, dict) or not isinstance(line, dict) or type(session) is not int:
        return False
    said = by.get("said", line)
    if not isinstance(said, dict) or (said is not line and (said.get("ev"), line.get("ev")) not in TAKEN_FOR):
        return False
    return signature.is_signed(by, said, signature.JournalPosition(table, session))


def _head(record: Record, before: object) -> tuple[int, str]:
    if isinstance(before, dict):
        number, chain = before.get("number"), before.get("chain")
        if type(number) is int and isinstance(chain, str):
            return number, chain
    raise BadRecord(record.number, "does not say what it goes on from")
