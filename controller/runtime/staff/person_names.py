"""Names of people: which will do, and what is the same for every way to write one."""

import unicodedata

from controller.core.protocol.player_names import BLANK_LETTERS
from controller.runtime.staff.admission import AdmissionError, RefusalCode

MAX_NAME_LENGTH = 24


def normalize_name(name: str) -> str:
    """Return the name as it is shown, or raise `AdmissionError` when it will not do."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= MAX_NAME_LENGTH or not shown[0].isalnum():
        raise AdmissionError(
            RefusalCode.NAME_UNFIT, f"A name has 1 to {MAX_NAME_LENGTH} signs and begins with a letter or digit."
        )
    if BLANK_LETTERS & set(shown):
        raise AdmissionError(RefusalCode.NAME_UNFIT, "A name has letters that can be seen; this one has a blank one.")
    if not all(sign.isalnum() or unicodedata.category(sign) == "Mn" or sign in " .'-" for sign in shown):
        raise AdmissionError(RefusalCode.NAME_UNFIT, "A name has letters, digits, spaces, and . ' - only.")
    return shown


def fold_name(name: str) -> str:
    """What is the same for every way to write a name."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.encode("utf-8", "replace").decode().split())
