"""Every conformance scenario, in-process, by the very rules of the checker that ships beside them."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from controller.cli.table.replay_command import replay_script
from tests.conformance.answers import SCENARIOS as FOLDER
from tests.conformance.answers import digest, list_scripts, name_script, read_record, read_script
from tests.conformance.beside import FOLDERS, LEFT_OUT, find_unknown_folders, findings

SCENARIOS = list_scripts()


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    """The checker, as a module."""
    spec = importlib.util.spec_from_file_location("check", FOLDER / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def clauses(checker: ModuleType) -> set[str]:
    """The ids of the catalogue."""
    return set(checker.known_rules(FOLDER.parent / "rules" / "catalogue.csv"))


@pytest.fixture(scope="module")
def recorded_digests() -> dict[str, str]:
    """The digests of the answers on record."""
    return read_record()


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) >= 237


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: str(path.relative_to(FOLDER).with_suffix("")))
def test_scenario(path: Path, checker: ModuleType, clauses: set[str], recorded_digests: dict[str, str]) -> None:
    events, wants = read_script(path)
    watch = checker.Watch(clauses)
    wrong = []
    answers = list(replay_script(events))
    assert len(answers) == len(events)
    for number, (event, want, answer) in enumerate(zip(events, wants, answers, strict=True), start=1):
        said = json.loads(json.dumps(answer))
        if "error" in said and "error" not in (want or {}):
            wrong.append((number, "error", "absent", said["error"]))
        wrong += [(number, *found) for found in checker.mismatches(want or {}, said)]
        wrong += [(number, *found) for found in watch.line(event, said)]
    assert not wrong
    assert digest(answers) == recorded_digests[name_script(path)], (
        "other answers than on record: tests/conformance/answers.py"
    )


def test_every_scenario_is_on_record_and_nothing_else(recorded_digests: dict[str, str]) -> None:
    assert list(recorded_digests) == [name_script(script) for script in SCENARIOS]


def test_what_contradicts_a_text_is_put_right_in_our_copy(clauses: set[str]) -> None:
    for name, finding in findings().items():
        folder, _, within = name.partition("/")
        ours = FOLDER / ("tda-wsop" if folder == "scenarios-tda-wsop" else "") / within
        assert ours.exists()
        named = finding["clauses"]
        assert isinstance(named, list)
        assert {str(clause) for clause in named} <= {clause.split("#")[0] for clause in clauses} | clauses
        beside = Path(__file__).parents[3] / "shared" / name
        if beside.exists():
            assert beside.read_bytes() != ours.read_bytes()


def test_a_list_without_a_finding_is_empty(tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text("# None at present.\n", encoding="utf-8")
    assert findings(tmp_path / "none.toml") == {}
    one = '[[finding]]\nfile = "scenarios/a.jsonl"\nline = 1\nclauses = ["AU-19.1"]\nwhy = "b"\n'
    (tmp_path / "one.toml").write_text(one, encoding="utf-8")
    assert list(findings(tmp_path / "one.toml")) == ["scenarios/a.jsonl"]


def test_a_folder_of_scenarios_is_run_or_left_out_with_its_reason(tmp_path: Path) -> None:
    for folder in (*FOLDERS, *LEFT_OUT, "scenarios-9/new"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "one.jsonl").touch()
    assert find_unknown_folders(tmp_path) == ["scenarios-9/new/one.jsonl"]
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())
