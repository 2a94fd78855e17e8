"""Every code that the packages can give has an entry, every entry a code; page and document say the same."""

import ast
from collections.abc import Iterator
from pathlib import Path

from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal.entry_result import INTERNAL_FAULT_CODE
from controller.runtime.staff import admission
from controller.web.wording.error_catalogue import HEADING_BY_KIND, load_catalogue, render_markdown

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "config", "drivers", "firmware_bridge")

NEVER_SHOWN = {
    "TableError", "DeviceError", "PortError",
    "AdmissionError", "BadRecordError", "CommandError", "ConformanceError", "IrregularHandError", "LessonNotFoundError",
    "NotRepresentableError", "ReadBusyError", "RequestRefusedError", "StandInClashError", "UndeclaredRouteError",
    "UndeclaredMoveError", "UndeclaredTransitionError",
    "BatchError", "FetchRefusedError", "JournalUnreadableError", "MessageFormatError", "RepeatedKeyError",
    "TableNameError",
}  # fmt: skip
"""Base classes, of which only what is below them is raised; and what its caller catches and says in its own words."""


def trees(having: str) -> Iterator[ast.Module]:
    """Every file of the packages that has this text in it, parsed."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if having in text:
                yield ast.parse(text, str(path))


def codes_of_refusals() -> set[str]:
    found: set[str] = set()
    for tree in trees("Refused("):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                code = node.args[0]
                if isinstance(code, ast.Name) and code.id == "INTERNAL_FAULT_CODE":
                    found.add(INTERNAL_FAULT_CODE)
                    continue
                assert isinstance(code, ast.Constant), f"a code that is no literal: {ast.unparse(node)}"
                found.add(str(code.value))
    return found


def classes_of_errors() -> set[str]:
    """The public exceptions with which a command ends: those whose base is an exception by name."""
    return {
        node.name
        for tree in trees("Error(")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and not node.name.startswith("_")
        and node.name.endswith("Error")
        and any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
    }


def entries(kind: str) -> set[str]:
    return {code for of, code in load_catalogue() if of == kind}


def test_every_refusal_has_an_entry_and_every_entry_a_refusal() -> None:
    assert entries("refusal") == codes_of_refusals()


def test_every_answer_of_the_page_has_an_entry_and_every_entry_an_answer() -> None:
    assert entries("page") == {code.value for code in admission.RefusalCode}


def test_every_notice_has_an_entry_and_every_entry_a_notice() -> None:
    assert entries("notice") == {code.value for code in NoticeCode}


def test_every_fault_has_an_entry_and_every_entry_a_fault() -> None:
    assert entries("fault") == set(FAULTS)


def test_every_error_class_has_an_entry_and_every_entry_a_class() -> None:
    named = {entry.class_name for (kind, _), entry in load_catalogue().items() if kind == "error"}
    assert named == classes_of_errors() - NEVER_SHOWN


def test_a_class_that_got_another_name_kept_its_code() -> None:
    renamed = {code: entry.class_name for (_, code), entry in load_catalogue().items() if entry.class_name != code}
    assert {code: name for code, name in renamed.items() if name} == {
        "RecordError": "CaptureError", "EventError": "TournamentError",
        "SetUpError": "UpkeepError",
    }  # fmt: skip
    assert "| `RecordError`, now `CaptureError` |" in render_markdown()


def test_every_entry_says_something_to_everybody() -> None:
    assert {kind for kind, _ in load_catalogue()} == set(HEADING_BY_KIND)
    for entry in load_catalogue().values():
        for text in (entry.cause, entry.dealer_advice, entry.floor_advice, entry.technician_advice):
            assert text.endswith("."), entry
            assert "|" not in text, "it would break the table of the document"
            assert len(text) < 160, f"too long for the page: {entry.code}"


def test_the_document_is_the_catalogue() -> None:
    written = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert written == render_markdown(), "run: python -m controller.web.wording.error_catalogue > docs/errors.md"


def test_a_code_nobody_knows_has_no_sentence() -> None:
    assert load_catalogue()["refusal", "not-now"].dealer_advice == "Do what the large line says."
