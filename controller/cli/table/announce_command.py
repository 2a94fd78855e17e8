"""`tablectl announce`: the announcer, which tells a broker and webhooks what the table does."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.table_options import make_table_options
from controller.command_table import Command, Option
from controller.wall_clock import format_local_time

if TYPE_CHECKING:
    import threading

DEFAULT_CONFIG = Path("/etc/table-controller/announcer.toml")
"""The announcer's configuration on an installed table."""

KEY_BYTES = 32


def run_announcer(options: argparse.Namespace) -> int:
    """Run until SIGTERM or Ctrl-C; return the exit status: 0 stopped, 2 the configuration cannot be used."""
    import logging
    import signal
    import threading

    from config.announcer_file import load_announcer_file
    from controller.announcer.announcer import Announcer
    from controller.announcer.table_api import TableApi
    from controller.runtime.service.core_dumps import disable_core_dumps
    from controller.runtime.service.log_setup import start_log
    from controller.runtime.service.systemd_notifier import READY, STOPPING, SystemdNotifier, format_status

    start_log(sys.stderr)
    disable_core_dumps()  # it has the token, the broker's password and the keys of webhooks
    file = load_announcer_file(options.config)
    announcer = Announcer(file, TableApi(file.table, file.read_token()))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: announcer.stop())
    threading.excepthook = _exit_on_thread_failure
    notifier = SystemdNotifier()
    told = [*(["mqtt"] if file.mqtt else []), *(section.name for section in file.webhooks)]
    notifier.send(READY, format_status(f"reads {file.table.url}, tells {', '.join(told)}"))
    logging.getLogger(__name__).info("%s is read; told are %s", file.table.url, ", ".join(told))
    announcer.run()
    notifier.send(STOPPING)
    return 0


def show_status(options: argparse.Namespace) -> int:
    """Print how each webhook stands; return the exit status: 0 all arrives, 1 something waits or was given up."""
    from config.announcer_file import load_announcer_file
    from controller.announcer.announcement_outbox import OUTBOX_FILE, AnnouncementOutbox

    file = load_announcer_file(options.config)
    if not (file.state_directory / OUTBOX_FILE).exists():
        print("the announcer has not run yet")
        return 1
    outbox = AnnouncementOutbox(file.state_directory)
    well = True
    try:
        for section in file.webhooks:
            stands = outbox.read_status(section.name)
            at = stands.last_delivered_at
            last = "never" if at is None else format_local_time(at)
            print(
                f"{section.name}: {stands.waiting_count} waiting, {stands.delivered_count} delivered (last {last}), "
                f"{stands.abandoned_count} given up, {stands.dropped_count} dropped"
            )
            if stands.last_failure:
                print(f"  waits because: {stands.last_failure}")
            for identity, at, reason in stands.abandoned_deliveries:
                print(f"  given up {format_local_time(at)} {identity}: {reason}")
            well = well and not stands.last_failure and not stands.abandoned_deliveries
    finally:
        outbox.close()
    return 0 if well else 1


def make_key(options: argparse.Namespace) -> int:
    """Print a new key; return 0."""
    import base64
    import secrets

    from config.announcer_file import KEY_PREFIX

    del options
    print(f"{KEY_PREFIX}{base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()}")
    return 0


def print_mdns(options: argparse.Namespace) -> int:
    """Print the file; return the exit status: 0, or 1 where the page is for this machine only."""
    from config.announcer_file import is_loopback_host
    from config.table_file import load_table_file
    from controller.announcer.mdns import AVAHI_FILE, RESOLVED_FILE, render_avahi_file, render_resolved_file

    page = load_table_file(options.config).page
    if is_loopback_host(page.host) or page.port == 0:
        print(
            f"tablectl announce mdns: the page is on {page.host}, port {page.port}: nobody in the network can open it; "
            "give [page] a host such as 0.0.0.0, a port, and TLS",
            file=sys.stderr,
        )
        return 1
    print(render_avahi_file(page) if options.avahi else render_resolved_file(page), end="")
    print(f"put this into {AVAHI_FILE if options.avahi else RESOLVED_FILE}", file=sys.stderr)
    return 0


def _exit_on_thread_failure(failed: "threading.ExceptHookArgs") -> None:
    """End the program where one of its threads has failed: it is started anew, and half of it would look alive."""
    import os

    from controller.runtime.service.crash_log import describe_failure

    what = "for no reason" if failed.exc_value is None else describe_failure(failed.exc_value)
    print(f"tablectl announce: it failed ({what}); tell the technician", file=sys.stderr)
    os._exit(1)


CONFIG = Option("--config FILE", f"its configuration (default: {DEFAULT_CONFIG})", Path, default=DEFAULT_CONFIG)

COMMAND = Command(
    "announce",
    "Tells Home Assistant (MQTT) and webhooks what the table does. It is a program of its own beside "
    "the table, which it knows by its API alone.",
    Command(
        "run",
        "read the table and tell, until it is stopped",
        CONFIG,
        description="Reads the table's API and tells the broker and the webhooks of the file, until it is stopped.",
        run=run_announcer,
    ),
    Command(
        "status",
        "what waits, what was delivered, what was given up",
        CONFIG,
        description="Shows for each webhook how many deliveries wait, arrived, were given up and dropped, and why.",
        run=show_status,
    ),
    Command(
        "key",
        "make a key for a webhook",
        description="Prints a new key, by which a webhook's receiver knows the table: put it into the secret file of "
        "the webhook and give it to the receiver.",
        run=make_key,
    ),
    Command(
        "mdns",
        "print the file that announces the table's page in the local network",
        Option("--avahi", "for Avahi instead of systemd-resolved", flag=True),
        *make_table_options(),
        description="Prints the file by which systemd-resolved, or Avahi, announces the table's page in the local "
        "network as _table-controller._tcp.",
        run=print_mdns,
    ),
    title="",
    metavar="ACTION",
)
