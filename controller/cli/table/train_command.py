"""`tablectl train`: the dealers' school at a terminal."""

import argparse
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

from controller.app.training.played_lesson import (
    LessonNotFoundError,
    LessonQuestion,
    PlayedLesson,
    list_lessons,
    play_lesson,
)
from controller.command_table import Command, Option
from controller.web.wording.step_instructions import format_label

STOP_ANSWER = "!"

Prompt = Callable[[str], str]


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused."""
    book = options.rulebook
    try:
        there = {lesson.name: lesson for lesson in list_lessons(book)}
        wanted = options.lessons or [name for name, each in there.items() if options.about in f"{name} {each.title}"]
        if options.list:
            for name in wanted:
                print(name, there[name].title if name in there else "", sep="\t")
            return 0
        courses = [play_lesson(name, book) for name in wanted]
    except LessonNotFoundError as why:
        print(f"tablectl train: {why}")
        return 1
    if not courses:
        print(f"tablectl train: no lesson is about {options.about!r}; `tablectl train --list` names them")
        return 1
    if options.shuffle is not None:
        courses.sort(key=lambda each: hashlib.sha256(f"{options.shuffle} {each.lesson}".encode()).digest())
    try:
        return teach_lessons(courses, input)
    except (EOFError, KeyboardInterrupt):
        print("\nLeft.")
        return 0


def teach_lessons(courses: Sequence[PlayedLesson], ask: Prompt) -> int:
    """Go through lessons, asking a person, and print how many of three points each clause brought."""
    points: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    print(f"Enter goes on; {STOP_ANSWER} and Enter stops the table when something is amiss.")
    for number, each in enumerate(courses, start=1):
        print(f"\nLesson {number} of {len(courses)}: {each.game}, {each.book}")
        points[each.clause] += _teach_lesson(each, ask)
        asked[each.clause] += 3
    print("\nClause, points of those that there were")
    for clause in sorted(asked):
        print(f"  {clause:24} {points[clause]} of {asked[clause]}")
    return 0


def _teach_lesson(lesson: PlayedLesson, ask: Prompt) -> int:
    """Go through one lesson; return how many points it brought: spotted, named, ruled."""
    spotted = False
    for moment in lesson.moments:
        while True:
            told = ". ".join(filter(None, (moment.description, moment.observation)))
            stopped = ask(f"  {told} ").strip() == STOP_ANSWER
            if not stopped or moment.wrong:
                break
            print("  Nothing is amiss; go on.")
        spotted = spotted or (stopped and moment.wrong)
    if not spotted:
        print("  You went on, and something was amiss.")
    named = _ask_question(lesson.kind_question, ask)
    ruled = _ask_question(lesson.ruling_question, ask)
    for ruling in lesson.rulings:
        print(
            f"  {format_label(ruling['finding'])}: {format_label(ruling['verdict'])} [{', '.join(ruling['cite'])}] "
            f"{ruling['text']}"
        )
    for step in lesson.remedy_steps:
        print(f"    - {step}")
    return spotted + named + ruled


def _ask_question(question: LessonQuestion, ask: Prompt) -> bool:
    print(f"  {question.text}")
    for number, answer in enumerate(question.answers, start=1):
        print(f"    {number}  {answer}")
    while True:
        said = ask(f"  1 to {len(question.answers)}: ").strip()
        if said.isdecimal() and 1 <= int(said) <= len(question.answers):
            break
        print(f"  Type a number from 1 to {len(question.answers)}.")
    right = int(said) - 1 == question.right_index
    print("  Right." if right else f"  No: {question.answers[question.right_index]}")
    return right


COMMAND = Command(
    "train",
    "The dealers' school: deal a hand step by step, say Stop when something is amiss, name it, and say "
    "what the rulebook wants. The table's own rules judge. Nothing hurries you, and nothing goes wrong but what "
    "the lesson is about. docs/training.md",
    Option("lessons LESSON", "which (default: all; --list names them)", nargs="*"),
    Option("--rulebook BOOK", "by which book (default: roberts-7)", default="roberts-7"),
    Option("--about TEXT", "only lessons about this, as `boxed` or `card`", default=""),
    Option("--shuffle SEED", "in an order that SEED makes, so that nobody knows what comes", int),
    Option("--list", "name the lessons of the book and end", flag=True),
    run=run,
)
