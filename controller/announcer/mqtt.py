"""Keeps the newest value of each topic at a broker, and hears its buttons.

One thread has the connection and makes every call of the client. Memory is bounded whatever the broker does: of each
topic there is one value, and at most one message on its way. What a reconnection sends again is older than what is
published after it, so a topic waits until its message has been taken.
"""

import logging
import select
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from config.announcer_file import MqttSection
from controller.announcer.home_assistant import OFFLINE, PRESS, Button, Topics
from controller.announcer.outbox import printable

FIRST_WAIT, LONGEST_WAIT = 1.0, 120.0
"""Seconds until the broker is asked again; each wait is twice the one before."""

KEEP_ALIVE_SECONDS = 30
CONNECT_SECONDS = 10.0
LOOK_SECONDS = 1.0
FAREWELL_SECONDS = 2.0
QOS = 1

LONGEST_PACKET = 4096
"""Bytes that a packet of the broker may announce; a press has some forty, and paho alone takes 256 MB into memory."""

log = logging.getLogger(__name__)


class _Client(paho.Client):
    """Breaks the connection off, so that the last will stands, where the broker sends what would fill the memory."""

    refused = ""
    """Why it was broken off; empty where it was not."""

    def _sock_recv(self, bufsize: int) -> bytes:
        """Receive up to so many bytes; of a packet, paho asks first for all that is announced."""
        if bufsize > LONGEST_PACKET:
            self.refused = f"it sends a packet of {bufsize} bytes, and {LONGEST_PACKET} are the most"
        elif self._in_messages:  # kept until the broker releases them, which it need not
            self.refused = "it sends with QoS 2, which was not asked for"
        if self.refused:
            raise ConnectionError(self.refused)
        return super()._sock_recv(bufsize)


class Broker(threading.Thread):
    """One broker; `pressed` is called, in this thread, for each press of a button, and must not wait."""

    def __init__(
        self,
        section: MqttSection,
        topics: Topics,
        client_id: str,
        password: str | None,
        pressed: Callable[[Button], None],
        first_wait: float = FIRST_WAIT,
    ) -> None:
        """Prepare the connection; raises `OSError` where a certificate cannot be read."""
        super().__init__(name="mqtt", daemon=True)
        self._section = section
        self._topics = topics
        self._pressed = pressed
        self._first_wait = first_wait
        self._lock = threading.Lock()
        self._values: dict[str, bytes] = {}
        self._due: dict[str, None] = {}
        self._on_the_way: dict[int, str] = {}
        self._connected = False
        self._ended = threading.Event()
        self._wake, self._woken = socket.socketpair()
        self._wake.setblocking(False)
        self._woken.setblocking(False)
        self._client = _Client(CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=True)
        self._client.connect_timeout = CONNECT_SECONDS
        self._client.will_set(topics.availability, OFFLINE, qos=QOS, retain=True)
        if section.user is not None:
            self._client.username_pw_set(section.user, password)
        if section.tls:
            named = None if section.certificate is None else str(section.certificate)
            self._client.tls_set_context(ssl.create_default_context(cafile=named))
        self._client.on_connect = self._came
        self._client.on_disconnect = self._went
        self._client.on_publish = self._taken
        self._client.on_message = self._heard

    @property
    def is_connected(self) -> bool:
        """Whether the broker takes messages now."""
        return self._connected

    def show(self, topic: str, value: str) -> None:
        """Let `value` stand at a topic, now or as soon as the broker is there; what stands there is not sent again."""
        payload = value.encode()
        with self._lock:
            if self._values.get(topic) == payload:
                return
            self._values[topic] = payload
            self._due[topic] = None
        self._ring()

    def end(self) -> None:
        """Say that the table is offline, and close; a broker that does not answer does not hold this up for long."""
        self.show(self._topics.availability, OFFLINE)
        self._ended.set()
        self._ring()
        if self.is_alive():
            self.join(2 * FAREWELL_SECONDS)
        if not self.is_alive():
            self._wake.close()
            self._woken.close()

    def run(self) -> None:
        """Stay connected until `end`."""
        wait = self._first_wait
        while not self._ended.is_set():
            began = self._once()
            wait = self._first_wait if began else min(2 * wait, LONGEST_WAIT)
            self._ended.wait(wait)

    def _once(self) -> bool:
        """Connect, and serve the connection until it ends; return whether the broker can be asked again soon."""
        self._let_in = False
        self._client.refused = ""
        try:
            self._client.connect(self._section.host, self._section.port, KEEP_ALIVE_SECONDS)
        except (OSError, ValueError) as why:
            log.warning("%s cannot be reached: %s", self._where(), str(why))
            return False
        until: float | None = None
        while (wire := self._client.socket()) is not None:
            if self._ended.is_set():
                until = monotonic() + FAREWELL_SECONDS if until is None else until
                if not self._connected or not (self._due or self._on_the_way) or monotonic() > until:
                    self._client.disconnect()
                    self._client.loop_write()
                    break
            assert isinstance(wire, socket.socket)  # over TCP, not over a web socket
            self._serve(wire)
        return self._let_in and not self._client.refused

    def _serve(self, wire: socket.socket) -> None:
        """Send what is due, wait a moment for news, and take it."""
        self._publish()
        wants = [wire] if self._client.want_write() else []
        pending = wire.pending() if isinstance(wire, ssl.SSLSocket) else 0
        readable, writable, _ = select.select([wire, self._woken], wants, [], 0 if pending else LOOK_SECONDS)
        if self._woken in readable:
            self._woken.recv(4096)
        done = MQTTErrorCode.MQTT_ERR_SUCCESS
        if wire in readable or pending:
            done = self._client.loop_read()
        if writable and done is MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._client.loop_write()
        self._client.loop_misc()

    def _publish(self) -> None:
        """Send what is due of every topic that has no message on its way."""
        if not self._connected:
            return
        busy = set(self._on_the_way.values())
        with self._lock:
            due = [(topic, self._values[topic]) for topic in self._due if topic not in busy]
            for topic, _ in due:
                del self._due[topic]
        for topic, payload in due:
            self._on_the_way[self._client.publish(topic, payload, qos=QOS, retain=True).mid] = topic

    def _ring(self) -> None:
        with suppress(BlockingIOError):  # it has been rung for already
            self._wake.send(b"!")

    def _came(self, client: paho.Client, _: object, flags: object, reason: ReasonCode, properties: object) -> None:
        del flags, properties
        if reason.is_failure:
            log.warning("%s does not let the announcer in: %s", self._where(), reason)
            return
        if self._section.buttons:
            client.subscribe([(topic, QOS) for topic in self._topics.buttons])
        with self._lock:
            self._due = dict.fromkeys(self._values)  # a broker that begins anew has kept nothing
        self._connected = self._let_in = True
        log.info("%s is there", self._where())

    def _went(self, client: paho.Client, _: object, flags: object, reason: ReasonCode, properties: object) -> None:
        del client, flags, properties
        self._connected = False
        if reason.is_failure:
            log.warning("%s is gone: %s", self._where(), self._client.refused or reason)

    def _taken(self, client: paho.Client, _: object, number: int, reason: object, properties: object) -> None:
        del client, reason, properties
        self._on_the_way.pop(number, None)

    def _heard(self, client: paho.Client, _: object, message: paho.MQTTMessage) -> None:
        """Take a press. A retained one would be pressed again at every connection, and is nobody's press now."""
        del client
        button = self._topics.buttons.get(message.topic)
        if button is None or message.retain or message.payload != PRESS.encode():
            log.warning("%s was sent something that is no press; it is left", printable(message.topic))
            return
        self._pressed(button)

    def _where(self) -> str:
        return f"the broker at {self._section.host}, port {self._section.port},"
