"""The error catalogue: what each stable code means, and what the dealer, the floor and the technician do.

`errors.toml` is the one source: the page shows the dealer's sentence, and
`python -m controller.web.wording.error_catalogue` writes `docs/errors.md` from it.
"""

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CATALOGUE_FILE = Path(__file__).parent / "errors.toml"

HEADING_BY_KIND = {
    "refusal": (
        "Refusals",
        "The table did not take an entry; everything stands as before. The code is in the output line's `error`, in "
        "the journal, and on the dealer's page.",
    ),
    "notice": ("Notices", "Something to know that is no event of the game. The table goes on."),
    "fault": (
        "Faults",
        "What stops the table, or must not be overlooked. Who may say that one is over, and what proves it, is the "
        "table in [security.md](security.md#faults).",
    ),
    "page": (
        "Answers of the page",
        "The page did not take a request, or did not let somebody in. The code is in the answer, with a message.",
    ),
    "error": (
        "Errors that end a command or stop a device",
        "Named by their class, or by the name that it had first; the message, one sentence, says what was wrong and "
        "what would be right.",
    ),
}


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One code: its cause, and what each of three people does. `class_name`: an error's class, empty for others."""

    kind: str
    code: str
    cause: str
    dealer_advice: str
    floor_advice: str
    technician_advice: str
    class_name: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What a page may say of it: the cause, and what each person does."""
        return (self.cause, self.dealer_advice, self.floor_advice, self.technician_advice)


@cache
def load_catalogue() -> Mapping[tuple[str, str], CatalogueEntry]:
    """Read every entry, by kind and code. A key that is missing or too many is a `TypeError`."""
    content = tomllib.loads(CATALOGUE_FILE.read_text(encoding="utf-8"))
    return {
        (kind, code): _entry(kind, code, texts) for kind, entries in content.items() for code, texts in entries.items()
    }


def _entry(kind: str, code: str, texts: object) -> CatalogueEntry:
    match texts:
        case {
            "cause": str(cause), "dealer": str(dealer), "floor": str(floor), "technician": str(technician), **rest
        } if not rest or (kind == "error" and rest.keys() == {"class"}):  # fmt: skip
            class_name = str(rest.get("class", code)) if kind == "error" else ""
            return CatalogueEntry(kind, code, cause, dealer, floor, technician, class_name)
        case _:
            raise TypeError(
                f"{CATALOGUE_FILE.name}: {kind}.{code} has cause, dealer, floor and technician, each a text"
            )


def render_markdown() -> str:
    """Write the catalogue as `docs/errors.md`."""
    lines = [
        "# Error catalogue",
        "",
        "Every code that the table gives, what it means and what each person does. Written from",
        "`controller/web/wording/errors.toml` by `python -m controller.web.wording.error_catalogue`; the page shows",
        "the dealer's sentence with the refusal or notice. Codes are stable: none is renamed or given another meaning.",
    ]
    for kind, (title, about) in HEADING_BY_KIND.items():
        lines += [
            "",
            f"## {title}",
            "",
            about,
            "",
            "| code | cause | dealer | floor | technician |",
            "|---|---|---|---|---|",
        ]
        entries = (entry for entry in load_catalogue().values() if entry.kind == kind)
        for entry in sorted(entries, key=lambda entry: entry.code):
            lines.append(
                f"| `{entry.code}`{_describe_class(entry)} | {entry.cause} | {entry.dealer_advice} | "
                f"{entry.floor_advice} | {entry.technician_advice} |"
            )
    return "\n".join(lines) + "\n"


def _describe_class(entry: CatalogueEntry) -> str:
    return "" if entry.class_name in ("", entry.code) else f", now `{entry.class_name}`"


if __name__ == "__main__":
    sys.stdout.write(render_markdown())
