"""The receipt of a day: the signed head of the journal on a slip of paper, kept where nobody at the table reaches it.

A journal can be made anew from any point by whoever has the table; one that was made anew does not fit a receipt.
"""

from dataclasses import dataclass

from controller.runtime.journal.archive import Archive
from controller.runtime.journal.proof.chain import Head, is_signed

TITLE = "table-controller journal receipt 1"

_NAMES = ("table", "date", "record", "chain", "device", "signature")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The journal `table` had `chain` at its record number `record`, which the key `device` signed."""

    table: str
    date: str
    record: int
    chain: str
    device: str
    signature: str

    @property
    def head(self) -> Head:
        """What a journal must have, to be the one of this receipt."""
        return Head(self.record, self.chain, f"the receipt of {self.date}")

    def text(self) -> str:
        """Write it as it is printed."""
        values = (self.table, self.date, str(self.record), self.chain, self.device, self.signature)
        return "\n".join((TITLE, *(f"{name:10}{value}" for name, value in zip(_NAMES, values, strict=True)))) + "\n"


def read_receipt(text: str) -> Receipt:
    """Read a receipt as it was printed; raises `ValueError` with one sentence."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    found = {line[0]: line[1] for line in lines if len(line) == 2}
    if not lines or " ".join(lines[0]) != TITLE or set(found) != set(_NAMES) or not found["record"].isdecimal():
        raise ValueError(f"is no receipt: it begins with {TITLE!r}, and a line each for {', '.join(_NAMES)}")
    receipt = Receipt(
        found["table"], found["date"], int(found["record"]), found["chain"], found["device"], found["signature"]
    )
    if not is_signed(receipt.device, receipt.table, receipt.record, receipt.chain, receipt.signature):
        raise ValueError("is no receipt: its signature is not that of the key it names")
    return receipt


def last_receipt(archive: Archive) -> Receipt | None:
    """Make the receipt of the last record that the table signed; `None` before the first."""
    for record in archive.newest("signed"):
        body = record.read()
        for file in archive.newest("file"):
            named = file.read()
            table, device = str(named["table"]), str(named["device"])
            signature, upto = str(body["signature"]), int(body["upto"])
            return Receipt(table, str(body["wall"]), upto, str(body["chain"]), device, signature)
    return None
