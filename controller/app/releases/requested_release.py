"""What a room wants installed: a name that the table leaves for root, and where root looks for the archive.

The table's account cannot install anything. Beside its journal it leaves the name of an archive that the uplink has
fetched into a folder of its own; `table-release.path` has root look at that file. Root believes neither: only an
archive of that folder is opened, which then is checked as every release is, signature first.
"""

import re
from pathlib import Path

from controller.app.releases.release_archive import ReleaseError
from controller.runtime.storage.plain_file import open_plain_file
from controller.strict_json import parse_json

RELEASE_REQUEST_FILE = "release.wanted"
RELEASE_NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}\.tar")

MAX_REQUEST_BYTES = 256
"""Bytes of what a table may leave."""


def read_requested_release(left: Path, fetched: Path) -> Path | None:
    """Return the archive that is to be installed, `None` for going back by one. Raises `ReleaseError`."""
    try:
        with open_plain_file(left) as file:
            content = parse_json(file.read(MAX_REQUEST_BYTES))
    except (OSError, ValueError, RecursionError) as why:
        raise ReleaseError(f"{left} cannot be read: it is left by the table, and names one archive") from why
    match content:
        case {"name": None, **rest} if not rest:
            return None
        case {"name": str(name), **rest} if not rest and RELEASE_NAME_PATTERN.fullmatch(name):
            archive = fetched / name
            if archive.is_symlink() or not archive.is_file():
                raise ReleaseError(f"{name} was not fetched: there is no such file in {fetched}")
            return archive
        case _:
            raise ReleaseError(f"{left} names no archive of {fetched}")
