"""A PostgreSQL of the showroom's own: no port, a socket in its folder, and no user but the one who runs it."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

import psycopg

from room.demo.process_group import DemoError, ProcessGroup

POSTGRESQL_FOLDER = Path("/usr/lib/postgresql")
"""Where Debian has the servers, by version; they are not on the PATH."""

MAX_SOCKET_PATH_LENGTH = 107
"""Signs that the path of a Unix socket may have (unix(7))."""


def find_program(name: str) -> str:
    """Find a program of PostgreSQL, the newest there is; raises `DemoError`."""
    found = sorted(POSTGRESQL_FOLDER.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        raise DemoError(f"{name} is missing: apt install postgresql")
    return path


def make_unprivileged_prefix(folder: Path) -> list[str]:
    """What stands before a command, so that it runs as somebody who is not root; `folder` is given to them.

    PostgreSQL refuses to run as root.
    """
    if os.geteuid() != 0:
        return []
    who = pwd.getpwnam("nobody")
    os.chown(folder, who.pw_uid, who.pw_gid)
    return ["setpriv", f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups"]


def start_database(processes: ProcessGroup, folder: Path) -> str:
    """Make the database where there is none, start it, and return where it is, as libpq has it; raises `DemoError`."""
    folder = folder.resolve()
    if len(str(folder / ".s.PGSQL.5432")) > MAX_SOCKET_PATH_LENGTH:
        raise DemoError(f"{folder} is too long a path for a socket; take a shorter one")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    who, data = make_unprivileged_prefix(folder), folder / "data"
    if not (data / "PG_VERSION").exists():
        made = subprocess.run(
            [*who, find_program("initdb"), "--pgdata", str(data), "--username", "room", "--auth", "trust", "--encoding",
             "UTF8", "--locale", "C"],
            capture_output=True, text=True, check=False, cwd="/",
        )  # fmt: skip
        if made.returncode:
            raise DemoError(f"the database cannot be made: {made.stderr.strip()}")
    where = f"host={folder} user=room dbname=postgres"
    command = [
        *(
            *who,
            find_program("postgres"),
            "-D",
            str(data),
            "-c",
            "listen_addresses=",
            "-c",
            f"unix_socket_directories={folder}",
        ),
        *("-c", "unix_socket_permissions=0700", "-c", "shared_buffers=32MB", "-c", "max_connections=40"),
    ]
    processes.start("database", command, is_up=lambda: _is_answering(where))
    return where


def _is_answering(where: str) -> bool:
    try:
        psycopg.connect(where, connect_timeout=5).close()
    except psycopg.Error:
        return False
    return True
