"""The API: what each role is told, the few acts of a token, and the document that describes them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from starlette.routing import Route

from controller.core.protocol.script_lines import EVENT_CLASS_BY_NAME
from controller.runtime.devices.device_monitor import DeviceStatus
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff.permissions import ROLES_BY_ROUTE, TokenRole
from controller.web.api.api_routes import MAX_EVENT_STREAMS
from tests.web.house import INVENTORY, House, houses
from tests.web.test_pages import ORIGIN, Client, standing

FAULT = FaultStatus("reader-lost", "The reader of the shoe is lost (shoe)", "play", ("technician",), "fault shoe")
OUTPUT = {
    "line": 9, "hand": 3, "phase": "bet", "street": "flop", "gate": "locked", "board": ["As", None, "2c"],
    "next": [{"step": "act", "seat": 1, "options": ["fold", "check"]}], "lamps": {"act": [1]},
    "piles": {"stub": 40, "seats": {"1": 2}}, "stacks": {"1": 190}, "bets": {"1": 4},
    "pots": [{"amount": 6, "seats": [1]}],
}  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path, simulated=True)


def full(house: House, **changes: Any) -> None:  # noqa: ANN401 - any field of a standing
    values: dict[str, Any] = {
        "output_line": OUTPUT,
        "faults": (FAULT,),
        "player_by_seat": {1: {"player": "Ana", "away": False, "waits": False, "turn": 1}},
        "mode": LIVE,
    }
    house.hub.publish(standing(8, **{**values, **changes}))


def get(house: House, path: str, role: TokenRole | None, **headers: str) -> httpx.Response:
    sent = {} if role is None else house.token(role)
    return Client(house.app).get(f"/api/v1{path}", headers={**sent, **headers})


def test_without_a_token_everything_but_three_routes_says_how_to_make_one(house: House) -> None:
    for path in ("/table", "/events", "/hands", "/errors"):
        answer = get(house, path, None)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert "tablectl token add" in answer.json()["message"]
    for path in ("/health", "/openapi.json", "/script.schema.json"):
        assert get(house, path, None).status_code == 200


def test_a_spectator_is_told_the_game_and_of_a_fault_its_code(house: House) -> None:
    full(house)
    told = get(house, "/table", TokenRole.WATCH).json()
    assert (told["hand"], told["phase"], told["board"], told["entry"]) == (3, "bet", ["As", None, "2c"], 8)
    assert told["seats"] == [
        {"seat": 1, "player": "Ana", "away": False, "waits": False, "cards": 2, "turn": 1, "stack": 190, "bet": 4}
    ]
    assert told["next"][0]["text"] == "Seat 1 acts"
    assert told["faults"] == [{"code": "reader-lost", "stops": "play"}]
    assert "staff" not in told


@pytest.mark.parametrize("role", [TokenRole.FLOOR_READ, TokenRole.ROOM])
def test_what_the_staff_see_is_told_to_those_who_read_for_them(house: House, role: TokenRole) -> None:
    token = house.token(role)

    def told_now() -> dict[str, Any]:
        answer = Client(house.app).get("/api/v1/table", headers=token)
        return dict(answer.json())

    full(house)
    told = told_now()
    assert told["faults"][0]["clears"] == ["technician"]
    assert told["staff"]["devices"] == [
        {"name": "shoe", "driver": "rdm6300", "state": "ready", "why": "", "noise": 0, "firmware": ""}
    ]
    since = told["faults"][0]["since"]
    full(house, output_line={**OUTPUT, "line": 10})
    assert told_now()["faults"][0]["since"] == since, "of one that stays up"


def test_what_runs_here_is_told_to_those_who_read_for_the_staff(house: House) -> None:
    assert get(house, "/inventory", TokenRole.UPLINK).json() == INVENTORY
    assert get(house, "/inventory", TokenRole.WATCH).status_code == 403


def test_the_stream_begins_with_a_full_state_and_goes_on_after_the_last_one_seen(house: House) -> None:
    full(house)
    house.hub.close()
    stream = get(house, "/events", TokenRole.WATCH)
    assert stream.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in stream.text.splitlines() if line.startswith(("id: ", "data: "))]
    assert lines[0] == "id: 2"
    assert json.loads(lines[1].removeprefix("data: "))["hand"] == 3
    assert len(lines) == 2
    again = Client(house.app).get("/api/v1/events", headers={**house.token(TokenRole.ROOM), "Last-Event-ID": "1"})
    assert "id: 2\n" in again.text
    assert "rdm6300" in again.text
    seen = Client(house.app).get("/api/v1/events", headers={**house.token(TokenRole.AUDITOR), "Last-Event-ID": "2"})
    assert "data:" not in seen.text


def test_a_withdrawn_token_hears_nothing_more(house: House) -> None:
    sent = house.token(TokenRole.WATCH)
    house.hub.close()
    heard = Client(house.app).get("/api/v1/events", headers=sent).text
    assert "data:" in heard
    stands = house.tokens.is_valid
    house.tokens.is_valid = lambda token: house.tokens.revoke(token.name) or stands(token)  # type: ignore[method-assign,func-returns-value]
    assert "data:" not in Client(house.app).get("/api/v1/events", headers=sent).text


def test_listeners_are_bounded_and_counted_down(house: House) -> None:
    house.hub.close()
    sent = house.token(TokenRole.WATCH)
    for _ in range(MAX_EVENT_STREAMS + 2):
        assert Client(house.app).get("/api/v1/events", headers=sent).status_code == 200
    api = next(
        route.endpoint.__self__  # type: ignore[attr-defined]
        for route in house.app.routes
        if isinstance(route, Route) and route.path == "/api/v1/events"
    )
    api._stream_count = MAX_EVENT_STREAMS
    refused = Client(house.app).get("/api/v1/events", headers=sent)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-much")
    assert int(refused.headers["retry-after"]) > 0


def test_a_token_is_taken_in_a_header_alone_and_not_over_a_plain_network(house: House) -> None:
    sent = house.token(TokenRole.WATCH)
    text = sent["Authorization"].removeprefix("Bearer ")
    client = Client(house.app)
    for path in (f"/api/v1/table?token={text}", f"/api/v1/table?access_token={text}"):
        assert client.get(path).status_code == 401
    assert client.get("/api/v1/table", headers={"Cookie": f"table={text}"}).status_code == 401
    for scheme in ("Basic ", "Token ", ""):
        assert client.get("/api/v1/table", headers={"Authorization": f"{scheme}{text}"}).status_code == 401
    client._transport = httpx.ASGITransport(house.app, client=("192.0.2.7", 5))
    assert client.get("/api/v1/table", headers=sent).json()["code"] == "plain-http"


def test_a_token_is_in_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    Client(house.app).get("/api/v1/table", headers={"Authorization": "Bearer tct_secret"})
    house.token(TokenRole.WATCH)
    Client(house.app).get("/api/v1/table", headers={"Authorization": "Bearer tct_secret"})
    assert "tct_" not in caplog.text
    assert "a wrong token was sent" in caplog.text


def test_only_a_token_of_the_room_calls_the_floor_and_once(house: House) -> None:
    client, room = Client(house.app), house.token(TokenRole.ROOM, "home assistant")
    for role in (TokenRole.WATCH, TokenRole.FLOOR_READ, TokenRole.AUDITOR):
        assert client.post("/api/v1/call", json={"wanted": True}, headers=house.token(role)).status_code == 403
    assert client.post("/api/v1/call", json={"wanted": True}, headers=room).status_code == 204
    assert client.post("/api/v1/call", json={"wanted": False}, headers=room).status_code == 400
    house.hub.publish(standing(9, floor_called=True))
    assert client.post("/api/v1/call", json={"wanted": True}, headers=room).status_code == 204
    assert house.calls == [(True, "token home assistant")]
    foreign = {**room, "Origin": "http://evil.example"}
    assert client.post("/api/v1/call", json={"wanted": True}, headers=foreign).json()["code"] == "other-origin"


def test_lamps_are_tried_out_of_service_only(house: House) -> None:
    answer = Client(house.app).post("/api/v1/lamps", json={"step": 0}, headers=house.token(TokenRole.ROOM))
    assert (answer.status_code, answer.json()["code"]) == (409, "not-now-here")


def test_a_token_enters_lines_at_a_simulated_table_alone(house: House, tmp_path: Path) -> None:
    line = {"seen": 7, "line": {"ev": "floor", "decide": "play-on"}}
    client, room = Client(house.app), house.token(TokenRole.ROOM)
    assert client.post("/api/v1/entries", json=line, headers=room).status_code == 202
    assert [(told["ev"], by) for told, by in house.entered] == [("floor", None)]
    assert client.post("/api/v1/entries", json=line, headers=room).json()["code"] == "moved-on"
    for live in houses(tmp_path / "live"):
        refused = Client(live.app).post("/api/v1/entries", json=line, headers=live.token(TokenRole.ROOM))
        assert (refused.status_code, refused.json()["code"]) == (403, "simulated-only")
        assert live.entered == []


def test_health_says_when_the_table_is_starting_and_when_it_is_halted(house: House) -> None:
    assert get(house, "/health", None).json() == {"status": "ok", "api": "v1", "mode": "simulation", "entry": 7}
    full(house, output_line={**OUTPUT, "phase": "halted"})
    assert get(house, "/health", None).json()["status"] == "halted"
    house.hub.change_table({})
    answer = get(house, "/health", None)
    assert (answer.status_code, answer.json()["status"]) == (503, "starting")


def document(house: House) -> dict[str, Any]:
    found: dict[str, Any] = get(house, "/openapi.json", None).json()
    return found


def test_the_document_has_every_route_of_the_api_and_no_other(house: House) -> None:
    told = document(house)
    listed = {f"{method.upper()} {path}" for path, item in told["paths"].items() for method in item}
    assert listed == {row.replace(":int", "") for row in ROLES_BY_ROUTE if " /api/" in row}
    assert told["openapi"] == "3.1.0"
    for item in told["paths"].values():
        for operation in item.values():
            assert operation["summary"]
            assert bool(operation["security"]) == ("401" in operation["responses"])


def test_every_answer_is_as_the_document_says(house: House) -> None:
    full(house)
    house.hub.close()
    told = document(house)
    for path, item in told["paths"].items():
        for method, operation in item.items():
            sent: dict[str, str] = {}
            if operation["security"]:
                roles = operation["description"].removeprefix("For tokens with the role ").rstrip(".").split(" or ")
                sent = house.token(TokenRole(roles[-1]), operation["operationId"])
            place = path.replace("{session}", "1").replace("{hand}", "1")
            how: dict[str, Any] = {"json": {}} if method == "post" else {}
            answer = Client(house.app).request(
                method.upper(), place, headers={**sent, **({} if sent else ORIGIN)}, **how
            )
            said = operation["responses"][str(answer.status_code)].get("content", {})
            if not said:
                assert answer.content == b""
                continue
            media = answer.headers["content-type"].partition(";")[0]
            schema = {**said[media]["schema"], "components": told["components"]}
            content = event_of(answer.text) if media == "text/event-stream" else answer.json()
            jsonschema.validate(content, schema, jsonschema.Draft202012Validator)


def event_of(stream: str) -> dict[str, str]:
    lines = [line for line in stream.splitlines() if line.startswith(("id:", "data:"))]
    return dict(line.split(": ", 1) for line in lines)


def test_what_is_not_there_is_refused_as_everything_else(house: House) -> None:
    client = Client(house.app)
    for method, path, status in (
        ("GET", "/api/v1/tabel", 404),
        ("GET", "/api/v2/table", 404),
        ("DELETE", "/api/v1/call", 405),
    ):
        answer = client.request(method, path, headers=ORIGIN)
        assert (answer.status_code, answer.json()["code"]) == (status, "no-such-route")
    assert "POST" in client.request("DELETE", "/api/v1/call", headers=ORIGIN).headers["allow"]
    assert client.get("/tabel").text == "Not Found"


def test_the_schemas_of_the_document_are_schemas(house: House) -> None:
    for schema in document(house)["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["description"]


def test_the_schema_of_the_table_script_knows_every_word(house: House) -> None:
    schema = get(house, "/script.schema.json", None).json()
    assert set(schema["properties"]["ev"]["enum"]) == {"table", *EVENT_CLASS_BY_NAME}
    jsonschema.Draft202012Validator.check_schema(schema)


def test_a_hidden_card_is_told_to_nobody(house: House) -> None:
    """What is published names none; what a role is told is made of that alone."""
    full(house, devices=(DeviceStatus("shoe", "rdm6300", "lost", "unplugged"),))
    published = house.hub.get_latest()
    assert published is not None
    for role in TokenRole:
        answer = get(house, "/table", role)
        if answer.status_code == 200:
            words = {str(value) for value in _leaves(answer.json())}
            assert words - {str(value) for value in _leaves(json.loads(published[1]))} <= {"False", "True", "0", ""}


def _leaves(value: Any) -> Iterator[object]:  # noqa: ANN401 - any JSON
    match value:
        case dict():
            for each in value.values():
                yield from _leaves(each)
        case list():
            for each in value:
                yield from _leaves(each)
        case _:
            yield value
