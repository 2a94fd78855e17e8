"""What the table has counted, as Prometheus wants it."""

from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route


class MetricsSource(Protocol):
    """What is counted."""

    def render_exposition(self, accept: str) -> tuple[bytes, str]:
        """Write it in the format that the header `Accept` asks for; return it with its content type."""
        ...


class MetricsPage:
    """The route that is scraped."""

    def __init__(self, counted: MetricsSource) -> None:
        self._metrics = counted

    def make_routes(self) -> list[BaseRoute]:
        """Make the route."""
        return [Route("/metrics", self.get, methods=["GET"])]

    async def get(self, request: Request) -> Response:
        """Answer a scrape: some 20 kB, written in a few milliseconds."""
        content, content_type = self._metrics.render_exposition(request.headers.get("accept", ""))
        return Response(content, headers={"content-type": content_type})
