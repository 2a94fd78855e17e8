"""What the commands that speak to a running table share: where its page is."""

import argparse

from config.table_file import load_table_file
from controller.cli.table_options import make_table_options
from controller.client.page_address import PageAddress, make_own_address, parse_address
from controller.command_table import Option

RUNNING_TABLE_OPTIONS = (*make_table_options(), Option("--url URL", "where its page is, instead of [page]"))


def find_page_address(options: argparse.Namespace) -> PageAddress:
    """Where the page is that the options name; raises `ConfigError` and `ValueError`."""
    if options.url is not None:
        return parse_address(options.url)
    page = load_table_file(options.config).page
    return make_own_address(page.host, page.port, page.certificate)
