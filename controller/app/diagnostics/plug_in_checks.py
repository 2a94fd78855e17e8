"""What `tablectl doctor` says about plug-ins: which the table uses, and which can never be used."""

from collections.abc import Iterator

from config import game_file, rulebook_file
from config.table_file import TableFile
from controller import plug_ins
from controller.app.diagnostics.check_result import CheckResult, report_bad, report_doubtful, report_good
from controller.app.table.used_plug_ins import find_used_plug_ins
from controller.runtime.faults import self_check
from drivers.contract.driver_registry import DRIVERS
from drivers.simulators import SIMULATORS


def check_plug_ins(file: TableFile) -> Iterator[CheckResult]:
    """Name the packages that the table uses, and every name that a package has in vain."""
    if told := find_used_plug_ins(file):
        yield report_good("plug-ins", f"the table uses {', '.join(told)}")
        for result in self_check.check_plug_ins([each.rpartition(" ")[0] for each in told]):
            if result.fault_code is not None:
                yield report_bad(result.subject, result.text, "see who changed it and why")
            else:
                yield report_good(result.subject, result.text)
    own = {
        plug_ins.DRIVERS: tuple(DRIVERS),
        plug_ins.SIMULATORS: tuple(SIMULATORS),
        plug_ins.RULEBOOKS: rulebook_file.list_rulebooks(),
        plug_ins.GAMES: game_file.list_games(),
    }
    for group, names in own.items():
        for clash in plug_ins.find_clashes(group, names):
            yield report_doubtful("plug-ins", clash, "uninstall the package, or ask for one with another name in it")
