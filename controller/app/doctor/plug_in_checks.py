"""What `tablectl doctor` says about plug-ins: which the table uses, and which can never be used."""

from collections.abc import Iterator

from config import game_file, rulebook_file
from config.table_file import TableFile
from controller import plug_ins
from controller.app.doctor.check_result import Finding, bad, doubtful, good
from controller.app.table.plug_ins_used import used
from controller.runtime.faults import self_check
from drivers.contract.registry import DRIVERS
from drivers.sim import SIMS


def examine(file: TableFile) -> Iterator[Finding]:
    """Name the packages that the table uses, and every name that a package has in vain."""
    if told := used(file):
        yield good("plug-ins", f"the table uses {', '.join(told)}")
        for result in self_check.plug_ins([each.rpartition(" ")[0] for each in told]):
            if result.fault is not None:
                yield bad(result.about, result.text, "see who changed it and why")
            else:
                yield good(result.about, result.text)
    own = {
        plug_ins.DRIVERS: tuple(DRIVERS),
        plug_ins.TWINS: tuple(SIMS),
        plug_ins.RULEBOOKS: rulebook_file.names(),
        plug_ins.GAMES: game_file.names(),
    }
    for group, names in own.items():
        for clash in plug_ins.clashes(group, names):
            yield doubtful("plug-ins", clash, "uninstall the package, or ask for one with another name in it")
