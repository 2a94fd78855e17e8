"""`tablectl run`: the table itself."""

import argparse
import logging
import os
import sys
from pathlib import Path

from config.table_file import DEMO_FILE
from controller.command_table import Command, Option


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 stopped, 1 it could not go on, 2 it could not start as configured."""
    from config.config_error import ConfigError
    from controller.app.commissioning.table_upkeep import TableUpkeep
    from controller.app.table.table_run import StartError, run_table
    from controller.runtime.journal.recovery.journal_replay import RecoveryError
    from controller.runtime.service.core_dumps import disable_core_dumps
    from controller.runtime.service.crash_log import describe_failure, format_traceback, install_crash_log
    from controller.runtime.service.log_setup import format_printed_line, start_log
    from controller.runtime.service.watchdog import WorkerDiedError
    from controller.runtime.storage.sqlite_database import DatabaseError
    from controller.web.serving.listener import PageError
    from controller.web.serving.tls import TlsError
    from drivers.contract.device_errors import DeviceError

    if arguments.void_hand and arguments.new_session:
        print("tablectl run: --void-hand keeps the table and --new-session leaves it; use one of them", file=sys.stderr)
        return 2
    if arguments.paused and not arguments.simulate:
        print("tablectl run: --paused goes with --simulate only", file=sys.stderr)
        return 2

    if arguments.no_mistakes and not arguments.simulate:
        print("tablectl run: --no-mistakes goes with --simulate only", file=sys.stderr)
        return 2

    def tell(text: str) -> None:
        print(format_printed_line(text, logging.ERROR, sys.stderr), file=sys.stderr)

    start_log(sys.stderr, form=arguments.log or "text")
    install_crash_log()
    logging.getLogger("transitions").setLevel(logging.WARNING)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    try:
        disable_core_dumps()
        os.umask(0o077)  # what the table keeps is for nobody else to read
        run_table(
            arguments.config,
            simulate=arguments.simulate,
            state=arguments.state,
            port=arguments.port,
            new_session=arguments.new_session,
            void_hand=arguments.void_hand,
            paused=arguments.paused,
            mistakes=not arguments.no_mistakes,
            upkeep=TableUpkeep,
            log_form=arguments.log,
        )
    except ConfigError as why:
        tell(f"tablectl run: {why}")
        return 2
    except TlsError as why:  # it may be the file that names the wrong ones
        tell(f"tablectl run: {arguments.config}: {why}")
        return 1
    except (StartError, DatabaseError, RecoveryError, PageError, DeviceError, WorkerDiedError) as why:
        tell(f"tablectl run: {why}")
        return 1
    except OSError as why:
        named = f"{why.filename}: " if why.filename is not None else f"{describe_failure(why)}: "
        tell(f"tablectl run: {named}{why.strerror or type(why).__name__}; put that right and start it again")
        return 1
    except Exception as failure:
        # Where it failed, without its message: that may hold a card.
        tell(format_traceback(failure))
        tell(f"tablectl run: the program failed: {describe_failure(failure)}; start it again and tell the technician")
        return 1
    return 0


COMMAND = Command(
    "run",
    "Run the table of a configuration file until it is stopped. What was under way when it last ended "
    "goes on from the journal. Stop it with Ctrl-C or SIGTERM.",
    Option("--config FILE", "the table (default: the demo table)", Path, default=DEMO_FILE),
    Option("--simulate", "simulate every device and the people round the table; needs no hardware", flag=True),
    Option("--state DIR", "where journal and decks are, instead of [state]", Path),
    Option("--port N", "port of the page, instead of [page] (0: any free one)", int),
    Option("--new-session", "leave what was under way in the journal and set the table up anew", flag=True),
    Option(
        "--void-hand",
        "give up the hand that is on; everybody has the chips of before it, and the table goes on from there",
        flag=True,
    ),
    Option("--paused", "with --simulate: wait for Play or Step on the page", flag=True),
    Option("--no-mistakes", "with --simulate: nothing goes wrong but what somebody wants to", flag=True),
    Option("--log", "how lines of the log are written, instead of [log] (docs/metrics.md)", choices=("text", "json")),
    run=run,
)
