"""Says of each reader how long a card must lie over it, beside how long a dealer lets it."""

from collections.abc import Iterator, Mapping

from config.table_file import TableFile
from controller.app.diagnostics.check_result import CheckResult, report_doubtful, report_good
from drivers.contract.driver_registry import list_driver_keys
from drivers.readers.dwell_times import DEALT_DWELL_MS, DWELLS_MS, ReaderDwell, find_dwell, find_worse_dwell

MIN_DEALT_PERCENT = 50
"""How many of a hundred cards that are drawn past quickly a shoe's reader is to read; few are drawn so quickly."""


def check_dwells(file: TableFile) -> Iterator[CheckResult]:
    """Compare the readers of the file with a dealer's hands."""
    for name, section in file.devices.items():
        defaults = {key.name: key.default for key in list_driver_keys(section.driver)}
        keys: Mapping[str, object] = {**defaults, **section.driver_keys}
        dwell = find_dwell(section.driver, keys)
        if dwell is not None:
            is_shoe = file.shoe is not None and file.shoe.reader == name
            about = f"dwell of {name} ({section.driver})"
            worse = find_worse_dwell(section.driver, keys) if is_shoe else None
            if worse is not None:
                text = f"some such chips read none that lies there {worse.find_missed_dwell_ms()} ms"
                yield report_doubtful(about, text, worse.remedy)
            else:
                yield _judge_dwell(about, dwell, is_shoe=is_shoe)


def _judge_dwell(about: str, dwell: ReaderDwell, *, is_shoe: bool) -> CheckResult:
    whole_ms, dealt_percent = dwell.find_whole_dwell_ms(), dwell.percents[DWELLS_MS.index(DEALT_DWELL_MS)]
    whole = f"{whole_ms} ms" if whole_ms is not None else f"longer than {DWELLS_MS[-1]} ms"
    text = f"reads every tag that lies there {whole}, as its simulator has it"
    if not is_shoe:
        return report_good(about, text)
    text += (
        f"; of those drawn over an antenna of 4 cm, two to three a second, some {DEALT_DWELL_MS} ms each, it reads "
        f"{dealt_percent} of 100"
    )
    if dealt_percent >= MIN_DEALT_PERCENT:
        return report_good(about, text)
    return report_doubtful(
        about, text, "let each card rest over the antenna, or take a quicker reader: docs/devices.md, Dwell"
    )
