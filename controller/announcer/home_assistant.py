"""The table as a device of Home Assistant: the payload of MQTT discovery, and the state that its entities read. Pure.

One message for the whole device (Home Assistant, "MQTT", device discovery payload; from 2024.11). Every entity reads
the one state message by a template; all but `online` are unavailable while the table or the announcer is.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from config.announcer_file import MqttSection, TableSection
from controller.announcer.observed_table import ObservedTable

MAX_STATE_LENGTH = 255
"""Characters of a state that Home Assistant takes (its `MAX_LENGTH_STATE_STATE`)."""

PHASES = ("idle", "deal", "bet", "draw", "showdown", "remedy", "floor", "halted")
"""The phases of the table script; an entity of a list takes no other value."""

ONLINE_PAYLOAD, OFFLINE_PAYLOAD = "online", "offline"
PRESS_PAYLOAD = "PRESS"
NO_STATE = "none"


class Button(Enum):
    """What somebody may press; the value is the last part of its topic."""

    CALL_FLOOR = "call"
    TEST_LAMPS = "lamps"


class MqttTopics:
    """The topics of one table."""

    def __init__(self, table: TableSection, mqtt: MqttSection) -> None:
        self.discovery = f"{mqtt.discovery_prefix}/device/{table.id}/config"
        root = f"{mqtt.topic}/{table.id}"
        self.state = f"{root}/state"
        self.availability = f"{root}/availability"
        self.button_by_topic = {f"{root}/{button.value}": button for button in Button}


def build_discovery(table: TableSection, mqtt: MqttSection, version: str, page: str | None = None) -> dict[str, Any]:
    """The payload of the discovery topic; `page` is where people find the table's page."""
    topics = MqttTopics(table, mqtt)
    shown = {
        "hand": _build_sensor("Hand", "mdi:counter", "hand"),
        "game": _build_sensor("Game", "mdi:cards-playing", "game"),
        "phase": {
            **_build_sensor("Phase", "mdi:progress-clock", "phase"),
            "device_class": "enum",
            "options": list(PHASES),
        },
        "seats_taken": {**_build_sensor("Seats taken", "mdi:seat", "seats_taken"), "state_class": "measurement"},
        "next_step": _build_sensor("Next step", "mdi:arrow-right-bold", "next_step"),
        "ruling": {
            **_build_sensor("Ruling", "mdi:gavel", "ruling"),
            "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ value_json.ruling_details | tojson }}",
        },
        "fault": {
            **_build_binary_sensor("Fault", "value_json.fault"),
            "device_class": "problem",
            "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ {'faults': value_json.faults} | tojson }}",
        },
        "floor_called": {
            **_build_binary_sensor("Floor called", "value_json.floor_called"),
            "icon": "mdi:account-alert",
        },
    }
    available = {
        "availability_topic": topics.availability,
        "payload_available": ONLINE_PAYLOAD,
        "payload_not_available": OFFLINE_PAYLOAD,
    }
    components: dict[str, dict[str, Any]] = {
        name: {**entity, **available, "state_topic": topics.state} for name, entity in shown.items()
    }
    components["online"] = {
        "platform": "binary_sensor",
        "name": "Online",
        "device_class": "connectivity",
        "entity_category": "diagnostic",
        "state_topic": topics.availability,
        "payload_on": ONLINE_PAYLOAD,
        "payload_off": OFFLINE_PAYLOAD,
    }
    if mqtt.accepts_buttons:
        names = {Button.CALL_FLOOR: ("Call the floor", "mdi:bell"), Button.TEST_LAMPS: ("Lamps test", "mdi:lightbulb")}
        for topic, button in topics.button_by_topic.items():
            name, icon = names[button]
            components[button.name.lower()] = {
                "platform": "button",
                "name": name,
                "icon": icon,
                "command_topic": topic,
                "payload_press": PRESS_PAYLOAD,
                "qos": 1,
                **available,
            }
    for name, component in components.items():
        component["unique_id"] = f"{table.id}_{name}"
    device = {
        "identifiers": [f"table-controller-{table.id}"],
        "name": table.name,
        "manufacturer": "table-controller",
        "model": "Poker table",
        "sw_version": version,
    }
    return {
        "device": device if page is None else {**device, "configuration_url": page},
        "origin": {"name": "table-controller", "sw_version": version},
        "components": components,
        "qos": 1,
    }


def build_state(look: ObservedTable) -> dict[str, Any]:
    """The state message: whatever is there for people is cut to what a state can hold."""
    ruling = look.current_ruling
    seat = "" if ruling is None or ruling.seat is None else f", seat {ruling.seat}"
    details: Mapping[str, object] = (
        {}
        if ruling is None
        else {"text": ruling.text, "cite": list(ruling.cite), "finding": ruling.finding, "verdict": ruling.verdict}
    )
    return {
        "hand": look.hand_number,
        "game": _truncate(look.game),
        "rulebook": look.rulebook,
        "mode": look.mode,
        "phase": look.phase,
        "street": look.street,
        "seats_taken": look.taken_seat_count,
        "next_step": _truncate(look.next_step) or NO_STATE,
        "ruling": NO_STATE
        if ruling is None
        else _truncate(f"{_format_code(ruling.finding)}{seat}: {_format_code(ruling.verdict)}"),
        "ruling_details": details,
        "fault": bool(look.fault_codes),
        "faults": list(look.fault_codes),
        "floor_called": look.floor_called,
    }


def _build_sensor(name: str, icon: str, key: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "icon": icon, "value_template": f"{{{{ value_json.{key} }}}}"}


def _build_binary_sensor(name: str, value: str) -> dict[str, Any]:
    template = f"{{{{ 'ON' if {value} else 'OFF' }}}}"
    return {"platform": "binary_sensor", "name": name, "value_template": template}


def _format_code(code: str) -> str:
    return code.replace("-", " ")


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_STATE_LENGTH else f"{text[: MAX_STATE_LENGTH - 1]}…"
