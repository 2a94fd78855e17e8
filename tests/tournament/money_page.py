"""Reads the tables of `docs/tournament-money.md`, which were reckoned by hand."""

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "tournament-money.md"

Amounts = dict[tuple[str, ...], int]


def read_amounts(title: str) -> list[Amounts]:
    """The tables below a heading, each as cents (or hundredths of a point) by the cells before "by hand"."""
    section = PAGE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    found: list[Amounts] = []
    for block in section.split("\n\n"):
        if not block.startswith("|"):
            continue
        head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines())
        keys, amounts = head.index("by hand"), Amounts()
        for row in rows:
            key = tuple(row[:keys])
            while key in amounts:  # who ties with one before
                key += ("tied",)
            amounts[key] = round(float(row[-1].replace(",", "")) * 100)
        found.append(amounts)
    return found
