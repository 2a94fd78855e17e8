"""Commands as people give them, and a real HTTP server at the far end of a webhook."""

import queue
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.announcer.room import Arrived, Receiver


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    far = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status = far.answers.get_nowait()
            except queue.Empty:
                status = 200
            if status is not None:
                self.send_response(status)
                self.send_header("Location", f"{far.url}/elsewhere")
                self.end_headers()
            far.arrived.put(Arrived(self.path, headers, body))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        far.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield far
        server.shutdown()
        thread.join()
