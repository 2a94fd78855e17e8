"""`tablectl room uplink`: the table's link to its room."""

import argparse
import sys
from pathlib import Path

from controller.command_table import Command, Option

DEFAULT_CONFIG = Path("/etc/table-controller/uplink.toml")
"""The uplink's file on an installed table."""


def request_registration(options: argparse.Namespace) -> int:
    """Make key and request; return the exit status: 0 done, 1 it cannot be."""
    from controller.room_contract.certificate_request import ProvisioningError
    from controller.room_contract.certificate_request import make_certificate_request as made
    from controller.room_contract.registration import make_request
    from controller.room_contract.subjects import TableNameError, require_table_name

    try:
        key, csr = made(options.folder, require_table_name(options.table))
        path = options.folder / f"{options.table}.request"
        path.write_text(make_request(options.table, csr.read_text("ascii"), options.code), encoding="ascii")
        csr.unlink()
        key.replace(options.folder / "uplink.key")
    except (ProvisioningError, TableNameError) as why:
        print(f"tablectl room uplink request: {why}", file=sys.stderr)
        return 1
    print(f"{path}: for tablectl room enrol {options.table} --request, in the room")
    return 0


def accept_answer(options: argparse.Namespace) -> int:
    """Take the answer; return the exit status: 0 done, 1 refused."""
    from controller.room_contract.certificate_request import ProvisioningError
    from controller.room_contract.registration import parse_answer
    from controller.room_contract.subjects import TableNameError, require_table_name

    try:
        answer = parse_answer(require_table_name(options.table), options.answer.read_text("ascii"), options.code)
    except (ProvisioningError, TableNameError, UnicodeDecodeError) as why:
        print(f"tablectl room uplink accept: {why}", file=sys.stderr)
        return 1
    for name, text in (("uplink.crt", answer.certificate), ("room-ca.crt", answer.ca_certificate)):
        (options.folder / name).write_text(text, encoding="ascii")
    print(f"servers = {list(answer.servers)}".replace("'", '"'))
    return 0


def check_file(options: argparse.Namespace) -> int:
    """Check; return the exit status: 0 it can be used, 2 not."""
    from controller.extras import find_missing
    from controller.room_contract.disclosure_level import DisclosureLevel
    from controller.uplink.uplink_file import load_uplink_file

    settings = load_uplink_file(options.config)
    missing = None if settings.level is DisclosureLevel.OFF else find_missing("uplink")
    faults = [*settings.check_files(), *([] if missing is None else [missing])]
    for fault in faults:
        print(f"tablectl room: {fault}", file=sys.stderr)
    if not faults:
        print(DISCLOSURE_BY_LEVEL[settings.level.value])
        if settings.allows_requests:
            print("The room may ask the table for what its people enter.")
    return 2 if faults else 0


DISCLOSURE_BY_LEVEL = {
    "off": "Nothing leaves the table.",
    "health": "The room is told versions, counters and faults, and nothing of a game.",
    "after-the-hand": "The room is told versions, counters, faults, and the journal as far as hands are over.",
    "live": "The room is told what every spectator sees, and the journal at once.",
}
"""What leaves the table at each level, in words."""


def run_uplink(options: argparse.Namespace) -> int:
    """Run until SIGTERM or Ctrl-C; return the exit status: 0 stopped, 2 the file cannot be used."""
    import asyncio
    import logging

    from controller.room_contract.disclosure_level import DisclosureLevel
    from controller.runtime.service.core_dumps import disable_core_dumps
    from controller.runtime.service.log_setup import start_log
    from controller.runtime.service.systemd_notifier import READY, STOPPING, SystemdNotifier, format_status
    from controller.uplink.uplink_file import load_uplink_file

    start_log(sys.stderr)
    disable_core_dumps()  # by its token and its key it is this table
    settings = load_uplink_file(options.config)
    notifier = SystemdNotifier()
    notifier.send(READY, format_status(f"level {settings.level.value}"))
    if settings.level is DisclosureLevel.OFF:
        logging.getLogger(__name__).info("level off: nothing leaves the table")
        return 0
    from controller.uplink import fetched_releases
    from controller.uplink.link_status_file import LinkStatusFile, find_runtime_folder
    from controller.uplink.uplink import Uplink

    logging.getLogger("nats").setLevel(logging.CRITICAL)  # what it says is said once, by the uplink itself
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)

    async def run() -> None:
        import signal

        uplink = Uplink(
            settings,
            settings.make_table_client(),
            LinkStatusFile(find_runtime_folder()),
            fetched_releases.find_releases_folder(),
        )
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, uplink.stop)
        await uplink.run()

    asyncio.run(run())
    notifier.send(STOPPING)
    return 0


CONFIG = Option("--config FILE", f"its file (default: {DEFAULT_CONFIG})", Path, default=DEFAULT_CONFIG)
TABLE = Option("table TABLE", "its name in the room, such as table-07")
ANSWER_OPTIONS = (
    Option("--code CODE", "the code that the room said", required=True),
    Option(
        "--folder DIR", f"where its files go (default: {DEFAULT_CONFIG.parent})", Path, default=DEFAULT_CONFIG.parent
    ),
)

COMMAND = Command(
    "uplink",
    "at a table: tell the room what the table's file allows",
    Command("run", "tell the room, until it is stopped", CONFIG, run=run_uplink),
    Command(
        "check", "check the file and the files that it names, and say what leaves the table", CONFIG, run=check_file
    ),
    Command(
        "request",
        "make this table's key, and ask the room to sign it",
        TABLE,
        *ANSWER_OPTIONS,
        description="Makes this table's key, which stays here, and the request that `tablectl room enrol` takes.",
        run=request_registration,
    ),
    Command(
        "accept",
        "take the room's answer",
        TABLE,
        Option("answer FILE", "the room's answer", Path),
        *ANSWER_OPTIONS,
        description="Takes what `tablectl room enrol` answered: this table's certificate and the room's authority.",
        run=accept_answer,
    ),
    description="The table's link to its room: a program of its own beside the table, off until its file says more.",
    metavar="WHAT",
)
