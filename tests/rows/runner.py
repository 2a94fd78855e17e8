"""Runs the tests of rows with something broken: collected once, each run in a process that is forked from there."""

import contextlib
import functools
import gc
import importlib
import inspect
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest

from config import rulebook_file, toml_file
from controller.core.values.value import replace
from tests.rows.mutations import ROOT, AnswerChange, Change, TextChange

MAX_CPU_S, MAX_WALL_S = 60, 240.0
"""What a run of one row's tests may take."""

MAX_MEMORY_BYTES = 6 << 30
OPTIONS = ["-q", "-q", "-m", "not slow and not elsewhere", "-p", "no:cacheprovider", "-p", "no:xdist"]
OPTIONS += ["-p", "no:schemathesis", "--hypothesis-seed=0", "--rootdir", str(ROOT)]


@dataclass
class Outcome:
    """What came of a run: the tests that passed, with seconds and the books they were played under; one that failed."""

    passed: dict[str, float] = field(default_factory=dict)
    books: dict[str, list[str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    error: str = ""


class Runner:
    """Tests that are collected, to be run with a change or without."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session
        self._caches = list_caches()
        gc.freeze()
        self._capture = session.config.pluginmanager.get_plugin("capturemanager")
        self.items = {item.nodeid: item for item in session.items}

    def let_out(self) -> contextlib.AbstractContextManager[None]:
        """Let what is printed meanwhile out, which pytest would keep."""
        assert self._capture is not None
        found: contextlib.AbstractContextManager[None] = self._capture.global_and_fixture_disabled()
        return found

    def find_items(self, tests: Iterable[str]) -> list[str]:
        """The collected tests that a row counts, by their ids; `tests` as `list_tests` has them."""
        found: dict[str, None] = {}
        for test in tests:
            file, _, name = test.partition("::")
            for id_ in self.items:
                if id_.startswith(f"tests/{file}::") and is_named(id_.removeprefix(f"tests/{file}::"), name):
                    found[id_] = None
        return list(found)

    def run(self, ids: Sequence[str], change: Change | None, *, to_the_end: bool = False) -> Outcome:
        """Run these tests in a child, with the change; the first that fails ends it, unless `to_the_end`."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                self._be_the_child(ids, change, writing, to_the_end=to_the_end)
            except BaseException:
                _write(writing, {"error": traceback.format_exc()})
            finally:
                os._exit(0)
        os.close(writing)
        try:
            data = _read(reading, MAX_WALL_S)
        finally:
            os.close(reading)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
        if not data:
            return Outcome(failed=[f"{ids[0]}: it does not end"])
        return Outcome(**json.loads(data))

    def _be_the_child(self, ids: Sequence[str], change: Change | None, output: int, *, to_the_end: bool) -> None:
        os.setsid()
        say_nothing()
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S * (20 if to_the_end else 1),) * 2)
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
        for cache in self._caches:
            cache.cache_clear()
        if change is not None:
            apply_change(change)
        observer = _Observer(self._session, stops=not to_the_end)
        manager = self._session.config.pluginmanager
        for name in ("terminalreporter", "faulthandler"):
            if plugin := manager.get_plugin(name):
                manager.unregister(plugin)
        manager.register(observer)
        items = [self.items[id_] for id_ in ids]
        for item, following in zip(items, [*items[1:], None], strict=True):
            observer.begin()
            self._session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if observer.is_over:
                break
        files = sorted({id_.partition("::")[0] for id_ in ids if ".py::" in id_})
        if change is not None and not observer.outcome.failed and files:
            self._run_afresh([id_ for id_ in ids if ".py::" in id_], files, observer)
        _write(output, vars(observer.outcome))

    def _run_afresh(self, ids: Sequence[str], files: Sequence[str], observer: "_Observer") -> None:
        """Import the files of tests once more and run these: what a file reads as it is imported may be changed."""
        own = (__name__.rpartition(".")[0], "tests.conftest")
        for name in [name for name in sys.modules if name.startswith("tests.") and not name.startswith(own)]:
            del sys.modules[name]
        observer.selects = frozenset(ids)
        say_nothing()  # the capturing of the tests before has put back what was there
        pytest.main([*OPTIONS, *(str(ROOT / file) for file in files)], plugins=[observer])


def say_nothing() -> None:
    """Let this process read nothing and be heard by nobody."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for target in (0, 1, 2):
        os.dup2(nothing, target)


class _Observer:
    """Notes how each test ended, how long it took, and which books were loaded in it."""

    def __init__(self, session: pytest.Session, *, stops: bool) -> None:
        self.outcome = Outcome()
        self._session, self._stops = session, stops
        self.selects: frozenset[str] = frozenset()
        self._begun = 0.0
        self._books: set[str] = set()
        load = rulebook_file._load_cached

        def load_and_note(name: str, library: Any) -> Any:  # noqa: ANN401 (as it is)
            self._books.add(name)
            return load(name, library)

        rulebook_file._load_cached = load_and_note  # type: ignore[assignment]

    @property
    def is_over(self) -> bool:
        return self._stops and bool(self.outcome.failed)

    def begin(self) -> None:
        """A test begins: what an earlier one had read is read again."""
        if played := sys.modules.get("tests.notation.collector"):
            played.PLAYED.clear()
        self._books.clear()
        self._begun = time.process_time()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave only the tests that are asked for."""
        items[:] = [item for item in items if item.nodeid in self.selects]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be imported any more."""
        if report.failed:
            self.outcome.failed.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what came of a test."""
        id_ = report.nodeid
        if report.failed and id_ not in self.outcome.failed:
            self.outcome.failed.append(id_)
            self.outcome.passed.pop(id_, None)
        elif report.when == "call" and report.passed:
            self.outcome.passed[id_] = round(time.process_time() - self._begun, 4)
        self.outcome.books[id_] = sorted(self._books)


def is_named(inside: str, name: str) -> bool:
    """Whether a test of a file (`TestClass::test_it[case]`, `A sentence[case]`) is the one of this name, or in it."""
    if name == "(module)":
        return True
    parts = inside.split("::") if "[" not in inside else [*inside.partition("[")[0].split("::")]
    return name in parts or inside.rpartition("[")[0] == name or inside == name


def list_caches() -> "list[functools._lru_cache_wrapper[Any]]":
    """What keeps what the project has read: it is emptied where a change must be read."""
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, functools._lru_cache_wrapper)
        and str(each.__module__).partition(".")[0] in ("config", "controller", "room")
    ]


def apply_change(change: Change) -> None:
    """Break this process: an answer of a book, a text that is read from a file, or code."""
    if isinstance(change, AnswerChange):
        apply_answer(change)
    elif change.file.endswith(".py"):
        apply_code(change)
    else:
        apply_text(change)


def apply_answer(change: AnswerChange) -> None:
    """Let these books answer otherwise, their clauses as they are, or by another clause."""
    load = rulebook_file._load_cached

    @functools.cache
    def load_changed(name: str, library: Any) -> Any:  # noqa: ANN401 (as it is)
        book = load(name, library)
        if name not in change.books:
            return book
        if change.answer is not None:
            return rulebook_file.apply_house_answers(book, {change.key: change.answer})
        section, *form, field = change.key.split(".")
        field = field.replace("-", "_")
        whole: Any = getattr(book, section)
        rules = whole[form[0]] if form else whole
        rules = replace(rules, **{field: replace(getattr(rules, field), cite=("another",), clause="another clause")})
        changed: Any = {section: {**whole, form[0]: rules} if form else rules}
        return replace(book, **changed)

    rulebook_file._load_cached = load_changed


def apply_text(change: TextChange) -> None:
    """Let a file of the configuration be read as if it had the change."""
    original = (ROOT / change.file).read_text(encoding="utf-8")
    changed = original.replace(change.before, change.after)
    assert changed != original, change
    tomli = toml_file.__dict__["tomli"]

    def loads(text: str) -> Any:  # noqa: ANN401 (as it is)
        return tomli.loads(changed if text == original else text)

    toml_file.__dict__["tomli"] = SimpleNamespace(loads=loads, TOMLDecodeError=tomli.TOMLDecodeError)


def apply_code(change: TextChange) -> None:
    """Give each function of a module whose code the change alters its other code, whoever has imported it.

    What runs as the module is imported stays as it was: such a place cannot be broken so. Raises `ValueError` there.
    """
    original = (ROOT / change.file).read_text(encoding="utf-8")
    module = importlib.import_module(change.file.removesuffix(".py").replace("/", "."))
    before, after = (list_code(text, change.file) for text in (original, original.replace(change.before, change.after)))
    functions = list_functions(module)
    names = [name for name in after if not _is_same(before.get(name), after[name])]
    changed = [name for name in names if name in functions]
    if not changed:
        raise ValueError(f"{change.file}: no function has {change.before!r}")
    for name in changed:
        functions[name].__code__ = after[name]


def list_code(text: str, file: str) -> dict[str, CodeType]:
    """The code of each function and method of a module that lies in no other function, by its qualified name."""
    found: dict[str, CodeType] = {}

    def look(code: CodeType) -> None:
        for each in code.co_consts:
            if isinstance(each, CodeType) and "<locals>" not in each.co_qualname:
                found[each.co_qualname] = each
                look(each)

    look(compile(text, str(ROOT / file), "exec", dont_inherit=True))
    return found


def _is_same(before: CodeType | None, after: CodeType) -> bool:
    """Whether two codes do the same, wherever they stand in their file."""
    return before is not None and _shape(before) == _shape(after)


def _shape(code: CodeType) -> tuple[object, ...]:
    constants = tuple(_shape(each) if isinstance(each, CodeType) else (type(each), each) for each in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


def list_functions(module: ModuleType) -> Mapping[str, FunctionType]:
    """The functions and methods that a module defines, unwrapped, by their qualified names."""
    found: dict[str, FunctionType] = {}

    def look(holder: object) -> None:
        for each in list(vars(holder).values()):
            for function in _unwrap(each):
                if function.__module__ == module.__name__:
                    found.setdefault(function.__qualname__, function)
            if inspect.isclass(each) and each.__module__ == module.__name__ and each is not holder:
                look(each)

    look(module)
    return found


def _unwrap(each: object) -> Iterable[FunctionType]:
    parts: list[object] = [each.fget, each.fset] if isinstance(each, property) else [getattr(each, "__func__", each)]
    if isinstance(each, functools.cached_property):
        parts = [each.func]
    for part in parts:
        plain = inspect.unwrap(part) if callable(part) else part
        if isinstance(plain, FunctionType):
            yield plain


def _write(output: int, answer: Mapping[str, object]) -> None:
    data = memoryview(json.dumps(answer).encode() + b"\n")
    while data:
        data = data[os.write(output, data) :]


def _read(source: int, limit_s: float) -> bytes:
    received = bytearray()
    deadline = time.monotonic() + limit_s
    while not received.endswith(b"\n"):
        ready, _, _ = select.select([source], [], [], max(0.0, deadline - time.monotonic()))
        piece = os.read(source, 1 << 20) if ready else b""
        if not piece:
            return b""
        received += piece
    return bytes(received)


def run_with_items(files: Sequence[str], work: Callable[[Runner], None]) -> None:
    """Collect the quick tests of these files, and do the work with them."""

    class Loop:
        """Does the work where pytest would run the tests."""

        def pytest_runtestloop(self, session: pytest.Session) -> bool:
            """Stand in for running them."""
            if session.testsfailed:
                raise session.Failed(f"{session.testsfailed} files cannot be collected")
            work(Runner(session))
            return True

    status = pytest.main([*OPTIONS, *(str(Path("tests") / file) for file in files)], plugins=[Loop()])
    if status not in (0, 5):
        raise RuntimeError(f"the tests of the rows cannot be collected: status {int(status)}")
