"""The receipt of a day: the signed head of the journal on a slip of paper, kept where nobody at the table reaches it.

A journal can be made anew from any point by whoever has the table; one that was made anew does not fit a receipt.
"""

from dataclasses import dataclass

from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import KnownHead, is_head_signed

RECEIPT_TITLE = "table-controller journal receipt 1"

_FIELD_NAMES = ("table", "date", "record", "chain", "device", "signature")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The journal `journal_name` had `chain` at its record `record_number`, which the key `device_key` signed."""

    journal_name: str
    date: str
    record_number: int
    chain: str
    device_key: str
    signature: str

    @property
    def head(self) -> KnownHead:
        """What a journal must have, to be the one of this receipt."""
        return KnownHead(self.record_number, self.chain, f"the receipt of {self.date}")

    def render_text(self) -> str:
        """Write it as it is printed."""
        values = (self.journal_name, self.date, str(self.record_number), self.chain, self.device_key, self.signature)
        return (
            "\n".join((RECEIPT_TITLE, *(f"{name:10}{value}" for name, value in zip(_FIELD_NAMES, values, strict=True))))
            + "\n"
        )


def parse_receipt(text: str) -> Receipt:
    """Read a receipt as it was printed; raises `ValueError` with one sentence."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    found = {line[0]: line[1] for line in lines if len(line) == 2}
    if (
        not lines
        or " ".join(lines[0]) != RECEIPT_TITLE
        or set(found) != set(_FIELD_NAMES)
        or not found["record"].isdecimal()
    ):
        raise ValueError(
            f"is no receipt: it begins with {RECEIPT_TITLE!r}, and a line each for {', '.join(_FIELD_NAMES)}; "
            "take it as it was printed"
        )
    receipt = Receipt(
        found["table"], found["date"], int(found["record"]), found["chain"], found["device"], found["signature"]
    )
    if not is_head_signed(
        receipt.device_key, receipt.journal_name, receipt.record_number, receipt.chain, receipt.signature
    ):
        raise ValueError("is no receipt: its signature is not that of the key it names; take it as it was printed")
    return receipt


def make_last_receipt(archive: JournalReader) -> Receipt | None:
    """Make the receipt of the last record that the table signed; `None` before the first."""
    for record in archive.read_newest_records("signed"):
        body = record.parse_body()
        for file in archive.read_newest_records("file"):
            named = file.parse_body()
            table, device = str(named["table"]), str(named["device"])
            signature, upto = str(body["signature"]), int(body["upto"])
            return Receipt(table, str(body["wall"]), upto, str(body["chain"]), device, signature)
    return None
