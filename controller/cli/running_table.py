"""What the commands that speak to a running table share: where its page is."""

import argparse

from config.table_file import load_table
from controller.cli.which_table import add_table
from controller.client.address import PageAddress, address_of, own_address


def add_running_table(parser: argparse.ArgumentParser) -> None:
    """Add `--config` and `--url`."""
    add_table(parser)
    parser.add_argument("--url", metavar="URL", help="where its page is, instead of [page]")


def place_of(options: argparse.Namespace) -> PageAddress:
    """Where the page is that the options name; raises `ConfigError` and `ValueError`."""
    if options.url is not None:
        return address_of(options.url)
    page = load_table(options.config).page
    return own_address(page.host, page.port, page.certificate)
