"""What MkDocs is told beside mkdocs.yml: where pages belong that the navigation does not name."""

from pathlib import Path
from typing import Any

TEMPLATE = "0000-template.md"


def on_config(config: Any) -> Any:  # noqa: ANN401 (MkDocs has no types)
    """Put the decisions under what explains, and each page that nobody has sorted at the end of what is looked up."""
    sections: dict[str, Any] = {name: pages for entry in config["nav"] for name, pages in entry.items()}
    docs = Path(config["docs_dir"])
    named = [
        page for pages in sections.values() if isinstance(pages, list) for entry in pages for page in entry.values()
    ]
    unsorted = [path.name for path in sorted(docs.glob("*.md")) if path.name not in (*named, "index.md")]
    sections["Reference"].extend(unsorted)
    decisions = [path for path in sorted((docs / "decisions").glob("*.md")) if path.name != TEMPLATE]
    sections["Explanation"].append({"Decisions": [str(path.relative_to(docs)) for path in decisions]})
    return config
