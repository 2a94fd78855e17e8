"""The device as Home Assistant documents it: MQTT, device discovery payload; sensor, binary sensor and button."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from config.announcer_file import MqttSection, TableSection
from controller.announcer.home_assistant import MAX_STATE_LENGTH, PHASES, MqttTopics, build_discovery, build_state
from controller.announcer.observed_table import parse_table
from tests.announcer.room import IDLE, RULING, table

TABLE = TableSection("http://127.0.0.1:8080", Path("token"), "table-3", "Table 3", None)
SECTION = MqttSection("broker.lan", 8883, accepts_buttons=True)

TEXT = {"type": "string", "minLength": 1}
TOPIC = {"type": "string", "pattern": "^[^#+\\s]+$"}
QOS = {"enum": [0, 1, 2]}
ENTITY = {
    "name": TEXT, "unique_id": TEXT, "icon": {"type": "string", "pattern": "^mdi:"}, "availability_topic": TOPIC,
    "payload_available": TEXT, "payload_not_available": TEXT, "entity_category": {"enum": ["config", "diagnostic"]},
    "json_attributes_topic": TOPIC, "json_attributes_template": TEXT, "qos": QOS,
}  # fmt: skip


def platform(name: str, keys: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "properties": {**ENTITY, **keys, "platform": {"const": name}},
        "required": ["platform", "unique_id", "name", *required],
        "additionalProperties": False,
    }


SCHEMA = {
    "type": "object",
    "properties": {
        "device": {
            "type": "object",
            "properties": {
                "identifiers": {"type": "array", "items": TEXT, "minItems": 1},
                "name": TEXT, "manufacturer": TEXT, "model": TEXT, "sw_version": TEXT,
                "configuration_url": {"type": "string", "pattern": "^https?://"},
            },
            "required": ["identifiers", "name"],
            "additionalProperties": False,
        },
        "origin": {
            "type": "object",
            "properties": {"name": TEXT, "sw_version": TEXT, "support_url": TEXT},
            "required": ["name"],
            "additionalProperties": False,
        },
        "components": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-zA-Z0-9_-]+$"},
            "additionalProperties": {
                "oneOf": [
                    platform(
                        "sensor",
                        {
                            "state_topic": TOPIC, "value_template": TEXT, "device_class": {"const": "enum"},
                            "options": {"type": "array", "items": TEXT, "minItems": 1},
                            "state_class": {"const": "measurement"},
                        },
                        "state_topic",
                    ),
                    platform(
                        "binary_sensor",
                        {
                            "state_topic": TOPIC, "value_template": TEXT, "payload_on": TEXT, "payload_off": TEXT,
                            "device_class": {"enum": ["problem", "connectivity"]},
                        },
                        "state_topic",
                    ),
                    platform("button", {"command_topic": TOPIC, "payload_press": TEXT}, "command_topic"),
                ]
            },
        },
        "qos": QOS,
    },
    "required": ["device", "origin", "components"],
    "additionalProperties": False,
}  # fmt: skip
"""What the documentation says of the keys that we use; a key that stands in none of it is a mistake."""


def test_the_discovery_payload_is_as_home_assistant_documents_it() -> None:
    payload = build_discovery(TABLE, SECTION, "0.1.0", "https://table.local:8443/")
    jsonschema.validate(payload, SCHEMA)
    components = payload["components"]
    assert set(components) == {
        "hand", "game", "phase", "seats_taken", "next_step", "ruling", "fault", "floor_called", "online",
        "call_floor", "test_lamps",
    }  # fmt: skip
    assert len({component["unique_id"] for component in components.values()}) == len(components)
    assert "availability_topic" not in components["online"], "whether the table is there is known when it is not, too"


def test_the_schema_would_tell_a_mistake() -> None:
    payload = build_discovery(TABLE, SECTION, "0.1.0")
    payload["components"]["hand"]["state_topik"] = "table/table-3/state"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(payload, SCHEMA)


def test_two_tables_share_no_topic_and_no_identity() -> None:
    other = TableSection("http://127.0.0.1:8080", Path("token"), "table-4", "Table 4", None)
    first, second = MqttTopics(TABLE, SECTION), MqttTopics(other, SECTION)
    assert not {first.discovery, first.state, first.availability, *first.button_by_topic} & {
        second.discovery, second.state, second.availability, *second.button_by_topic,
    }  # fmt: skip
    one, two = (build_discovery(each, SECTION, "0.1.0")["components"] for each in (TABLE, other))
    assert not {each["unique_id"] for each in one.values()} & {each["unique_id"] for each in two.values()}


def test_buttons_are_there_when_the_house_wants_them() -> None:
    silent = build_discovery(TABLE, MqttSection("broker.lan", 8883), "0.1.0")
    assert not any(component["platform"] == "button" for component in silent["components"].values())


def test_every_template_finds_its_value() -> None:
    told = build_state(parse_table(table()))
    for component in build_discovery(TABLE, SECTION, "0.1.0")["components"].values():
        for key in ("value_template", "json_attributes_template"):
            for word in component.get(key, "").replace("}", " ").split():
                if word.startswith("value_json."):
                    assert word.removeprefix("value_json.") in told


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_is_an_option(phase: str) -> None:
    options = build_discovery(TABLE, SECTION, "0.1.0")["components"]["phase"]["options"]
    assert build_state(parse_table(table(phase=phase)))["phase"] in options


def test_the_phases_are_those_of_the_table_script() -> None:
    from controller.core.protocol.table_display import Phase

    assert set(PHASES) == {phase.value for phase in Phase}


def test_a_ruling_is_under_way_until_its_steps_are_done() -> None:
    ruled = {"rulings": [RULING], "ruled_in": 12}
    during, after = build_state(parse_table(table(**ruled, phase="remedy"))), build_state(parse_table(table(**ruled)))
    assert during["ruling"] == "exposed card, seat 3: replace"
    assert during["ruling_details"]["cite"] == ["R7-5.holdem.1"]
    assert (after["ruling"], after["ruling_details"]) == ("none", {})


def test_no_state_is_longer_than_home_assistant_takes() -> None:
    steps = [{"step": "move", "text": "x" * 400, "short": "x"}]
    told = build_state(parse_table(table(next=steps)))
    assert len(told["next_step"]) == MAX_STATE_LENGTH
    assert build_state(parse_table(table(**IDLE)))["next_step"] == "none"


def test_only_what_every_spectator_is_told_is_told() -> None:
    staff = {"devices": [{"name": "canary"}], "notices": [{"text": "canary"}]}
    faults = [{"code": "jam", "stops": "play", "text": "canary", "clears": ["canary"], "dealer": "canary"}]
    assert "canary" not in json.dumps(build_state(parse_table(table(staff=staff, faults=faults))))
