"""`tablectl certificate`: the certificate with which the page is served over HTTPS."""

import argparse
import os
import sys
from pathlib import Path

from controller.cli.table_options import INSTALLED_TABLE_FILE, TABLE_USER, make_table_options
from controller.command_table import Command, Option
from controller.wall_clock import read_wall_clock

DEFAULT_FOLDER = Path("/etc/table-controller/tls")


def _make(options: argparse.Namespace) -> int:
    import grp

    from controller.app.upkeep.page_certificate import CertificateError, make_certificate
    from controller.web.serving.host_addresses import list_own_hosts

    named = options.names or [*dict.fromkeys([*list_own_hosts(), *_read_page_names()])]
    try:
        grp.getgrnam(TABLE_USER)
        group = TABLE_USER if os.geteuid() == 0 else None
    except KeyError:
        group = None
    try:
        certificate, key, authority = make_certificate(options.folder, named, group)
    except CertificateError as why:
        print(f"tablectl certificate: {why}", file=sys.stderr)
        return 1
    quoted = ", ".join(f'"{name}"' for name in named)
    print(f'In the table\'s file:\n\n[page]\ncertificate = "{certificate}"\nkey = "{key}"\nnames = [{quoted}]\n')
    print(f"To every phone and tablet that is to trust the table: {authority} (docs/image.md says how).")
    return 0


def _read_page_names() -> tuple[str, ...]:
    """The names under which the installed table's file says that its page is asked for."""
    from config.config_error import ConfigError
    from config.table_file import load_table_file

    try:
        return load_table_file(INSTALLED_TABLE_FILE).page.names
    except ConfigError:
        return ()


def _show(options: argparse.Namespace) -> int:
    from config.table_file import load_table_file
    from controller.web.serving.certificate_validity import EXPIRY_WARNING_PERIOD, find_expiry_problem, read_expiry

    page = load_table_file(options.config).page
    if page.certificate is None:
        print("the page has no certificate: it is served without TLS", file=sys.stderr)
        return 1
    try:
        wrong = find_expiry_problem(page.certificate, read_wall_clock(), within=EXPIRY_WARNING_PERIOD)
    except ValueError as why:
        print(f"tablectl certificate: {page.certificate}: {why}", file=sys.stderr)
        return 1
    print(wrong or f"{page.certificate} is good until {read_expiry(page.certificate):%Y-%m-%d}")
    return 0 if wrong is None else 1


COMMAND = Command(
    "certificate",
    "Makes the certificate of the page, with a local authority that phones and tablets can be told to trust. Says "
    "until when a certificate is good.",
    Command(
        "make",
        "make or renew the page's certificate",
        Option("names NAME", "host names and addresses (this machine's, if none)", nargs="*"),
        Option("--folder DIR", f"where to ({DEFAULT_FOLDER})", Path, default=DEFAULT_FOLDER),
        description="Makes page.crt, page.key and, once, ca.crt and ca.key. ca.crt goes to every phone and tablet that "
        "is to trust the table; ca.key stays here. Good for 13 months; the same command renews it.",
        run=_make,
    ),
    Command(
        "show",
        "say until when it is good",
        *make_table_options(),
        description="Says until when the page's certificate is good.",
        run=_show,
    ),
)
