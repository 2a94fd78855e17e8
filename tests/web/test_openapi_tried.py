"""Schemathesis tries every operation of the document at a simulated table: what it answers is as the document says."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from controller.runtime.staff.permissions import TokenRole
from tests.web.house import House, houses
from tests.web.test_api import full

TRIES = 12
"""Requests of each operation that keep to its schema, and as many that do not."""

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    for house in houses(tmp_path, simulated=True, plain=True):
        full(house)
        house.hub.close()  # so that a stream ends
        yield house


@pytest.mark.slow
@pytest.mark.parametrize("role", [*TokenRole, None], ids=str)
def test_what_schemathesis_sends_is_answered_as_the_document_says(house: House, role: TokenRole | None) -> None:
    schemathesis: Any = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    schemathesis.checks.load_all_checks()
    checks = [schemathesis.checks.CHECKS.get_one(name) for name in CHECKS]
    host = {"Host": "127.0.0.1"}
    sent = host if role is None else {**host, **house.token(role)}
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", house.app, headers=host)
    tried = [0]
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @hypothesis.settings(max_examples=TRIES, deadline=None, database=None, derandomize=True)
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def is_answered_as_said(case: Any) -> None:  # noqa: ANN401 - whatever schemathesis makes
                tried[0] += 1
                case.call_and_validate(headers=sent, checks=checks)

            with suppress(
                hypothesis.errors.Unsatisfiable
            ):  # an operation that takes nothing cannot be sent wrong things
                is_answered_as_said()
    assert tried[0] > TRIES * 4
