"""The pages of the commands and of the reports are those of the program."""

from tests.docs import commands, reports


def test_the_page_is_written_from_the_commands() -> None:
    assert commands.PAGE.read_text(encoding="utf-8") == commands.page(), "write it anew: make commands"


def test_the_page_of_the_reports_is_written_from_their_terms_and_findings() -> None:
    assert reports.PAGE.read_text(encoding="utf-8") == reports.page(), "write it anew: make commands"


def test_the_page_names_nothing_of_the_machine_that_wrote_it() -> None:
    assert str(commands.PAGE.parents[1]) not in commands.page()
