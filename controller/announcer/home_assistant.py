"""The table as a device of Home Assistant: the payload of MQTT discovery, and the state that its entities read. Pure.

One message for the whole device (Home Assistant, "MQTT", device discovery payload; from 2024.11). Every entity reads
the one state message by a template; all but `online` are unavailable while the table or the announcer is.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from config.announcer_file import MqttSection, ReadTable
from controller.announcer.observed import Observed

LONGEST_STATE = 255
"""Characters of a state that Home Assistant takes (its `MAX_LENGTH_STATE_STATE`)."""

PHASES = ("idle", "deal", "bet", "draw", "showdown", "remedy", "floor", "halted")
"""The phases of the table script; an entity of a list takes no other value."""

ONLINE, OFFLINE = "online", "offline"
PRESS = "PRESS"
NONE = "none"


class Button(Enum):
    """What somebody may press; the value is the last part of its topic."""

    CALL_FLOOR = "call"
    TEST_LAMPS = "lamps"


class Topics:
    """The topics of one table."""

    def __init__(self, table: ReadTable, mqtt: MqttSection) -> None:
        self.discovery = f"{mqtt.discovery}/device/{table.id}/config"
        root = f"{mqtt.topic}/{table.id}"
        self.state = f"{root}/state"
        self.availability = f"{root}/availability"
        self.buttons = {f"{root}/{button.value}": button for button in Button}


def discovery(table: ReadTable, mqtt: MqttSection, version: str, page: str | None = None) -> dict[str, Any]:
    """The payload of the discovery topic; `page` is where people find the table's page."""
    topics = Topics(table, mqtt)
    shown = {
        "hand": _sensor("Hand", "mdi:counter", "hand"),
        "game": _sensor("Game", "mdi:cards-playing", "game"),
        "phase": {**_sensor("Phase", "mdi:progress-clock", "phase"), "device_class": "enum", "options": list(PHASES)},
        "seats_taken": {**_sensor("Seats taken", "mdi:seat", "seats_taken"), "state_class": "measurement"},
        "next_step": _sensor("Next step", "mdi:arrow-right-bold", "next_step"),
        "ruling": {
            **_sensor("Ruling", "mdi:gavel", "ruling"),
            "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ value_json.ruling_details | tojson }}",
        },
        "fault": {
            **_binary("Fault", "value_json.fault"),
            "device_class": "problem",
            "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ {'faults': value_json.faults} | tojson }}",
        },
        "floor_called": {**_binary("Floor called", "value_json.floor_called"), "icon": "mdi:account-alert"},
    }
    available = {
        "availability_topic": topics.availability,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
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
        "payload_on": ONLINE,
        "payload_off": OFFLINE,
    }
    if mqtt.buttons:
        names = {Button.CALL_FLOOR: ("Call the floor", "mdi:bell"), Button.TEST_LAMPS: ("Lamps test", "mdi:lightbulb")}
        for topic, button in topics.buttons.items():
            name, icon = names[button]
            components[button.name.lower()] = {
                "platform": "button",
                "name": name,
                "icon": icon,
                "command_topic": topic,
                "payload_press": PRESS,
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


def state(look: Observed) -> dict[str, Any]:
    """The state message: whatever is there for people is cut to what a state can hold."""
    ruling = look.under_way
    seat = "" if ruling is None or ruling.seat is None else f", seat {ruling.seat}"
    details: Mapping[str, object] = (
        {}
        if ruling is None
        else {"text": ruling.text, "cite": list(ruling.cite), "finding": ruling.finding, "verdict": ruling.verdict}
    )
    return {
        "hand": look.hand,
        "game": _cut(look.game),
        "rulebook": look.rulebook,
        "mode": look.mode,
        "phase": look.phase,
        "street": look.street,
        "seats_taken": look.seats_taken,
        "next_step": _cut(look.next_step) or NONE,
        "ruling": NONE if ruling is None else _cut(f"{_plain(ruling.finding)}{seat}: {_plain(ruling.verdict)}"),
        "ruling_details": details,
        "fault": bool(look.faults),
        "faults": list(look.faults),
        "floor_called": look.floor_called,
    }


def _sensor(name: str, icon: str, key: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "icon": icon, "value_template": f"{{{{ value_json.{key} }}}}"}


def _binary(name: str, value: str) -> dict[str, Any]:
    template = f"{{{{ 'ON' if {value} else 'OFF' }}}}"
    return {"platform": "binary_sensor", "name": name, "value_template": template}


def _plain(code: str) -> str:
    return code.replace("-", " ")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_STATE else f"{text[: LONGEST_STATE - 1]}…"
