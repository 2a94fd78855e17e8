"""Two rulebooks side by side as a page to print: one HTML file that needs nothing else, laid out for A4."""

from collections.abc import Iterable
from html import escape
from itertools import groupby

from controller.cli.rules.rulebook_comparison import (
    FALLBACK_QUESTION,
    SUBJECT_BY_TABLE,
    BookAnswer,
    ComparedQuestion,
    format_fallbacks,
)
from controller.core.rules.rulebook import Rulebook

PAGE_STYLE = """
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


def render_page(first: Rulebook, second: Rulebook, questions: Iterable[ComparedQuestion], *, everything: bool) -> str:
    """Both books' answers, as HTML: where they differ, or to all `questions` with `everything`."""
    asked = list(questions)
    differing = [each for each in asked if each.is_different]
    one_sided = [each for each in asked if each.first is None or each.second is None]
    shown = asked if everything else differing
    title = f"{escape(first.title)} and {escape(second.title)}"
    said = f"{len(differing)} of the {len(asked) - len(one_sided)} questions that both answer are answered differently"
    rows = [
        f"<section><h2>{escape(SUBJECT_BY_TABLE[subject])}</h2>"
        f"{_render_table(first, second, _merge_forms(list(some)))}</section>"
        for subject, some in groupby(shown, key=lambda each: each.subject)
    ]
    kinds = (
        ""
        if everything
        else "".join(f"<p>{escape(line)}</p>" for line in list_one_sided_tables(first, second, one_sided))
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>\n{PAGE_STYLE}\n</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
        f"<p>{said}{'; all are listed' if everything else ''}. In our words, each with its clause; the printed "
        f"rulebooks decide.</p>\n<p>{escape(FALLBACK_QUESTION)} <b>{escape(first.name)}</b>: "
        f"{escape(format_fallbacks(first))}. "
        f"<b>{escape(second.name)}</b>: {escape(format_fallbacks(second))}.</p>\n</header>\n"
        + "\n".join(rows)
        + f"\n{kinds}</body>\n</html>\n"
    )


def list_one_sided_tables(first: Rulebook, second: Rulebook, questions: Iterable[ComparedQuestion]) -> list[str]:
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


def _merge_forms(some: list[ComparedQuestion]) -> list[tuple[ComparedQuestion, list[str]]]:
    """Questions that are asked once for each kind of game, together where both books answer alike for several."""
    found: dict[tuple[object, ...], tuple[ComparedQuestion, list[str]]] = {}
    for each in some:
        alike = (each.key.rpartition(".")[2], each.text, each.first, each.second)
        found.setdefault(alike, (each, []))[1].append(each.game_form)
    return list(found.values())


def _render_table(first: Rulebook, second: Rulebook, rows: list[tuple[ComparedQuestion, list[str]]]) -> str:
    head = f'<th scope="col">{escape(first.title)}</th><th scope="col">{escape(second.title)}</th>'
    body = "\n".join(_render_row(each, forms) for each, forms in rows)
    return (
        '<table><colgroup><col class="question"><col><col></colgroup>'
        f'<thead><tr><th scope="col">Question</th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def _render_row(each: ComparedQuestion, forms: list[str]) -> str:
    games = f"{', '.join(forms)}: " if each.game_form else ""
    key = each.key if len(forms) < 2 else f"{each.subject}.….{each.key.rpartition('.')[2]}"
    return (
        f'<tr class="{"differs" if each.is_different else "same"}"><td>{escape(games)}{escape(each.text)}'
        f"<small>{escape(key)}</small></td>{_render_answer(each.first)}{_render_answer(each.second)}</tr>"
    )


def _render_answer(given: BookAnswer | None) -> str:
    if given is None:
        return "<td>–</td>"
    return f"<td><b>{escape(given.value.replace('-', ' '))}</b><small>{escape(given.source)}</small></td>"
