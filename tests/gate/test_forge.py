"""What a forge runs and asks: the same `make test`, pinned actions, no secret, and forms that name what exists."""

import re
from pathlib import Path

import pytest

from tests.docs.test_commands_and_links import CALL, wrong

ROOT = Path(__file__).parents[2]
FORGE = ROOT / ".github"
WORKFLOW = (FORGE / "workflows" / "test.yml").read_text(encoding="utf-8")
FORMS = (FORGE / "pull_request_template.md", *sorted((FORGE / "ISSUE_TEMPLATE").glob("*.md")))
POLICIES = (ROOT / "SECURITY.md", ROOT / "CODE_OF_CONDUCT.md")


def test_the_forge_runs_what_a_developer_runs() -> None:
    assert "run: make test\n" in WORKFLOW
    assert re.findall(r"(?:run: | )(make [^\s]+)$", WORKFLOW, re.MULTILINE) == [
        "make .venv/.ready-ci",
        "make test",
        "make test-long",
    ]


def test_every_action_is_pinned_by_its_commit() -> None:
    used = re.findall(r"uses: (\S+)", WORKFLOW)
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)] == []


def test_the_workflow_reads_and_nothing_else() -> None:
    assert "permissions:\n  contents: read\n" in WORKFLOW
    assert "secrets" not in WORKFLOW
    assert "https://" not in WORKFLOW


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_names_commands_and_files_that_exist(form: Path) -> None:
    text = form.read_text(encoding="utf-8")
    calls = [call for code in re.findall(r"`([^`\n]+)`", text) for call in CALL.findall(code)]
    assert [call for call in calls if wrong(call.split())] == []
    named = re.findall(r"\b((?:docs/[\w-]+|[A-Z_]+)\.md)\b", text)
    assert named
    assert [path for path in named if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("policy", POLICIES, ids=lambda path: path.stem)
def test_a_policy_says_where_to_turn_in_private(policy: Path) -> None:
    assert "in private" in policy.read_text(encoding="utf-8")
