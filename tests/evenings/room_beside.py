"""The room of an evening: broker, database, server and the table's link, each a process; its desk enters, and is read.

The parts are those of `room.demo`, with a live table in place of simulated ones.
"""

import http.client
import json
import os
import re
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from controller.room_contract.certificate_request import make_certificate_request
from controller.room_contract.registration import make_request, parse_answer
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.staff_store import StaffStore
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import STAFF_FILE, TOKENS_FILE
from controller.web.access.authenticator import CSRF_HEADER
from room.demo import demo_room
from room.demo.demo_database import start_database
from room.demo.process_group import ProcessGroup
from room.provisioning.nats_configuration import reload_servers
from room.provisioning.table_registration import accept_request, make_code
from room.staff.staff_list_publisher import load_or_make_room_key
from tests.evenings.house import Answer
from tests.room.real_parts import describe_missing_parts, free_row
from tests.web.house import CHEAP, ROOM_PIN

TABLE = "table-01"
PERSON = "Rae"
SHOWN_SECONDS = 12.0
"""So long the room may take to show what the table shows."""


class RoomBeside:
    """A room with one table, whose files lie in `folder`; `state` is the table's directory."""

    def __init__(self, folder: Path, state: Path) -> None:
        if why := describe_missing_parts():
            raise RuntimeError(why)
        folder.mkdir()
        folder.chmod(0o755)  # PostgreSQL runs as somebody else
        self._folder, self._state = folder, state
        self._port = free_row(2)
        self.table_port = self._port + 1
        self.processes = ProcessGroup(folder / "logs")
        self.processes.__enter__()
        self._cookie = self._token = ""
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        folder = self._folder
        self._brokers, self._set_up = demo_room._start_brokers(folder, 1, self.processes)
        database = start_database(self.processes, folder / "database")
        (folder / "staff").mkdir(mode=0o700)
        self.key = bytes(load_or_make_room_key(folder / "staff").verify_key).hex()
        staff = StaffStore(folder / "staff" / STAFF_FILE, cost=CHEAP)
        staff.enrol(PERSON, Role.FLOOR, ROOM_PIN, staff.redeem_code(staff.make_one_time_code()))
        staff.close()
        self._config = demo_room._write_room_file(
            folder, "server", self._set_up, self._brokers, database, self._port, 1
        )
        self.start_server()
        self._register()

    def start_server(self) -> None:
        """Start the room's server."""
        url = f"http://127.0.0.1:{self._port}/"
        command = [*demo_room.TABLECTL_COMMAND, "room", "server", "run", "--config", str(self._config)]
        self.processes.start("server", command, is_up=partial(demo_room._is_answering, url))
        self._cookie = self._token = ""

    def stop_server(self, *, kill: bool) -> None:
        """End the room's server, at once or as it ends by itself."""
        if kill:
            self.processes.find_process("server").kill()
        self.processes.stop("server")

    def _register(self) -> None:
        own = self._folder / TABLE
        own.mkdir()
        code = make_code(self._set_up, TABLE, time.time())
        key, request = make_certificate_request(own, TABLE)
        asked = make_request(TABLE, request.read_text("ascii"), code)
        answer = accept_request(self._set_up, TABLE, asked, self._brokers, time.time())
        got = parse_answer(TABLE, answer, code)
        key.rename(own / "uplink.key")
        (own / "uplink.crt").write_text(got.certificate, encoding="ascii")
        (own / "room-ca.crt").write_text(got.ca_certificate, encoding="ascii")
        reload_servers(self._set_up, self._folder / "nats")
        tokens = TokenStore(self._state / TOKENS_FILE)
        token = tokens.add("room link", TokenRole.UPLINK)
        tokens.close()
        (own / "token").touch(mode=0o600)
        (own / "token").write_text(f"{token}\n", encoding="utf-8")
        link = own / "uplink.toml"
        link.write_text(
            f'[table]\nname = "{TABLE}"\nstate = {json.dumps(str(self._state))}\n'
            f'url = "http://127.0.0.1:{self.table_port}/"\ntoken_file = "token"\n'
            f'[room]\nlevel = "live"\nservers = {json.dumps(self._brokers)}\ncertificate = "uplink.crt"\n'
            'key = "uplink.key"\nauthority = "room-ca.crt"\nasks = true\n',
            encoding="utf-8",
        )

    def start_link(self) -> None:
        """Start the table's link, once the table has a journal."""
        link = self._folder / TABLE / "uplink.toml"
        environment = {**os.environ, "RUNTIME_DIRECTORY": str(link.parent)}
        command = [*demo_room.TABLECTL_COMMAND, "room", "uplink", "run", "--config", str(link)]
        self.processes.start("uplink", command, environment=environment)

    def close(self) -> None:
        """Leave nothing behind that runs."""
        self.processes.__exit__(None, None, None)

    # The desk

    def enter(self, line: Mapping[str, Any], seen: int) -> Answer:
        """Somebody of the room enters a line at the table, from the desk."""
        return self._ask("POST", "/decide", {"table": TABLE, "seen": seen, "line": dict(line)})

    def show(self, entry: int) -> dict[str, Any]:
        """What the room shows of the table, once it is as new as this entry; `is_behind`: it did not get so far."""
        ends = time.monotonic() + SHOWN_SECONDS
        found: dict[str, Any] = {}
        while time.monotonic() < ends:
            found = self._read_floor()
            if int(found.get("entry", 0)) >= entry:
                return found
            time.sleep(0.05)
        return {**found, "is_behind": True}

    def _read_floor(self) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SHOWN_SECONDS)
        try:
            connection.request("GET", "/floor/events")
            response = connection.getresponse()
            while line := response.readline().decode():
                if line.startswith("data: "):
                    keys = json.loads(line[6:])["keys"]
                    found: dict[str, Any] = next((keys[key] for key in keys if TABLE in key), {})
                    return found
        except OSError:
            return {}
        finally:
            connection.close()
        return {}

    def _ask(self, method: str, path: str, content: Mapping[str, Any] | None = None) -> Answer:
        if not self._token and path != "/sign-in":
            self._ask("POST", "/sign-in", {"name": PERSON, "pin": ROOM_PIN})
            self._token = str(self._request("GET", "/who", None).content.get("token", ""))
        answer = self._request(method, path, content)
        if answer.status == 401 and path != "/sign-in":
            self._token = ""
        return answer

    def _request(self, method: str, path: str, content: Mapping[str, Any] | None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30.0)
        sent = {"Origin": f"http://127.0.0.1:{self._port}", "Content-Type": "application/json"}
        if self._cookie:
            sent |= {"Cookie": self._cookie, CSRF_HEADER: self._token}
        try:
            connection.request(method, path, None if content is None else json.dumps(content), sent)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        if given := re.match(r"[^;]+", response.getheader("Set-Cookie", "")):
            self._cookie = given[0]
        read = json.loads(text) if text.startswith("{") else {}
        return Answer(response.status, read)
