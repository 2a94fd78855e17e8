"""What only the publisher of a wheel knows: the project's pages, and where its pictures can be loaded from.

An index shows the README on a page of its own, where a path inside the checkout leads nowhere. With `PAGES_URL` and
`PICTURES_URL` in the environment of the build, links and pictures are whole URLs. Without them nothing is guessed, and
the README stays as it is in the checkout. docs/installing.md, "Updating", has the command.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"(!\[[^\]]*\]\()(?!https?:|#)([^)]+\))")
LINK = re.compile(r"((?<!!)\[[^\]]*\]\()(?!https?:|#)([^)]+\))")


def make_links_absolute(text: str, pages_url: str, pictures_url: str) -> str:
    """Put the URL of a folder before each link, and another one before each picture; an empty one changes nothing."""
    if pictures_url:
        text = PICTURE.sub(rf"\g<1>{pictures_url}/\g<2>", text)
    if pages_url:
        text = LINK.sub(rf"\g<1>{pages_url}/\g<2>", text)
    return text


class IndexMetadata(MetadataHookInterface):
    """Sets `readme` and `urls`, which pyproject.toml leaves open."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Write the README as an index shows it, and the project's URLs where the publisher has named them."""
        pages_url = os.environ.get("PAGES_URL", "").rstrip("/")
        pictures_url = os.environ.get("PICTURES_URL", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": make_links_absolute(text, pages_url, pictures_url),
        }
        metadata["urls"] = (
            {
                "Documentation": f"{pages_url}/docs/index.md",
                "Changelog": f"{pages_url}/CHANGELOG.md",
            }
            if pages_url
            else {}
        )
