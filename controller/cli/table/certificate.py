"""`tablectl certificate`: the certificate with which the page is served over HTTPS."""

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from controller.cli.which_table import INSTALLED, USER, add_table

FOLDER = Path("/etc/table-controller/tls")


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "certificate",
        description="Makes the certificate of the page, with a local authority that phones and tablets can be told to "
        "trust, and says until when a certificate is good.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    make = commands.add_parser(
        "make",
        help="make or renew the page's certificate",
        description="Makes page.crt, page.key and, once, ca.crt and ca.key. ca.crt goes to every phone and tablet that "
        "is to trust the table; ca.key stays here. Good for 13 months; the same command renews it.",
    )
    make.add_argument("names", metavar="NAME", nargs="*", help="host names and addresses (this machine's, if none)")
    make.add_argument("--folder", metavar="DIR", type=Path, default=FOLDER, help=f"where to ({FOLDER})")
    make.set_defaults(run=_make)
    show = commands.add_parser(
        "show", help="say until when it is good", description="Says until when the page's certificate is good."
    )
    add_table(show)
    show.set_defaults(run=_show)


def _make(options: argparse.Namespace) -> int:
    import grp

    from controller.app.upkeep.certificate import CertificateError, make
    from controller.web.serving.addresses import own_names

    named = options.names or [*dict.fromkeys([*own_names(), *_named_in_the_file()])]
    try:
        grp.getgrnam(USER)
        group = USER if os.geteuid() == 0 else None
    except KeyError:
        group = None
    try:
        certificate, key, authority = make(options.folder, named, group)
    except CertificateError as why:
        print(f"tablectl certificate: {why}", file=sys.stderr)
        return 1
    quoted = ", ".join(f'"{name}"' for name in named)
    print(f'In the table\'s file:\n\n[page]\ncertificate = "{certificate}"\nkey = "{key}"\nnames = [{quoted}]\n')
    print(f"To every phone and tablet that is to trust the table: {authority} (docs/image.md says how).")
    return 0


def _named_in_the_file() -> tuple[str, ...]:
    """The names under which the installed table's file says that its page is asked for."""
    from config.errors import ConfigError
    from config.table_file import load_table

    try:
        return load_table(INSTALLED).page.names
    except ConfigError:
        return ()


def _show(options: argparse.Namespace) -> int:
    from config.table_file import load_table
    from controller.web.serving.certificate import SOON, good_until, trouble

    page = load_table(options.config).page
    if page.certificate is None:
        print("the page has no certificate: it is served without TLS", file=sys.stderr)
        return 1
    try:
        wrong = trouble(page.certificate, datetime.now(UTC), within=SOON)
    except ValueError as why:
        print(f"tablectl certificate: {page.certificate}: {why}", file=sys.stderr)
        return 1
    print(wrong or f"{page.certificate} is good until {good_until(page.certificate):%Y-%m-%d}")
    return 0 if wrong is None else 1
