"""Writes docs/reports.md: every report of a dealer, from its terms and from the first words of its finding."""

from pathlib import Path

from controller.core.engine.handlers.report_handlers import FINDING_BY_REPORT_KIND
from controller.core.protocol.vocabulary import ReportKind

PAGE = Path(__file__).parents[2] / "docs" / "reports.md"
HEAD = """# Reports

What a dealer can report, with the keys that each report uses besides `what` and `t` (in a script `witnessed`, too); any
other is refused.
Written by `make commands` from what the program knows of each; a test holds it to that.
[The table script](table-script.md) says what the keys mean, `tablectl rules explain` what every rulebook answers.

| `what` | keys | what was found | decided by | when |
|---|---|---|---|---|
"""


def page() -> str:
    """The page: a row a report."""
    return HEAD + "".join(_format_row(kind) for kind in ReportKind)


def _format_row(kind: ReportKind) -> str:
    finding, terms = FINDING_BY_REPORT_KIND.get(kind), kind.terms
    said = "It answers what the table asked." if finding is None else str(finding.rule_on.__doc__)
    found = " ".join(said.partition("\n\n")[0].partition("; raises ")[0].rstrip(".").split())
    keys, decided = (", ".join(f"`{name}`" for name in names) for names in (terms.keys, terms.decided_by))
    when = "between hands too" if terms.between_hands else "in a hand"
    where = ", an empty chair too" if terms.empty_seat else ""
    return f"| `{kind.value}` | {keys} | {found} | {decided} | {when}{where} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
