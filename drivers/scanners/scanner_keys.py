"""Ranges of the keys that scanners share."""

from drivers.contract.device_errors import DriverConfigError
from drivers.scanners.line_splitter import MAX_LINE_LENGTH

MAX_SAME_CODE_S = 10.0


def require_scanner_keys(device: str, *, same_code_seconds: float, length: int | None = None) -> None:
    """Refuse what no scanner can be told; raises `DriverConfigError`."""
    if not 0 <= same_code_seconds <= MAX_SAME_CODE_S:
        text = f"it must be 0 to {MAX_SAME_CODE_S:g} seconds, not {same_code_seconds}"
        raise DriverConfigError(device, "same_code_seconds", text)
    if length is not None and not 1 <= length <= MAX_LINE_LENGTH:
        raise DriverConfigError(device, "length", f"it must be 1 to {MAX_LINE_LENGTH} characters, not {length}")
