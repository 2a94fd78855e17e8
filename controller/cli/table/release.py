"""`tablectl release`: releases are signed, checked, installed and gone back from."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from controller.app.release import LOG
from controller.cli.progress import add_quiet, stage
from controller.cli.which_table import INSTALLED

PREFIX = Path("/opt/table-controller")
KEY = Path("/etc/table-controller/release.pub")
FETCHED = Path("/var/lib/table-uplink/releases")


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "release",
        description="A release is one archive with a signed list of its files. A table installs what is signed with "
        "the key that it trusts, newer than anything it ever used, and only between hands.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    key = commands.add_parser("key", help="make the keys of a maker of releases", description="Makes a pair of keys.")
    key.add_argument("file", metavar="FILE", type=Path, help="the private key; the public one is FILE with .pub")
    key.set_defaults(run=_key)

    sign = commands.add_parser("sign", help="pack and sign a release", description="Packs a folder and signs it.")
    sign.add_argument("folder", metavar="FOLDER", type=Path, help="wheels, systemd, docs and requirements.txt")
    sign.add_argument("--version", required=True, help="three numbers, such as 1.4.0")
    sign.add_argument("--machine", required=True, help="what `uname -m` says on the table: aarch64, x86_64")
    sign.add_argument("--python", required=True, metavar="N.N", help="the Python of the table, such as 3.11")
    sign.add_argument("--key", required=True, type=Path, metavar="FILE", help="the private key")
    sign.add_argument("--output", required=True, type=Path, metavar="FILE", help="the archive")
    add_quiet(sign)
    sign.set_defaults(run=_sign)

    verify = commands.add_parser("verify", help="check an archive", description="Checks signature and every file.")
    verify.add_argument("archive", metavar="ARCHIVE", type=Path)
    verify.add_argument("--key", type=Path, default=KEY, metavar="FILE", help=f"the public key ({KEY})")
    verify.set_defaults(run=_verify)

    install = commands.add_parser(
        "install",
        help="install an archive on this table",
        description="Checks the archive, installs it beside the release in use and puts it into use. The table runs on "
        "until it is restarted: systemctl restart table-controller.",
    )
    install.add_argument("archive", metavar="ARCHIVE", type=Path)
    install.add_argument("--key", type=Path, default=KEY, metavar="FILE", help=f"the public key ({KEY})")
    _add_places(install)
    add_quiet(install)
    install.set_defaults(run=_install)

    asked = commands.add_parser(
        "wanted",
        help="install what the room wants on this table: for table-release.service",
        description="Reads which archive the table has left for root, of those that its uplink has fetched, and "
        "installs it as `install` does; or goes back to the previous release, where the table left that.",
    )
    asked.add_argument("left", metavar="FILE", type=Path, help="what the table left")
    asked.add_argument("--fetched", type=Path, default=FETCHED, metavar="DIR", help=f"the archives ({FETCHED})")
    asked.add_argument("--key", type=Path, default=KEY, metavar="FILE", help=f"the public key ({KEY})")
    _add_places(asked)
    add_quiet(asked)
    asked.set_defaults(run=_wanted)

    place = commands.add_parser(
        "place",
        help="install a folder that needs no signature: for `make install`",
        description="Installs a folder as a release, without a signature: for whoever builds it on the table itself.",
    )
    place.add_argument("folder", metavar="FOLDER", type=Path)
    _add_places(place)
    add_quiet(place)
    place.set_defaults(run=_place)

    back = commands.add_parser("back", help="go back to the previous release", description="Uses the previous release.")
    _add_places(back)
    back.set_defaults(run=_back)

    check = commands.add_parser(
        "check",
        help="compare an installed release with what was signed",
        description="Compares an installed release, file by file, with the list that was signed and with its wheels. A "
        "program that judges itself can lie: for a proof run this on another machine, on the table's memory card.",
    )
    check.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=PREFIX / "current")
    check.add_argument("--key", type=Path, default=KEY, metavar="FILE", help=f"the public key ({KEY})")
    check.set_defaults(run=_check)

    show = commands.add_parser("log", help="what was installed when, by whom", description="Prints the log of updates.")
    show.add_argument("--log", type=Path, default=LOG, metavar="FILE", help=f"the log ({LOG})")
    show.set_defaults(run=_log)


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prefix", type=Path, default=PREFIX, metavar="DIR", help=f"where releases lie ({PREFIX})")
    parser.add_argument("--log", type=Path, default=LOG, metavar="FILE", help=f"the log of updates ({LOG})")
    parser.add_argument("--config", type=Path, default=INSTALLED, metavar="FILE", help=f"the table ({INSTALLED})")
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help="where units and rules go (/)")


def _key(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError
    from controller.app.release.keys import make_key

    try:
        public = make_key(options.file)
    except ReleaseError as why:
        return _refused("key", why)
    print(f"{options.file} signs releases: keep it off every table. {public} goes to each table as {KEY}.")
    return 0


def _sign(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError, write_release
    from controller.app.release.keys import private_key

    try:
        key = private_key(options.key)
        stage(f"packing {options.folder}", quiet=options.quiet)
        manifest = write_release(options.folder, options.version, options.machine, options.python, key, options.output)
    except ReleaseError as why:
        return _refused("sign", why)
    print(f"{options.output}: version {manifest.version} for {manifest.machine}, {len(manifest.files)} files, signed")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError, read_release
    from controller.app.release.keys import public_key

    try:
        with options.archive.open("rb") as archive:
            manifest = read_release(archive, public_key(options.key)).manifest
    except ReleaseError as why:
        return _refused("verify", why)
    print(f"{options.archive} is whole and signed: version {manifest.version} for {manifest.machine}")
    return 0


def _install(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError
    from controller.app.release.install import build_venv, install
    from controller.app.release.keys import public_key
    from controller.app.release.store import Store
    from controller.app.release.system_files import place_system_files, tell_the_system

    store = Store(options.prefix, options.log)
    try:
        stage("checking the release", quiet=options.quiet)
        key, prepare = public_key(options.key), _prepared(build_venv, quiet=options.quiet)
        version = install(options.archive, key, store, _why_not(options.config), prepare)
        place_system_files(store.folder(version) / "systemd", options.root)
        tell_the_system(options.root)
    except ReleaseError as why:
        return _refused("install", why)
    print(f"version {version} is installed; it runs from the next start: systemctl restart table-controller")
    return 0


def _wanted(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError
    from controller.app.release.store import Store, moment
    from controller.app.release.wanted import wanted

    begun = moment()
    try:
        archive = wanted(options.left, options.fetched)
    except ReleaseError as why:
        try:  # the room is told by the log of updates
            Store(options.prefix, options.log).record(begun, "", "", f"refused: {why}")
        except ReleaseError as unwritten:
            return _refused("wanted", unwritten)
        return _refused("wanted", why)
    if archive is None:
        return _back(options)
    options.archive = archive
    return _install(options)


def _place(options: argparse.Namespace) -> int:
    from importlib.metadata import version

    from controller.app.release.archive import ReleaseError
    from controller.app.release.install import build_venv, install_folder
    from controller.app.release.store import Store
    from controller.app.release.system_files import place_system_files, tell_the_system

    store = Store(options.prefix, options.log)
    here = version("table-controller")
    try:
        prepare = _prepared(build_venv, quiet=options.quiet)
        install_folder(options.folder, here, store, _why_not(options.config), prepare)
        place_system_files(store.folder(here) / "systemd", options.root)
        tell_the_system(options.root)
    except ReleaseError as why:
        return _refused("place", why)
    print(f"version {here} is installed in {store.folder(here)}")
    return 0


def _back(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError
    from controller.app.release.install import go_back
    from controller.app.release.store import Store
    from controller.app.release.system_files import place_system_files, tell_the_system

    store = Store(options.prefix, options.log)
    try:
        version = go_back(store, _why_not(options.config))
        place_system_files(store.folder(version) / "systemd", options.root)
        tell_the_system(options.root)
    except ReleaseError as why:
        return _refused("back", why)
    print(f"version {version} is in use again; it runs from the next start: systemctl restart table-controller")
    return 0


def _check(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError
    from controller.app.release.keys import public_key
    from controller.app.release.verify import differences

    try:
        version, found = differences(options.folder, public_key(options.key))
    except ReleaseError as why:
        return _refused("check", why)
    for line in found:
        print(line)
    print(f"{options.folder}: version {version}, {f'{len(found)} differences' if found else 'as it was signed'}")
    return 1 if found else 0


def _log(options: argparse.Namespace) -> int:
    from controller.app.release.archive import ReleaseError
    from controller.app.release.store import Store

    try:
        for line in Store(PREFIX, options.log).lines():
            words = [str(line.get(key, "")) for key in ("start", "end", "version", "who", "result")]
            print("  ".join(word or "-" for word in words))
    except ReleaseError as why:
        return _refused("log", why)
    return 0


def _why_not(path: Path) -> Callable[[], str | None]:
    """Return the question whether the table of `path` may be disturbed; a table that is not set up yet always may."""
    from config.errors import ConfigError
    from config.table_file import load_table
    from controller.app.release.safe_moment import why_not_now

    def asked() -> str | None:
        if not path.exists():
            return None
        try:
            return why_not_now(load_table(path))
        except ConfigError as why:
            return f"whether a hand is in progress cannot be told: {why}"

    return asked


def _prepared(prepare: Callable[[Path], None], *, quiet: bool) -> Callable[[Path], None]:
    def said(folder: Path) -> None:
        stage("installing its programs: a minute or two on a Raspberry Pi", quiet=quiet)
        prepare(folder)

    return said


def _refused(command: str, why: Exception) -> int:
    print(f"tablectl release {command}: {why}", file=sys.stderr)
    return 1
