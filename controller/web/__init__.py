"""The pages: served by the controller itself, pushed by server-sent events, with nothing from elsewhere.

`site.py` makes one application of pages and API.
"""

from pathlib import Path

STATIC_FOLDER = Path(__file__).parent / "static"
"""The pages' files, which the browser fetches below `/static`."""
