"""Two rulebooks side by side as a page to print: one HTML file that needs nothing else, laid out for A4."""

from collections.abc import Iterable
from html import escape
from itertools import groupby

from controller.cli.rules.comparison import FALLBACK, SUBJECTS, Given, Question, fallbacks
from controller.core.rules.rulebook import Rulebook

STYLE = """
@page { size: A4; margin: 14mm 12mm 16mm; }
@page { @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
body { font: 9.5pt/1.3 "DejaVu Sans", "Noto Sans", Verdana, sans-serif; color: #000; background: #fff; }
body { max-width: 186mm; margin: 0 auto; }
h1 { font-size: 15pt; margin: 0 0 2mm; }
h2 { font-size: 11.5pt; margin: 5mm 0 1mm; break-after: avoid; }
p { margin: 0 0 1.5mm; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
thead { display: table-header-group; }
th, td { text-align: left; vertical-align: top; padding: 1mm 1.5mm; border: .25mm solid #777; overflow-wrap: anywhere; }
th { background: #eee; }
tr { break-inside: avoid; }
col.question { width: 36%; }
small { display: block; font-size: 7.5pt; color: #333; }
td b { display: block; }
tr.same td { color: #333; }
tr.same b { font-weight: 400; }
""".strip()


def page(first: Rulebook, second: Rulebook, questions: Iterable[Question], *, everything: bool) -> str:
    """Both books' answers, as HTML: where they differ, or to all `questions` with `everything`."""
    asked = list(questions)
    differing = [each for each in asked if each.differs]
    one_sided = [each for each in asked if each.first is None or each.second is None]
    shown = asked if everything else differing
    title = f"{escape(first.title)} and {escape(second.title)}"
    said = f"{len(differing)} of the {len(asked) - len(one_sided)} questions that both answer are answered differently"
    rows = [
        f"<section><h2>{escape(SUBJECTS[subject])}</h2>{_table(first, second, _merged(list(some)))}</section>"
        for subject, some in groupby(shown, key=lambda each: each.subject)
    ]
    kinds = "" if everything else "".join(f"<p>{escape(line)}</p>" for line in only(first, second, one_sided))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
        f"<p>{said}{'; all are listed' if everything else ''}. In our words, each with its clause; the printed "
        f"rulebooks decide.</p>\n<p>{escape(FALLBACK)} <b>{escape(first.name)}</b>: {escape(fallbacks(first))}. "
        f"<b>{escape(second.name)}</b>: {escape(fallbacks(second))}.</p>\n</header>\n"
        + "\n".join(rows)
        + f"\n{kinds}</body>\n</html>\n"
    )


def only(first: Rulebook, second: Rulebook, questions: Iterable[Question]) -> list[str]:
    """Which tables of its file only one of the books has, having other games."""
    found = []
    some = list(questions)
    for book, of_it in (
        (first, [each for each in some if each.second is None]),
        (second, [each for each in some if each.first is None]),
    ):
        tables = sorted({each.key.rpartition(".")[0] for each in of_it})
        if tables:
            found.append(f"only {book.name} has {', '.join(tables)}")
    return found


def _merged(some: list[Question]) -> list[tuple[Question, list[str]]]:
    """Questions that are asked once for each kind of game, together where both books answer alike for several."""
    found: dict[tuple[object, ...], tuple[Question, list[str]]] = {}
    for each in some:
        alike = (each.key.rpartition(".")[2], each.text, each.first, each.second)
        found.setdefault(alike, (each, []))[1].append(each.form)
    return list(found.values())


def _table(first: Rulebook, second: Rulebook, rows: list[tuple[Question, list[str]]]) -> str:
    head = f'<th scope="col">{escape(first.title)}</th><th scope="col">{escape(second.title)}</th>'
    body = "\n".join(_row(each, forms) for each, forms in rows)
    return (
        '<table><colgroup><col class="question"><col><col></colgroup>'
        f'<thead><tr><th scope="col">Question</th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def _row(each: Question, forms: list[str]) -> str:
    games = f"{', '.join(forms)}: " if each.form else ""
    key = each.key if len(forms) < 2 else f"{each.subject}.….{each.key.rpartition('.')[2]}"
    return (
        f'<tr class="{"differs" if each.differs else "same"}"><td>{escape(games)}{escape(each.text)}'
        f"<small>{escape(key)}</small></td>{_given(each.first)}{_given(each.second)}</tr>"
    )


def _given(given: Given | None) -> str:
    if given is None:
        return "<td>–</td>"
    return f"<td><b>{escape(given.word.replace('-', ' '))}</b><small>{escape(given.source)}</small></td>"
