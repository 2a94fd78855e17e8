"""`tablectl`: the one command of the table, a module a command, and what they share."""

import argparse
import gc
import importlib
import os
import select
import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # that of `typing`, which is not loaded for it
if TYPE_CHECKING:
    from controller.command_table import Command

COMMANDS = {
    "run": ("controller.cli.table.run_command", "run the table"),
    "train": (
        "controller.cli.table.train_command",
        "the dealers' school: deal, spot what is wrong, say what the book wants",
    ),
    "watch": ("controller.cli.table.watch_command", "show a running table in this terminal"),
    "status": ("controller.cli.table.status_command", "say how a running table stands, through its API"),
    "check": (
        "controller.cli.table.check_command",
        "check a table's file: every mistake with its line and what would be right",
    ),
    "doctor": ("controller.cli.table.doctor_command", "examine machine and devices: what is wrong, and what to do"),
    "ports": ("controller.cli.devices.ports_command", "list what is plugged in, under the names that do not change"),
    "udev": ("controller.cli.devices.udev_command", "print udev rules for what is plugged in, to paste"),
    "wiring": ("controller.cli.devices.wiring_command", "show which wire goes where: pin table, drawing, conflicts"),
    "monitor": (
        "controller.cli.devices.monitor_command",
        "watch the devices: every tag, key, card edge and fault as it happens",
    ),
    "lamps": ("controller.cli.devices.lamps_command", "test the lamps: each alone, named as it lights"),
    "sound": ("controller.cli.devices.sound_command", "test the buzzer: each sound, named as it is heard"),
    "gate": ("controller.cli.devices.gate_command", "test the gate of the shoe, or put it to its safe place"),
    "deck": ("controller.cli.decks.deck_command", "register decks: which tag is which card"),
    "staff": ("controller.cli.table.staff_command", "enrol dealers, floor, technicians and auditors"),
    "token": ("controller.cli.table.token_command", "make, list and withdraw tokens of the API, for other machines"),
    "check-driver": (
        "controller.cli.devices.check_driver_command",
        "hold the drivers of an installed package against what every driver must do",
    ),
    "capture": (
        "controller.cli.devices.capture_command",
        "record the raw traffic of the devices to a file, and play it again",
    ),
    "record": ("controller.cli.devices.record_command", "the older name of `capture record`"),
    "play": ("controller.cli.table.play_command", "the older name of `capture play`"),
    "replay": ("controller.cli.table.replay_command", "play a table script and print what the table says to each line"),
    "rules": (
        "controller.cli.rules.rules_command",
        "what the rulebooks say, where they differ, and which of their rules are tested",
    ),
    "journal": ("controller.cli.journal.journal_command", "export and prove what a table recorded"),
    "hands": ("controller.cli.journal.hands_command", "list, show and export the finished hands"),
    "drop": ("controller.cli.journal.drop_command", "what the house took, and the drop boxes as they were counted"),
    "tournament": (
        "controller.cli.tournament.tournament_command",
        "run a tournament's clock, places, prizes and league",
    ),
    "announce": ("controller.cli.table.announce_command", "tell Home Assistant and webhooks what the table does"),
    "certificate": (
        "controller.cli.table.certificate_command",
        "make the certificate of the page, and an authority that phones trust",
    ),
    "backup": (
        "controller.cli.table.backup_command",
        "keep a copy of all that the table knows, and restore it on a new card",
    ),
    "release": ("controller.cli.table.release_command", "sign, check and install releases of this program"),
    "completion": ("controller.cli.completion_command", "print what lets a shell complete commands and options"),
    "room": (
        "controller.uplink.room_command",
        "many tables at one desk: a table's link to its room, and the room itself",
    ),
}
"""Command -> its module and what `--help` says of it; the module has `COMMAND` and loads when needed."""


class UnavailableCommandError(Exception):
    """The command is known and cannot be had; the sentence says what to do."""


def load_command(name: str) -> "Command | None":
    """Load a command, ours or a plug-in's; none where nobody brings it. Raises `UnavailableCommandError`."""
    if name not in COMMANDS:
        return _load_plug_in_command(name)
    command: Command = importlib.import_module(COMMANDS[name][0]).COMMAND
    return command


def _load_plug_in_command(name: str) -> "Command | None":
    from controller import plug_ins

    try:
        plug_in = plug_ins.find_plug_in(plug_ins.COMMANDS, name)
        command: Command | None = None if plug_in is None else plug_ins.load_plug_in(plug_in)
    except plug_ins.PlugInError as why:
        raise UnavailableCommandError(f"tablectl {name}: {why}") from None
    return command


class _VersionAction(argparse.Action):
    """Asks for the version only where somebody wants to know: to look it up takes longer than to start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"{parser.prog} {version('table-controller')}")
        parser.exit()


def _make_root_parser() -> "tuple[argparse.ArgumentParser, argparse._SubParsersAction[argparse.ArgumentParser]]":
    parser = argparse.ArgumentParser(
        prog="tablectl",
        description="Runs a poker table: follows the deal card by card, rules by the house's book, lights the seats.",
        epilog="`tablectl COMMAND --help` explains a command. A new table is put up with ports, check, wiring and "
        "doctor, tried with monitor, lamps test and gate test, and goes into play with deck register and run.",
    )
    parser.add_argument("--version", action=_VersionAction, nargs=0, help="show program's version number and exit")
    return parser, parser.add_subparsers(prog="tablectl", title="commands", metavar="COMMAND", required=True)


def load_all_commands() -> "list[Command]":
    """Every command that there is, ours and then those of plug-ins: for what is made of all of them."""
    from controller import plug_ins

    names = [*COMMANDS, *(each.name for each in plug_ins.list_plug_ins(plug_ins.COMMANDS))]
    loaded = []
    for name in names:
        try:
            loaded.append(load_command(name))
        except UnavailableCommandError:
            continue
    return [command for command in loaded if command is not None]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; returns the exit status, 2 where a file of the configuration is wrong.

    Whatever happens is a sentence: a traceback helps nobody at a table, and its last line may hold a card.
    """
    arguments = sys.argv[1:] if argv is None else argv
    parser, commands = _make_root_parser()
    name = next((word for word in arguments if not word.startswith("-")), None)
    gc.disable()  # what a command imports stays: to look through it for garbage takes an eighth of a start
    try:
        command = None if name is None else load_command(name)
    except UnavailableCommandError as why:
        print(why, file=sys.stderr)
        return 2
    finally:
        if argv is None:  # else the process is not ours, and neither is its garbage
            gc.freeze()
        gc.enable()
    if command is not None:
        command.add_to(commands)
    elif "--version" not in arguments:
        for known, (_, what) in COMMANDS.items():
            commands.add_parser(known, help=what)
        from controller import plug_ins

        for plug_in in plug_ins.list_plug_ins(plug_ins.COMMANDS):
            commands.add_parser(plug_in.name, help=f"of {plug_in.label}")
    if sys.stdout is None:  # closed before the program began: nobody wants to read what it says
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (it is the output from now on)
    options = parser.parse_args(arguments)
    from config.config_error import ConfigError

    try:
        if options.as_table_user:
            from controller.cli.table_options import become_table_user, check_state_access

            become_table_user(options)
            check_state_access(options)
        status: int = options.run(options)
        sys.stdout.flush()
    except ConfigError as error:
        print(f"tablectl {arguments[0]}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as why:
        from controller.extras import describe_missing

        missing = describe_missing(why)
        if missing is None:
            return _report_program_failure(arguments[0], why)
        print(f"tablectl {arguments[0]}: {missing}", file=sys.stderr)
        return 2
    except BrokenPipeError as why:
        return 1 if _is_output_closed() else _report_failure(arguments[0], f"{why.strerror}")
    except PermissionError as why:
        from controller.cli.table_options import suggest_owner

        named = "this" if why.filename is None else why.filename
        return _report_failure(
            arguments[0], f"{named}: this user may not use it ({why.strerror}); {suggest_owner(why.filename)}"
        )
    except OSError as why:
        return _report_failure(
            arguments[0], f"{why.filename or _locate_failure(why)}: {why.strerror or type(why).__name__}"
        )
    except KeyboardInterrupt:
        return _report_failure(arguments[0], "stopped")
    except Exception as failure:
        return _report_program_failure(arguments[0], failure)
    return status


def _report_failure(command: str, sentence: str) -> int:
    print(f"tablectl {command}: {sentence}", file=sys.stderr)
    return 1


def _report_program_failure(command: str, failure: Exception) -> int:
    if sys.flags.dev_mode:  # python -X dev
        raise failure
    return _report_failure(command, f"the program failed ({_locate_failure(failure)}); tell the technician")


def _locate_failure(failure: BaseException) -> str:
    from controller.runtime.service.crash_log import describe_failure

    return describe_failure(failure)


def _is_output_closed() -> bool:
    """Whether whoever read the output has gone, as `head` does; what was still to be said is then dropped."""
    output = select.poll()
    output.register(sys.stdout.fileno(), select.POLLOUT)
    if not any(flags & select.POLLERR for _, flags in output.poll(0)):
        return False
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return True
