"""The page of the commands is that of the commands."""

from tests.docs import commands


def test_the_page_is_written_from_the_commands() -> None:
    assert commands.PAGE.read_text(encoding="utf-8") == commands.page(), "write it anew: make commands"


def test_the_page_names_nothing_of_the_machine_that_wrote_it() -> None:
    assert str(commands.PAGE.parents[1]) not in commands.page()
