"""pytest's side of the notation: a file of stories is a file of tests, each case of a story is one."""

import copy
import importlib.util
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from tests.notation.autopilot import drive, is_autopilot
from tests.notation.expectations import list_clauses, settle_texts
from tests.notation.stories import ScenarioLine, Script, StoryFile
from tests.notation.words import NotationError

CHECKER_FILE = Path(__file__).parents[1] / "conformance/scenarios/check.py"


class StoryError(AssertionError):
    """A case that comes out differently."""


@cache
def load_checker() -> Any:  # noqa: ANN401 (a module of a delivered file)
    """The checker of the conformance scenarios: what matches, and what must always hold."""
    spec = importlib.util.spec_from_file_location("scenario_checker", CHECKER_FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class StoryPlayer:
    """A table on which lines are played and checked."""

    def __init__(self) -> None:
        """No line is played yet."""
        self.table = Table()
        self.watch = load_checker().Watch(list_clauses())
        self.count = 0
        self.wrong: list[Any] = []

    def fork(self) -> "StoryPlayer":
        """Another that goes on from here."""
        other = copy.copy(self)
        other.table = self.table.copy()
        other.watch = copy.copy(self.watch)
        for name, value in vars(self.watch).items():
            if name not in ("rules", "last"):
                setattr(other.watch, name, copy.copy(value))
        return other

    def play(self, line: ScenarioLine, unwatched: frozenset[str]) -> None:
        """Play a line; raises `StoryError` where its answer is not what it must be, or breaks a watched invariant."""
        self.wrong = []
        if is_autopilot(line.event):
            if stopped := drive(line.event, self._render(), self._play_event):
                self.wrong.append(("the autopilot", "its end", stopped))
            answer = self._render()
        else:
            answer = self._play_event(line.event)
        expect = settle_texts(line.expectation.to_expect(), answer)
        wrong = list(load_checker().mismatches(expect, answer))
        if "error" in answer and "error" not in expect:
            wrong.append(("error", "absent", answer["error"]))
        wrong += [found for found in self.wrong if found[0].partition("[")[0] not in unwatched]
        if wrong:
            told = "".join(f"\n  {path}\n    expected {want}\n    got      {got}" for path, want, got in wrong)
            raise StoryError(f"{line.where}: {line.text}\n{json.dumps(line.event)}{told}")

    def _play_event(self, event: dict[str, Any]) -> dict[str, Any]:
        """Play one event; what invariant its answer breaks is kept."""
        self.count += 1
        answer: dict[str, Any] = json.loads(json.dumps(self._answer(event)))
        self.wrong += self.watch.line(event, answer)
        return answer

    def _render(self) -> dict[str, Any]:
        """The last answer once more."""
        rendered: dict[str, Any] = outcome_rendering.render_outcome(self.table.outcome, self.count)
        return rendered

    def _answer(self, line: dict[str, Any]) -> dict[str, Any]:
        try:
            outcome = self.table.handle(parse_table_line(line) if line["ev"] == "table" else parse_line(line))
        except Refused as error:
            if self.count == 1:
                return outcome_rendering.render_missing_table(self.count, error)
            return outcome_rendering.render_outcome(self.table.outcome, self.count, error)
        return outcome_rendering.render_outcome(outcome, self.count)


PLAYED: dict[str, StoryPlayer] = {}
"""Players after the beginnings that stories share, by all that was played and expected."""


def play_script(script: Script) -> None:
    """Play a script, from the longest beginning on that was played already."""
    player, done = StoryPlayer(), 0
    keys = {count: json.dumps([line.scenario_line for line in script.lines[:count]]) for count in script.shared}
    for count in reversed(script.shared):
        # Where a run notes which lines each test takes, each plays its beginning itself.
        if keys[count] in PLAYED and "coverage" not in sys.modules:
            player, done = PLAYED[keys[count]].fork(), count
            break
    for number, line in enumerate(script.lines[done:], start=done + 1):
        player.play(line, script.unwatched)
        if number in keys:
            PLAYED[keys[number]] = player.fork()


class StoryItem(pytest.Item):
    """A case of a story."""

    def __init__(self, *, scripts: list[Script], **keys: Any) -> None:  # noqa: ANN401 (what pytest gives)
        """Keep the scripts of the case."""
        super().__init__(**keys)
        self.scripts = scripts

    def runtest(self) -> None:
        """Play each table of the case."""
        for script in self.scripts:
            play_script(script)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """Say the line of the notation, and no stack where the story is simply not so."""
        return str(excinfo.value) if excinfo.errisinstance(StoryError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case stands."""
        return self.path, None, self.name


class StoryCollector(pytest.File):
    """A file of stories."""

    def collect(self) -> Iterator[StoryItem]:
        """Each case of each story; a file of beginnings has none."""
        try:
            for name, scripts in StoryFile(self.path).cases:
                yield StoryItem.from_parent(self, name=name, scripts=scripts)
        except NotationError as error:
            raise self.CollectError(str(error)) from error
