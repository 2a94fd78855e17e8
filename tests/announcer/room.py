"""A table that stands as the test says, a real broker, and who listens at it."""

import json
import logging
import queue
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from config.announcer_file import WEBHOOK_EVENTS, AnnouncerFile, load_announcer_file
from controller.announcer.announcer import Announcer
from controller.client.api_types import Table

PATIENCE = 60.0
"""Seconds that a test waits for what must come, on a machine that others use too."""

KEY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TOKEN = "tct_of-the-announcer"

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")

RULING: Mapping[str, Any] = {
    "finding": "exposed-card",
    "verdict": "replace",
    "seat": 3,
    "text": "The card is replaced.",
    "cite": ["R7-5.holdem.1"],
}


def table(**changes: object) -> Table:
    """What the API says of a table in its 12th hand, but for `changes`."""
    usual: dict[str, Any] = {
        "number": 7, "entry": 100, "mode": "live", "program": "0.1.0", "rulebook": "roberts-7", "game": "holdem",
        "tournament": False, "places": 9, "betting": {}, "hand": 12, "phase": "deal", "street": "preflop",
        "halted": False, "next": [{"step": "deal", "text": "Card to seat 3", "short": "seat 3"}], "lamps": {},
        "gate": "open", "board": [], "pots": [], "piles": {},
        "seats": [
            {"seat": seat, "player": f"player {seat}", "away": False, "waits": False, "cards": 1} for seat in (1, 3, 4)
        ],
        "rulings": [], "ruled_in": 0, "remedy": [], "faults": [], "floor_called": False,
    }  # fmt: skip
    return {**usual, **changes}  # type: ignore[typeddict-item]


IDLE: Mapping[str, Any] = {"phase": "idle", "street": None, "next": []}


class StoodTable:
    """A table's API: states come as the test says, and what is asked of it is kept."""

    def __init__(self) -> None:
        self._states: queue.Queue[Table | OSError | None] = queue.Queue()
        self.asked: queue.Queue[str] = queue.Queue()

    def show_state(self, **changes: object) -> None:
        self._states.put(table(**changes))

    def stop_answering(self) -> None:
        self._states.put(OSError("there is nobody"))

    def close(self) -> None:
        self._states.put(None)

    def iter_states(self) -> Iterator[Table]:
        while (state := self._states.get()) is not None:
            if isinstance(state, OSError):
                raise state
            yield state

    def call_floor(self) -> None:
        self.asked.put("floor")

    def test_lamps(self) -> None:
        self.asked.put("lamps")


def secret(path: Path, text: str) -> Path:
    path.write_text(f"{text}\n", encoding="utf-8")
    path.chmod(0o600)
    return path


def write_announcer_file(folder: Path, *sections: str) -> AnnouncerFile:
    """An announcer's file with these sections besides those that every one has."""
    secret(folder / "token", TOKEN)
    secret(folder / "key", KEY)
    path = folder / "announcer.toml"
    head = (
        '[table]\nurl = "http://127.0.0.1:8080"\ntoken_file = "token"\nid = "table-3"\nname = "Table 3"\n'
        '[state]\ndirectory = "state"\n'
    )
    path.write_text("\n".join([head, *sections]), encoding="utf-8")
    return load_announcer_file(path)


@contextmanager
def announcing(file: AnnouncerFile, stood: StoodTable, **how: Any) -> Iterator[Announcer]:  # noqa: ANN401 (as the announcer takes them)
    """An announcer at work; ended as a service is."""
    announcer = Announcer(file, stood, first_wait=0.01, **how)
    thread = threading.Thread(target=announcer.run, daemon=True)
    thread.start()
    try:
        yield announcer
    finally:
        announcer.stop()
        stood.close()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Mosquitto:
    """A broker on 127.0.0.1 that keeps nothing over a restart; `lines` are further lines of its configuration."""

    def __init__(self, folder: Path, *lines: str) -> None:
        assert MOSQUITTO is not None
        self.port = free_port()
        self._conf = folder / "mosquitto.conf"
        usual = [f"listener {self.port} 127.0.0.1", "persistence false", "log_dest stderr", "user root"]
        anonymous = [] if any("allow_anonymous" in line for line in lines) else ["allow_anonymous true"]
        self._conf.write_text("\n".join([*usual, *anonymous, *lines, ""]), encoding="utf-8")
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> "Mosquitto":
        assert MOSQUITTO is not None
        self._process = subprocess.Popen((MOSQUITTO, "-c", str(self._conf)), stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            said.append(line)
            if " running" in line:
                break
        else:
            raise AssertionError(f"mosquitto did not start: {said}")
        self._rest = threading.Thread(target=self._process.stderr.read, daemon=True)  # its pipe must not fill
        self._rest.start()
        return self

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._rest.join(PATIENCE)
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._process = None

    def __enter__(self) -> "Mosquitto":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class Log(logging.Handler):
    """What the announcer says in its log, as it says it."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: queue.Queue[str] = queue.Queue()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.put(record.getMessage())

    def __enter__(self) -> "Log":
        self._logger = logging.getLogger("controller.announcer")
        self._before = self._logger.level
        self._logger.setLevel(logging.INFO)
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.setLevel(self._before)
        self._logger.removeHandler(self)

    def wait_for_line(self, words: str) -> None:
        """Wait until a line has these words."""
        while words not in (line := self._lines.get(timeout=PATIENCE)):
            self.said.append(line)
        self.said.append(line)


class Listener:
    """A client that hears everything at a broker, as Home Assistant would."""

    def __init__(self, port: int, *, user: str | None = None, password: str | None = None) -> None:
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        if user is not None:
            self.client.username_pw_set(user, password)
        self.heard: queue.Queue[paho.MQTTMessage] = queue.Queue()
        self._newest: dict[str, paho.MQTTMessage] = {}
        self.client.on_message = lambda _client, _data, message: self.heard.put(message)
        subscribed = threading.Event()
        self.client.on_subscribe = lambda *_: subscribed.set()
        self.client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert subscribed.wait(PATIENCE)

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def wait_for_message(self, topic: str, wanted: Callable[[str], bool] = bool) -> paho.MQTTMessage:
        """Wait until the newest message of a topic is as wanted; return it."""
        while topic not in self._newest or not wanted(self._newest[topic].payload.decode()):
            message = self.heard.get(timeout=PATIENCE)
            self._newest[message.topic] = message
        return self._newest[topic]

    def say(self, topic: str, payload: str | bytes, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(PATIENCE)


def standing(listener: Listener, topic: str, **values: object) -> dict[str, Any]:
    """Wait until the state at a topic has these values; return it."""
    message = listener.wait_for_message(topic, lambda text: values.items() <= json.loads(text).items())
    state: dict[str, Any] = json.loads(message.payload)
    return state


@dataclass
class ReceivedRequest:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def identity(self) -> str:
        return self.headers["webhook-id"]

    @property
    def kind(self) -> str:
        kind: str = json.loads(self.body)["type"]
        return kind


@dataclass
class Receiver:
    """The far end: `answers` are what it does next, 200 when there are none.

    A status; bytes as they go over the wire; `None`: it hangs up without a word; an event: it is silent until then.
    """

    url: str = ""
    answers: "queue.Queue[int | bytes | threading.Event | None]" = field(default_factory=queue.Queue)
    arrived: "queue.Queue[ReceivedRequest]" = field(default_factory=queue.Queue)

    def next(self) -> ReceivedRequest:
        return self.arrived.get(timeout=PATIENCE)


def hook(receiver: Receiver, *events: str, name: str = "pager") -> str:
    wanted = ", ".join(f'"{event}"' for event in events or WEBHOOK_EVENTS)
    named = f'[[webhook]]\nname = "{name}"\nurl = "{receiver.url}/hook?table=3"\nsecret_file = "key"'
    return f"{named}\nevents = [{wanted}]"


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """A real HTTP server that answers what its `answers` say."""
    far = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                answer = far.answers.get_nowait()
            except queue.Empty:
                answer = 200
            # Before the answer: whoever has that may look at once.
            far.arrived.put(ReceivedRequest(self.path, headers, body))
            if isinstance(answer, int):
                self.send_response(answer)
                self.send_header("Location", f"{far.url}/elsewhere")
                self.end_headers()
            elif isinstance(answer, bytes):
                self.wfile.write(answer)
            elif answer is not None:
                answer.wait(PATIENCE)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        far.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield far
        server.shutdown()
        thread.join()
