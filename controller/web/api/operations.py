"""What an operation of the API is. The routes and the OpenAPI document are both made of these, so that neither lies."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.http.responses import MAX_BODY_BYTES

Endpoint = Callable[[Request], Awaitable[Response]]

API_VERSION = "v1"
API_BASE_PATH = f"/api/{API_VERSION}"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `permissions.ROLES_BY_ROUTE` says by its method and path who may have it, and nothing else does.

    `name`: its `operationId`, by which programs call it. `response_type`: the shape of what a taken request is answered
    with (a type of `controller.client.api_types`, or a schema), as `media_type`; `None` where the answer is empty.
    `request_type`: the shape of the JSON that it carries. `refusal_statuses`: the statuses of refusals of its own,
    besides those of the door. `description_by_query_parameter`: its parameters, and what each is. `max_body_bytes`:
    bytes that it may carry.
    """

    name: str
    method: str
    path: str
    endpoint: Endpoint = field(repr=False)
    summary: str
    response_type: Any = None
    request_type: type | None = None
    success_status: int = 200
    refusal_statuses: tuple[int, ...] = ()
    description_by_query_parameter: Mapping[str, str] = field(default_factory=dict)
    description_by_header: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    max_body_bytes: int = MAX_BODY_BYTES

    def make_route(self) -> Route:
        """Make the route, which goes behind the door like any other."""
        if self.method == "GET":
            return Route(self.path, self.endpoint, methods=["GET"])
        return Route(self.path, self.endpoint, methods=[self.method], max_body_size=self.max_body_bytes)
