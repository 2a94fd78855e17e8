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
from controller.announcer.home_assistant import OFFLINE_PAYLOAD, PRESS_PAYLOAD, Button, MqttTopics
from controller.webhooks.webhook_sender import make_printable

MIN_RETRY_DELAY_S, MAX_RETRY_DELAY_S = 1.0, 120.0
"""Seconds until the broker is asked again; each wait is twice the one before."""

STEADY_CONNECTION_S = 10.0
"""A connection that ends sooner was none: two clients of one id throw each other out, each time that one comes."""

KEEP_ALIVE_S = 30
CONNECT_TIMEOUT_S = 10.0
POLL_INTERVAL_S = 1.0
DISCONNECT_TIMEOUT_S = 2.0
QOS = 1

MAX_PACKET_BYTES = 4096
"""Bytes that a packet of the broker may announce; a press has some forty, and paho alone takes 256 MB into memory."""

log = logging.getLogger(__name__)


class _BoundedPahoClient(paho.Client):
    """Breaks off, so that the last will stands, where the broker sends what would fill the memory, or no packet."""

    disconnect_reason = ""
    """Why it was broken off; empty where it was not."""

    def _sock_recv(self, bufsize: int) -> bytes:
        """Receive up to so many bytes; of a packet, paho asks first for all that is announced."""
        if bufsize > MAX_PACKET_BYTES:
            self.disconnect_reason = f"it sends a packet of {bufsize} bytes, and {MAX_PACKET_BYTES} are the most"
        elif self._in_messages:  # kept until the broker releases them, which it need not
            self.disconnect_reason = "it sends with QoS 2, which was not asked for"
        if self.disconnect_reason:
            raise ConnectionError(self.disconnect_reason)
        return super()._sock_recv(bufsize)

    def _packet_handle(self) -> MQTTErrorCode:
        """Take a packet; one that the library cannot read, such as a topic that is no UTF-8, must end no thread."""
        try:
            return super()._packet_handle()
        except Exception as why:
            self.disconnect_reason = f"it sends what is no packet of MQTT ({type(why).__name__})"
            return MQTTErrorCode.MQTT_ERR_PROTOCOL


class MqttClient(threading.Thread):
    """One broker; `pressed` is called, in this thread, for each press of a button, and must not wait."""

    def __init__(
        self,
        section: MqttSection,
        topics: MqttTopics,
        client_id: str,
        password: str | None,
        pressed: Callable[[Button], None],
        first_wait: float = MIN_RETRY_DELAY_S,
    ) -> None:
        """Prepare the connection; raises `OSError` where a certificate cannot be read."""
        super().__init__(name="mqtt", daemon=True)
        self._section = section
        self._topics = topics
        self._on_press = pressed
        self._min_retry_delay_s = first_wait
        self._lock = threading.Lock()
        self._payload_by_topic: dict[str, bytes] = {}
        self._due_topics: dict[str, None] = {}
        self._topic_by_message_id: dict[int, str] = {}
        self._connected = False
        self._accepted_at: float | None = None
        """When the broker let the last connection in."""
        self._client_id = client_id
        self._stop_requested = threading.Event()
        self._wake_sender, self._wake_receiver = socket.socketpair()
        self._wake_sender.setblocking(False)
        self._wake_receiver.setblocking(False)
        self._is_closed = False
        self._client = _BoundedPahoClient(CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=True)
        self._client.connect_timeout = CONNECT_TIMEOUT_S
        self._client.will_set(topics.availability, OFFLINE_PAYLOAD, qos=QOS, retain=True)
        if section.user is not None:
            self._client.username_pw_set(section.user, password)
        if section.uses_tls:
            named = None if section.certificate is None else str(section.certificate)
            self._client.tls_set_context(ssl.create_default_context(cafile=named))
        self._client.on_connect = self._on_connect
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_publish
        self._client.on_message = self._on_message

    @property
    def is_connected(self) -> bool:
        """Whether the broker takes messages now."""
        return self._connected

    def publish_value(self, topic: str, value: str) -> None:
        """Let `value` stand at a topic, now or as soon as the broker is there; what stands there is not sent again."""
        payload = value.encode()
        with self._lock:
            if self._payload_by_topic.get(topic) == payload:
                return
            self._payload_by_topic[topic] = payload
            self._due_topics[topic] = None
        self._wake_thread()

    def stop(self) -> None:
        """Say that the table is offline, and close; a broker that does not answer does not hold this up for long."""
        self.publish_value(self._topics.availability, OFFLINE_PAYLOAD)
        self._stop_requested.set()
        self._wake_thread()
        if self.is_alive():
            self.join(2 * DISCONNECT_TIMEOUT_S)
        if not self.is_alive():
            with self._lock:
                self._is_closed = True
                self._wake_sender.close()
                self._wake_receiver.close()

    def run(self) -> None:
        """Stay connected until `stop`."""
        wait = self._min_retry_delay_s
        while not self._stop_requested.is_set():
            began = self._connect_and_serve()
            wait = self._min_retry_delay_s if began else min(2 * wait, MAX_RETRY_DELAY_S)
            self._stop_requested.wait(wait)

    def _connect_and_serve(self) -> bool:
        """Connect, and serve the connection until it ends; return whether the broker can be asked again soon."""
        self._accepted_at = None
        self._client.disconnect_reason = ""
        try:
            self._client.connect(self._section.host, self._section.port, KEEP_ALIVE_S)
        except (OSError, ValueError) as why:
            log.warning("%s cannot be reached: %s", self._describe_broker(), str(why))
            return False
        until: float | None = None
        while (wire := self._client.socket()) is not None:
            if self._stop_requested.is_set():
                until = monotonic() + DISCONNECT_TIMEOUT_S if until is None else until
                if not self._connected or not (self._due_topics or self._topic_by_message_id) or monotonic() > until:
                    self._client.disconnect()
                    self._client.loop_write()
                    break
            assert isinstance(wire, socket.socket)  # over TCP, not over a web socket
            self._poll_socket(wire)
        return self._was_steady() and not self._client.disconnect_reason

    def _was_steady(self) -> bool:
        return self._accepted_at is not None and monotonic() - self._accepted_at >= STEADY_CONNECTION_S

    def _poll_socket(self, wire: socket.socket) -> None:
        """Send what is due, wait a moment for news, and take it."""
        self._publish_due()
        wants = [wire] if self._client.want_write() else []
        pending = wire.pending() if isinstance(wire, ssl.SSLSocket) else 0
        readable, writable, _ = select.select([wire, self._wake_receiver], wants, [], 0 if pending else POLL_INTERVAL_S)
        if self._wake_receiver in readable:
            self._wake_receiver.recv(4096)
        done = MQTTErrorCode.MQTT_ERR_SUCCESS
        if wire in readable or pending:
            done = self._client.loop_read()
        if writable and done is MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._client.loop_write()
        self._client.loop_misc()

    def _publish_due(self) -> None:
        """Send what is due of every topic that has no message on its way."""
        if not self._connected:
            return
        busy = set(self._topic_by_message_id.values())
        with self._lock:
            due = [(topic, self._payload_by_topic[topic]) for topic in self._due_topics if topic not in busy]
            for topic, _ in due:
                del self._due_topics[topic]
        for topic, payload in due:
            self._topic_by_message_id[self._client.publish(topic, payload, qos=QOS, retain=True).mid] = topic

    def _wake_thread(self) -> None:
        """Wake the thread; once it has ended, whoever still publishes wakes nobody."""
        with self._lock, suppress(BlockingIOError):  # it has been rung for already
            if not self._is_closed:
                self._wake_sender.send(b"!")

    def _on_connect(
        self, client: paho.Client, _: object, flags: object, reason: ReasonCode, properties: object
    ) -> None:
        del flags, properties
        if reason.is_failure:
            log.warning("%s does not let the announcer in: %s", self._describe_broker(), reason)
            return
        if self._section.accepts_buttons:
            client.subscribe([(topic, QOS) for topic in self._topics.button_by_topic])
        with self._lock:
            self._due_topics = dict.fromkeys(self._payload_by_topic)  # a broker that begins anew has kept nothing
        self._connected, self._accepted_at = True, monotonic()
        log.info("%s is there", self._describe_broker())

    def _on_disconnect(
        self, client: paho.Client, _: object, flags: object, reason: ReasonCode, properties: object
    ) -> None:
        del client, flags, properties
        self._connected = False
        if reason.is_failure:
            why = self._client.disconnect_reason or str(reason)
            if self._accepted_at is not None and not self._was_steady() and not self._client.disconnect_reason:
                why += f" (at once: is another client there that calls itself {self._client_id}?)"
            log.warning("%s is gone: %s", self._describe_broker(), why)

    def _on_publish(self, client: paho.Client, _: object, number: int, reason: object, properties: object) -> None:
        del client, reason, properties
        self._topic_by_message_id.pop(number, None)

    def _on_message(self, client: paho.Client, _: object, message: paho.MQTTMessage) -> None:
        """Take a press. A retained one would be pressed again at every connection, and is nobody's press now."""
        del client
        button = self._topics.button_by_topic.get(message.topic)
        if button is None or message.retain or message.payload != PRESS_PAYLOAD.encode():
            log.warning("%s was sent something that is no press; it is left", make_printable(message.topic))
            return
        self._on_press(button)

    def _describe_broker(self) -> str:
        return f"the broker at {self._section.host}, port {self._section.port},"
