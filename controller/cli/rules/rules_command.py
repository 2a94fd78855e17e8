"""`tablectl rules`: what the rulebooks say, where they differ, and which of their rules are tested."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from config.rulebook_file import FOLDER, describe_answers, list_rulebooks, load_rulebook
from controller.cli.rules import rule_coverage
from controller.cli.rules.comparison_page import list_one_sided_tables, render_page
from controller.cli.rules.rulebook_comparison import (
    FALLBACK_QUESTION,
    compare_rulebooks,
    format_answer,
    format_fallbacks,
    format_source,
    iter_answers,
)
from controller.command_table import Command, Option
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules.questions.rule import PEOPLE_ONLY
from controller.core.rules.rulebook import RULES_CLASS_BY_FORM_SECTION, RULES_CLASS_BY_SECTION, Rulebook

KEYS_BY_FINDING: Mapping[str, tuple[str, ...]] = {
    **{kind.value: kind.terms.decided_by for kind in ReportKind},
    "absent": ("people.absence-minutes", "people.absent-dealt", "people.absent-pending", "tournament.absent"),
    "acted-behind": ("turns.acted-behind",),
    "card-not-due": ("premature.", "board.", "burns.", "counts."),
    "clock-expired": ("clock.",),
    "count-mismatch": ("deck.missing", "deck.surplus", "deck.counted"),
    "dead-button": ("table.button-cash", "table.button-tournament"),
    "floor": ("floor.",),
    "insufficient-cards": ("upcards.",),
    "left-chips": ("deck.duplicate",),
    "out-of-turn": ("turns.",),
    "sevens": ("lowball.",),
    "short-all-in": ("betting.reopens", "betting.full-wager"),
    "short-blind": ("lowball.",),
    "short-buy-in": ("people.short-buy-in", "people.buy-in"),
}
"""The keys of a rulebook file that decide a finding, by how their dotted names begin."""


def _format_people_note(metadata: Mapping[str, Any]) -> str:
    return "\n    People act on this; the table cannot see it." if PEOPLE_ONLY in metadata else ""


def list_books(options: argparse.Namespace) -> int:  # noqa: ARG001 (one signature for all)
    """One line a book."""
    for name in list_rulebooks():
        book = load_rulebook(name)
        print(f"{name:14} {book.code}  {book.title}; {', '.join(book.games)}")
    return 0


def show_book(options: argparse.Namespace) -> int:
    """All answers of a book, or those of one table or topic."""
    book, topic = load_rulebook(options.book), options.topic
    if topic is None:
        print(f"fallback = {', '.join(each.book for each in book.fallback) or 'none'}")
        print(f"    {FALLBACK_QUESTION}\n    {format_fallbacks(book)}")
    shown = [entry for entry in iter_answers(book) if topic is None or entry[0].startswith(f"{topic}.")]
    for key, rule, metadata in shown:
        asked = f"{metadata['question']} {describe_answers(metadata)}{_format_people_note(metadata)}"
        print(f"{key} = {format_answer(rule, metadata)}\n    {asked}\n    {format_source(rule)}")
    printed = [
        row
        for row in rule_coverage.iter_catalogue_rows()
        if topic is not None and (row.book, row.topic) == (book.code, topic)
    ]
    for row in printed:
        print(f"{row.id} ({row.kind})\n    {row.trigger}\n    {row.remedy}\n    {row.cite}")
    if not shown and not printed:
        tables = ", ".join((*RULES_CLASS_BY_SECTION, *RULES_CLASS_BY_FORM_SECTION))
        topics = ", ".join(sorted({row.topic for row in rule_coverage.iter_catalogue_rows() if row.book == book.code}))
        print(f"tablectl rules: no topic {topic!r}; tables: {tables}; topics: {topics}", file=sys.stderr)
        return 2
    return 0


def print_differences(options: argparse.Namespace) -> int:
    """The questions that two books answer differently, or all of them, as text or as a page to print."""
    first, second = load_rulebook(options.book), load_rulebook(options.other)
    questions = compare_rulebooks(first, second)
    if options.html is not None:
        try:
            options.html.write_text(render_page(first, second, questions, everything=options.all), encoding="utf-8")
        except OSError as why:
            print(f"tablectl rules: {options.html}: cannot be written: {why.strerror}", file=sys.stderr)
            return 2
        return 0
    if first.fallback != second.fallback or options.all:
        print(f"fallback: {FALLBACK_QUESTION}")
        print(f"    {first.name} {format_fallbacks(first)}\n    {second.name} {format_fallbacks(second)}")
    for each in questions:
        if each.first is None or each.second is None or not (each.is_different or options.all):
            continue
        print(f"{each.key}: {each.text}")
        print(f"    {first.name} {each.first.value}: {each.first.source}")
        print(f"    {second.name} {each.second.value}: {each.second.source}")
    for line in list_one_sided_tables(
        first, second, (each for each in questions if each.first is None or each.second is None)
    ):
        print(line)
    return 0


def explain_finding(options: argparse.Namespace) -> int:
    """What every book says to a finding, key by key."""
    asked = {
        key: metadata["question"] for name in list_rulebooks() for key, _, metadata in iter_answers(load_rulebook(name))
    }
    for key in (key for key in asked if key.startswith(KEYS_BY_FINDING[options.finding])):
        print(f"{key}: {asked[key]}")
        for name in list_rulebooks():
            for found, rule, metadata in iter_answers(load_rulebook(name)):
                if found == key:
                    print(f"    {name} {format_answer(rule, metadata)}: {format_source(rule)}")
    return 0


def print_coverage(options: argparse.Namespace) -> int:
    """The count by book, then what is missing; 1 when a row has neither a test nor a reason."""
    if not options.tests.is_dir() or not options.table.is_file():
        print(f"tablectl rules: coverage needs a checkout: {options.tests} and {options.table}", file=sys.stderr)
        return 2
    try:
        found = rule_coverage.measure_coverage(options.tests, options.table)
    except (ValueError, SyntaxError) as error:
        print(f"tablectl rules: {error}", file=sys.stderr)
        return 2
    if options.rows:
        _print_rows(found)
    counts = {load_rulebook(name).code: found.count(load_rulebook(name).code) for name in list_rulebooks()}
    head = next(iter(counts.values()))
    print(f"{'book':6}" + "".join(f"{column:>13}" for column in head))
    for code, count in counts.items():
        print(f"{code:6}" + "".join(f"{number:13}" for number in count.values()))
    print(f"{'all':6}" + "".join(f"{sum(count[column] for count in counts.values()):13}" for column in head))
    for name in list_rulebooks():
        _print_defaults(load_rulebook(name), shows_keys=options.rows)
    for row in found.missing_rows:
        print(f"missing: {row.id} ({row.topic}, {row.kind}): {row.trigger}")
    for row in found.stale_rows:
        print(f"tested, and a reason why not: {row.id} ({', '.join(found.tests_by_id[row.id])})")
    for name in found.unknown_ids:
        print(f"no id of the catalogue: {name}")
    return int(bool(found.missing_rows or found.stale_rows or found.unknown_ids))


def _print_defaults(book: Rulebook, *, shows_keys: bool) -> None:
    """How much of a book comes from its fallbacks, and what."""
    answers = list(iter_answers(book))
    defaults = [(key, rule) for key, rule, _ in answers if rule.by_default]
    print(f"{book.name}: {len(defaults)} of {len(answers)} answers by default")
    for key, rule in defaults if shows_keys else ():
        print(f"    {key}: {format_source(rule)}")


def _print_rows(found: rule_coverage.RuleCoverage) -> None:
    for row in found.rows:
        tests = ", ".join(found.tests_by_id.get(row.id, ()))
        print(f"{row.id}: {tests or found.reason_by_id.get(row.id, 'missing')}")


COMMAND = Command(
    "rules",
    "Shows the rulebooks as the controller reads them: every answer with the clause that gives it.",
    Command(
        "list",
        "the rulebooks",
        description="Names each rulebook, the code that its clauses carry, its title and its games.",
        run=list_books,
    ),
    Command(
        "show",
        "all answers of a book, or those on one topic, with the catalogue's rows",
        Option("book BOOK", ", ".join(list_rulebooks()), choices=list_rulebooks),
        Option("topic TOPIC", "a table of the file, or a topic of the catalogue", nargs="?"),
        description="Prints every answer of a rulebook with its question, what else could be answered, and the "
        "clause. On a topic of the catalogue it also prints the rules.",
        run=show_book,
    ),
    Command(
        "diff",
        "the questions that two books answer differently",
        Option("book BOOK", ", ".join(list_rulebooks()), choices=list_rulebooks),
        Option("other BOOK", "another of them", choices=list_rulebooks),
        Option("--all", "also what both answer alike", flag=True),
        Option("--html FILE", "write a page for A4 paper", Path),
        description="Prints each question that two rulebooks answer differently, with both answers and their clauses, "
        "by subject; or writes a page to print.",
        run=print_differences,
    ),
    Command(
        "explain",
        "what every book says to a finding",
        Option("finding FINDING", ", ".join(sorted(KEYS_BY_FINDING)), choices=sorted(KEYS_BY_FINDING)),
        description="Prints the questions that decide what is done about a finding, and every book's answers.",
        run=explain_finding,
    ),
    Command(
        "coverage",
        "the rows of the catalogue, their tests, or why they have none",
        Option("--tests", "the folder of the tests", Path, default=FOLDER.parent.parent / "tests"),
        Option("--table", "the rows without a test", Path, default=FOLDER.parent.parent / "docs" / "coverage.csv"),
        Option("--rows", "also list every row, and every answer by default", flag=True),
        description="Counts, book by book, the rows of the catalogue that have a test or a reason why they have none. "
        "Counts too, of each rulebook, the answers that come by default: what it is silent about. Needs a checkout.",
        run=print_coverage,
    ),
    title="what to show",
    metavar="WHAT",
)
