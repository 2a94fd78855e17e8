"""What an operation of the API is. The routes and the OpenAPI document are both made of these, so that neither lies."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.pages.answers import LONGEST_BODY

Endpoint = Callable[[Request], Awaitable[Response]]

VERSION = "v1"
BASE = f"/api/{VERSION}"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. Who may have it stands in `authority.ROUTES`, under its method and path, and nowhere else.

    `name`: its `operationId`, by which programs call it. `gives`: the shape of what a taken request is answered with
    (a type of `controller.client.shapes`, or a schema), as `media`; `None` where the answer is empty. `takes`: the
    shape of the JSON that it carries. `refuses`: the statuses of refusals of its own, besides those of the door.
    `query`: its parameters, and what each is. `longest`: bytes that it may carry.
    """

    name: str
    method: str
    path: str
    endpoint: Endpoint = field(repr=False)
    summary: str
    gives: Any = None
    takes: type | None = None
    status: int = 200
    refuses: tuple[int, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    media: str = "application/json"
    longest: int = LONGEST_BODY

    def route(self) -> Route:
        """Make the route, which goes behind the door like any other."""
        if self.method == "GET":
            return Route(self.path, self.endpoint, methods=["GET"])
        return Route(self.path, self.endpoint, methods=[self.method], max_body_size=self.longest)
