"""The room and a table's link to it as systemd runs them, set up by the commands of docs/room.md as they stand there.

One container is both machines: PostgreSQL is Debian's, the units are those that ship, and the room has an address of
its own, so that what the link may reach is what its drop-in says.
"""

import re
import shlex
from collections.abc import Iterator

import pytest

from tests.systemd.machine import CHECKOUT, TABLECTL, Machine, needs_container, wait_until

pytestmark = [pytest.mark.elsewhere, needs_container, pytest.mark.timeout(900)]

DOCS = (CHECKOUT / "docs" / "room.md").read_text(encoding="utf-8")
ROOM, TABLE = "room-1.lan", "table-07"
ADDRESS = "192.168.7.10"
"""In the network of systemd/examples/uplink-network.conf."""

ROOMS = ("room-nats@1", "room-archive", "room-index", "room-server")
AT_THE_TABLE = "at the table"
DROP_INS = (
    ("uplink.conf", "table-controller"),
    ("uplink-network.conf", "table-uplink"),
)
INTO_ITS_FILE = " | tail -1 >{0}; chgrp table-uplink {0}; chmod 640 {0}".format("/etc/table-controller/uplink.token")
STATE = "/var/lib/table-controller"
BUT_THESE = tuple(word for name in ("journal*.sqlite*", "journal.tail", "*.pub") for word in ("!", "-name", name))
"""What the link may read, and what everybody may."""


def blocks(heading: str, language: str = "") -> str:
    """The first block of code below a heading of docs/room.md."""
    part = DOCS.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return part.split(f"```{language}\n", 1)[1].split("```", 1)[0]


def commands(heading: str) -> Iterator[tuple[str, str]]:
    """The commands below a heading as they are run here, where root is who types: each with what is said of it."""
    for line in blocks(heading).strip().splitlines():
        command, _, said = line.partition("  #")
        command = re.sub(r"sudo -u (\S+)", r"runuser -u \1 --", command.strip()).replace("sudo ", "")
        yield command, said.strip()


class Room:
    """The container as room and table."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.archived_before_its_drop_in: list[str] | None = None
        """`None` where this kernel lets no container say whom a unit may reach."""

    def type(self, command: str, at_the_table: bool = False) -> str:
        """Type a command as root; each program finds the `tablectl` of its own machine."""
        own = "/opt/table-controller/current" if at_the_table else "/opt/table-room"
        return self.machine.run("bash", "-c", f"cd /root; PATH={own}/venv/bin:$PATH; {command}").stdout

    def active(self, *units: str) -> bool:
        done = self.machine.run("systemctl", "is-active", *units, check=False).stdout.split()
        return done == ["active"] * len(units)

    def read_property(self, unit: str, name: str) -> str:
        return self.machine.run("systemctl", "show", unit, "--value", f"--property={name}").stdout.strip()

    def read_log(self, unit: str) -> str:
        return self.machine.run("journalctl", "--unit", unit, "--output=cat", "--no-pager").stdout

    def export_table_journal(self) -> list[str]:
        """The table's journal as the table exports it, to its last record."""
        return self.machine.run(TABLECTL, "journal", "export").stdout.splitlines()[:-1]

    def export_archived_journal(self) -> list[str]:
        """The same as the room exports it; nothing before the first of it is there."""
        export = ("runuser", "-u", "table-room", "--", "/opt/table-room/venv/bin/tablectl", "room", "export", TABLE)
        done = self.machine.run(*export, check=False)
        return done.stdout.splitlines()[:-1]

    def play(self) -> None:
        """Let the table enter something."""
        before = self.machine.state()["entry"]
        self.machine.wish(do="speed", speed=20)
        self.machine.wish(do="step")
        wait_until(lambda: self.machine.state()["entry"] > before, "the table plays")

    def agrees(self, words: str) -> None:
        """See that the archive comes to have what the table has, byte for byte."""
        wait_until(lambda: self.export_archived_journal() == self.export_table_journal(), words)

    def is_killed(self, unit: str) -> None:
        main, starts = self.read_property(unit, "MainPID"), int(self.read_property(unit, "NRestarts"))
        self.machine.run("kill", "-KILL", main)
        wait_until(
            lambda: int(self.read_property(unit, "NRestarts")) > starts and self.active(unit),
            f"{unit} is started again",
        )


@pytest.fixture(scope="module")
def room(machine: Machine) -> Room:
    """A room and a table of it, as docs/room.md has them set up."""
    room = Room(machine)
    machine.run("ip", "link", "set", "lo", "up")
    machine.run("ip", "address", "add", f"{ADDRESS}/32", "dev", "lo")
    room.type(f"echo {ADDRESS} {ROOM} >>/etc/hosts")
    wait_until(
        lambda: machine.run("runuser", "-u", "postgres", "--", "psql", "-c", "", check=False).returncode == 0, "psql"
    )
    room.type(
        "ln -s /checkout/deploy /releases/room-wheels -t /root && mkdir /root/build && mv /root/room-wheels /root/build"
    )
    for command, _ in commands("A real one"):
        if not command.startswith(("make ", "apt ")):  # tests/systemd/run has done both
            room.type(command)
    wait_until(lambda: room.active(*ROOMS), "the room is up")

    room.type(f"printf %s {shlex.quote(blocks('Turn it on at a table', 'toml').replace('after-the-hand', 'live', 1))}"
              " >/etc/table-controller/uplink.toml")  # fmt: skip
    code = ""
    for command, said in commands("Turn it on at a table"):
        whole = command.replace("CODE", code) + (INTO_ITS_FILE if "tablectl token" in command else "")
        told = room.type(whole, AT_THE_TABLE in said or "/etc/table-controller" in whole)
        code = code or told.split()[0]
        if " request " in command:
            room.type(f"cp /etc/table-controller/{TABLE}.request .")  # is carried over
    room.type("tablectl room uplink check", at_the_table=True)
    return room


@pytest.fixture(scope="module")
def linked_room(room: Room) -> Room:
    """The table is linked; before its drop-in names the room's network it reaches nobody."""
    machine = room.machine
    only_here = ("--property=IPAddressDeny=any", "--property=IPAddressAllow=127.0.0.1")
    reaches = ("bash", "-c", f"exec 3<>/dev/tcp/{ADDRESS}/4222")
    done = machine.run("systemd-run", "--quiet", "--pipe", "--wait", *only_here, *reaches, check=False)
    machine.run("systemctl", "enable", "--now", "table-uplink")
    if done.returncode:
        wait_until(
            lambda: "the room is not reached" in room.read_log("table-uplink"), "nothing but this machine is reached"
        )
        room.archived_before_its_drop_in = room.export_archived_journal()
    for example, unit in DROP_INS:
        text = (CHECKOUT / "systemd" / "examples" / example).read_text(encoding="utf-8")
        machine.write(f"/etc/systemd/system/{unit}.service.d/{example}", text)
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "table-controller", "table-uplink")
    wait_until(machine.is_active, "the table is up again")
    return room


def test_what_the_table_enters_is_in_the_rooms_database_byte_for_byte(linked_room: Room) -> None:
    linked_room.play()
    linked_room.agrees("all of it is archived")
    assert linked_room.read_property("table-uplink", "User") == "table-uplink"
    assert {linked_room.read_property(unit, "User") for unit in ROOMS} == {"table-room"}
    page = linked_room.machine.run("python3", "-c", SIGN_IN).stdout
    assert "<title>Sign in" in page, "the room's page asks who it is"
    assert re.search(r"one-time code", linked_room.read_log("room-server"))


def test_an_address_has_sixteen_connections_to_the_servers_also_after_a_boot(linked_room: Room) -> None:
    assert linked_room.read_property("nftables", "UnitFileState") == "enabled"
    many = f"import socket; n = 0\nwhile n < 99: s = socket.create_connection(('{ADDRESS}', 4222)); n += 1; print(n)"
    done = linked_room.machine.run("python3", "-c", many.replace("s =", "globals()[f's{n}'] ="), check=False)
    assert "ConnectionRefusedError" in done.stderr
    assert 8 <= len(done.stdout.split()) <= 16
    linked_room.play()
    linked_room.agrees("all of it is archived")


def test_before_its_drop_in_names_the_rooms_network_the_link_reaches_nobody(linked_room: Room) -> None:
    if linked_room.archived_before_its_drop_in is None:
        pytest.skip("this kernel lets no container say whom a unit may reach")
    assert linked_room.archived_before_its_drop_in == []


SIGN_IN = """
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:8090/sign-in", timeout=10).read().decode())
"""


def test_the_link_reads_the_journal_and_nothing_else_of_the_table(linked_room: Room) -> None:
    machine, main = linked_room.machine, linked_room.read_property("table-uplink", "MainPID")
    as_link = ("setpriv", "--reuid=table-uplink", "--regid=table-uplink", "--groups=table-journal")
    inside = ("nsenter", "--mount", "--target", main, "--wdns=/")
    machine.run(*inside, *as_link, "head", "-c", "1", f"{STATE}/journal.sqlite")
    kept = machine.run("find", STATE, "-type", "f", *BUT_THESE).stdout.split()
    assert {f"{STATE}/{name}" for name in ("device.key", "journal.head", "staff.sqlite", "tokens.sqlite")} <= set(kept)
    for path in kept:
        assert machine.run(*inside, *as_link, "head", "-c", "1", path, check=False).returncode, path
    for path in (f"{STATE}/journal.sqlite", "/etc/table-controller/table.toml", "/opt/table-controller/x"):
        assert machine.run(*inside, "bash", "-c", f": >>{path}", check=False).returncode, f"{path} is written by nobody"
    table = "/etc/table-room/ca.key"
    assert machine.run(*inside, *as_link, "head", "-c", "1", table, check=False).returncode


@pytest.mark.parametrize("unit", ["table-uplink", *ROOMS])
def test_a_unit_that_is_killed_is_started_again_and_catches_up(linked_room: Room, unit: str) -> None:
    linked_room.is_killed(unit)
    linked_room.play()
    linked_room.agrees("all of it is archived")


def test_the_database_is_started_again_below_the_room(linked_room: Room) -> None:
    linked_room.machine.run("systemctl", "stop", "postgresql")
    linked_room.play()
    linked_room.machine.run("systemctl", "start", "postgresql")
    linked_room.agrees("all of it is archived")
    assert linked_room.active(*ROOMS)


def test_all_of_it_comes_up_by_itself_as_after_a_boot(linked_room: Room) -> None:
    units = ("table-uplink", *ROOMS, "postgresql")
    linked_room.machine.run("systemctl", "stop", *units)
    linked_room.play()
    linked_room.machine.run("systemctl", "start", "multi-user.target")
    wait_until(lambda: linked_room.active(*units), "it is wanted by what a boot starts")
    linked_room.agrees("all of it is archived")


def test_a_table_that_is_not_linked_plays_on_and_its_page_says_so(linked_room: Room) -> None:
    linked_room.machine.run("systemctl", "stop", "room-nats@1")
    linked_room.play()
    wait_until(lambda: "room-away" in linked_room.machine.ask("GET", "/state"), "the table says so", 150)
    linked_room.machine.run("systemctl", "start", "room-nats@1")
    linked_room.agrees("all of it is archived")
    linked_room.machine.run("systemctl", "stop", "table-uplink")
    linked_room.play()
    linked_room.machine.run("systemctl", "start", "table-uplink")
    linked_room.agrees("all of it is archived")


def test_a_table_that_is_withdrawn_is_heard_no_more_and_one_at_level_off_says_nothing(linked_room: Room) -> None:
    linked_room.type(f"tablectl room withdraw {TABLE}")
    wait_until(
        lambda: "does not admit this table" in linked_room.read_log("table-uplink"), "its link says that it is refused"
    )
    before = linked_room.export_archived_journal()
    linked_room.play()
    linked_room.type('sed -i \'s/^level = "live"/level = "off"/\' /etc/table-controller/uplink.toml')
    linked_room.machine.run("systemctl", "restart", "table-uplink", check=False)
    wait_until(
        lambda: linked_room.read_property("table-uplink", "ActiveState") == "inactive", "at level off the program ends"
    )
    assert linked_room.read_property("table-uplink", "Result") == "success"
    assert linked_room.export_archived_journal() == before
    assert linked_room.machine.is_active()
