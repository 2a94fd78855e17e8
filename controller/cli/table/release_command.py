"""`tablectl release`: releases are signed, checked, installed and gone back from."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from controller.app.releases import UPDATE_LOG
from controller.cli.progress import QUIET, show_stage
from controller.cli.table_options import INSTALLED_TABLE_FILE
from controller.command_table import Command, Option
from controller.extras import EXTRAS

DEFAULT_PREFIX = Path("/opt/table-controller")
DEFAULT_KEY_FILE = Path("/etc/table-controller/release.pub")
DEFAULT_FETCHED_FOLDER = Path("/var/lib/table-uplink/releases")


def _make_keys(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_keys import make_key_pair

    try:
        public = make_key_pair(options.file)
    except ReleaseError as why:
        return _report_refusal("key", why)
    print(f"{options.file} signs releases: keep it off every table. {public} goes to each table as {DEFAULT_KEY_FILE}.")
    return 0


def _sign(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError, write_release
    from controller.app.releases.release_keys import read_private_key

    try:
        key = read_private_key(options.key)
        show_stage(f"packing {options.folder}", quiet=options.quiet)
        manifest = write_release(options.folder, options.version, options.machine, options.python, key, options.output)
    except ReleaseError as why:
        return _report_refusal("sign", why)
    print(
        f"{options.output}: version {manifest.version} for {manifest.architecture}, {len(manifest.files)} files, signed"
    )
    return 0


def _verify(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError, read_release
    from controller.app.releases.release_keys import read_public_key
    from controller.runtime.storage.plain_file import open_plain_file

    try:
        with open_plain_file(options.archive) as archive:
            manifest = read_release(archive, read_public_key(options.key)).manifest
    except OSError as why:
        return _report_refusal("verify", ReleaseError(f"{options.archive} cannot be read: {why.strerror}"))
    except ReleaseError as why:
        return _report_refusal("verify", why)
    print(f"{options.archive} is whole and signed: version {manifest.version} for {manifest.architecture}")
    return 0


def _install(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_installation import install
    from controller.app.releases.release_keys import read_public_key
    from controller.app.releases.release_store import ReleaseStore
    from controller.app.releases.system_files import place_system_files, reload_system

    store = ReleaseStore(options.prefix, options.log)
    try:
        show_stage("checking the release", quiet=options.quiet)
        key, prepare = read_public_key(options.key), _make_preparer(options)
        version = install(options.archive, key, store, _make_blocker_check(options.config), prepare)
        place_system_files(store.release_folder(version) / "systemd", options.root)
        reload_system(options.root)
    except ReleaseError as why:
        return _report_refusal("install", why)
    print(f"version {version} is installed; it runs from the next start: systemctl restart table-controller")
    return 0


def _install_requested(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_store import ReleaseStore, format_now
    from controller.app.releases.requested_release import read_requested_release

    begun = format_now()
    try:
        archive = read_requested_release(options.left, options.fetched)
    except ReleaseError as why:
        try:  # the room is told by the log of updates
            ReleaseStore(options.prefix, options.log).append_log(begun, "", "", f"refused: {why}")
        except ReleaseError as unwritten:
            return _report_refusal("wanted", unwritten)
        return _report_refusal("wanted", why)
    if archive is None:
        return _roll_back(options)
    options.archive = archive
    return _install(options)


def _install_folder(options: argparse.Namespace) -> int:
    from importlib.metadata import version

    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_installation import install_folder
    from controller.app.releases.release_store import ReleaseStore
    from controller.app.releases.system_files import place_system_files, reload_system

    store = ReleaseStore(options.prefix, options.log)
    here = version("table-controller")
    try:
        install_folder(options.folder, here, store, _make_blocker_check(options.config), _make_preparer(options))
        place_system_files(store.release_folder(here) / "systemd", options.root)
        reload_system(options.root)
    except ReleaseError as why:
        return _report_refusal("place", why)
    print(f"version {here} is installed in {store.release_folder(here)}")
    return 0


def _add_extras(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_installation import find_installed_extras
    from controller.app.releases.release_store import ReleaseStore

    store = ReleaseStore(options.prefix, options.log)
    version = store.current_version()
    if version is None:
        return _report_refusal("extras", ReleaseError(f"no release is in use in {options.prefix}"))
    folder = store.release_folder(version)
    try:
        with store.lock():
            _make_preparer(options)(folder)
    except ReleaseError as why:
        return _report_refusal("extras", why)
    print(f"version {version} has {', '.join(sorted(find_installed_extras(folder))) or 'no extras'}")
    return 0


def _roll_back(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_installation import roll_back
    from controller.app.releases.release_store import ReleaseStore
    from controller.app.releases.system_files import place_system_files, reload_system

    store = ReleaseStore(options.prefix, options.log)
    try:
        version = roll_back(store, _make_blocker_check(options.config))
        place_system_files(store.release_folder(version) / "systemd", options.root)
        reload_system(options.root)
    except ReleaseError as why:
        return _report_refusal("back", why)
    print(f"version {version} is in use again; it runs from the next start: systemctl restart table-controller")
    return 0


def _check(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_keys import read_public_key
    from controller.app.releases.release_verification import find_differences

    try:
        version, found = find_differences(options.folder, read_public_key(options.key))
    except ReleaseError as why:
        return _report_refusal("check", why)
    for line in found:
        print(line)
    print(f"{options.folder}: version {version}, {f'{len(found)} differences' if found else 'as it was signed'}")
    return 1 if found else 0


def _print_log(options: argparse.Namespace) -> int:
    from controller.app.releases.release_archive import ReleaseError
    from controller.app.releases.release_store import ReleaseStore

    try:
        for line in ReleaseStore(DEFAULT_PREFIX, options.log).read_log():
            words = [str(line.get(key, "")) for key in ("start", "end", "version", "who", "result")]
            print("  ".join(word or "-" for word in words))
    except ReleaseError as why:
        return _report_refusal("log", why)
    return 0


def _make_blocker_check(path: Path) -> Callable[[], str | None]:
    """Return the question whether the table of `path` may be disturbed; a table that is not set up yet always may."""
    from config.config_error import ConfigError
    from config.table_file import load_table_file
    from controller.runtime.service.table_activity import find_update_blocker

    def find_blocker() -> str | None:
        if not path.exists():
            return None
        try:
            return find_update_blocker(load_table_file(path))
        except ConfigError as why:
            return f"whether a hand is in progress cannot be told: {why}"

    return find_blocker


def _make_preparer(options: argparse.Namespace) -> Callable[[Path], None]:
    """What prepares a release, with the extras that the table's files need, that it has now, and that are named."""
    from controller.app.releases.needed_extras import find_needed_extras
    from controller.app.releases.release_installation import build_venv, find_installed_extras

    extras = find_needed_extras(options.config) | find_installed_extras(options.prefix / "current")
    extras.update(getattr(options, "extras", ()))

    def announce_and_prepare(folder: Path) -> None:
        show_stage("installing its programs: a minute or two on a Raspberry Pi", quiet=options.quiet)
        build_venv(folder, extras)

    return announce_and_prepare


def _report_refusal(command: str, why: Exception) -> int:
    print(f"tablectl release {command}: {why}", file=sys.stderr)
    return 1


def _parse_extra(name: str) -> str:
    if name not in EXTRAS:
        raise argparse.ArgumentTypeError(f"{name!r} is no extra of a table: there are {', '.join(EXTRAS)}")
    return name


EXTRAS_HELP = f"also these: {', '.join(EXTRAS)}"

PUBLIC_KEY = Option("--key FILE", f"the public key ({DEFAULT_KEY_FILE})", Path, default=DEFAULT_KEY_FILE)
PATH_OPTIONS = (
    Option("--prefix DIR", f"where releases lie ({DEFAULT_PREFIX})", Path, default=DEFAULT_PREFIX),
    Option("--log FILE", f"the log of updates ({UPDATE_LOG})", Path, default=UPDATE_LOG),
    Option("--config FILE", f"the table ({INSTALLED_TABLE_FILE})", Path, default=INSTALLED_TABLE_FILE),
    Option("--root DIR", "where units and rules go (/)", Path, default=Path("/")),
)

COMMAND = Command(
    "release",
    "A release is one archive with a signed list of its files. A table installs what is signed with "
    "the key that it trusts, newer than anything it ever used, and only between hands.",
    Command(
        "key",
        "make the keys of a maker of releases",
        Option("file FILE", "the private key; the public one is FILE with .pub", Path),
        description="Makes a pair of keys.",
        run=_make_keys,
    ),
    Command(
        "sign",
        "pack and sign a release",
        Option("folder FOLDER", "wheels, systemd, docs and requirements.txt", Path),
        Option("--version", "three numbers, such as 1.4.0", required=True),
        Option("--machine", "what `uname -m` says on the table: aarch64, x86_64", required=True),
        Option("--python N.N", "the Python of the table, such as 3.11", required=True),
        Option("--key FILE", "the private key", Path, required=True),
        Option("--output FILE", "the archive", Path, required=True),
        QUIET,
        description="Packs a folder and signs it.",
        run=_sign,
    ),
    Command(
        "verify",
        "check an archive",
        Option("archive ARCHIVE", type=Path),
        PUBLIC_KEY,
        description="Checks signature and every file.",
        run=_verify,
    ),
    Command(
        "install",
        "install an archive on this table",
        Option("archive ARCHIVE", type=Path),
        PUBLIC_KEY,
        *PATH_OPTIONS,
        QUIET,
        description="Checks the archive, installs it beside the release in use and puts it into use. The table runs on "
        "until it is restarted: systemctl restart table-controller.",
        run=_install,
    ),
    Command(
        "wanted",
        "install what the room wants on this table: for table-release.service",
        Option("left FILE", "what the table left", Path),
        Option("--fetched DIR", f"the archives ({DEFAULT_FETCHED_FOLDER})", Path, default=DEFAULT_FETCHED_FOLDER),
        PUBLIC_KEY,
        *PATH_OPTIONS,
        QUIET,
        description="Reads which of the archives that its uplink has fetched the table has left for root, and "
        "installs it as `install` does. Goes back to the previous release where the table left that.",
        run=_install_requested,
    ),
    Command(
        "place",
        "install a folder that needs no signature: for `make install`",
        Option("folder FOLDER", type=Path),
        Option("--extras EXTRA", EXTRAS_HELP, _parse_extra, nargs="*", default=()),
        *PATH_OPTIONS,
        QUIET,
        description="Installs a folder as a release, without a signature: for whoever builds it on the table itself.",
        run=_install_folder,
    ),
    Command(
        "extras",
        "give the release in use the libraries that this table's files need",
        Option("extras EXTRA", EXTRAS_HELP, _parse_extra, nargs="*", default=()),
        *PATH_OPTIONS,
        QUIET,
        description="Installs, from the wheels of the release in use, what the files of table, announcer and uplink "
        "need, and what is named. What a release has the next one has, too. The table runs on until it is restarted.",
        run=_add_extras,
    ),
    Command(
        "rollback",
        "go back to the previous release",
        *PATH_OPTIONS,
        description="Uses the previous release.",
        run=_roll_back,
        aliases=("back",),
    ),
    Command(
        "check",
        "compare an installed release with what was signed",
        Option("folder FOLDER", nargs="?", type=Path, default=DEFAULT_PREFIX / "current"),
        PUBLIC_KEY,
        description="Compares an installed release, file by file, with the list that was signed and with its wheels. A "
        "program that judges itself can lie: for a proof run this on another machine, on the table's memory card.",
        run=_check,
    ),
    Command(
        "log",
        "what was installed when, by whom",
        Option("--log FILE", f"the log ({UPDATE_LOG})", Path, default=UPDATE_LOG),
        description="Prints the log of updates.",
        run=_print_log,
    ),
)
